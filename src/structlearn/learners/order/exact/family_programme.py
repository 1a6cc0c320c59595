"""The linear programme that mixes families as cheaply as the cuts allow."""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from structlearn.learners.order.exact.highs import load_highs
from structlearn.learners.order.exact.rank_cuts import Mixture, RankCut
from structlearn.learners.order.kernels import rank_cuts as kernels
from structlearn.run import MustStop, never
from structlearn.search.local_scores import Branch, LocalScores, PricedCuts
from structlearn.search.parent_sets import ScoredSets

FULL_SCALE = 1000.0  # what the best known DAG loses as the solver sees it, whose tolerances are absolute
STAND_IN = 10.0 * FULL_SCALE
TOLERANCE = 1e-10
MOST_ENTERING = 20  # families of a node at a time
# Of the simplex method, between two looks at the clock: with some thousand cuts a second's work. Whoever goes
# on from the last basis has costs perturbed anew: a programme of blacksea's 48 columns, over which the solver
# went round for minutes, takes a second so.
ITERATIONS_AT_ONCE = 1000


class Families(NamedTuple):
    """All families of the lists, node by node, and what each loses against the best of its node."""

    child: NDArray[np.int64]
    members: NDArray[np.int64]
    losses: NDArray[np.float64]

    @classmethod
    def of(cls, lists: LocalScores) -> "Families":
        """The families of the lists, in their order."""
        width = max(of_node.members.shape[1] for of_node in lists.sets)
        return cls(
            np.repeat(np.arange(len(lists.sets)), [len(of_node.scores) for of_node in lists.sets]),
            np.concatenate([_widened(of_node, width) for of_node in lists.sets]),
            np.concatenate([of_node.scores[0] - of_node.scores for of_node in lists.sets]),
        )

    def take(self, rows: NDArray[np.int64]) -> "Families":
        """Some of the families."""
        return Families(self.child[rows], self.members[rows], self.losses[rows])


class Relaxation(NamedTuple):
    """The mixture that loses least, what every DAG of the allowed families loses at least, and `extra`.

    A DAG with an allowed family loses at least `bound` and the family's `extra`, by the `prices` of the cuts.
    """

    mixture: Mixture
    bound: float
    extra: NDArray[np.float64]
    prices: NDArray[np.float64]


class FamilyProgramme:
    """Chooses weights of families that sum to 1 for every node, keep the cuts, and lose least.

    Families enter the programme when its prices say that they would help. Bounds are computed from
    the prices of the cuts alone: they hold for any prices, whatever the tolerances of the solver.
    """

    def __init__(
        self, families: Families, n_nodes: int, worst_loss: float, must_stop: MustStop = never
    ) -> None:
        self._families = families
        self._must_stop = must_stop
        self._n_nodes = n_nodes
        self._scale = FULL_SCALE / worst_loss
        self._columns = np.empty(0, dtype=np.int64)
        self._has_column = np.zeros(len(families.child), dtype=np.bool_)
        self._classes = np.empty((0, n_nodes), dtype=np.int64)
        self._ranks = np.empty(0, dtype=np.int64)
        self._ranks_of_all = np.empty(0)
        self._highs = _new_solver()
        self._unfinished = load_highs().HighsModelStatus.kIterationLimit
        self._add_nodes()

    def add_cuts(self, cuts: list[RankCut]) -> None:
        """Keep these cuts from now on."""
        inside = self._families.take(self._columns)
        is_raised = np.empty(len(self._columns), dtype=np.bool_)
        for cut in cuts:
            kernels.fill_row(cut.classes, cut.rank, inside.child, inside.members, is_raised)
            places = np.flatnonzero(np.append(cut.classes >= 0, is_raised)).astype(np.int32)
            self._highs.addRow(cut.rank_of_all, np.inf, len(places), places, np.ones(len(places)))
        self._classes = np.concatenate([self._classes, [cut.classes for cut in cuts]])
        self._ranks = np.append(self._ranks, [cut.rank for cut in cuts])
        self._ranks_of_all = np.append(self._ranks_of_all, [cut.rank_of_all for cut in cuts])

    def priced_cuts(self, root: Branch) -> PricedCuts:
        """The cuts that are ever paid for, and what is paid for them."""
        is_used = np.zeros(len(self._ranks), dtype=np.bool_)
        for prices in root.all_rounds():
            is_used[: len(prices)] |= prices > 0.0
        return PricedCuts(self._classes[is_used], self._ranks[is_used], _of_cuts(root, is_used))

    def solve(self, allowed: NDArray[np.int64]) -> Relaxation:
        """The best mixture of allowed families, given as sorted places; every node has one."""
        self._allow(allowed)
        families = self._families.take(allowed)
        while True:
            node_prices, cut_prices = self._prices()
            losses = self._priced_losses(families, cut_prices)
            entering = self._entering(families, losses - node_prices[families.child], allowed)
            if not len(entering) or self._must_stop():
                break
            self._add_columns(entering)
        first = np.searchsorted(families.child, np.arange(self._n_nodes))
        least = np.minimum.reduceat(losses, first)
        bound = float(least.sum() + cut_prices @ self._ranks_of_all)
        return Relaxation(self._mixture(), bound, losses - least[families.child], cut_prices)

    def _add_nodes(self) -> None:
        """One row per node, kept by a stand-in without parents while no cheaper family is there."""
        n = self._n_nodes
        nothing, nodes = np.empty(0, dtype=np.int32), np.arange(n, dtype=np.int32)
        self._highs.addRows(n, np.ones(n), np.ones(n), 0, np.zeros(n, np.int32), nothing, np.empty(0))
        costs, least, most = np.full(n, STAND_IN), np.zeros(n), np.full(n, np.inf)
        self._highs.addCols(n, costs, least, most, n, nodes, nodes, np.ones(n))

    def _add_columns(self, rows: NDArray[np.int64]) -> None:
        families = self._families.take(rows)
        is_raised = np.empty((len(self._ranks), len(rows)), dtype=np.bool_)
        for cut, (classes, rank) in enumerate(zip(self._classes, self._ranks.tolist(), strict=True)):
            kernels.fill_row(classes, rank, families.child, families.members, is_raised[cut])
        is_child = families.child == np.arange(self._n_nodes)[:, None]
        column, row = np.nonzero(np.concatenate([is_child, is_raised]).T)
        first = np.searchsorted(column, np.arange(len(rows)))
        self._highs.addCols(
            len(rows),
            families.losses * self._scale,
            np.zeros(len(rows)),
            np.full(len(rows), np.inf),
            len(row),
            first.astype(np.int32),
            row.astype(np.int32),
            np.ones(len(row)),
        )
        self._columns = np.append(self._columns, rows)
        self._has_column[rows] = True

    def _allow(self, rows: NDArray[np.int64]) -> None:
        is_allowed = np.zeros(len(self._has_column), dtype=np.bool_)
        is_allowed[rows] = True
        most = np.where(is_allowed[self._columns], np.inf, 0.0)
        places = np.arange(self._n_nodes, self._n_nodes + len(most), dtype=np.int32)
        self._highs.changeColsBounds(len(most), places, np.zeros(len(most)), most)

    def _prices(self) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Solve the programme, as far as there is time; what it pays for each node and each cut."""
        self._highs.run()
        while self._highs.getModelStatus() == self._unfinished and not self._must_stop():
            self._highs.run()
        prices = np.array(self._highs.getSolution().row_dual) / self._scale
        return prices[: self._n_nodes], np.maximum(prices[self._n_nodes :], 0.0)

    def _priced_losses(self, families: Families, prices: NDArray[np.float64]) -> NDArray[np.float64]:
        losses = families.losses.copy()
        paid = np.flatnonzero(prices)
        cuts = self._classes[paid], self._ranks[paid], prices[paid]
        kernels.subtract_prices(*cuts, families.child, families.members, losses)
        return losses

    def _entering(
        self, families: Families, losses: NDArray[np.float64], rows: NDArray[np.int64]
    ) -> NDArray[np.int64]:
        """The rows outside the programme that help most, some of each node."""
        helps = np.flatnonzero((losses * self._scale < -TOLERANCE) & ~self._has_column[rows])
        helps = helps[np.lexsort((losses[helps], families.child[helps]))]
        child = families.child[helps]
        place = np.arange(len(helps)) - np.searchsorted(child, child)
        return rows[helps[place < MOST_ENTERING]]

    def _mixture(self) -> Mixture:
        weights = np.array(self._highs.getSolution().col_value)[self._n_nodes :]
        is_used = weights > TOLERANCE
        used = self._families.take(self._columns[is_used])
        return Mixture(used.child, used.members, weights[is_used])


def _new_solver() -> Any:
    highs = load_highs().Highs()
    highs.silent()
    highs.setOptionValue("threads", 1)
    highs.setOptionValue("simplex_iteration_limit", ITERATIONS_AT_ONCE)
    highs.setOptionValue("dual_feasibility_tolerance", TOLERANCE)
    highs.setOptionValue("primal_feasibility_tolerance", TOLERANCE)
    return highs


def _of_cuts(branch: Branch, is_used: NDArray[np.bool_]) -> Branch:
    """The same branch with the prices of these cuts alone."""
    rounds = [prices[is_used[: len(prices)]] for prices in branch.rounds]
    return Branch(rounds, branch.arc, tuple(_of_cuts(part, is_used) for part in branch.parts))


def _widened(of_node: ScoredSets, width: int) -> NDArray[np.int64]:
    n_missing = width - of_node.members.shape[1]
    return np.pad(of_node.members, ((0, 0), (0, n_missing)), constant_values=-1)
