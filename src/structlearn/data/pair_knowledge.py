"""What knowledge says to methods whose edges have no direction."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from structlearn.data.knowledge import Knowledge
from structlearn.errors import OptionError


def forbidden_pairs(owner: str, names: Sequence[str], knowledge: Knowledge) -> NDArray[np.bool_]:
    """The pairs that may not be joined, as a symmetric matrix; knowledge of one direction is refused.

    Examples
    --------
    >>> from structlearn.data import Knowledge
    >>> known = Knowledge(forbidden=[("a", "b"), ("b", "a")])
    >>> forbidden_pairs("ChowLiu", ["a", "b"], known).tolist()
    [[False, True], [True, False]]
    """
    required, forbidden = knowledge.matrices(names)
    refuse_directions(owner, names, required, forbidden)
    return forbidden


def refuse_directions(
    owner: str, names: Sequence[str], required: NDArray[np.bool_], forbidden: NDArray[np.bool_]
) -> None:
    """Refuse knowledge of one direction only, for a method whose edges have none."""
    if not (required.any() or forbidden.any()):
        return
    one_way = np.argwhere(required | (forbidden & ~forbidden.T))
    if len(one_way):
        a, b = (names[i] for i in one_way[0])
        raise OptionError(
            f"{owner}: knowledge says which way an edge between {a!r} and {b!r} goes, and the edges "
            "of this method have no direction. Forbid both directions, or none."
        )
