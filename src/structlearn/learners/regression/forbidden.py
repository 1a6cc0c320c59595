"""What knowledge says where edges have no direction."""

import numpy as np
from numpy.typing import NDArray

from structlearn.data import Knowledge
from structlearn.errors import OptionError


def forbidden_pairs(owner: str, names: tuple[str, ...], knowledge: Knowledge) -> NDArray[np.bool_] | None:
    """The pairs that may not be joined, as a symmetric matrix; None where nothing is known.

    Knowledge of one direction is refused: the edges of `owner` have none.
    """
    if not knowledge:
        return None
    required, forbidden = knowledge.matrices(names)
    one_way = np.argwhere(required | (forbidden & ~forbidden.T))
    if len(one_way):
        a, b = (names[i] for i in one_way[0])
        raise OptionError(
            f"{owner}: knowledge says which way an edge between {a!r} and {b!r} goes, and the edges "
            "of this method have no direction. Forbid both directions, or none."
        )
    return forbidden
