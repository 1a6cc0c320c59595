"""Relational models: what hand-made and sampled databases must give."""

import pickle
import signal

import numpy as np
import pytest
from sklearn.base import clone

import structlearn as sl
from structlearn.data.relational import Feature, features_of, opened_database, read_schema
from structlearn.data.relational.reading import SchemaOptions
from structlearn.scores import BDeu, FamilyScores, LogLikelihood
from structlearn.statistics.relational import ClassView, TargetStatistics
from tests.relational.databases import (
    FAMILY_KEYS,
    MAKERS,
    UNIVERSITY,
    UNIVERSITY_KEYS,
    sampled_family,
    sampled_university,
)


@pytest.fixture(scope="module")
def sampled():
    return sampled_university(900, seed=3, n_students=180, n_courses=30)


def parents_of(learner, node):
    return [parent.name for parent in learner.model_.dependencies[node].parents]


@pytest.mark.parametrize(
    ("parents", "table", "log_likelihood", "bdeu"),
    [  # docs/references/relational-models.md#grades-of-four-students
        ((), [4, 2, 2], -8.3177661667, -10.9861228867),
        (("student.intel",), [[3, 1, 0], [1, 1, 2]], -6.4082236618, -11.6400493541),
        (("course.diff",), [[3, 1, 0], [1, 1, 2]], -6.4082236618, -11.6400493541),
        (
            ("student.intel", "course.diff"),
            [[[2, 0, 0], [1, 1, 0]], [[1, 1, 0], [0, 0, 2]]],
            -2.7725887222,
            -10.0967512442,
        ),
    ],
)
def test_grades_are_counted_and_scored_as_by_hand(university, parents, table, log_likelihood, bdeu):
    with opened_database(university) as database:
        schema = read_schema(database, SchemaOptions())
        statistics = TargetStatistics(
            ClassView(database, features_of(schema, "registration", max_length=1), n_intervals=4), 0
        )
        columns = [statistics.column_of[name] for name in parents]

        assert statistics.counts([*columns, 0]).tolist() == table
        for score, expected in ((LogLikelihood(), log_likelihood), (BDeu(1.0), bdeu)):
            assert FamilyScores(score, statistics).local(0, columns) == pytest.approx(expected, abs=1e-9)


def test_parents_that_help_only_together_are_found_by_pairs(university):
    alone = sl.RelationalModel(max_chain=1, score="bdeu").fit(university)
    together = sl.RelationalModel(max_chain=1, score="bdeu", pairs=True).fit(university)

    assert alone.graph_.parents("registration.grade") == ()
    assert set(together.graph_.parents("registration.grade")) == {"student.intel", "course.diff"}
    assert together.score_ > alone.score_


def test_the_same_model_comes_from_every_database(tmp_path):
    statements = [
        *UNIVERSITY,
        "INSERT INTO registration SELECT 5 - student, 4 - course, grade FROM registration WHERE course < 3",
    ]
    models = [
        sl.RelationalModel(pairs=True, smoothing=0.5).fit(make(statements, tmp_path)).model_
        for make in MAKERS.values()
    ]

    assert models[0] == models[1]


def test_grades_depend_on_intelligence_and_difficulty_and_on_no_decoy():
    learner = sl.RelationalModel(max_chain=1, keys=UNIVERSITY_KEYS)
    learner.fit(sampled_university(3000, 0, n_students=500, n_courses=50))

    assert set(parents_of(learner, "registration.grade")) == {"student.intel", "course.diff"}


@pytest.mark.slow
def test_grades_depend_on_intelligence_and_difficulty_in_twenty_of_twenty_databases():
    found = [
        set(
            parents_of(
                sl.RelationalModel(max_chain=1, keys=UNIVERSITY_KEYS).fit(
                    sampled_university(3000, seed, n_students=500, n_courses=50)
                ),
                "registration.grade",
            )
        )
        for seed in range(20)
    ]

    # docs/references/relational-models.md#how-often-grades-are-explained
    assert found.count({"student.intel", "course.diff"}) == 20


TRUE_ARROWS = {("student.intel", "registration.grade"), ("course.diff", "registration.grade")}


@pytest.mark.parametrize(
    ("n", "most_wrong"),
    [
        pytest.param(100, 2, marks=pytest.mark.slow),
        (1000, 1),
        pytest.param(10_000, 0, marks=pytest.mark.slow),
        pytest.param(100_000, 0, marks=pytest.mark.slow),
    ],
)
def test_a_sampled_university_is_recovered_the_better_the_larger_it_is(n, most_wrong):
    graph = sl.RelationalModel(keys=UNIVERSITY_KEYS).fit(sampled_university(n, seed=5)).graph_

    assert len(set(graph.directed) ^ TRUE_ARROWS) <= most_wrong


EVERY = ("mode", "count", "mean")


@pytest.mark.parametrize(
    ("n", "aggregates"),
    [
        (400, ("mode",)),
        *(pytest.param(n, EVERY, marks=pytest.mark.slow) for n in (100, 1000, 100_000)),
    ],
)
def test_a_sampled_family_tree_is_recovered(n, aggregates):
    learner = sl.RelationalModel(
        keys=FAMILY_KEYS, acyclic=list(FAMILY_KEYS), max_chain=2, aggregates=aggregates
    ).fit(sampled_family(n, seed=2))

    assert set(parents_of(learner, "person.blood")) == {"mother.blood", "father.blood"}
    assert learner.graph_.parents("person.hair") == ()


def test_an_arrow_of_an_early_tie_is_turned_round_when_longer_chains_tell():
    rng = np.random.default_rng(0)
    tables = sampled_university(1500, seed=4, n_students=300, n_courses=40)
    grade = tables["registration"]["grade"]
    noise = rng.random(len(grade)) < 0.3
    # Named so that it is the first of two parents that are equally good.
    tables["registration"]["again"] = np.where(noise, rng.choice(list("ABC"), len(grade)), grade)

    graph = sl.RelationalModel(keys=UNIVERSITY_KEYS, max_chain=1).fit(tables).graph_

    assert graph.parents("registration.again") == ("registration.grade",)
    assert set(graph.parents("registration.grade")) == {"student.intel", "course.diff"}


def test_what_follows_from_several_objects_is_seen_by_an_aggregate():
    rng = np.random.default_rng(1)
    n, owner = 300, np.repeat(np.arange(300), 3)
    size = rng.integers(0, 2, 3 * n)
    total = np.bincount(owner, size)
    tables = {
        "box": {"id": np.arange(n), "heavy": np.where((total >= 2) ^ (rng.random(n) < 0.05), "yes", "no")},
        "thing": {"box": owner, "size": np.array(["small", "large"])[size]},
    }
    keys = {"thing.box": "box.id"}
    known = sl.Knowledge(forbidden=[("box.heavy", "thing.size")])

    learner = sl.RelationalModel(keys=keys, max_chain=1, aggregates=["mode", "exists"], knowledge=known).fit(
        tables
    )

    assert parents_of(learner, "box.heavy") == ["mode(thing[box].size)"]
    assert learner.graph_.facts["box.heavy"]["parents"] == {"mode(thing[box].size)": "thing.size"}


def test_how_many_refer_to_an_object_is_a_node_of_its_own():
    rng = np.random.default_rng(2)
    n_orders = rng.integers(0, 4, 200)
    customer = np.repeat(np.arange(200), n_orders)
    tables = {
        "customer": {"id": np.arange(200), "loyal": np.where(n_orders > 1, "yes", "no")},
        "order": {"customer": customer, "paid": rng.choice(["cash", "cheque"], len(customer))},
    }

    learner = sl.RelationalModel(keys={"order.customer": "customer.id"}, max_chain=1).fit(tables)

    assert learner.graph_.nodes == ("customer.loyal", "order.paid", "customer.count(order[customer])")
    assert learner.graph_.parents("customer.loyal") == ("customer.count(order[customer])",)
    [parent] = learner.model_.dependencies["customer.loyal"].parents
    assert parent.labels == (0, 1, 2, 3)


def test_knowledge_is_honoured_and_unknown_names_are_refused(sampled):
    required = ("student.hair", "registration.day")
    known = sl.Knowledge(required=[required], forbidden=[("course.diff", "registration.grade")])
    learner = sl.RelationalModel(keys=UNIVERSITY_KEYS, max_chain=1, knowledge=known).fit(sampled)

    assert known.violations(learner.graph_.subgraph(learner.schema_.nodes)) == []
    assert parents_of(learner, "registration.day") == ["student.hair"]
    with pytest.raises(sl.OptionError, match=r"no column 'nobody\.x'"):
        sl.RelationalModel(
            keys=UNIVERSITY_KEYS, knowledge=sl.Knowledge(required=[("nobody.x", "student.hair")])
        ).fit(sampled)


def test_trees_ask_only_what_matters(sampled):
    learner = sl.RelationalModel(keys=UNIVERSITY_KEYS, max_chain=1, cpd="tree", score="bic").fit(sampled)

    dependency = learner.model_.dependencies["registration.grade"]
    assert dependency.cpd.form == "tree"
    assert {parent.name for parent in dependency.parents} == {"student.intel", "course.diff"}


def test_longer_chains_can_be_only_those_that_go_on_from_used_ones(sampled):
    learner = sl.RelationalModel(keys=UNIVERSITY_KEYS, max_chain=2, extend="used").fit(sampled)

    assert set(parents_of(learner, "registration.grade")) == {"student.intel", "course.diff"}
    assert set(learner.trace_["chain_length"]) == {0, 1, 2}


def test_the_number_of_parents_can_be_limited(sampled):
    learner = sl.RelationalModel(keys=UNIVERSITY_KEYS, max_chain=1, max_parents=1).fit(sampled)

    assert len(learner.graph_.parents("registration.grade")) == 1


def test_the_score_rises_to_that_of_the_graph_and_evidence_is_what_an_arrow_gives(sampled):
    learner = sl.RelationalModel(keys=UNIVERSITY_KEYS, max_chain=1).fit(sampled)
    without = sl.RelationalModel(
        keys=UNIVERSITY_KEYS,
        max_chain=1,
        knowledge=sl.Knowledge(
            forbidden=[("course.diff", "registration.grade"), ("registration.grade", "course.diff")]
        ),
    ).fit(sampled)

    assert (np.diff(learner.trace_["score"]) >= 0).all()
    assert learner.score_ == pytest.approx(learner.trace_["score"][-1])
    lost = learner.evidence_["course.diff", "registration.grade"].score_gain
    assert lost == pytest.approx(learner.score_ - without.score_)
    assert set(learner.evidence_) == {(edge.source, edge.target) for edge in learner.graph_.edges}


def test_neither_the_order_of_rows_nor_of_tables_matters(sampled):
    learner = sl.RelationalModel(keys=UNIVERSITY_KEYS, max_chain=1)
    order = np.random.default_rng(0).permutation(900)
    turned = {name: sampled[name] for name in reversed(sampled)}
    turned["registration"] = {name: column[order] for name, column in sampled["registration"].items()}

    expected, found = clone(learner).fit(sampled), clone(learner).fit(turned)

    assert set(found.graph_.directed) == set(expected.graph_.directed)
    assert found.score_ == pytest.approx(expected.score_)
    assert pickle.loads(pickle.dumps(found)).model_ == found.model_  # noqa: S301, our own bytes


def test_a_time_limit_gives_the_best_graph_so_far_and_says_so(sampled):
    learner = sl.RelationalModel(keys=UNIVERSITY_KEYS, time_limit=1e-9).fit(sampled)

    assert learner.status_.startswith("Stopped at time_limit: this is the best graph found so far.")
    assert len(learner.graph_) == 6
    assert len(learner.model_.dependencies) == 6


def test_ctrl_c_gives_the_best_graph_so_far_and_says_so(sampled, monkeypatch):
    counted = ClassView.counts

    def interrupted(view, *arguments):
        signal.raise_signal(signal.SIGINT)
        monkeypatch.setattr(ClassView, "counts", counted)
        return counted(view, *arguments)

    monkeypatch.setattr(ClassView, "counts", interrupted)
    learner = sl.RelationalModel(keys=UNIVERSITY_KEYS).fit(sampled)

    assert learner.status_.startswith("Interrupted: this is the best graph found so far.")


def test_missing_values_are_states_of_parents_or_refused(sampled):
    tables = {name: dict(columns) for name, columns in sampled.items()}
    gaps = np.random.default_rng(0).random(180) < 0.2
    tables["student"]["intel"] = np.where(gaps, None, tables["student"]["intel"].astype(object))

    learner = sl.RelationalModel(keys=UNIVERSITY_KEYS, max_chain=1).fit(tables)

    labels = {
        parent.name: parent.labels for parent in learner.model_.dependencies["registration.grade"].parents
    }
    assert labels == {"student.intel": ("hi", "lo", "none"), "course.diff": ("easy", "hard")}
    assert learner.model_.dependencies["student.intel"].cpd.labels == ("hi", "lo")
    with pytest.raises(sl.DataError, match=rf"missing in 'student\.intel' \({gaps.sum()}\)"):
        sl.RelationalModel(keys=UNIVERSITY_KEYS, missing="error").fit(tables)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"aggregates": ["sum"]}, "there is no 'sum'"),
        ({"max_chain": -1}, "max_chain"),
        ({"keys": "all"}, "keys"),
        ({"bins": 1}, "bins"),
        ({"dangling": "drop"}, "dangling"),
        ({"score": "bge"}, "'bge' has no form for discrete columns"),
    ],
)
def test_a_wrong_option_is_refused_by_name(sampled, options, message):
    with pytest.raises(ValueError, match=message):
        sl.RelationalModel(**{"keys": UNIVERSITY_KEYS, **options}).fit(sampled)


def test_one_object_and_one_state_are_no_trouble():
    learner = sl.RelationalModel().fit({"a": {"x": ["p"]}})

    assert learner.graph_ == sl.Graph(["a.x"], facts={"a.x": {"group": "a"}})
    assert learner.model_.dependencies["a.x"].cpd.as_table().tolist() == [1.0]


def test_a_copy_of_an_attribute_is_one_arrow():
    rng = np.random.default_rng(0)
    kind = rng.choice(["p", "q"], 60)
    tables = {"a": {"id": np.arange(60), "x": kind, "copy": kind}}

    graph = sl.RelationalModel().fit(tables).graph_

    assert [set(edge) for edge in graph.directed] == [{"a.x", "a.copy"}]


def test_noise_alone_has_no_arrows():
    rng = np.random.default_rng(4)
    tables = sampled_university(600, seed=8)
    tables["registration"]["grade"] = rng.choice(list("ABC"), 600)

    assert (
        sl.RelationalModel(keys=UNIVERSITY_KEYS, max_chain=1, aggregates=["mode"]).fit(tables).graph_.directed
        == ()
    )


def test_features_of_objects_are_compared_by_what_they_are():
    tables = {"a": {"id": np.arange(40), "x": np.arange(40) % 2}}
    schema = sl.RelationalModel().fit(tables).schema_

    assert Feature("a", (), schema.attribute("a.x")) == Feature("a", (), schema.attribute("a.x"))
