"""What no DAG of listed families scores more than: by prices of cuts, or over all sets of columns."""

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from structlearn.certificates.table import Content
from structlearn.rounding import slack
from structlearn.search.local_scores import Branch, PricedCuts

ROUNDING = 1e-15  # of sums of prices: a few units in the last place
Values = NDArray[np.float64]
Places = NDArray[np.int64]
Marks = NDArray[np.bool_]


def cuts_content(names: tuple[str, ...], cuts: PricedCuts | None) -> dict[str, Any]:
    """The cuts and their prices in every branch, as a file has them."""
    if cuts is None:
        return {"cuts": [], "branches": {"prices": [[]], "arc": None}}
    ranked = zip(cuts.classes, cuts.ranks.tolist(), strict=True)
    listed = [{"classes": _named_classes(names, classes), "rank": rank} for classes, rank in ranked]
    return {"cuts": listed, "branches": _plain(names, cuts.root)}


def best_total(known: Content) -> float:
    """The score of the best DAG of the lists, by dynamic programming over the sets of columns."""
    names = known["table"]["columns"]
    bit = {name: 1 << i for i, name in enumerate(names)}
    sets = np.arange(1 << len(names))
    best = np.full((len(names), len(sets)), -math.inf)  # of a column, with parents among a set
    for v, name in enumerate(names):
        for score, parents in known["families"][name]:
            best[v, sum(bit[parent] for parent in parents)] = score
        for i in range(len(names)):
            halves = best[v].reshape(-1, 2, 1 << i)
            np.maximum(halves[:, 1], halves[:, 0], out=halves[:, 1])
    total = np.full(len(sets), -math.inf)
    total[0] = 0.0
    for size in range(len(names)):
        smaller = sets[np.bitwise_count(sets) == size]
        for v in range(len(names)):
            before = smaller[smaller >> v & 1 == 0]
            after = before | 1 << v
            total[after] = np.maximum(total[after], total[before] + best[v, before])
    return float(total[-1])


def bounded_by_cuts(known: Content) -> bool:
    """Whether the cuts, at their prices, leave no family for a DAG above the bound in any branch."""
    families = known["families"].values()
    best = math.fsum(max(score for score, _ in listed) for listed in families)
    enough = best - known["bound"] - slack(2.0 * abs(best) + abs(known["bound"]))
    pricing = _Pricing.of(known["table"]["columns"], known["families"], known["cuts"], enough)
    return math.isfinite(enough) and pricing.closes(known["branches"], np.arange(len(pricing.child)))


@dataclass(frozen=True, slots=True)
class _Pricing:
    """The child of every listed family, its parents filled up with −1, what it loses to the best, and cuts.

    In a DAG at least as many families raise the rank of a cut as its nodes have rank. So a DAG loses at least
    what its families lose less the prices that they earn, and the price of each cut times that rank.
    """

    place: dict[str, int]
    child: Places
    members: Places
    losses: Values
    is_raised: Marks  # a row per cut
    ranks_of_all: Places
    enough: float

    @classmethod
    def of(cls, names: list[str], families: Content, cuts: list[Content], enough: float) -> "_Pricing":
        place = {name: i for i, name in enumerate(names)}
        listed = [(place[name], *family) for name in names for family in families[name]]
        members = np.full((len(listed), max(len(parents) for *_, parents in listed)), -1, dtype=np.int64)
        for row, (_, _, parents) in enumerate(listed):
            members[row, : len(parents)] = [place[parent] for parent in parents]
        child = np.array([v for v, *_ in listed])
        best = np.array([max(score for score, _ in families[name]) for name in names])
        losses = best[child] - np.array([score for _, score, _ in listed])
        ranked = [(_class_of_each(place, cut["classes"]), cut["rank"]) for cut in cuts]
        is_raised = np.array([raises(*cut, child, members) for cut in ranked]).reshape(-1, len(listed))
        ranks_of_all = [min(rank, len(set(row[row >= 0].tolist()))) for row, rank in ranked]
        return cls(place, child, members, losses, is_raised, np.array(ranks_of_all, dtype=np.int64), enough)

    def closes(self, branch: Content, rows: Places) -> bool:
        """Whether no DAG of these families is above the bound."""
        n_nodes = len(self.place)
        if len(np.unique(self.child[rows])) < n_nodes:
            return True
        for round_of_prices in branch["prices"]:
            cuts = np.array([cut for cut, _ in round_of_prices], dtype=np.int64)
            prices = np.maximum([price for _, price in round_of_prices], 0.0)
            child = self.child[rows]
            kept = self.losses[rows] - prices @ self.is_raised[np.ix_(cuts, rows)]
            least = np.minimum.reduceat(kept, np.searchsorted(child, np.arange(n_nodes)))
            bound = least.sum() + prices @ self.ranks_of_all[cuts] - ROUNDING * n_nodes * prices.sum()
            if not math.isfinite(bound):
                return False  # prices that are no numbers, or so large that sums overflow
            if bound >= self.enough:
                return True
            rows = rows[bound + kept - least[child] < self.enough]
        return branch["arc"] is not None and self._parts_close(branch, rows)

    def _parts_close(self, branch: Content, rows: Places) -> bool:
        """Whether neither the DAGs with an arc nor those without it are above the bound."""
        parent, child = (self.place[name] for name in branch["arc"])
        has_arc = self._are_families_of(child, parent, rows)
        is_against = (self.child[rows] == child) & ~has_arc | self._are_families_of(parent, child, rows)
        return self.closes(branch["with"], rows[~is_against]) and self.closes(
            branch["without"], rows[~has_arc]
        )

    def _are_families_of(self, child: int, parent: int, rows: Places) -> Marks:
        found: Marks = (self.child[rows] == child) & np.any(self.members[rows] == parent, axis=1)
        return found


def raises(classes: Places, rank: int, child: Places, members: Places) -> Marks:
    """Which families have a child that raises the rank of its parents."""
    own, theirs = classes[child], np.sort(np.append(classes, -1)[members], axis=1)
    is_new = (theirs >= 0) & (np.diff(theirs, axis=1, prepend=-1) > 0)
    can_rise = (own >= 0) & (is_new.sum(axis=1) < rank)
    does_rise: Marks = can_rise & ~(theirs == own[:, None]).any(axis=1)
    return does_rise


def _named_classes(names: tuple[str, ...], classes: Places) -> list[list[str]]:
    every = np.unique(classes[classes >= 0])
    return [[names[i] for i in np.flatnonzero(classes == each)] for each in every]


def _class_of_each(place: dict[str, int], classes: list[list[str]]) -> Places:
    found = np.full(len(place), -1, dtype=np.int64)
    for number, members in enumerate(classes):
        found[[place[name] for name in members]] = number
    return found


def _plain(names: tuple[str, ...], branch: Branch) -> dict[str, Any]:
    prices = [[[int(cut), float(paid[cut])] for cut in np.flatnonzero(paid)] for paid in branch.rounds]
    if branch.arc is None:
        return {"prices": prices, "arc": None}
    with_it, without_it = (_plain(names, part) for part in branch.parts)
    arc = [names[end] for end in branch.arc]
    return {"prices": prices, "arc": arc, "with": with_it, "without": without_it}
