"""Columns that have nothing to do with each other get few edges, and quickly, from any learner of DAGs.

And from any learner of undirected graphs with a level, which is that of all edges together or a share of
false ones: what is said below of searches holds for these.

The bound: a search by a score may take chance for an edge at most once for every ten columns, and three
times besides. Tests at level alpha are wrong in that share of all pairs; those that also condition, in
fewer. A tree joins all columns by its nature.
"""

import time
import warnings

import numpy as np
import pytest

import structlearn as sl
from structlearn.learners import option_groups

# What bounds the columns that a method takes at all, or in seconds.
MOST_COLUMNS = dict.fromkeys(
    ("exact-search", "exact-posterior", "sgs", "order-mcmc", "simulated-annealing"), 12
)
MOST_COLUMNS |= dict.fromkeys(("genetic-search", "l1mb", "residual-ordering"), 25)
MOST_COLUMNS |= dict.fromkeys(("convex-dag", "boolean-network"), 100)
MOST_COLUMNS |= dict.fromkeys(("low-order-graph", "lookahead-search", "notears"), 200)
MOST_OF_BOTH_KINDS = MOST_COLUMNS | {"low-order-graph": 30}  # a test of each pair given each other column

# Those without a score to name that judge columns with long tails by the same columns shuffled.
MIND_LONG_TAILS = {
    "polytree",
    "shrinkage-partial-correlation",
    "lookahead-search",
    "regression-dag-gaussian",
    "module-network",
    "dependency-network",
    "system-identification",
    "residual-ordering",
    "sparse-var",
}


NUMBERS_OF_BOTH_KINDS = {
    "mixed": "normal",
    "long-tailed mixed": "lognormal",
    "mixed with rare states": "normal",
}
SHARE_OF_RARE = 0.02


def noise(kind, n_rows, n_columns, seed=0):
    """Independent columns, every other one with a long tail or a rare state: chance makes most of these.

    Those of both kinds are Gaussian, or log-normal, or have two to four states.
    """
    rng = np.random.default_rng(seed)
    if kind == "continuous":
        columns = [
            rng.exponential(size=n_rows) if j % 2 else rng.normal(size=n_rows) for j in range(n_columns)
        ]
    elif kind == "lognormal":
        columns = list(rng.lognormal(size=(n_columns, n_rows)))
    elif kind == "cauchy":
        columns = list(rng.standard_cauchy((n_columns, n_rows)))
    elif kind in NUMBERS_OF_BOTH_KINDS:
        draw = getattr(rng, NUMBERS_OF_BOTH_KINDS[kind])
        columns = [_states(rng, n_rows, kind, j) if j % 2 else draw(size=n_rows) for j in range(n_columns)]
    else:
        is_yes = [rng.random(n_rows) < (0.15 if j % 2 else 0.5) for j in range(n_columns)]
        columns = [np.where(states, "yes", "no") for states in is_yes]
    return {f"v{j:03}": column for j, column in enumerate(columns)}


def _states(rng, n_rows, kind, column):
    if "rare" in kind:
        return np.where(rng.random(n_rows) < SHARE_OF_RARE, "yes", "no")
    return rng.choice([f"s{k}" for k in range(2 + column // 2 % 3)], n_rows)


def most_edges(method, learner, n_columns):
    """How many edges are bad luck at worst."""
    if type(learner).__name__ == "ChowLiu":
        return n_columns - 1
    alpha = None if "score" in learner.get_params() else learner.get_params().get("alpha")
    is_of_each = isinstance(learner, option_groups.Tested) or method.returns != "undirected"
    if alpha is not None and is_of_each:
        pairs = alpha * n_columns * (n_columns - 1) / 2
        return pairs + 3 * np.sqrt(pairs)
    return 3 + n_columns / 10


wide_and_less_so = pytest.mark.parametrize(
    ("n_rows", "n_columns"), [(20, 60), pytest.param(60, 30, marks=pytest.mark.slow)]
)


def fitted(method, learner, kind, n_rows, n_columns):
    """Fit to noise; the CPU seconds it took, and how many edges it may have."""
    most_columns = MOST_OF_BOTH_KINDS if kind == "mixed" else MOST_COLUMNS
    n_columns = min(n_columns, most_columns.get(method.name, n_columns))
    if learner.needs_more_rows:
        n_columns = min(n_columns, n_rows // 2)
    started = time.process_time()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", sl.DataWarning)
        learner.fit(noise(kind, n_rows, n_columns))
    return time.process_time() - started, most_edges(method, learner, n_columns)


have_directions_or_a_level = pytest.mark.methods_that(
    lambda method: method.returns != "undirected" or "alpha" in method.load().options
)


@have_directions_or_a_level
def test_noise_has_few_edges_and_takes_seconds(method, learner, kind):
    seconds, most = fitted(method, learner, kind, 20, 60)

    assert len(learner.graph_.edges) <= most
    assert seconds < 30  # compiling included


@have_directions_or_a_level
@pytest.mark.methods_that(lambda method: "mixed" in method.takes)
@wide_and_less_so
def test_noise_of_both_kinds_has_few_edges_and_takes_seconds(method, learner, n_rows, n_columns):
    seconds, most = fitted(method, learner, "mixed", n_rows, n_columns)

    assert len(learner.graph_.edges) <= most
    assert seconds < 30  # compiling included


@pytest.mark.methods_that(
    lambda method: (
        ("continuous" in method.takes and "score" in method.load().options) or method.name in MIND_LONG_TAILS
    )
)
@wide_and_less_so
def test_searches_by_a_score_and_others_that_mind_long_tails_take_no_outliers_for_edges(
    method, learner, n_rows, n_columns
):
    _, most = fitted(method, learner, "cauchy", n_rows, n_columns)

    assert len(learner.graph_.edges) <= most


@pytest.mark.methods_that(lambda method: method.name in MIND_LONG_TAILS)
def test_long_tails_make_few_edges_where_no_correlation_shows_them_and_rows_are_ample(method, learner):
    _, most = fitted(method, learner, "lognormal", 100, 10)

    assert len(learner.graph_.edges) <= most


@pytest.mark.slow
@have_directions_or_a_level
@pytest.mark.parametrize(
    ("n_rows", "n_columns"), [(10, 40), (20, 20), (60, 30), (100, 100), (200, 50), (20, 500)]
)
def test_noise_of_any_shape_has_few_edges_and_takes_seconds(method, learner, kind, n_rows, n_columns):
    seconds, most = fitted(method, learner, kind, n_rows, n_columns)

    assert len(learner.graph_.edges) <= most
    assert seconds < 60


@pytest.mark.methods_that(lambda method: "mixed" in method.takes and "score" in method.load().options)
@pytest.mark.parametrize(
    ("noise_of", "n_rows", "n_columns"),
    [("long-tailed mixed", 600, 10), pytest.param("mixed with rare states", 200, 20, marks=pytest.mark.slow)],
)
def test_long_tails_beside_states_and_rare_states_make_few_edges_where_rows_are_ample(
    method, learner, noise_of, n_rows, n_columns
):
    _, most = fitted(method, learner, noise_of, n_rows, n_columns)

    assert len(learner.graph_.edges) <= most
