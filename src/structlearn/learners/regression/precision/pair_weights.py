"""What multiplies the penalty of each pair of columns."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from structlearn.data import Knowledge
from structlearn.data.pair_knowledge import forbidden_pairs
from structlearn.errors import OptionError
from structlearn.numerics.precision.penalised_likelihood import Matrix
from structlearn.numerics.sparse_precision import Solver
from structlearn.options import Between
from structlearn.outcome import Pair


def pair_weights(
    names: tuple[str, ...],
    given: Mapping[Pair, float] | None,
    knowledge: Knowledge,
    *,
    solver: Solver,
    diagonal: float,
) -> Matrix:
    """1 but for the pairs given, infinite for those that knowledge forbids; `diagonal` on the diagonal."""
    weights = np.ones((len(names), len(names)))
    for pair, weight in (given or {}).items():
        a, b = _places(names, pair, weight)
        weights[a, b] = weights[b, a] = weight
    weights[forbidden_pairs("GraphicalLasso", names, knowledge)] = np.inf
    if solver == "nesterov" and not (np.isfinite(weights).all() and weights.all()):
        raise OptionError(
            "GraphicalLasso(solver='nesterov') takes no forbidden and no free pairs. Use another solver."
        )
    np.fill_diagonal(weights, diagonal)
    return weights


def _places(names: tuple[str, ...], pair: Any, weight: Any) -> tuple[int, int]:
    """The places of the two columns of a pair that may have this weight."""
    is_pair = isinstance(pair, tuple) and len(pair) == 2 and pair[0] != pair[1]
    unknown = [name for name in pair if name not in names] if is_pair else []
    if not is_pair or unknown or not Between(0, np.inf, "").accepts(weight):
        raise OptionError(
            f"GraphicalLasso(weights={{{pair!r}: {weight!r}}}): each pair of two columns has a number from 0 "
            f"to infinity{f', and there is no column {unknown[0]!r}' if unknown else ''}."
        )
    return names.index(pair[0]), names.index(pair[1])
