"""What was set, on odd tables: in every row, in all but one, in turn, at random; scores and tests by hand."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import structlearn as sl
from structlearn.errors import OptionError
from structlearn.independence import GCM, KCI, FisherZ, RCoT
from structlearn.independence.interventional import Interventional
from structlearn.scores import BDeu
from structlearn.statistics import statistics_of
from tests.contracts.conftest import chain_with_targets
from tests.oracles import scores as oracle

NAMES = tuple("abc")


def of_lines(n_rows=60, seed=0):
    """a → b → c."""
    a, of_b, of_c = np.random.default_rng(seed).normal(size=(3, n_rows))
    return {"a": a, "b": a + of_b, "c": a + of_b + of_c}


@st.composite
def experiments(draw):
    """A DAG of three nodes as parents, states of 12 rows, and rows in which each node was set."""
    order = draw(st.permutations(range(3)))
    parents = [[] for _ in range(3)]
    for place, child in enumerate(order):
        parents[child] = sorted(draw(st.sets(st.sampled_from(order[:place])))) if place else []
    codes = np.array(draw(st.lists(st.tuples(*[st.integers(0, 2)] * 3), min_size=12, max_size=12)))
    codes[:3] = np.arange(3)[:, None]  # so that every state is there
    rows = [draw(st.sets(st.integers(0, 11))) for _ in range(3)]
    return parents, codes, rows


@settings(max_examples=40, deadline=None)
@given(experiments())
@pytest.mark.filterwarnings("ignore:.*was set in:structlearn.DataWarning")
def test_the_score_is_the_sum_over_the_rows_in_which_each_node_was_not_set(drawn):
    parents, codes, rows = drawn
    table = {name: codes[:, j].astype(str) for j, name in enumerate(NAMES)}
    arrows = [(NAMES[u], NAMES[v]) for v, members in enumerate(parents) for u in members]
    targets = {name: sorted(rows[j]) for j, name in enumerate(NAMES)}

    found = sl.score(sl.Graph(NAMES, directed=arrows), table, BDeu(ess=2), targets=targets)

    expected = sum(
        oracle.bdeu_by_urn(np.delete(codes, sorted(rows[v]), axis=0), [3, 3, 3], v, members, ess=2)
        for v, members in enumerate(parents)
    )
    assert found == pytest.approx(expected, abs=1e-9)


def told(table, **rows_set):
    is_set = {name: np.isin(np.arange(60), rows) for name, rows in rows_set.items()}
    return statistics_of(sl.Dataset(table), NAMES, owner="test", rows_set=is_set)


@pytest.mark.parametrize("test", [KCI(), RCoT(), GCM(), FisherZ()], ids=lambda test: type(test).__name__)
def test_any_test_asks_the_rows_in_which_neither_was_set(test):
    table = of_lines()
    statistics = told(table, a=range(20), c=range(10, 30))
    questions = np.array([[0, 2, 1], [1, 2, 0], [0, 1, 2], [2, 0, 1]])
    kept = [range(30, 60), [*range(10), *range(30, 60)], range(20, 60), range(30, 60)]

    found = Interventional(test, statistics.experiments).many(statistics, questions)

    for question, rows, p_value, statistic in zip(
        questions, kept, found.p_value, found.statistic, strict=True
    ):
        few = {name: column[list(rows)] for name, column in table.items()}
        plain = statistics_of(sl.Dataset(few), NAMES, owner="test")
        alone = test.many(plain, question[None])
        assert (p_value, statistic) == (alone.p_value[0], alone.statistic[0])


@pytest.mark.parametrize("n_left", [0, 1, 2])
@pytest.mark.parametrize("test", ["fisher-z", "kci", "rcot", "gcm"])
@pytest.mark.filterwarnings("ignore::structlearn.DataWarning")
def test_with_hardly_any_row_left_a_column_has_no_edge(test, n_left):
    found = sl.PC(targets={"b": range(n_left, 60)}, test=test).fit(of_lines())

    assert not [edge for edge in found.graph_.edges if "b" in (edge.source, edge.target)]
    assert found.graph_.edge("a", "c") is not None or test in {"kci", "rcot"}


@pytest.mark.parametrize("is_constant", [False, True], ids=["one row", "one value"])
def test_a_column_that_does_not_vary_where_it_was_not_set_gets_no_parents(is_constant):
    table, n_left = of_lines(), 1
    if is_constant:
        table["b"][:30], n_left = 4.0, 30
    targets = {"b": range(n_left, 60)}

    with pytest.warns(
        sl.DataWarning, match=r"'b' has a single value in the \d+ rows? in which it was not set"
    ):
        found = sl.HillClimbing(targets=targets, score="bic").fit(table)

    assert found.graph_.parents("b") == ()
    empty = sl.Graph(NAMES)
    with pytest.warns(sl.DataWarning, match="nothing is known of its parents"):
        of_others = sl.score(empty, table, targets=targets)
    columns = np.column_stack([table["a"], table["c"]])
    assert of_others == pytest.approx(sum(oracle.gaussian_bic(columns, j, []) for j in range(2)))


@pytest.mark.filterwarnings("ignore:.*has a single value:structlearn.DataWarning")
def test_a_class_of_dags_needs_a_column_that_varies_where_it_was_not_set():
    with pytest.raises(sl.DataError, match=r"'b' has a single value.*Add rows in which it was not set"):
        sl.GreedyEquivalence(targets={"b": range(1, 60)}).fit(of_lines())


def test_parents_by_a_handful_of_rows_are_said_to_be_a_guess():
    with pytest.warns(sl.DataWarning, match="'b' was set in all but 9 rows, so that its parents are a guess"):
        sl.score(sl.Graph(NAMES), of_lines(), targets={"b": range(9, 60)})


def test_where_every_row_has_something_set_directions_are_told_all_the_same():
    rng = np.random.default_rng(1)
    a = rng.normal(size=400)
    b = np.where(np.arange(400) < 200, 2.0 * a, 0.0) + rng.normal(size=400)  # set to noise from 200 on
    targets = {"a": range(200), "b": range(200, 400)}
    found = sl.GreedyEquivalence(targets=targets, score="bic").fit({"a": a, "b": b})
    rows = np.column_stack([a, b])

    assert found.graph_.directed == (("a", "b"),)
    assert found.experiments_ == {("a",): 200, ("b",): 200}
    by_hand = oracle.gaussian_bic(rows[200:], 0, []) + oracle.gaussian_bic(rows[:200], 1, [0])
    assert found.score_ == pytest.approx(by_hand)


def test_columns_that_were_always_set_together_are_told_from_the_others_alone():
    table, rows = of_lines(200), range(100)
    together = sl.GreedyEquivalence(targets={"a": rows, "b": rows}, score="bic").fit(table)

    assert together.experiments_ == {(): 100, ("a", "b"): 100}
    assert together.graph_ == sl.Graph(NAMES, undirected=["ab"], directed=["bc"])


@pytest.mark.parametrize("score", ["bic", "bge"])
def test_rows_in_which_nothing_was_set_change_nothing(score):
    table = of_lines()
    plain = sl.GreedyEquivalence(score=score).fit(table)
    blank = sl.GreedyEquivalence(score=score, targets={"a": [], "b": np.zeros(60, dtype=bool)}).fit(table)

    assert blank.graph_ == plain.graph_
    assert blank.score_ == plain.score_


def test_the_rows_of_a_column_that_was_never_set_are_all_rows():
    known = told(of_lines(), a=range(20)).experiments

    assert known.without(1).n_rows == known.without().n_rows == 60
    assert known.without(0, 1, 2).n_rows == 40
    assert known.sets == {(): 40, (0,): 20}


@pytest.mark.parametrize("n_conditions", [0, 1])
def test_no_question_has_no_answer(n_conditions):
    statistics = told(of_lines(), a=range(20))
    test = Interventional(FisherZ(), statistics.experiments)

    assert test.many(statistics, np.empty((0, 2 + n_conditions), dtype=np.int64)).log_p.shape == (0,)


def two_files(folder):
    table = sl.Dataset(chain_with_targets("continuous"))
    for place, rows in enumerate((np.arange(300), np.arange(300, 600))):
        table.take(rows).save(folder / f"{place}.parquet")
    return table


@pytest.mark.parametrize("targets", [{"b": [*range(400, 600)]}, [None] * 400 + ["b"] * 200])
@pytest.mark.parametrize(
    "choice", [{"filter": "a > 0"}, {"filter": "true"}, {"sample_rows": 600}, {"where": "memory"}]
)
def test_places_of_rows_that_are_chosen_or_fetched_are_refused_as_they_are_others(tmp_path, choice, targets):
    two_files(tmp_path)
    with pytest.raises(OptionError, match=r"other places than in the table\. Name a column"):
        sl.learn(tmp_path, targets=targets, drop=["set"], **choice)


def test_a_column_says_what_was_set_in_the_rows_that_are_chosen(tmp_path):
    table = two_files(tmp_path)
    found = sl.learn(tmp_path, "hill-climbing", targets="set", filter="a > 0")

    assert found == sl.learn(table.take(table.to_dict()["a"] > 0), "hill-climbing", targets="set")


def test_places_in_a_file_that_is_read_whole_are_those_of_its_rows(tmp_path):
    table = sl.Dataset(chain_with_targets("continuous"))
    table.save(tmp_path / "rows.csv")
    by_column = sl.learn(table, "hill-climbing", targets="set")
    columns = [name for name in table.names if name != "set"]
    found = sl.learn(tmp_path / "rows.csv", "hill-climbing", targets={"b": range(400, 600)}, columns=columns)

    assert {(edge.source, edge.target) for edge in found.edges} == {
        (edge.source, edge.target) for edge in by_column.edges
    }


@pytest.mark.parametrize(
    "method", [sl.BOSS, sl.PC, sl.HillClimbing, sl.GreedyEquivalence, sl.GraphicalLasso, sl.ARACNE]
)
@pytest.mark.parametrize("cells", ["b", "a, c"])
def test_a_column_with_gaps_that_names_others_is_offered_where_the_method_takes_it(method, cells):
    table = of_lines(120) | {"was set": [cells if i % 3 == 0 else None for i in range(120)]}

    with pytest.raises(sl.DataError) as error:
        method().fit(table)

    offered = "targets='was set' takes it for what was set" in str(error.value)
    assert offered == ("targets" in method.options)
    if offered:
        assert method(targets="was set").fit(table).graph_.nodes == NAMES


@pytest.mark.parametrize("label", ["low", "a and b", "was set", 1])
def test_other_columns_with_gaps_are_not_taken_for_what_was_set(label):
    table = of_lines() | {"was set": [label if i % 3 == 0 else None for i in range(60)]}

    with pytest.raises(sl.DataError) as error:
        sl.BOSS().fit(table)

    assert "targets=" not in str(error.value)
