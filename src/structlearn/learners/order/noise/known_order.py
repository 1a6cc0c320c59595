"""What knowledge says of the order of the columns."""

from collections.abc import Sequence

from structlearn.data import Knowledge
from structlearn.numerics.acyclic import Flags, acyclic_order, descends


def known_order(names: Sequence[str], knowledge: Knowledge) -> Flags:
    """Which columns, rows of the matrix, come after which: after required ancestors and earlier tiers.

    An arc that is forbidden says nothing of the order: what must not be a cause at once may be one through
    others. Where required arcs lead from a later tier to an earlier one through columns without a tier, only
    they count.
    """
    required = knowledge.matrices(names)[0].T
    by_tier = Knowledge(tiers=knowledge.tiers).matrices(names)[1]
    both = required | by_tier
    found = both if acyclic_order(both) is not None else required
    return descends(found)
