"""The parent sets of all nodes in one table, as kernels over orders take them."""

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from structlearn.errors import DataError, OptionError
from structlearn.learners.order.kernels.fitting_rows import FamilyRows
from structlearn.search.limits import count_families
from structlearn.search.parent_sets import ParentSets, ScoredSets
from structlearn.search.space import Space

MOST_FAMILIES = 2**25
MOST_ON_CARD = 2**34  # a minute


def refuse_too_many(space: Space, most: int = MOST_FAMILIES) -> None:
    """Refuse limits that leave more parent sets than can be scored."""
    n_families = count_families(space.limits)
    if n_families > most:
        raise OptionError(
            f"{space.owner}: {n_families:,} parent sets would have to be scored, and {most:,} are the most. "
            "Lower max_parents or the number of candidates."
        )


def useful_rows(space: Space) -> FamilyRows:
    """The sets that score more than each of their subsets: those that a best DAG is made of."""
    sets = ParentSets(space)
    refuse_too_many(space, MOST_ON_CARD if sets.on_card else MOST_FAMILIES)
    return _scored_rows(space, np.arange(space.n_nodes), sets.of)


def all_rows(space: Space, *, most: int) -> FamilyRows:
    """All sets that the limits allow of the columns less contexts: those that share the posterior."""
    refuse_too_many(space, most)
    return _scored_rows(space, space.limits.columns, ParentSets(space).all_of)


def members_at(rows: FamilyRows, row: int) -> list[int]:
    """The members of the set in a row, sorted."""
    return sorted(member for member in rows.members[row].tolist() if member >= 0)


def _scored_rows(space: Space, nodes: NDArray[np.int64], sets_of: Callable[[int], ScoredSets]) -> FamilyRows:
    """The rows of some nodes, as places among them; once the run must stop, only the required parents."""
    sets: list[ScoredSets] = []
    for child in nodes.tolist():
        if space.run.must_stop():
            break
        space.run.show(f"families of {space.names[child]}", len(sets), len(nodes))
        sets.append(_possible(space, child, sets_of(child)))
    late = nodes[len(sets) :].tolist()
    required = [np.flatnonzero(row) for row in space.limits.frozen] if late else []
    space.scores.remember(required)
    for child in late:
        score = np.array([space.scores.local(child, required[child])])
        sets.append(_possible(space, child, ScoredSets.of(required[child][None], score)))
    return _joined([of_child.among(nodes, space.n_nodes) for of_child in sets])


def _possible(space: Space, child: int, sets: ScoredSets) -> ScoredSets:
    if sets.scores[0] == -np.inf:
        name = space.names[child]
        raise DataError(f"{space.owner}: every parent set of {name!r} has the score −∞. Use another score.")
    return sets


def _joined(sets: list[ScoredSets]) -> FamilyRows:
    width = max(of_child.members.shape[1] for of_child in sets)
    n_rows = [int(np.count_nonzero(of_child.scores > -np.inf)) for of_child in sets]
    starts = np.concatenate([[0], np.cumsum(n_rows)]).astype(np.int64)
    members: NDArray[np.int16] = np.full((int(starts[-1]), width), -1, dtype=np.int16)
    scores = np.empty(int(starts[-1]))
    for of_child, n, start in zip(sets, n_rows, starts, strict=False):
        members[start : start + n, : of_child.members.shape[1]] = of_child.members[:n]
        scores[start : start + n] = of_child.scores[:n]
    weights = np.exp(scores - np.repeat(scores[starts[:-1]], n_rows))
    return FamilyRows(starts, members, _masks(members, len(sets)), scores, weights)


def _masks(members: NDArray[np.int16], n_nodes: int) -> NDArray[np.uint64]:
    masks = np.zeros((len(members), -(-n_nodes // 64)), dtype=np.uint64)
    for column in members.T:
        rows = np.flatnonzero(column >= 0)
        words, bits = np.divmod(column[rows].astype(np.uint64), np.uint64(64))
        masks[rows, words] |= np.uint64(1) << bits
    return masks
