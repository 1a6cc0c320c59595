"""What a leaf of a tree is worth, and when it has rows enough."""

import math

import numpy as np
import pytest

from structlearn.scores.kernels import leaves
from structlearn.scores.kernels.leaves import CELL_PRIOR, LIKELIHOOD, NORMAL, SPREAD_PRIOR, Rule

RULE = Rule(
    form=LIKELIHOOD,
    prior=0.0,
    price=0.0,
    is_coded=False,
    by_value=False,
    looks_ahead=False,
    min_rows=1.0,
    max_depth=9,
)


def by_urn(counts, cell):
    """The evidence as a product of predictions, one row after the other."""
    seen, total = [cell] * len(counts), 0.0
    for state, n in enumerate(counts.tolist()):
        for _ in range(n):
            total += math.log(seen[state] / sum(seen))
            seen[state] += 1.0
    return total


@pytest.mark.parametrize(
    ("form", "prior", "expected"),
    [
        (LIKELIHOOD, 0.0, 3 * math.log(0.75) + math.log(0.25)),
        # A prior of 2 rows over a leaf with half the joint states: half a row in each of two cells.
        (SPREAD_PRIOR, 2.0, by_urn(np.array([3, 1]), 0.5)),
        (CELL_PRIOR, 1.0, by_urn(np.array([3, 1]), 1.0)),
    ],
)
def test_a_leaf_is_worth_its_likelihood_or_evidence_less_its_price(form, prior, expected):
    rule = RULE._replace(form=form, prior=prior, price=0.7)
    tally = np.array([3.0, 1.0])

    assert leaves.worth(tally, 0.5, rule) == pytest.approx(expected - 0.7, abs=1e-12)
    assert leaves.worth(tally, 0.5, rule._replace(is_coded=True)) == pytest.approx(
        expected - 0.7 - math.log(2), abs=1e-12
    )


def test_a_normal_leaf_is_worth_the_likelihood_of_its_values():
    values = np.array([1.0, 2.0, 4.0, 7.0])
    tally = np.array([4.0, values.sum(), (values**2).sum()])
    variance = values.var()
    expected = sum(
        -0.5 * math.log(2 * math.pi * variance) - (value - values.mean()) ** 2 / (2 * variance)
        for value in values
    )

    rule = RULE._replace(form=NORMAL, prior=0.1)

    assert leaves.worth(tally, 1.0, rule) == pytest.approx(expected, abs=1e-10)
    assert leaves.worth(tally, 1.0, rule._replace(prior=variance)) == -math.inf
    assert leaves.rows_in(tally, rule) == 4.0


def test_a_leaf_needs_rows():
    rule = RULE._replace(min_rows=3.0)

    assert leaves.is_enough(np.array([2.0, 1.0]), rule)
    assert not leaves.is_enough(np.array([2.0, 0.0]), rule)
    assert not leaves.is_enough(np.zeros(2), RULE._replace(min_rows=0.0))
