"""Learning from rows in which columns were set: which rows count, what is refused, what is said."""

import numpy as np
import pytest
from scipy import stats

import structlearn as sl
from structlearn.independence import FisherZ
from structlearn.independence.interventional import Interventional, with_experiments
from structlearn.report import write_report
from structlearn.scores import GaussianBIC
from structlearn.scores.interventional import with_experiments as score_with_experiments
from structlearn.statistics import statistics_of
from tests.contracts.conftest import chain_with_targets

TABLE = chain_with_targets("continuous")
CELLS = TABLE["set"]
NODES = {name: TABLE[name] for name in "dbac"}


@pytest.mark.parametrize(
    "targets",
    [CELLS, CELLS.tolist(), {"b": np.arange(400, 600)}, {"b": CELLS == "b"}, {"b": CELLS == "b", "a": []}],
    ids=["array of cells", "list of cells", "positions", "mask", "nothing set of another"],
)
def test_a_column_and_other_ways_to_say_the_same_give_the_same_graph(targets):
    expected = sl.GreedyEquivalence(targets="set").fit(TABLE)
    found = sl.GreedyEquivalence(targets=targets).fit(NODES)

    assert found.graph_ == expected.graph_
    assert found.score_ == expected.score_
    assert found.experiments_ == expected.experiments_


def test_the_score_of_the_graph_is_that_of_the_rows_of_each_column():
    found = sl.HillClimbing(targets="set").fit(TABLE)
    untouched = {name: column[:400] for name, column in NODES.items()}
    parents = {node: found.graph_.parents(node) for node in "dbac"}
    by_hand = sum(local_bic(untouched if node == "b" else NODES, node, parents[node]) for node in parents)

    assert found.score_ == pytest.approx(by_hand)
    assert found.score_ == pytest.approx(sl.score(found.graph_, TABLE, targets="set"))


def local_bic(table, child, parents):
    """The log-likelihood of a regression, less half a logarithm for each of its parameters."""
    n = len(table[child])
    design = np.column_stack([np.ones(n), *(table[parent] for parent in parents)])
    left = table[child] - design @ np.linalg.lstsq(design, table[child], rcond=None)[0]
    return stats.norm.logpdf(left, scale=np.sqrt(np.mean(left**2))).sum() - (len(parents) + 2) / 2 * np.log(n)


def told_statistics():
    data = sl.Dataset(NODES)
    rows_set = {"b": CELLS == "b", "d": np.arange(600) < 100}
    return statistics_of(data, tuple("abcd"), owner="test", rows_set=rows_set)


def test_a_test_leaves_out_the_rows_in_which_one_of_the_two_was_set():
    statistics = told_statistics()
    questions = np.array([[0, 2, 1], [1, 0, 2], [3, 0, 2], [3, 1, 0], [1, 3, 2]])
    is_left = [np.ones(600, bool), CELLS != "b", np.arange(600) >= 100]
    is_left += [is_left[1] & is_left[2]] * 2
    found = with_experiments(FisherZ(), statistics).many(statistics, questions)

    for (x, y, z), rows, p_value, log_p in zip(questions, is_left, found.p_value, found.log_p, strict=True):
        columns = [NODES["abcd"[j]][rows] for j in (x, y, z)]
        left = [np.polyval(np.polyfit(columns[2], one, 1), columns[2]) - one for one in columns[:2]]
        r, n = np.corrcoef(left)[0, 1], rows.sum()
        assert p_value == pytest.approx(2 * stats.norm.sf(np.sqrt(n - 4) * abs(np.arctanh(r))), rel=1e-6)
        assert log_p == pytest.approx(np.log(p_value))
    assert found.is_reliable.all()


def test_without_rows_a_test_finds_independence_and_is_not_reliable():
    data = sl.Dataset(NODES)
    rows_set = {"b": CELLS == "b", "d": CELLS != "b"}
    statistics = statistics_of(data, tuple("abcd"), owner="test", rows_set=rows_set)
    found = Interventional(FisherZ(), statistics.experiments).many(statistics, np.array([[1, 3], [0, 2]]))

    assert found.p_value[0] == 1.0
    assert found.is_reliable.tolist() == [False, True]
    assert found.p_value[1] == FisherZ().many(statistics, np.array([[0, 2]])).p_value[0]


def test_what_was_set_together_is_counted():
    experiments = told_statistics().experiments

    assert experiments.by_names("abcd") == {(): 300, ("b",): 200, ("d",): 100}
    assert experiments.told_apart(4).tolist() == [
        [False, True, False, True],
        [True, False, True, True],
        [False, True, False, True],
        [True, True, True, False],
    ]
    assert repr(experiments) == "Experiments({1: 200, 3: 100})"


def test_rows_with_gaps_are_left_out_together_with_what_was_set_in_them():
    holes = {name: column.copy() for name, column in NODES.items()}
    holes["c"][[0, 410]] = np.nan
    whole = ~np.isnan(holes["c"])
    expected = sl.BOSS(targets="set").fit({name: column[whole] for name, column in TABLE.items()})
    found = sl.BOSS(targets="set", missing="drop").fit(holes | {"set": CELLS})

    assert found.experiments_ == {(): 399, ("b",): 199}
    assert found.score_ == expected.score_


def test_a_column_set_in_every_row_gets_no_parents_and_a_warning():
    with pytest.warns(sl.DataWarning, match="'b' was set in every row"):
        graph = sl.HillClimbing(targets={"b": range(600)}).fit(NODES).graph_

    assert graph.parents("b") == ()


def test_an_equivalent_score_is_asked_for_under_the_experiments_too():
    statistics = told_statistics()
    score = score_with_experiments("test", GaussianBIC(), statistics)
    graph = sl.GreedyEquivalence(targets="set", score="bge").fit(TABLE).graph_

    assert not getattr(score, "is_equivalent", False)
    assert ("d", "b") in graph.directed
    with pytest.raises(sl.OptionError, match="the DAGs of a class must have the same score"):
        sl.GreedyEquivalence(targets="set", score=NotEquivalent()).fit(TABLE)


class NotEquivalent:
    def local(self, statistics, families):
        return GaussianBIC().local(statistics, families)


@pytest.mark.parametrize(
    ("learner", "data", "message"),
    [
        (sl.BOSS(targets="nothing"), TABLE, "no column 'nothing'"),
        (sl.BOSS(targets={"x": [1]}), NODES, "targets name 'x'"),
        (sl.BOSS(targets=["b"]), NODES, "a cell for each of the 600 rows, and these are 1"),
        (sl.BOSS(targets=3), NODES, "targets is what was set or shifted"),
        (sl.GreedyEquivalence(targets={"b": range(600)}), NODES, "'b' was set in every row.*leave it out"),
        (sl.PC(targets="set"), sl.Oracle(sl.Graph("ab")), "an Oracle has no rows"),
        (sl.FCI(targets="set"), TABLE, "looks like one of them"),
        (sl.EdgeConfidence(sl.BOSS(targets=CELLS)), NODES, "a column has to say what was set"),
        (sl.EdgeConfidence(sl.BOSS(targets="set"), missing="drop"), TABLE, "leave gaps to the learner"),
    ],
)
@pytest.mark.filterwarnings("ignore:.*was set in every row")
def test_targets_that_cannot_be_used_are_refused(learner, data, message):
    with pytest.raises((sl.DataError, sl.OptionError), match=message):
        learner.fit(data)


def test_estimated_gaps_and_rows_that_stay_elsewhere_are_refused_with_targets():
    holes = {"a": ["x", None, "y", "x"], "b": ["u", "u", "v", "v"], "set": ["a", None, None, None]}
    with pytest.raises(sl.OptionError, match=r"missing='em', targets=…"):
        sl.BOSS(targets="set", missing="em").fit(holes)
    with pytest.raises(sl.DataError, match=r"targets=….*needs the rows themselves"):
        sl.BOSS(targets={"a": [1]}).fit(statistics_of(sl.Dataset(NODES), tuple("abcd"), owner="test"))


def test_methods_without_targets_say_which_have_them():
    with pytest.raises(
        sl.OptionError, match=r"GraphicalLasso has no option 'targets'.*GreedyEquivalence and PC"
    ):
        sl.learn(TABLE, method="graphical-lasso", targets="set")


def test_nobody_else_could_check_a_graph_of_rows_told_apart():
    for learner in (sl.PC(targets="set"), sl.ExactSearch(targets="set")):
        with pytest.raises(sl.DataError, match="no targets"):
            learner.fit(TABLE).certificate()


def test_resamples_know_what_was_set_and_count_the_directions_that_this_tells():
    told = sl.EdgeConfidence(sl.HillClimbing(targets="set"), n_resamples=5, random_state=0).fit(TABLE)
    untold = sl.EdgeConfidence(sl.HillClimbing(), n_resamples=5, random_state=0).fit(NODES)

    assert told.graph_.nodes == tuple("dbac")
    assert set(told.graph_.directed) >= {("d", "b"), ("b", "a")}
    assert not set(untold.graph_.directed) & {("d", "b"), ("b", "a")}


def test_a_report_says_what_was_set_in_how_many_rows(tmp_path):
    page = write_report(tmp_path / "told.html", sl.HillClimbing(targets="set").fit(TABLE), sl.Dataset(TABLE))
    plain = write_report(tmp_path / "plain.html", sl.HillClimbing().fit(NODES), sl.Dataset(NODES))

    text = page.read_text(encoding="utf-8")
    assert "In 200 of 600 rows something was set from outside" in text
    assert "<td>nothing</td>" in text.replace(' class="text"', "")
    assert "set from outside" not in plain.read_text(encoding="utf-8").split("Options")[0]


def test_the_one_call_door_passes_targets_on():
    assert (
        sl.learn(TABLE, method="gies", targets="set") == sl.GreedyEquivalence(targets="set").fit(TABLE).graph_
    )


DISCRETE = chain_with_targets("discrete")


def test_rows_that_count_twice_are_rows_that_are_there_twice():
    weights = np.where(np.arange(600) % 3 == 0, 2, 1)
    names = [*"dbac", "set"]
    weighed = sl.Dataset(DISCRETE, weights=weights)
    repeated = {name: np.repeat(DISCRETE[name], weights) for name in names}

    found = sl.HillClimbing(targets="set", score="bic").fit(weighed)
    expected = sl.HillClimbing(targets="set", score="bic").fit(repeated)

    assert found.graph_ == expected.graph_
    assert found.score_ == pytest.approx(expected.score_)


def test_an_ad_tree_counts_the_rows_that_are_left_too():
    plain = sl.HillClimbing(targets="set", score="bdeu").fit(DISCRETE)
    off_tree = sl.HillClimbing(targets="set", score="bdeu", statistics="adtree").fit(DISCRETE)

    assert off_tree.graph_ == plain.graph_
    assert off_tree.score_ == pytest.approx(plain.score_)


def test_columns_of_both_kinds_can_be_set():
    mixed = DISCRETE | {"e": DISCRETE["c"] + 0.3 * np.random.default_rng(0).normal(size=600)}
    words = {name: column if name in ("e", "set") else column.astype(str) for name, column in mixed.items()}
    found = sl.HillClimbing(targets="set").fit(words)

    assert ("d", "b") in found.graph_.directed
    assert found.score_ == pytest.approx(sl.score(found.graph_, words, targets="set"))


def test_a_search_that_does_not_know_what_was_set_is_misled():
    untold = sl.GreedyEquivalence().fit(NODES).graph_
    told = sl.GreedyEquivalence(targets="set").fit(TABLE).graph_

    assert ("d", "b") not in untold.directed
    assert told.directed == (("d", "b"), ("b", "a"), ("a", "c"))
