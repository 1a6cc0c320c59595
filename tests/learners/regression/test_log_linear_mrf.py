"""Sparse log-linear models reach the optimum that enumeration proves, in steps or all at once."""

import itertools
import math
from dataclasses import replace

import numpy as np
import pytest

import structlearn as sl
from structlearn.learners.regression.log_linear_mrf import LogLinearMRF
from structlearn.numerics import junction_tree
from structlearn.numerics.belief_propagation import propagate
from tests.oracles import log_linear as oracle

# From docs/references/models.md#log-linear-models and docs/references/regression.md#log-linear-fields and
# #feature-induction: counts of three binary columns, the last one fastest.
COUNTS = [10, 20, 15, 5, 8, 12, 30, 20]
A, B, C = ("a", 1), ("b", 1), ("c", 1)


@pytest.fixture
def worked():
    rows = np.array(list(itertools.product([0, 1], repeat=3)))
    return sl.Dataset(dict(zip("abc", rows.T, strict=True)), weights=COUNTS)


def plain(**options):
    """The L1 problem of the papers, with triples as candidates."""
    return LogLinearMRF(**{"adaptive": False, "max_order": 3, "at_once": 1} | options)


INDUCTIONS = pytest.mark.parametrize("induction", ["grafting", "gain", "none"])


@INDUCTIONS
@pytest.mark.parametrize("objective", ["exact", "loopy"])
def test_the_worked_optimum_at_penalty_2(worked, induction, objective):
    fitted = plain(penalty=2.0, induction=induction, objective=objective).fit(worked)

    expected = {(A,): -0.2411621, (B,): 0.1878335, (C,): 0.4054651, (A, B): 1.0213206, (B, C): -0.8708284}
    assert fitted.features_ == pytest.approx(expected, abs=2e-7)
    assert fitted.score_ == pytest.approx(-239.6998163, abs=1e-6)
    assert fitted.kkt_residual_ < 1e-7
    assert fitted.graph_ == sl.Graph("abc", undirected=[("a", "b"), ("b", "c")])
    assert fitted.graph_.edge("b", "c").weight == pytest.approx(-0.8708284, abs=2e-7)


@INDUCTIONS
def test_the_worked_optimum_at_penalty_6(worked, induction):
    fitted = plain(penalty=6.0, induction=induction).fit(worked)

    expected = {(A,): 0.0800427, (B,): 0.2290783, (C,): 0.0800427, (A, B): 0.4460504, (B, C): -0.3096172}
    assert fitted.features_ == pytest.approx(expected, abs=2e-7)
    assert fitted.score_ == pytest.approx(-244.9798611, abs=1e-6)


def test_a_large_penalty_leaves_the_model_of_independence(worked):
    fitted = plain(penalty=1e6).fit(worked)

    assert fitted.score_ == pytest.approx(-246.0339829, abs=1e-6)
    assert fitted.graph_ == sl.Graph("abc")


def test_the_pseudo_likelihood_of_the_references(worked):
    fitted = LogLinearMRF(adaptive=False, objective="pseudo", penalty=2.0).fit(worked)

    expected = {
        (A,): -0.3374, (B,): 0.1800, (C,): 0.4934, (A, B): 1.1864, (A, C): 0.0117, (B, C): -1.0340,
    }  # fmt: skip
    assert fitted.features_ == pytest.approx(expected, abs=6e-5)
    assert fitted.score_ == pytest.approx(-229.3502564, abs=1e-6)


@pytest.mark.parametrize("induction", ["grafting", "gain"])
def test_features_come_in_as_worked_out(worked, induction):
    trace = plain(penalty=2.0, induction=induction).fit(worked).trace_

    assert trace["feature"].tolist() == ["a, b", "b, c"]
    assert trace["slope"] == pytest.approx([9.1666667, -8.25], abs=1e-6)
    assert trace["gain"] == pytest.approx([0.92969, 0.84804], abs=6e-6)
    assert trace["score"] == pytest.approx([-242.4013655, -239.6998163], abs=1e-6)
    weaker = plain(penalty=6.0, induction=induction).fit(worked).trace_
    assert weaker["feature"].tolist() == ["a, b", "b, c"]
    assert weaker["score"][-1] == pytest.approx(-244.9798611, abs=1e-6)


def test_the_first_of_two_labels_has_no_features_and_that_of_three_only_with_others():
    rng = np.random.default_rng(0)
    a, b = rng.integers(0, 3, (2, 400))
    b = np.where(rng.random(400) < 0.7, a, b)
    table = {"a": a.astype(str), "b": b.astype(str), "c": (a == 0) ^ (rng.random(400) < 0.1)}

    fitted = LogLinearMRF().fit(table)

    alone = {feature[0] for feature in fitted.features_ if len(feature) == 1}
    joined = {state for feature in fitted.features_ if len(feature) > 1 for state in feature}
    assert alone == {(name, label) for name, labels in fitted.labels_.items() for label in labels[1:]}
    assert {("a", "0"), ("b", "0"), ("c", True)} <= joined
    assert ("c", False) not in joined


def random_rows(seed, n_columns=5, n_rows=80):
    """Binary columns of which each leans on the parity or the value of earlier ones."""
    rng = np.random.default_rng(seed)
    columns = [rng.integers(0, 2, n_rows)]
    for j in range(1, n_columns):
        sources = rng.choice(j, size=min(j, int(rng.integers(1, 3))), replace=False)
        parity = np.bitwise_xor.reduce([columns[i] for i in sources], axis=0)
        columns.append(np.where(rng.random(n_rows) < 0.75, parity, 1 - parity))
    return np.array(columns).T


@pytest.mark.parametrize(
    "seed", [*range(10), *(pytest.param(i, marks=pytest.mark.slow) for i in range(10, 50))]
)
def test_grafting_and_gain_reach_the_optimum_of_the_full_problem(seed):
    rows = random_rows(seed)
    table = {f"x{j}": column for j, column in enumerate(rows.T)}
    penalty = (2.0, 5.0)[seed % 2]

    grafted, gained, full = (
        plain(penalty=penalty, induction=induction).fit(table) for induction in ("grafting", "gain", "none")
    )

    assert grafted.score_ == pytest.approx(full.score_, abs=1e-6)
    assert gained.score_ == pytest.approx(full.score_, abs=1e-6)
    assert (np.diff(grafted.trace_["score"]) > 0).all()
    shares = {
        tuple(row): n / len(rows) for row, n in zip(*np.unique(rows, axis=0, return_counts=True), strict=True)
    }
    weights = {tuple((int(name[1]), k) for name, k in states): w for states, w in grafted.features_.items()}
    candidates = oracle.pair_and_triple_features(5)
    assert oracle.kkt_residual([2] * 5, shares, weights, penalty / len(rows), candidates) < 1e-6


def parity(n_rows=400):
    a, b, noise = np.random.default_rng(0).integers(0, 2, (3, n_rows))
    return {"a": a, "b": b, "c": a ^ b, "d": noise}


@pytest.mark.parametrize("induction", ["grafting", "gain"])
@pytest.mark.parametrize("objective", ["exact", "pseudo"])
def test_a_three_way_parity_is_found_though_no_two_columns_depend_on_each_other(induction, objective):
    fitted = LogLinearMRF(max_order=3, induction=induction, objective=objective, at_once=1).fit(parity())

    assert fitted.trace_["feature"][0] == "a, b, c"
    assert fitted.graph_ == sl.Graph("abcd", undirected=[("a", "b"), ("a", "c"), ("b", "c")])


def test_grown_candidates_need_a_pair_to_start_from():
    assert LogLinearMRF(max_order=3, candidates="grown").fit(parity()).graph_ == sl.Graph("abcd")

    rng = np.random.default_rng(0)
    a, b = rng.integers(0, 2, (2, 2000))
    table = {"a": a, "b": b, "c": np.where(rng.random(2000) < 0.1, 1 - (a & b), a & b)}
    every, grown = (
        LogLinearMRF(max_order=3, candidates=candidates, adaptive=False, penalty=10.0).fit(table)
        for candidates in ("all", "grown")
    )

    assert (A, B, C) in every.features_
    assert grown.score_ == pytest.approx(every.score_, abs=1e-6)


def test_messages_that_do_not_settle_give_way_to_the_pseudo_likelihood(monkeypatch):
    def restless(*problem, start):
        return replace(propagate(*problem, start=start), converged=False)

    monkeypatch.setattr("structlearn.numerics.log_linear.bethe_likelihood.propagate_safely", restless)
    table = {f"x{j}": column for j, column in enumerate(random_rows(1).T)}

    with pytest.warns(sl.DataWarning, match="did not settle"):
        fitted = LogLinearMRF(objective="loopy").fit(table)

    assert fitted.objective_ == "pseudo"
    assert fitted.features_ == LogLinearMRF(objective="pseudo").fit(table).features_


def chain(n_rows=2000, n_columns=12, seed=0):
    rng = np.random.default_rng(seed)
    columns = [rng.integers(0, 2, n_rows)]
    for _ in range(n_columns - 1):
        columns.append(np.where(rng.random(n_rows) < 0.2, 1 - columns[-1], columns[-1]))
    return {f"x{j:02}": column for j, column in enumerate(columns)}


CHAIN = sl.Graph(
    [f"x{j:02}" for j in range(12)], undirected=[(f"x{j:02}", f"x{j + 1:02}") for j in range(11)]
)


@pytest.mark.parametrize("objective", ["exact", "pseudo"])
def test_a_chain_of_twelve_columns_is_found(objective):
    fitted = LogLinearMRF(objective=objective).fit(chain())

    assert fitted.graph_ == CHAIN
    assert fitted.objective_ == objective
    assert fitted.kkt_residual_ < 1e-5


def test_without_adaptive_penalties_strong_chains_keep_weak_edges_between_their_ends():
    fitted = LogLinearMRF(objective="exact", adaptive=False).fit(chain(n_columns=3))

    assert fitted.graph_.edge("x00", "x02") is not None
    assert LogLinearMRF(objective="exact").fit(chain(n_columns=3)).graph_.edge("x00", "x02") is None


def test_the_default_penalty_is_the_stated_quantile(worked):
    # 1.9599640 is the normal quantile of 0.025: alpha 0.15 shared by three pairs, both signs.
    fitted = LogLinearMRF(alpha=0.15).fit(worked)

    assert fitted.penalty_ == pytest.approx(math.sqrt(120) / 4 * 1.9599640, rel=1e-6)
    assert LogLinearMRF(alpha=0.15, objective="pseudo").fit(worked).penalty_ == pytest.approx(
        2 * fitted.penalty_
    )


def test_independent_columns_are_joined_as_rarely_as_alpha_says():
    rng = np.random.default_rng(0)
    n_joined = sum(
        len(
            LogLinearMRF(objective="exact")
            .fit({f"x{j}": rng.integers(0, 2, 300) for j in range(5)})
            .graph_.edges
        )
        > 0
        for _ in range(40)
    )

    # A binomial of 40 draws at 0.05 exceeds 7 with probability 0.002.
    assert n_joined <= 7


def test_cross_validation_follows_a_path_and_takes_its_best_penalty():
    fitted = LogLinearMRF(penalty="cv", n_penalties=6, smallest_share=0.001, random_state=1).fit(
        chain(400, 3)
    )

    path = fitted.path_
    assert fitted.penalty_ == pytest.approx(path["penalty"][path["criterion"].argmin()])
    assert (np.diff(path["penalty"]) < 0).all()
    assert path["n_features"][0] == 0
    assert path["n_features"][-1] == 3
    assert fitted.graph_.edge("x00", "x01") is not None


def test_weights_count_as_repeated_rows(worked):
    codes = np.repeat(list(itertools.product([0, 1], repeat=3)), COUNTS, axis=0)

    repeated = LogLinearMRF().fit(dict(zip("abc", codes.T, strict=True)))

    weighted = LogLinearMRF().fit(worked)
    assert repeated.features_ == pytest.approx(weighted.features_, abs=1e-7)
    assert repeated.score_ == pytest.approx(weighted.score_)


def test_labels_are_kept_in_the_features():
    table = chain(300, 2)
    words = {name: np.array(["no", "yes"])[column] for name, column in table.items()}

    assert (("x00", "yes"), ("x01", "yes")) in LogLinearMRF().fit(words).features_


@pytest.mark.filterwarnings("ignore:.*single value")
@pytest.mark.parametrize("objective", ["exact", "loopy", "pseudo"])
def test_constant_columns_have_no_features(objective):
    learner = LogLinearMRF(objective=objective, max_order=3)

    assert learner.fit({"a": ["x"] * 4, "b": ["y"] * 4}).features_ == {}
    some = learner.fit({"a": ["x"] * 4, "b": ["y", "z", "z", "z"]})
    assert some.features_ == pytest.approx({(("b", "z"),): math.log(3)})
    assert some.graph_ == sl.Graph("ab")


def test_no_feature_joins_a_forbidden_pair():
    both = sl.Knowledge(forbidden=[("a", "b"), ("b", "a")])

    fitted = LogLinearMRF(max_order=3, knowledge=both, penalty=0.5).fit(parity())

    assert not any({"a", "b"} <= {name for name, _ in states} for states in fitted.features_)


def test_too_wide_a_graph_is_refused_with_its_width(monkeypatch):
    monkeypatch.setattr(junction_tree, "MOST_CELLS", 100)

    with pytest.raises(sl.OptionError, match=r"tree-width of about 11.*objective='pseudo'"):
        LogLinearMRF(objective="exact", induction="none").fit(chain())


def test_too_many_candidates_are_refused(monkeypatch):
    monkeypatch.setattr("structlearn.learners.regression.log_linear.conjunctions.MOST_CANDIDATES", 100)

    with pytest.raises(sl.OptionError, match=r"max_order=3\): that makes 220 features .*candidates='grown'"):
        LogLinearMRF(max_order=3).fit(chain())


def of_parents(parents, *, flip, n_rows, seed):
    """Columns of two states that agree with their parents' parity but for a share of the rows."""
    rng = np.random.default_rng(seed)
    rows = rng.integers(0, 2, size=(n_rows, len(parents)))
    for j, parent in enumerate(parents):
        if parent is not None:
            rows[:, j] = rows[:, parent] ^ (rng.random(n_rows) < flip)
    return {f"c{j}": rows[:, j] for j in range(len(parents))}


@pytest.mark.filterwarnings("ignore:.*the messages of belief propagation")
@pytest.mark.parametrize("flip", [pytest.param(0.15, marks=pytest.mark.slow), 0.25, 0.35])
@pytest.mark.parametrize(
    "seed", [0, pytest.param(1, marks=pytest.mark.slow), pytest.param(2, marks=pytest.mark.slow)]
)
def test_belief_propagation_finds_the_tree_and_no_more_likelihood_than_there_is(flip, seed):
    parents = [None, 0, 0, 1, 1, 3, 2, 5]
    table = of_parents(parents, flip=flip, n_rows=1000, seed=seed)
    tree = sl.Graph(
        list(table), undirected=[(f"c{a}", f"c{j}") for j, a in enumerate(parents) if a is not None]
    )

    loopy, exact = (sl.LogLinearMRF(objective=by).fit(table) for by in ("loopy", "exact"))

    assert loopy.graph_.skeleton() == exact.graph_.skeleton() == tree
    if loopy.objective_ == "loopy":
        assert loopy.score_ <= exact.score_ + 5.0  # its value is no bound, but is near


def test_belief_propagation_that_contradicts_itself_is_not_relied_on():
    # Eight columns that all depend on one: every two of them are joined by a factor that takes their whole
    # dependence for its own, and each cycle counts it again.
    table = of_parents([None] + [0] * 7, flip=0.2, n_rows=1000, seed=0)

    with pytest.warns(sl.DataWarning, match="messages of belief propagation"):
        learner = sl.LogLinearMRF(objective="loopy").fit(table)

    assert learner.objective_ == "pseudo"
    assert {frozenset(pair) for pair in learner.graph_.undirected} == {
        frozenset(("c0", f"c{j}")) for j in range(1, 8)
    }
