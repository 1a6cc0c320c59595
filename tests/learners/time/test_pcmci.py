"""PCMCI and PCMCI+: exact with an oracle, level and power (docs/references/time.md#level-and-power)."""

from itertools import product

import numpy as np
import pytest
from scipy import stats

import structlearn as sl
from tests.learners.time.series import autoregressive, named

LAGGED = [(a, b) for a in "xy" for b in "xy"]
LAST = 6  # of the slices of an unrolled graph


def unrolled(lagged, now):
    """Seven slices of a graph over x and y."""
    nodes = [f"{name}{t}" for t in range(LAST + 1) for name in "xy"]
    arcs = [(f"{a}{t - 1}", f"{b}{t}") for t in range(1, LAST + 1) for a, b in lagged]
    arcs += [(f"{a}{t}", f"{b}{t}") for t in range(LAST + 1) for a, b in now]
    return sl.Graph(nodes, directed=arcs)


def truth_of(lagged, now):
    """A test that knows the unrolled graph."""
    graph = unrolled(lagged, now)

    def at(name):
        variable, _, lag = name.rstrip("]").partition("[t")
        return f"{variable}{LAST + int(lag or 0)}"

    def knows(x, y, given):
        return float(graph.d_separated(at(x), at(y), given=[at(name) for name in given]))

    return knows


def sets_of(members):
    return [
        [member for member, is_in in zip(members, chosen, strict=True) if is_in]
        for chosen in product([False, True], repeat=len(members))
    ]


ANY_TABLE = dict(zip("xy", np.random.default_rng(0).normal(size=(2, 40)), strict=True))


@pytest.mark.parametrize("lagged", sets_of(LAGGED), ids=str)
def test_with_an_oracle_the_lagged_parents_are_found_exactly(lagged):
    graph = sl.PCMCI(test=truth_of(lagged, [])).fit(ANY_TABLE).graph_

    assert set(graph.directed) == {(f"{a}[t-1]", f"{b}[t]") for a, b in lagged}
    assert graph.undirected == ()


def class_of(lagged, now):
    """What PCMCI+ finds: an arrow within the step stays a line where both have the same lagged parents."""
    parents = {b: {a for a, target in lagged if target == b} for b in "xy"}
    arcs = {(f"{a}[t-1]", f"{b}[t]") for a, b in lagged}
    is_open = parents["x"] == parents["y"]
    lines = {("x[t]", "y[t]")} if now and is_open else set()
    return frozenset(arcs | {(f"{a}[t]", f"{b}[t]") for a, b in now if not is_open}), frozenset(lines)


@pytest.mark.parametrize("now", [[], [("x", "y")], [("y", "x")]], ids=str)
@pytest.mark.parametrize("rule", ["majority", "conservative", "first"])
def test_with_an_oracle_the_class_is_found_exactly(rule, now):
    for lagged in sets_of(LAGGED):
        learner = sl.PCMCI(test=truth_of(lagged, now), contemporaneous=True, collider_rule=rule)
        graph = learner.fit(ANY_TABLE).graph_
        assert (frozenset(graph.directed), frozenset(graph.undirected)) == class_of(lagged, now)


def test_the_forty_eight_graphs_of_two_variables_are_forty_four_classes():
    nows = [[], [("x", "y")], [("y", "x")]]

    assert len({class_of(lagged, now) for lagged in sets_of(LAGGED) for now in nows}) == 44


def system(a):
    """0 → 1 one step later, 1 → 2 two steps later, 3 alone."""
    first, second = a * np.eye(4), np.zeros((4, 4))
    first[1, 0] = second[2, 1] = 0.3
    return [first, second]


def power_and_false(a, seeds):
    """The shares of the two links, and of all other links between variables, that are found at 0.05."""
    power, false = [], []
    for seed in seeds:
        rows = autoregressive(system(a), 300, np.random.default_rng(seed))
        found = sl.PCMCI(lags=3, test="t", correction="none").fit(named(rows)).p_values_ < 0.05
        is_other = np.repeat(~np.eye(4, dtype=bool)[None], 3, axis=0)
        is_other[0, 1, 0] = is_other[1, 2, 1] = False
        power.append((float(found[0, 1, 0]) + float(found[1, 2, 1])) / 2)
        false.append(found[is_other].mean())
    return np.mean(power), np.mean(false)


@pytest.mark.filterwarnings("ignore:.*nothing seems to pull back")
def test_links_are_found_and_the_level_holds_under_strong_autocorrelation():
    power, false = power_and_false(0.95, range(12))

    assert power >= 0.9
    assert 0.02 <= false <= 0.09  # 408 tests


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore:.*nothing seems to pull back")
@pytest.mark.parametrize("a", [0.0, 0.6, 0.95])
@pytest.mark.filterwarnings("ignore:.*levels of many columns change")  # by chance, in one of many runs
def test_links_are_found_and_the_level_holds_in_sixty_runs(a):
    power, false = power_and_false(a, range(60))

    assert power >= 0.9
    assert 0.03 <= false <= 0.08


def test_with_all_candidates_kept_each_link_is_tested_given_all_lags():
    rows = autoregressive([0.5 * np.eye(2)], 120, np.random.default_rng(3))
    found = sl.PCMCI(alpha_pc=1.0, test="t", correction="none").fit(named(rows)).p_values_
    now, one, two = rows[2:], rows[1:-1], rows[:-2]

    # v0[t-1] and v1[t], given v1[t-1] and both at t-2.
    given = np.column_stack([np.ones(118), one[:, 1], two])
    x, y = (v - given @ np.linalg.lstsq(given, v)[0] for v in (one[:, 0], now[:, 1]))
    r, dof = np.corrcoef(x, y)[0, 1], 118 - 3 - 2
    assert found[0, 1, 0] == pytest.approx(2 * stats.t.sf(abs(r) * np.sqrt(dof / (1 - r * r)), dof))


def test_edges_within_a_step_are_found_and_directed_by_the_past():
    rng, n = np.random.default_rng(1), 1000
    x, y = np.zeros(n), np.zeros(n)
    for t in range(1, n):
        x[t] = 0.7 * x[t - 1] + rng.normal()
        y[t] = 0.6 * x[t] + rng.normal()

    graph = sl.PCMCI(contemporaneous=True, alpha=0.01).fit({"x": x, "y": y}).graph_

    assert set(graph.directed) == {("x[t-1]", "x[t]"), ("x[t]", "y[t]")}
    assert {(edge.source, edge.target) for edge in graph.edges if edge.p_value > 0.01} == set()


def test_knowledge_of_a_step_directs_and_forbids():
    rng = np.random.default_rng(1)
    x = rng.normal(size=300)
    table = {"x": x, "y": x + rng.normal(size=300), "z": rng.normal(size=300)}

    def learned(**known):
        return sl.PCMCI(contemporaneous=True, alpha=0.001, knowledge=sl.Knowledge(**known)).fit(table).graph_

    assert learned().undirected == (("x[t]", "y[t]"),)
    assert learned(tiers=[["y"], ["x"]]).directed == (("y[t]", "x[t]"),)
    assert learned(forbidden=[("x", "y"), ("y", "x")]).edges == ()
    assert learned(required=[("z", "x")]).directed == (("z[t-1]", "x[t]"),)


@pytest.mark.parametrize("contemporaneous", [False, "undirected", True])
def test_what_follows_from_the_same_context_is_not_linked(contemporaneous):
    rng = np.random.default_rng(0)
    treated = np.repeat(rng.normal(size=60), 10)
    both = {name: treated + rng.normal(size=600) for name in "xy"}

    learner = sl.PCMCI(series="id", lags=2, alpha=0.001, correction="none", contemporaneous=contemporaneous)
    found = learner.fit(both | {"treated": treated, "id": np.repeat(np.arange(60), 10)})

    assert found.graph_.directed == (("treated[t-1]", "x[t]"), ("treated[t-1]", "y[t]"))
    assert found.graph_.undirected == ()


def test_context_that_does_nothing_has_no_links_and_shifts_nothing():
    rng = np.random.default_rng(0)
    rows = autoregressive(system(0.5), 300, rng)
    ids = np.repeat(np.arange(3), 100)
    table = named(rows) | {"id": np.array(list("abc"))[ids], "site": ids * 1.5}

    graph = sl.PCMCI(series="id", lags=2).fit(table).graph_

    assert graph.edge("v0[t-1]", "v1[t]") is not None
    assert not [edge for edge in graph.edges if "site" in edge.source + edge.target]


def test_lags_of_a_fifth_of_the_rows_are_refused_and_few_rows_are_warned_of():
    rows = np.random.default_rng(0).normal(size=(25, 3))

    with pytest.raises(sl.DataError, match=r"lags=5\): 25 rows are too few, 26 are needed"):
        sl.PCMCI(lags=5).fit(named(rows))
    with pytest.warns(sl.DataWarning, match="rows are few for tests given"):
        sl.PCMCI(lags=2, alpha_pc=1.0).fit(named(rows))


@pytest.mark.filterwarnings("ignore:.*nothing seems to pull back")
def test_a_source_can_be_conditioned_on_fewer_of_its_parents():
    rows = named(autoregressive(system(0.8), 200, np.random.default_rng(5)))

    few, all_ = (sl.PCMCI(lags=2, max_px=most, correction="none").fit(rows) for most in (0, None))

    assert few.candidate_parents_ == all_.candidate_parents_
    assert few.candidate_parents_["v1"][0] == "v1[t-1]"
    assert (few.p_values_ != all_.p_values_).any()


@pytest.mark.filterwarnings("ignore::structlearn.DataWarning")
@pytest.mark.parametrize("kind", ["discrete", "continuous"])
def test_columns_that_never_vary_change_no_p_value(kind):
    rows = np.random.default_rng(4).normal(size=(120, 3))
    rows[1:, 1] += 0.5 * rows[:-1, 0]
    rows = rows if kind == "continuous" else np.where(rows > 0, "up", "down")
    table = dict(zip("abc", rows.T, strict=True))
    more = {name: np.ones(120) if kind == "continuous" else ["same"] * 120 for name in "klmn"}

    plain, beside = (sl.PCMCI(alpha=1.0, correction="bh").fit(columns) for columns in (table, more | table))

    assert {edge: beside.evidence_[edge].p_value for edge in plain.evidence_} == pytest.approx(
        {edge: known.p_value for edge, known in plain.evidence_.items()}
    )
