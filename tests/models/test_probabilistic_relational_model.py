"""Models of databases: their likelihood by hand, their files, and what they refuse."""

import json
import math

import pytest

import structlearn as sl
from structlearn.models.relational import ProbabilisticRelationalModel
from tests.relational.databases import (
    MAKERS,
    UNIVERSITY,
    UNIVERSITY_KEYS,
    in_duckdb,
    sampled_family,
    sampled_university,
)


@pytest.fixture(scope="module")
def model(university):
    known = sl.Knowledge(
        required=[("student.intel", "registration.grade"), ("course.diff", "registration.grade")]
    )
    options = {"max_chain": 1, "smoothing": 0.0, "max_parents": 2, "aggregates": ["mode"], "knowledge": known}
    return sl.RelationalModel(**options).fit(university).model_


def test_the_likelihood_is_the_product_over_all_objects(model, university):
    found = model.log_likelihoods(university)

    # Four tables of grades with (2, 0, 0), (1, 1, 0), (1, 1, 0) and (0, 0, 2): four grades of a half each.
    assert found["registration.grade"] == pytest.approx(4 * math.log(0.5))
    assert found["registration.grade"] == pytest.approx(-2.7725887222, abs=1e-9)
    assert found["student.intel"] == pytest.approx(4 * math.log(0.5))
    assert found["course.diff"] == pytest.approx(math.log(1 / 3) + 2 * math.log(2 / 3))
    assert model.log_likelihood(university) == pytest.approx(sum(found.values()))


def test_the_number_of_parameters_is_counted_once_per_class(model):
    assert model.n_parameters == 4 * 2 + 1 + 1
    assert repr(model) == "<ProbabilisticRelationalModel: 3 attributes of 3 classes, 10 parameters>"


@pytest.mark.parametrize(
    ("cpd", "aggregates"),
    [("table", ["count", "mean", "min", "max", "median"]), ("tree", ["mode", "exists"])],
)
def test_a_model_is_read_back_as_it_was_written(tmp_path, cpd, aggregates):
    tables = sampled_university(200, seed=1)
    learner = sl.RelationalModel(
        keys=UNIVERSITY_KEYS, max_chain=1, score="bic", cpd=cpd, aggregates=aggregates, max_parents=2
    )
    model = learner.fit(tables).model_
    path = tmp_path / "model.json"

    model.save(path)
    found = sl.load(path)

    assert isinstance(found, ProbabilisticRelationalModel)
    assert found == model
    assert found.log_likelihood(tables) == model.log_likelihood(tables)
    assert json.loads(path.read_text(encoding="utf-8"))["kind"] == "relational-model"


def test_chains_along_a_class_itself_are_read_back(tmp_path):
    keys = {"person.mother": "person.id", "person.father": "person.id"}
    model = (
        sl.RelationalModel(keys=keys, acyclic=list(keys), max_chain=1).fit(sampled_family(200, seed=0)).model_
    )
    model.save(tmp_path / "family.json")

    assert sl.load(tmp_path / "family.json") == model


def test_another_database_with_the_schema_is_judged_in_any_engine(model, tmp_path):
    others = [*UNIVERSITY[:-1], "INSERT INTO registration VALUES (1, 1, 'A'), (2, 1, 'A'), (3, 3, 'C')"]
    (tmp_path / "others").mkdir()
    found = [model.log_likelihoods(make(others, tmp_path / "others")) for make in MAKERS.values()]

    assert found[0]["registration.grade"] == pytest.approx(0.0)  # all three are certain
    assert found[0] == found[1]


def test_what_the_model_rules_out_is_impossible(model, tmp_path):
    (tmp_path / "others").mkdir()
    others = [*UNIVERSITY[:-1], "INSERT INTO registration VALUES (1, 1, 'C')"]

    assert model.log_likelihood(in_duckdb(others, tmp_path / "others")) == -math.inf


def test_states_that_the_model_does_not_know_are_refused(model, tmp_path):
    (tmp_path / "others").mkdir()
    others = [*UNIVERSITY[:-1], "INSERT INTO registration VALUES (1, 1, 'F')"]

    with pytest.raises(
        sl.DataError, match=r"'registration\.grade' has values in .* that the model does not know"
    ):
        model.log_likelihood(in_duckdb(others, tmp_path / "others"))


def test_objects_that_see_nothing_for_the_first_time_are_refused(model, tmp_path):
    (tmp_path / "others").mkdir()
    others = [*UNIVERSITY[:-1], "INSERT INTO registration VALUES (NULL, 1, 'A')"]

    with pytest.raises(sl.DataError, match=r"Some registration sees nothing as 'student\.intel'"):
        model.log_likelihood(in_duckdb(others, tmp_path / "others"))


def test_an_attribute_without_a_distribution_is_refused(model):
    with pytest.raises(sl.DataError, match=r"'student\.intel' has no distribution"):
        ProbabilisticRelationalModel(
            model.graph,
            model.schema,
            {node: each for node, each in model.dependencies.items() if node != "student.intel"},
        )


def test_models_of_other_things_are_different(model):
    assert model != "model"
    assert model != ProbabilisticRelationalModel(
        sl.Graph(model.graph.nodes), model.schema, model.dependencies
    )
