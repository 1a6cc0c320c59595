"""Changed certificates of a lasso and of PC are refused, by us and by scripts that know nothing of us."""

import json
import math

import numpy as np
import pytest

import structlearn as sl
from structlearn.certificates import Certificate, separations
from structlearn.independence.chi2 import Chi2
from structlearn.independence.g2 import G2
from tests.certificates.claims import ending_of_script

SCRIPTS = {"sparse-precision": "check_sparse_precision", "separating-sets": "check_separations"}
ACCEPTED = {"sparse-precision": "that of no matrix is below", "separating-sets": "others by no neighbours"}


def columns():
    """A chain with a collider at its end, in which all ends of edges are dependent."""
    rng = np.random.default_rng(0)
    a, b, d = rng.normal(size=(3, 200))
    b += 0.8 * a
    c = 0.7 * b + d + rng.normal(size=200)
    e = 0.9 * c + rng.normal(size=200)
    return {"a": a, "b": b, "c": c, "d": d, "e": e}


def written(folder, table):
    path = folder / "table.csv"
    rows = zip(*(map(repr, np.asarray(column).tolist()) for column in table.values()), strict=True)
    path.write_text("\n".join([",".join(table), *map(",".join, rows)]) + "\n")
    return path


@pytest.fixture(scope="module")
def table(tmp_path_factory):
    return written(tmp_path_factory.mktemp("numbers"), columns())


@pytest.fixture(scope="module")
def lasso(table):
    """With a pair that must have no edge, so that its entry of the dual is free."""
    learner = sl.GraphicalLasso(penalty=0.1, weights={("a", "e"): math.inf})
    return learner.fit(table).certificate().content


@pytest.fixture(scope="module")
def pc(table):
    return sl.PC(alpha=0.01).fit(table).certificate().content


def verdicts(content, table, folder, judge=None):
    """Whether we accept a certificate, and whether the script does."""
    try:
        ours = Certificate(content).check(table, judge).holds
    except sl.DataError as error:
        assert "The certificate is" in str(error)  # noqa: PT017, either answer will do
        ours = False
    (folder / "c.json").write_text(json.dumps(content))
    said = ending_of_script(SCRIPTS[content["kind"]], folder / "c.json", table)
    return ours, ACCEPTED[content["kind"]] in said


def changed(content, change):
    false = json.loads(json.dumps(content))
    change(false)
    return false


def test_what_was_not_changed_is_accepted(lasso, pc, table, tmp_path):
    assert verdicts(lasso, table, tmp_path) == (True, True)
    assert verdicts(pc, table, tmp_path) == (True, True)
    assert sorted(map(sorted, pc["edges"])) == [["a", "b"], ["b", "c"], ["c", "d"], ["c", "e"]]


@pytest.mark.parametrize("options", [{"standardise": False}, {"penalise_diagonal": True}])
def test_the_script_knows_the_options_of_a_lasso(options, table, tmp_path):
    content = sl.GraphicalLasso(penalty=0.1, **options).fit(table).certificate().content

    assert verdicts(content, table, tmp_path) == (True, True)


APART = [("b", "c"), ("c", "b")]  # the strongest edge


@pytest.mark.parametrize(
    "options",
    [
        {"stable": False},
        {"max_conditioning": 0},  # so that edges are left which further conditions would remove
        {"knowledge": sl.Knowledge(required=[("a", "d")])},
        {"knowledge": sl.Knowledge(forbidden=APART)},
        {"knowledge": sl.Knowledge(forbidden=APART), "max_conditioning": 0},
    ],
)
def test_whatever_pc_was_asked_its_certificate_is_accepted_and_with_an_edge_too_many_refused(
    options, table, tmp_path
):
    content = sl.PC(alpha=0.01, **options).fit(table).certificate().content

    assert verdicts(content, table, tmp_path) == (True, True)
    assert verdicts(changed(content, unfounded_edge), table, tmp_path) == (False, False)
    assert verdicts(changed(content, pair_left_out), table, tmp_path) == (False, False)


def test_edges_that_knowledge_keeps_are_counted(table):
    knowledge = sl.Knowledge(required=[("a", "d")], forbidden=APART)

    said = str(sl.PC(alpha=0.01, knowledge=knowledge).fit(table).certificate().check(table))

    assert "1 of them by knowledge, have an edge" in said
    assert "none both; 1 neither, by knowledge." in said


def test_what_edges_survived_is_left_open_where_the_search_ended_early(pc, table, tmp_path):
    early = {**pc, "end": False}

    assert [each.holds for each in Certificate(early).check(table).findings] == [True, True, True, None]
    assert verdicts(early, table, tmp_path) == (True, False)


def test_a_search_that_ended_early_says_so(table):
    assert sl.PC(time_limit=1e-9).fit(table).certificate().content["end"] is False
    assert sl.PC().fit(table).certificate().content["end"] is True


def test_too_many_tests_of_edges_are_left_open(pc, table, monkeypatch):
    monkeypatch.setattr(separations, "MOST_TESTS", 3)

    (*_, survived) = Certificate(pc).check(table).findings

    assert survived.holds is None
    assert survived.claim.endswith("more than 3 tests.")


@pytest.mark.parametrize("test", [G2(sparse="asymptotic"), Chi2(sparse="asymptotic")])
def test_the_script_knows_tests_of_tables(test, tmp_path):
    path = tmp_path / "table.csv"
    sl.example("asia").sample(400, random_state=0).save(path)
    content = sl.PC(test=test, max_conditioning=1).fit(path).certificate().content
    false = changed(content, lambda known: unfounded_edge(known))

    assert verdicts(content, path, tmp_path, test) == (True, True)
    assert verdicts(false, path, tmp_path, test) == (False, False)


def entry(content, i, j):
    return next(each for each in content["precision"] if each[:2] == [i, j])


def outside_the_penalties(content):
    content["dual"][1][0] -= 1e-4


def not_definite_though_within_the_penalties(content):
    content["dual"][4][0] = 1.5


def other_penalty(content):
    content["penalty"] = 0.05


def other_penalty_with_its_objective(content):
    """At a lower penalty the point of the dual is outside."""
    lower = sum((2 if i > j else 0) * abs(x) for i, j, x in content["precision"]) * 0.05
    content.update({"penalty": 0.05, "primal objective": content["primal objective"] - lower})


def penalty_below_nothing(content):
    content["penalty"] = -0.1


def not_the_best_matrix(content):
    entry(content, 0, 0)[2] *= 1.01


def edge_that_must_not_be(content):
    content["precision"].append([4, 0, 0.01])


def matrix_without_determinant(content):
    entry(content, 2, 2)[2] *= -1.0


def entry_twice(content):
    content["precision"].append(entry(content, 1, 0))


def entry_above_the_diagonal(content):
    i, j, value = entry(content, 1, 0)
    content["precision"].append([j, i, value])


def entry_from_the_end(content):
    content["precision"].append([-1, -1, entry(content, 4, 4)[2]])


def smaller_gap(content):
    """A matrix that is a little off, and does not say so."""
    entry(content, 0, 0)[2] *= 1.01
    matrix = np.zeros((5, 5))
    for i, j, value in content["precision"]:
        matrix[i, j] = matrix[j, i] = value
    rows = np.array([columns()[name] for name in "abcde"])
    content["primal objective"] = float(
        np.sum(np.corrcoef(rows) * matrix)
        + 0.1 * np.sum(np.abs(matrix - np.diag(np.diag(matrix))))
        - np.linalg.slogdet(matrix).logabsdet
    )


def no_number_in_the_dual(content):
    content["dual"][2][1] = math.nan


def other_units(content):
    content["standardise"] = False


def other_bound(content):
    content["dual objective"] += 0.1


def fewer_rows(content):
    content["table"]["rows"] -= 1


def exchanged_columns(content):
    content["table"]["columns"][:2] = ["b", "a"]


LASSOS = [
    outside_the_penalties,
    not_definite_though_within_the_penalties,
    other_penalty,
    other_penalty_with_its_objective,
    penalty_below_nothing,
    not_the_best_matrix,
    edge_that_must_not_be,
    matrix_without_determinant,
    entry_twice,
    entry_above_the_diagonal,
    entry_from_the_end,
    smaller_gap,
    no_number_in_the_dual,
    other_units,
    other_bound,
    fewer_rows,
    exchanged_columns,
]


@pytest.mark.parametrize("change", LASSOS)
def test_a_false_lasso_is_refused(change, lasso, table, tmp_path):
    assert verdicts(changed(lasso, change), table, tmp_path) == (False, False)


def wrong_p_value(content):
    content["separations"][1][3] += 1e-6


def no_p_value(content):
    content["separations"][1][3] = math.nan


def pair_left_out(content):
    content["separations"].pop()


def edge_left_out(content):
    content["edges"].pop()


def unfounded_edge(content):
    a, b, *_ = content["separations"].pop()
    content["edges"].append([a, b])


def edge_taken_for_separated(content):
    """With its own p-value, which is below the level."""
    a, b = content["edges"].pop()
    content["separations"].append([a, b, [], sl.test_independence(columns(), a, b).p_value])


def pair_twice(content):
    content["separations"].append(content["separations"][0])


def edge_twice(content):
    content["edges"].append(content["edges"][0][::-1])


def end_within_its_own_set(content):
    content["separations"][0][2].append(content["separations"][0][0])


def higher_level(content):
    content["alpha"] = max(p for *_, p in content["separations"])


def lower_level(content):
    content["alpha"] = 1e-30


def knowledge_against_an_edge(content):
    content["forbidden"].append(content["edges"][0])


def knowledge_for_a_pair_without_edge(content):
    content["required"].append(content["separations"][0][:2])


def unfounded_edge_that_nothing_is_asked_of(content):
    unfounded_edge(content)
    content["max conditions"] = -1


def edge_separated_at_a_level_below_all(content):
    edge_taken_for_separated(content)
    content["alpha"] = -1.0


def other_test(content):
    content["test"] = "ExactT()"


FALSE_SETS = [
    wrong_p_value,
    no_p_value,
    pair_left_out,
    edge_left_out,
    unfounded_edge,
    edge_taken_for_separated,
    pair_twice,
    edge_twice,
    end_within_its_own_set,
    higher_level,
    lower_level,
    knowledge_against_an_edge,
    knowledge_for_a_pair_without_edge,
    unfounded_edge_that_nothing_is_asked_of,
    edge_separated_at_a_level_below_all,
    other_test,
    fewer_rows,
]


@pytest.mark.parametrize("change", FALSE_SETS)
def test_false_separations_are_refused(change, pc, table, tmp_path):
    assert verdicts(changed(pc, change), table, tmp_path) == (False, False)


def test_fewer_conditions_than_the_search_had_are_said(pc, table):
    (*_, survived) = Certificate({**pc, "max conditions": 0, "stable": False}).check(table).findings

    assert "no neighbours that are left, at most 0 of them, separate" in survived.claim


def test_every_edge_that_is_one_too_many_is_refused(pc, table, tmp_path):
    for place in range(len(pc["separations"])):

        def move(content, place=place):
            a, b, *_ = content["separations"].pop(place)
            content["edges"].append([a, b])

        assert verdicts(changed(pc, move), table, tmp_path) == (False, False)


def another_value(table):
    return {**table, "c": np.append(table["c"][:-1], 0.0)}


def renamed(table):
    return dict(zip("badce", table.values(), strict=True))


def without_a_row(table):
    return {name: column[:-1] for name, column in table.items()}


@pytest.mark.parametrize("other", [another_value, renamed, without_a_row])
def test_another_table_is_refused(other, lasso, pc, tmp_path):
    path = written(tmp_path, other(columns()))

    assert verdicts(lasso, path, tmp_path) == (False, False)
    assert verdicts(pc, path, tmp_path) == (False, False)
