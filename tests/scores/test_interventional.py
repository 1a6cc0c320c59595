"""Scores of rows in which columns were set: worked tables, classes that experiments leave, bad targets.

The numbers are in docs/references/scores.md#rows-in-which-columns-were-set.
"""

from collections import defaultdict

import numpy as np
import pandas as pd
import pytest

import structlearn as sl
from structlearn.scores import (
    BDeu,
    GaussianBIC,
    NearGraph,
    Penalised,
    Shifted,
    ShortCode,
    WithStructurePrior,
)
from structlearn.scores.likelihoods import Tables
from structlearn.scores.prices import Schwarz
from tests.oracles import graphs as oracle

OBSERVED = {"00": 4, "01": 2, "10": 1, "11": 5}
SET_A = {"00": 3, "01": 1, "10": 1, "11": 3}
SET_B = {"00": 2, "01": 2, "10": 2, "11": 2}
GRAPHS = [sl.Graph("AB", directed=["AB"]), sl.Graph("AB", directed=["BA"]), sl.Graph("AB")]


def table(**rows_by_target):
    """Columns A, B and target, with so many rows of each pair of states."""
    rows = [
        (a, b, target.strip("_"))
        for target, counts in rows_by_target.items()
        for (a, b), n in counts.items()
        for _ in range(n)
    ]
    a, b, target = zip(*rows, strict=True)
    return {"A": a, "B": b, "target": [None if name == "none" else name for name in target]}


@pytest.mark.parametrize(
    ("score", "known"),
    [
        (BDeu(ess=1), [-24.549385, -25.296118, -25.305833]),
        ("bic", [-23.668619, -24.435448, -24.820862]),
        (Penalised(Tables(), Schwarz(rows=20)), [-23.924032, -24.946274, -25.076275]),
    ],
)
def test_a_table_with_a_column_set_has_the_known_scores(score, known):
    data = table(none=OBSERVED, A=SET_A)

    assert [sl.score(graph, data, score, targets="target") for graph in GRAPHS] == pytest.approx(known)


def test_each_column_is_scored_where_it_was_not_set():
    data = table(none=OBSERVED, A=SET_A, B=SET_B)
    scores = [sl.score(graph, data, BDeu(ess=1), targets="target") for graph in GRAPHS]

    assert scores == pytest.approx([-30.341661, -32.165658, -31.098108])


def test_without_targets_both_directions_score_the_same():
    data = {name: table(none=OBSERVED, A=SET_A)[name] for name in "AB"}
    ignored = [sl.score(graph, data, BDeu(ess=1)) for graph in GRAPHS[:2]]

    assert ignored == pytest.approx([-30.341661, -30.341661])


T3 = {"x": [1.0, 2, 3, 4, 5, 6], "y": [2.0, 1, 4, 3, 6, 5]}


@pytest.mark.parametrize("rows", [[4, 5], np.array([False] * 4 + [True] * 2)], ids=["positions", "mask"])
def test_families_of_continuous_columns_have_the_known_scores(rows):
    of_y = {"directed": ["xy"]}, -13.516715 - 7.308909
    of_x = {"directed": ["yx"]}, -10.932434 - 7.508336
    empty = {}, -13.516715 - 7.508336

    for edges, known in (of_y, of_x, empty):
        assert sl.score(sl.Graph("xy", **edges), T3, targets={"y": rows}) == pytest.approx(known)


def test_dags_that_no_experiment_tells_apart_score_the_same():
    rng = np.random.default_rng(0)
    rows = dict(zip("abc", rng.normal(size=(40, 3)).T @ np.eye(40), strict=True))
    targets = {"a": np.arange(15)}
    scores = defaultdict(list)
    for arrows in oracle.all_dags(3):
        dag = sl.Graph("abc", directed=[("abc"[i], "abc"[j]) for i, j in arrows])
        scores[dag.to_cpdag(targets=["a"])].append(sl.score(dag, rows, targets=targets))

    assert len(scores) == 20
    assert all(max(same) - min(same) < 1e-8 for same in scores.values())
    for essential, same in scores.items():
        assert sl.score(essential, rows, targets=targets) == pytest.approx(same[0])
    by_class = defaultdict(set)
    for essential, same in scores.items():
        by_class[essential.to_dag().to_cpdag()].add(round(same[0], 6))
    assert any(len(different) > 1 for different in by_class.values())


def bic_of(rows, child, parents):
    """Of a regression with an intercept, by hand."""
    y, design = rows[child], np.column_stack([np.ones(len(rows[child])), *(rows[name] for name in parents)])
    left = y - design @ np.linalg.lstsq(design, y, rcond=None)[0]
    price = 0.5 * np.log(len(y)) * (len(parents) + 2)
    return -0.5 * len(y) * (1 + np.log(2 * np.pi * np.square(left).mean())) - price


def shifted_rows():
    """a → b → c; b was shifted in rows 20 to 49, b and c in rows 50 to 79, with other slopes."""
    rng = np.random.default_rng(2)
    e = rng.normal(size=(3, 80))
    of_b, of_c = (np.repeat(slopes, [20, 30, 30]) for slopes in ([1.0, -1.0, 2.0], [1.0, 1.0, -1.0]))
    b = of_b * e[0] + e[1]
    return {"a": e[0], "b": b, "c": of_c * b + e[2]}, {"b": np.arange(20, 80), "c": np.arange(50, 80)}


def test_shifted_columns_have_parameters_of_their_own_in_each_condition():
    rows, targets = shifted_rows()
    dag = sl.Graph("abc", directed=["ab", "bc", "ac"])
    parts = {"a": [(0, 80)], "b": [(0, 20), (20, 50), (50, 80)], "c": [(0, 50), (50, 80)]}
    expected = sum(
        bic_of({name: column[start:stop] for name, column in rows.items()}, child, dag.parents(child))
        for child, bounds in parts.items()
        for start, stop in bounds
    )

    assert sl.score(dag, rows, Shifted(GaussianBIC()), targets=targets) == pytest.approx(expected)
    assert sl.score(dag, rows, Shifted(GaussianBIC())) == pytest.approx(sl.score(dag, rows))


def test_a_prior_of_the_structure_counts_once_whatever_was_set_or_shifted():
    rows, targets = shifted_rows()
    dag = sl.Graph("abc", directed=["ab", "bc", "ac"])
    near, code = NearGraph(sl.Graph("abc", directed=["ab", "cb"]), kappa=0.1), ShortCode()
    priors = 3 * np.log(0.1) + sl.score(dag, rows, code)  # bc and cb, and ac
    everywhere = {"c": range(80)}  # nothing is known of its parents but the prior

    with_both = WithStructurePrior(WithStructurePrior(GaussianBIC(), near), code)
    for plain, score in (
        (GaussianBIC(), with_both),
        (Shifted(GaussianBIC()), Shifted(with_both)),
        (Shifted(GaussianBIC()), WithStructurePrior(WithStructurePrior(Shifted(GaussianBIC()), near), code)),
    ):
        expected = sl.score(dag, rows, plain, targets=targets) + priors
        assert sl.score(dag, rows, score, targets=targets) == pytest.approx(expected)
        with pytest.warns(sl.DataWarning, match="nothing is known of its parents"):
            expected = sl.score(dag, rows, plain, targets=everywhere) + priors
        with pytest.warns(sl.DataWarning, match="nothing is known of its parents"):
            assert sl.score(dag, rows, score, targets=everywhere) == pytest.approx(expected)


def test_classes_are_searched_with_an_equivalent_prior_of_the_structure():
    rows, targets = shifted_rows()
    score = WithStructurePrior(Shifted(GaussianBIC()), ShortCode())
    found = sl.GreedyEquivalence(score=score, targets=targets).fit(rows)

    assert found.score_ == pytest.approx(sl.score(found.graph_.to_dag(), rows, score, targets=targets))


def test_dags_that_shifts_do_not_tell_apart_score_the_same():
    rows, targets = shifted_rows()
    scores = defaultdict(list)
    for arrows in oracle.all_dags(3):
        dag = sl.Graph("abc", directed=[("abc"[i], "abc"[j]) for i, j in arrows])
        found = sl.score(dag, rows, Shifted(GaussianBIC()), targets=targets)
        scores[dag.to_cpdag(targets=[["b"], ["b", "c"]])].append(found)

    assert all(max(same) - min(same) < 1e-8 for same in scores.values())
    assert max(scores, key=lambda graph: scores[graph][0]) == sl.Graph("abc", directed=["ab", "bc"])


def test_a_column_that_was_shifted_still_follows_its_parents():
    """If b had been set, a could follow it only if b acts on a."""
    rng = np.random.default_rng(0)
    a, e = rng.normal(size=(2, 200))
    data = {"a": a, "b": np.where(np.arange(200) < 12, 0.3, 1.0) * a + e}
    learners = [
        sl.GreedyEquivalence(score=score, targets={"b": range(12, 200)})
        for score in (GaussianBIC(), Shifted(GaussianBIC()))
    ]

    found = [learner.fit(data).graph_.directed for learner in learners]
    assert found == [(("b", "a"),), (("a", "b"),)]


def test_conditions_of_few_rows_or_one_value_are_left_out():
    rows, _ = shifted_rows()
    rows["b"][71:] = 1.5
    data = {name: column[:76] for name, column in rows.items()}
    targets = {"b": range(71, 76)}  # one value
    few = {"c": range(67, 76)}  # nine rows
    for graph in (sl.Graph("abc", directed=["ab", "bc"]), sl.Graph("abc")):
        for each in (targets, few):
            shifted = sl.score(graph, data, Shifted(GaussianBIC()), targets=each)
            assert shifted == pytest.approx(sl.score(graph, data, targets=each))


def test_several_names_in_a_cell_were_set_together():
    data = table(none=OBSERVED) | {"target": ["A, B"] * 4 + [None] * 8}
    apart = {"A": np.arange(4), "B": np.arange(4)}

    for graph in GRAPHS:
        together = sl.score(graph, data, targets="target")
        assert together == sl.score(graph, {name: data[name] for name in "AB"}, targets=apart)
        assert together != sl.score(graph, {name: data[name] for name in "AB"})


def test_a_column_that_was_always_set_says_nothing_of_its_parents():
    data = {name: table(none=OBSERVED)[name] for name in "AB"}
    with pytest.warns(sl.DataWarning, match="'A' was set in every row"):
        scores = [sl.score(graph, data, targets={"A": range(12)}) for graph in GRAPHS]

    assert scores[1] == scores[2]
    assert scores[0] > scores[2]


@pytest.mark.parametrize(
    ("graph", "targets", "message"),
    [
        (GRAPHS[0], "nothing", "no column 'nothing'"),
        (GRAPHS[0], "B", "this column is a node"),
        (GRAPHS[0], {"C": [1]}, "targets name 'C'"),
        (GRAPHS[0], {"A": [20]}, "positions from 0 to 19"),
        (GRAPHS[0], {"A": [True, False]}, "a mask of 20 truth values"),
        (GRAPHS[0], {"A": [0.5]}, "positions from 0 to 19"),
        (GRAPHS[0], ["A"], "a cell for each of the 20 rows, and these are 1"),
        (sl.Graph("AB", undirected=["AB"]), {"A": [1]}, "several DAGs, whose scores by it differ"),
    ],
)
def test_targets_that_make_no_sense_are_refused(graph, targets, message):
    with pytest.raises((sl.DataError, sl.OptionError), match=message):
        sl.score(graph, table(none=OBSERVED, A=SET_A), targets=targets)


def test_a_cell_that_names_no_column_is_refused_with_what_to_do():
    with pytest.raises(sl.DataError, match=r"targets name 'obs'.*Leave a cell empty where nothing was set"):
        sl.score(GRAPHS[0], table(none=OBSERVED) | {"target": ["obs"] * 12}, targets="target")


@pytest.mark.parametrize("nothing", ["", " ", None, float("nan")], ids=repr)
@pytest.mark.parametrize("frame", [dict, pd.DataFrame], ids=["dict", "frame"])
def test_an_empty_cell_of_targets_is_a_row_in_which_nothing_was_set(nothing, frame):
    data = table(none=OBSERVED, A=SET_A)
    said = frame(data | {"target": [nothing if cell is None else cell for cell in data["target"]]})

    known = sl.score(GRAPHS[0], data, BDeu(ess=1), targets="target")
    assert sl.score(GRAPHS[0], said, BDeu(ess=1), targets="target") == known
    learned = sl.HillClimbing(score=BDeu(ess=1), targets="target").fit(said)
    assert learned.score_ == sl.HillClimbing(score=BDeu(ess=1), targets="target").fit(data).score_
