"""Network component analysis with a penalty that makes strengths 0, and with factors that are not negative.

Half of ‖E − A·P‖² + Σ_k Σ_i λ_ik |A_ik| · ‖P_k‖ / √n is minimised, one block after the other to its optimum:
the activities P_k of a regulator over the n samples, then its strengths A_k. What the penalty counts does not
depend on how a regulator's scale is shared between the two.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from structlearn.numerics.factorization.known_patterns import Components, Limits, solved

Floats = NDArray[np.float64]
Pattern = NDArray[np.bool_]


class Signs(NamedTuple):
    """What may not be negative."""

    strengths: bool = False
    activities: bool = False


def descended(
    expression: Floats, pattern: Pattern, start: Floats, *, signs: Signs, penalties: Floats, limits: Limits
) -> Components:
    """Go down from strengths on the pattern until the cost hardly changes.

    `penalties`, genes by regulators, are λ per sample and size of the table, the root of its mean square:
    strengths become 0 whose effect is smaller than about this share of it.
    """
    strengths = np.abs(start) if signs.strengths else start
    activities, _ = solved(strengths, expression, None)
    if signs.activities:
        activities = np.abs(activities)
    prices = penalties * expression.shape[1] * float(np.sqrt((expression**2).mean()))
    costs: list[float] = []
    while limits.go_on(costs):
        activities = _activities(expression, strengths, activities, prices, signs)
        strengths = _strengths(expression, pattern, strengths, activities, prices, signs)
        costs.append(cost_of(expression, strengths, activities, prices))
    return Components(strengths, activities, costs, has_ridge=False)


def cost_of(expression: Floats, strengths: Floats, activities: Floats, prices: Floats) -> float:
    """Half the sum of squares that is left, and the price of the strengths."""
    lengths = np.linalg.norm(activities, axis=1) / np.sqrt(expression.shape[1])
    left = float(((expression - strengths @ activities) ** 2).sum())
    return 0.5 * left + float((prices * np.abs(strengths)).sum(axis=0) @ lengths)


def _activities(
    expression: Floats, strengths: Floats, activities: Floats, prices: Floats, signs: Signs
) -> Floats:
    """Each regulator's activities in turn: shrunken as one vector, so that they stay or go together."""
    found, gram, products = activities.copy(), strengths.T @ strengths, strengths.T @ expression
    paid = (prices * np.abs(strengths)).sum(axis=0) / np.sqrt(expression.shape[1])
    for k in range(len(found)):
        pull = products[k] - gram[k] @ found + gram[k, k] * found[k]
        pull = np.maximum(pull, 0.0) if signs.activities else pull
        length = float(np.linalg.norm(pull))
        is_worth_it = gram[k, k] > 0.0 and length > paid[k]
        found[k] = pull * (1.0 - paid[k] / length) / gram[k, k] if is_worth_it else 0.0
    return found


def _strengths(
    expression: Floats, pattern: Pattern, strengths: Floats, activities: Floats, prices: Floats, signs: Signs
) -> Floats:
    """Each regulator's strengths in turn, moved towards 0 by the price."""
    found, gram, products = strengths.copy(), activities @ activities.T, expression @ activities.T
    prices = prices * np.linalg.norm(activities, axis=1) / np.sqrt(expression.shape[1])
    for k in range(found.shape[1]):
        pull = products[:, k] - found @ gram[:, k] + gram[k, k] * found[:, k]
        sizes = np.maximum((pull if signs.strengths else np.abs(pull)) - prices[:, k], 0.0)
        moved = np.copysign(sizes, pull) / gram[k, k] if gram[k, k] > 0.0 else np.zeros(len(pull))
        found[:, k] = np.where(pattern[:, k], moved, 0.0)
    return found
