"""Structural EM: what was observed is scored, every graph is judged alike, and no round falls."""

import itertools
import math

import numpy as np
import pytest

import structlearn as sl
from structlearn.learners.gaps import completions, structural_em
from structlearn.learners.gaps.completions import Completions
from structlearn.run import Run

LEARNERS = [sl.BOSS, sl.HillClimbing, sl.K2, sl.GreedyEquivalence]


def with_gaps(dataset, share, seed=0):
    """The same rows with values taken out at random."""
    rng = np.random.default_rng(1000 + seed)  # another stream than the one that drew the rows
    columns = {}
    for column in dataset.columns:
        values = np.array(column.labels, dtype=object)[column.codes]
        values[rng.random(len(values)) < share] = None
        columns[column.name] = values.tolist()
    return sl.Dataset(columns)


@pytest.fixture(scope="module")
def gapped():
    return with_gaps(sl.example("cancer").sample(400, random_state=3), 0.15)


def observed_bic(graph, data):
    """By another way: the network's own EM, and half the log of the rows with a value for each parameter."""
    model = sl.BayesianNetwork(graph.to_dag()).fit(data, missing="em")
    log_likelihood = model.em_.log_likelihoods[-1]
    n_rows = sum(
        any(value is not None for value in row) for row in zip(*data.to_dict().values(), strict=True)
    )
    return log_likelihood - 0.5 * math.log(n_rows) * model.n_parameters


@pytest.mark.parametrize("learner", LEARNERS)
def test_no_round_falls_and_the_last_score_is_that_of_what_was_observed(learner, gapped):
    found = learner(missing="em", score="bic").fit(gapped)
    assert (np.diff(found.em_scores_) > 0).all()
    assert found.score_ == found.em_scores_[-1]
    assert found.score_ == pytest.approx(observed_bic(found.graph_, gapped), abs=1e-4)


@pytest.mark.parametrize("learner", LEARNERS)
def test_a_table_without_gaps_is_learned_as_ever(learner):
    data = sl.example("cancer").sample(300, random_state=1)
    assert learner(missing="em").fit(data).graph_ == learner().fit(data).graph_
    assert not hasattr(learner(missing="em").fit(data), "em_scores_")


@pytest.mark.parametrize("seed", range(3))
def test_of_all_dags_of_three_columns_none_is_much_better(seed):
    rng = np.random.default_rng(seed)
    a = rng.integers(0, 2, 200)
    b = np.where(rng.random(200) < 0.85, a, 1 - a)
    c = np.where(rng.random(200) < 0.85, b, 1 - b)
    data = with_gaps(sl.Dataset({"a": a, "b": b, "c": c}, kinds=dict.fromkeys("abc", "discrete")), 0.2, seed)
    arrows = list(itertools.permutations("abc", 2))
    graphs = []
    for chosen in itertools.product([False, True], repeat=len(arrows)):
        directed = [pair for pair, is_in in zip(arrows, chosen, strict=True) if is_in]
        if all(pair[::-1] not in directed for pair in directed):
            graphs.append(sl.Graph("abc", directed=directed))
    best = max(observed_bic(graph, data) for graph in graphs if graph.is_dag)
    assert sl.HillClimbing(missing="em", score="bic").fit(data).score_ == pytest.approx(best, abs=1e-3)


def test_completions_are_worth_what_the_model_says_of_them():
    data = with_gaps(sl.example("cancer").sample(60, random_state=0), 0.3)
    model = sl.BayesianNetwork(sl.example("cancer").graph).fit(data, smoothing=1, missing="em")
    completed = Completions.of(data.select(sorted(data.names)), Run("test")).weighted_by(model)
    assert completed.weights.sum() == pytest.approx(60)
    # The expected number of dark pictures, row by row from exact inference.
    expected = 0.0
    for row in range(data.n_rows):
        known = {
            column.name: column.labels[column.codes[row]]
            for column in data.columns
            if column.missing is None or not column.missing[row]
        }
        xray = known.pop("Xray", None)
        expected += model.query("Xray", known)["positive"] if xray is None else xray == "positive"
    column = completed.column("Xray")
    counted = completed.weights[column.codes == column.labels.index("positive")].sum()
    assert counted == pytest.approx(expected, abs=1e-9)


def test_every_row_goes_on_in_every_way_and_equal_rows_count_together():
    data = sl.Dataset(
        {"a": ["x", None, "y", None, "x"], "b": ["u", "v", None, "v", "u"]}, weights=[1, 2, 3, 4, 5]
    )

    found = Completions.of(data, Run("test"))

    ends = [*found.starts[1:].tolist(), found.table.n_rows]
    rows = list(zip(*(column.astype(str) for column in found.table.to_dict().values()), strict=True))
    groups = [frozenset(rows[start:end]) for start, end in zip(found.starts.tolist(), ends, strict=True)]
    assert dict(zip(groups, found.weights.tolist(), strict=True)) == {
        frozenset({("x", "u")}): 6.0,
        frozenset({("x", "v"), ("y", "v")}): 6.0,
        frozenset({("y", "u"), ("y", "v")}): 3.0,
    }
    assert found.table.n_rows == 5


@pytest.mark.parametrize(
    ("cells", "ways", "kept"),
    [
        (30, 8, [True, True, True, True]),
        (29, 8, [False, True, True, True]),
        (14, 8, [False, True, True, True]),
        (13, 8, [False, True, False, True]),
        (30, 7, [False, True, True, True]),
        (30, 2, [False, True, False, True]),
    ],
)
def test_rows_that_miss_least_are_completed_first(monkeypatch, cells, ways, kept):
    monkeypatch.setattr(completions, "MOST_CELLS", cells)
    monkeypatch.setattr(completions, "MOST_WAYS", ways)

    # Of two columns: 2, 6, 14 and 30 cells in all, from those with one way on.
    assert completions._affordable(np.array([8.0, 2.0, 4.0, 1.0]), 2).tolist() == kept


def chain_with_gaps(seed, share=0.35):
    """Five columns, each much like the one before, a share of the values missing."""
    rng = np.random.default_rng(seed)
    chain = [rng.integers(0, 2, 300)]
    for _ in range(4):
        chain.append(np.where(rng.random(300) < 0.75, chain[-1], 1 - chain[-1]))
    names = "abcde"
    data = sl.Dataset(dict(zip(names, chain, strict=True)), kinds=dict.fromkeys(names, "discrete"))
    return with_gaps(data, share, seed), sl.Graph(names, undirected=list(itertools.pairwise(names)))


@pytest.mark.parametrize("seed", range(2, 5))
def test_gaps_are_used_better_than_by_leaving_rows_out(seed):
    data, truth = chain_with_gaps(seed)
    found = [sl.HillClimbing(missing=word).fit(data).graph_ for word in ("drop", "em")]
    dropped, filled = (graph.skeleton().compare(truth).shd for graph in found)
    assert filled < dropped


def test_rows_that_miss_very_much_have_a_say_in_the_distributions_only(monkeypatch, gapped):
    monkeypatch.setattr(completions, "MOST_WAYS", 4)
    found = sl.HillClimbing(missing="em").fit(gapped)
    assert "have a say in the distributions only" in found.status_


def test_a_table_in_which_every_row_misses_too_much_is_refused(monkeypatch):
    monkeypatch.setattr(completions, "MOST_CELLS", 1)
    data = sl.Dataset({"a": ["x", None, "y", "x"], "b": [None, "u", "v", "u"]})
    with pytest.raises(sl.DataError, match="Leave out the columns with most gaps"):
        sl.HillClimbing(missing="em").fit(data)


def never_whole():
    """Three columns of which each row misses one."""
    rng = np.random.default_rng(0)
    a = rng.integers(0, 2, 300)
    noisy = [["xy"[value] if rng.random() < 0.9 else "x" for value in a] for _ in range(3)]
    for i in range(300):
        noisy[i % 3][i] = None
    return dict(zip("abc", noisy, strict=True))


def test_without_a_whole_row_pairs_of_columns_begin():
    assert len(sl.HillClimbing(missing="em").fit(never_whole()).graph_.edges) >= 2


@pytest.mark.parametrize("seed", [4, 7])
def test_from_a_start_that_says_nothing_rounds_go_up(monkeypatch, seed):
    monkeypatch.setattr(structural_em, "_starts", lambda dataset, *_: [sl.Graph(dataset.names)])
    data, truth = chain_with_gaps(seed, 0.5)
    found = sl.HillClimbing(missing="em").fit(data)
    assert len(found.em_scores_) > 2
    assert (np.diff(found.em_scores_) > 0).all()
    assert found.graph_.skeleton() == truth


def test_the_better_of_two_climbs_counts(monkeypatch):
    whole = sl.HillClimbing(missing="em").fit(never_whole()).score_
    empty_first = lambda dataset, *_: [sl.Graph(dataset.names), structural_em._tree(dataset)]  # noqa: E731
    monkeypatch.setattr(structural_em, "_starts", empty_first)
    assert sl.HillClimbing(missing="em").fit(never_whole()).score_ >= whole


def scattered(seed):
    """Few rows of three columns that depend on one that is not there, most of their values missing."""
    rng = np.random.default_rng(seed)
    hidden = rng.normal(size=40)
    columns = {name: hidden * rng.normal() + rng.normal(size=40) for name in "abc"}
    return {
        name: [None if rng.random() < 0.5 else "low" if value < 0 else "high" for value in column]
        for name, column in columns.items()
    }


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("learner", LEARNERS)
def test_a_weight_counts_as_often_as_it_says(learner, seed):
    gaps = scattered(seed)
    weights = np.random.default_rng(seed).integers(0, 4, 40)
    repeated = {name: np.repeat(np.array(column), weights).tolist() for name, column in gaps.items()}

    one = learner(missing="em").fit(sl.Dataset(gaps, weights=weights))
    other = learner(missing="em").fit(repeated)

    assert one.graph_ == other.graph_
    assert one.score_ == pytest.approx(other.score_, rel=1e-9)


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("learner", LEARNERS)
def test_no_graph_scores_worse_than_one_without_arcs(learner, seed):
    gaps = sl.Dataset(scattered(seed))

    found = learner(missing="em", score="bic").fit(gaps)

    assert found.score_ >= observed_bic(sl.Graph(gaps.names), gaps) - 1e-6


def test_continuous_columns_are_refused_with_a_way_out():
    table = {"a": ["x", None, "y", "x"], "b": [0.5, 1.5, 2.25, 7.125]}
    with pytest.raises(sl.DataError, match=r"missing='em'\): only discrete .* 'b' is continuous"):
        sl.BOSS(missing="em").fit(table)


def test_the_message_about_gaps_offers_it_where_it_is_there(gapped):
    with pytest.raises(sl.DataError, match="missing='em' estimates those of discrete columns"):
        sl.BOSS().fit(gapped)
    with pytest.raises(sl.DataError) as said:
        sl.PC().fit(gapped)
    assert "'em'" not in str(said.value)


def test_resamples_may_have_gaps_too(gapped):
    found = sl.EdgeConfidence(sl.HillClimbing(missing="em"), n_resamples=2, random_state=0).fit(gapped)
    assert found.n_resamples_ == 2


def test_a_time_limit_ends_between_rounds(gapped):
    found = sl.HillClimbing(missing="em", time_limit=1e-9).fit(gapped)
    assert len(found.em_scores_) == 1


def words(rng, n_rows, n_columns):
    return {f"c{j}": ["xy"[value] for value in rng.integers(0, 2, n_rows)] for j in range(n_columns)}


def test_noise_with_few_rows_has_few_edges_and_the_note_counts_all_rows():
    data = with_gaps(sl.Dataset(words(np.random.default_rng(0), 20, 40)), 0.05)
    found = sl.HillClimbing(missing="em").fit(data)
    assert len(found.graph_.edges) <= 3 + 40 // 10
    assert "for 20 rows" in found.status_
    assert found.status_.count("rows arcs cost more") == 1


def test_two_thousand_columns_with_gaps_in_every_row_are_refused_at_once():
    data = with_gaps(sl.Dataset(words(np.random.default_rng(0), 20, 2000)), 0.05)
    with pytest.raises(sl.DataError, match="every row misses so many values"):
        sl.HillClimbing(missing="em").fit(data)


@pytest.mark.filterwarnings("ignore:.*different words")
def test_a_column_of_three_hundred_levels_has_gaps_too():
    rng = np.random.default_rng(0)
    table = {"a": [f"s{value}" for value in rng.integers(0, 300, 300)], **words(rng, 300, 2)}
    data = with_gaps(sl.Dataset(table, kinds={"a": "discrete"}), 0.1)
    found = sl.HillClimbing(missing="em", score="bic").fit(sl.Dataset(data, kinds={"a": "discrete"}))
    assert found.graph_.edges == ()
