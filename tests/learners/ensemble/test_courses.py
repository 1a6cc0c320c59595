"""Ensembles of time courses and of cyclic graphs: rows keep their past, and arrows their shares."""

import numpy as np
import pytest

import structlearn as sl
from structlearn.learners.ensemble.confidence import PairConfidence, confidence_of
from structlearn.learners.ensemble.consensus import consensus_of, estimated_threshold
from structlearn.learners.ensemble.drawing import bootstrap, complementary_halves
from structlearn.learners.ensemble.pattern import Pattern
from structlearn.learners.ensemble.rows_in_blocks import courses_in_blocks

pytestmark = pytest.mark.filterwarnings("ignore::structlearn.DataWarning")


def switches(n_series, n_steps=12):
    """Courses in which `b` is what `a` was, `c` is what `b` was not, and `a` is chance."""
    rng = np.random.default_rng(0)
    a = rng.integers(0, 2, (n_series, n_steps + 2))
    columns = {"a": a[:, 2:], "b": a[:, 1:-1], "c": 1 - a[:, :-2]}
    return {name: column.ravel() for name, column in columns.items()}


def places(n_series, n_steps=12):
    return {
        "when": np.tile(np.arange(n_steps) * 0.5, n_series),
        "which": np.repeat([f"course {i:02}" for i in range(n_series)], n_steps),
    }


def courses(*names, n_series=4):
    found = places(n_series)
    return switches(n_series) | {name: found[name] for name in names}


CALLED = [{"series": "which"}, {"time": "when", "series": "which"}]


@pytest.mark.parametrize("ensemble", [sl.EdgeConfidence, sl.StabilitySelection])
@pytest.mark.parametrize("n_series", [4, 12])
@pytest.mark.parametrize("options", CALLED, ids=str)
def test_what_always_follows_is_in_every_resample(ensemble, n_series, options):
    table = courses(*options.values(), n_series=n_series)
    learner = sl.BooleanNetwork(max_inputs=1, **options)

    found = ensemble(learner, n_resamples=10, random_state=0).fit(table)

    shares = {(edge.source, edge.target): edge.confidence for edge in found.graph_.edges}
    assert shares == {("a", "b"): 1.0, ("b", "c"): 1.0}


@pytest.mark.parametrize("draw", [bootstrap, complementary_halves])
@pytest.mark.parametrize("n_series", [1, 4, 12])
@pytest.mark.parametrize("options", CALLED, ids=str)
def test_a_block_is_rows_that_follow_each_other(draw, n_series, options):
    rng = np.random.default_rng(1)
    place = np.arange(12 * n_series)
    order = rng.permutation(place) if "time" in options else place
    table = {"place": place[order] + 0.5} | {name: places(n_series)[name][order] for name in options.values()}
    blocks = courses_in_blocks("here", sl.BooleanNetwork(**options), sl.Dataset(table), 2)

    for drawn, _ in blocks.tables(draw, 0, 0):
        of_block, row = (drawn.column(name).values for name in ("which", "place"))
        for block in np.unique(of_block):
            rows = np.sort(row[of_block == block]) - 0.5
            assert len(rows) >= 3
            assert (np.diff(rows) == 1).all()
            assert len(np.unique(rows // 12)) == 1


def test_rows_of_one_time_are_drawn_together():
    table = {"x": np.arange(40.0), "t": np.repeat(np.arange(20), 2)}
    blocks = courses_in_blocks("here", sl.SystemIdentification(time="t"), sl.Dataset(table), 1)

    for drawn, _ in blocks.tables(bootstrap, 0, 0):
        times = drawn.column("x").values // 2
        of_block = drawn.column("block").values
        assert (np.unique(of_block * 100 + times, return_counts=True)[1] == 2).all()


@pytest.mark.parametrize("method", ["var-lasso", "ode-lasso"])
def test_courses_named_by_words_are_drawn(method):
    rng, states = np.random.default_rng(0), []
    for _ in range(12):
        state = 3.0 * rng.normal(size=2)
        for _ in range(12):
            states.append(state)
            state = state + 0.2 * np.array([-state[0], 0.8 * state[0] - state[1]]) + 0.02 * rng.normal(size=2)
    x, y = np.array(states).T
    learner = sl.SystemIdentification(method=method, time="when", series="which")

    found = sl.EdgeConfidence(learner, n_resamples=5, random_state=0).fit({"x": x, "y": y} | places(12))

    assert set(found.graph_.directed) == {("x", "x"), ("x", "y"), ("y", "y")}


def test_pairs_side_by_side_are_drawn_one_by_one():
    now = switches(4)
    table = now | {f"{name} later": np.roll(column, -1) for name, column in now.items()}
    learner = sl.BooleanNetwork(after={name: f"{name} later" for name in now}, max_inputs=1)

    found = sl.EdgeConfidence(learner, n_resamples=5, random_state=0).fit(
        {name: column[np.arange(48) % 12 < 11] for name, column in table.items()}
    )

    assert set(found.graph_.directed) == {("a", "b"), ("b", "c")}


def test_a_ring_of_switches_stays_a_ring():
    rng, states = np.random.default_rng(0), []
    for _ in range(12):
        state = rng.integers(0, 2, 3)
        for _ in range(12):
            states.append(state)
            state = 1 - np.roll(state, 1)
    table = dict(zip("abc", np.array(states).T, strict=True)) | {"which": places(12)["which"]}
    learner = sl.BooleanNetwork(series="which", max_inputs=1)

    found = sl.EdgeConfidence(learner, n_resamples=5, random_state=0).fit(table)

    assert set(found.graph_.directed) == {("a", "b"), ("b", "c"), ("c", "a")}
    assert found.averaged(1.0) == found.graph_


def test_one_course_in_the_order_of_its_rows_is_drawn_in_blocks():
    found = sl.EdgeConfidence(sl.BooleanNetwork(max_inputs=1), n_resamples=10, random_state=0)

    found.fit(switches(1, n_steps=80))

    assert set(found.graph_.directed) == {("a", "b"), ("b", "c")}


def test_rows_that_are_steps_are_not_left_out():
    table = {name: column.astype(float) for name, column in courses("which").items() if name != "which"}
    table["a"][7] = np.nan

    with pytest.raises(sl.OptionError, match="rows in time that are left out are gaps"):
        sl.EdgeConfidence(sl.BooleanNetwork(), missing="drop").fit(table)


class TestNodesThatActOnEachOther:
    none = np.zeros((0, 2), dtype=np.int64)
    patterns = (
        Pattern(np.array([[0, 1], [1, 0]]), none),
        Pattern(np.array([[0, 1], [1, 2]]), none),
        Pattern(np.array([[1, 0], [0, 1]]), none),
        Pattern(np.array([[1, 0]]), none),
    )

    def test_they_are_one_pair(self):
        assert confidence_of("abc", self.patterns) == {
            ("a", "b"): PairConfidence(0.75, 0.75, 0.0, 1.0),
            ("b", "c"): PairConfidence(0.25, 0.0, 0.0, 0.25),
        }

    def test_every_arrow_has_its_own_share(self):
        confidence = confidence_of("abc", self.patterns)

        graph, cyclic = consensus_of("abc", confidence, 0.0)

        shares = {(edge.source, edge.target): edge.confidence for edge in graph.edges}
        assert shares == {("a", "b"): 0.75, ("b", "a"): 0.75, ("b", "c"): 0.25}
        assert cyclic == ()
        assert estimated_threshold(confidence) == 0.75

    @pytest.mark.parametrize("ensemble", [sl.EdgeConfidence, sl.StabilitySelection])
    def test_dependency_networks_have_both_arrows(self, ensemble):
        rng = np.random.default_rng(0)
        x, z = rng.normal(size=(2, 300))

        found = ensemble(sl.DependencyNetwork(), n_resamples=10, random_state=0).fit(
            {"x": x, "y": x + 0.5 * rng.normal(size=300), "z": z}
        )

        assert set(found.graph_.directed) == {("x", "y"), ("y", "x")}
        assert found.confidence_["x", "y"] == PairConfidence(1.0, 1.0, 0.0, 1.0)


REGULATORS = {"one": ["g0", "g1", "g2"], "two": ["g2", "g3", "g4", "g5"]}


def expression():
    rng = np.random.default_rng(0)
    strengths = np.zeros((2, 6))
    strengths[0, :3], strengths[1, 2:] = 1.0, -1.5
    rows = rng.normal(size=(40, 2)) @ strengths + 0.05 * rng.normal(size=(40, 6))
    return {f"g{j}": rows[:, j] for j in range(6)}


def test_edges_without_directions_of_a_method_that_finds_cycles_are_counted():
    learner = sl.NetworkComponentAnalysis(regulators=REGULATORS, reading="genes", n_resamples=5)

    found = sl.EdgeConfidence(learner, n_resamples=5, random_state=0).fit(expression())

    assert {pair for pair, shares in found.confidence_.items() if shares.undirected == 1.0} <= {
        *found.graph_.undirected
    }
    assert set(found.graph_.undirected) & set(learner.fit(expression()).graph_.undirected)


@pytest.mark.parametrize(
    "learner",
    [
        sl.NetworkComponentAnalysis(regulators=REGULATORS, n_resamples=5),
        sl.FactorizationNetwork(reading="factors"),
    ],
    ids=lambda learner: type(learner).__name__,
)
def test_nodes_that_are_no_columns_are_refused(learner):
    with pytest.raises(sl.DataError, match=r"nodes that are no columns.*reading="):
        sl.EdgeConfidence(learner, n_resamples=2, random_state=0).fit(expression())
