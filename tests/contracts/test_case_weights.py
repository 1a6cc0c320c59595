"""A weight says how often a row counts: the same as repeating it."""

from contextlib import nullcontext, suppress

import numpy as np
import pytest
from sklearn.base import clone

import structlearn as sl
from tests.contracts.conftest import chain_of_even_noise, chain_table

WEIGHTS = np.tile([1, 2, 1, 3, 1], 10)


def weighted_and_repeated(kind, noise="any"):
    table = chain_table(kind, n_rows=len(WEIGHTS)) if noise == "any" else chain_of_even_noise(len(WEIGHTS))
    return sl.Dataset(table, weights=WEIGHTS), {
        name: np.repeat(column, WEIGHTS) for name, column in table.items()
    }


def numbers(learner):
    """What is said of each edge."""
    said = [(one.score_gain, one.p_value, one.confidence) for one in learner.evidence_.values()]
    return np.array(said, dtype=float)


def is_same(learner, other):
    """Whether edges are equal, and numbers but for rounding."""
    return learner.graph_.skeleton() == other.graph_.skeleton() and np.allclose(
        numbers(learner), numbers(other), rtol=1e-6, atol=1e-9, equal_nan=True
    )


def test_a_weight_counts_as_often_as_it_says(method, learner, kind):
    if "random_state" in learner.get_params():
        learner.set_params(random_state=0)
    weighted, repeated = weighted_and_repeated(kind, method.noise)

    with suppress(sl.DataError):  # that a method takes no weights is an answer too
        assert is_same(clone(learner).fit(weighted), clone(learner).fit(repeated))


@pytest.mark.parametrize(
    ("named", "kind"),
    [
        (sl.GraphicalLasso, "continuous"),
        (sl.NeighborhoodSelection, "continuous"),
        (sl.IsingNeighborhoods, "discrete"),
        (sl.LogLinearMRF, "discrete"),
    ],
)
def test_a_weight_counts_as_often_as_it_says_in_penalties_that_theory_names(named, kind):
    one, other = (named(penalty="theory").fit(rows) for rows in weighted_and_repeated(kind))

    assert one.penalty_ == pytest.approx(other.penalty_, rel=1e-12)
    assert one.graph_.skeleton() == other.graph_.skeleton()


def test_a_row_of_weight_0_is_as_if_it_were_not_there(method, learner, kind):
    if "random_state" in learner.get_params():
        learner.set_params(random_state=0)
    weighted, _ = weighted_and_repeated(kind, method.noise)
    table = weighted.to_dict()
    # Rows that would matter: the first in another order, which no other row need repeat, and one with states
    # of its own.
    idle = {name: np.roll(column[:6], j) for j, (name, column) in enumerate(table.items())}
    for name, column in idle.items():
        column[-1] = table[name].max() + 1
    more = {name: np.r_[idle[name], column] for name, column in table.items()}
    with_them = sl.Dataset(more, weights=np.r_[np.zeros(6), WEIGHTS], kinds=weighted.kinds)

    try:
        expected = clone(learner).fit(weighted)
    except sl.DataError:  # that a method takes no weights is an answer too
        return
    with nullcontext() if method.rows == "samples" else suppress(sl.DataError):  # of steps none is left out
        assert is_same(clone(learner).fit(with_them), expected)


@pytest.mark.parametrize(
    "options", [{"kernel": "rbf"}, {"kernel": "polynomial"}, {"kernel": "hsic"}], ids=str
)
def test_a_weight_counts_as_often_as_it_says_in_every_kernel(options):
    weighted, repeated = weighted_and_repeated("continuous")
    learner = sl.FeatureVectorMachine(penalty=0.05, **options)

    assert is_same(clone(learner).fit(weighted), clone(learner).fit(repeated))
