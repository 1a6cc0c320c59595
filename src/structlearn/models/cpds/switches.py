"""Nodes of two states, off and on, with parents that are off or on too."""

import numpy as np
from numpy.typing import NDArray

from structlearn.errors import DataError
from structlearn.models.cpds.family import Family
from structlearn.models.cpds.table import refuse_large_table


def refuse_other_than_switches(form: str, family: Family, *, continuous: bool = False) -> None:
    """Refuse a node, or a parent, that does not have two states; continuous parents where they may not be."""
    if len(family.labels) != 2:
        raise DataError(
            f"A {form} CPD is for a node of two states, and {family.name!r} has {len(family.labels)}. Merge "
            'states, or use a "softmax" or "table" CPD.'
        )
    for name, levels in zip(family.parent_names, family.parent_levels, strict=True):
        if levels != 2 and not (continuous and levels == 0):
            found = f"has {levels}" if levels else "is continuous"
            raise DataError(
                f"A {form} CPD takes parents of two states, and {name!r}, a parent of {family.name!r}, "
                f"{found}. "
                'Merge states, or use a "softmax" CPD.'
            )


def switch_states(form: str, n_parents: int) -> NDArray[np.int64]:
    """Every joint state of the parents, (parents, joint states); the first parent varies slowest."""
    refuse_large_table(f"a {form} CPD", (2,) * (n_parents + 1))
    return np.indices((2,) * n_parents).reshape(n_parents, 2**n_parents)


def table_of_switches(shares_on: NDArray[np.float64], n_parents: int) -> NDArray[np.float64]:
    """The table whose entries for the second state, in the order of `switch_states`, are given."""
    return np.stack([1 - shares_on, shares_on], axis=-1).reshape((2,) * (n_parents + 1))
