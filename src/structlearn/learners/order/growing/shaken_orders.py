"""Iterated search over orders: settle every node, shake the best order, let families grow that it may use."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

import numpy as np

from structlearn.learners.order.growing.first_families import FirstFamilies
from structlearn.learners.order.growing.greedy_start import greedy_class, greedy_start, has_classes, is_wide
from structlearn.learners.order.growing.joint_families import JointFamilies
from structlearn.rounding import first_best, is_better
from structlearn.search import dags
from structlearn.search.climbing import climb
from structlearn.search.dag_state import DAGState
from structlearn.search.limits import Limits, count_families
from structlearn.search.local_scores import LocalScores, score_all_families
from structlearn.search.orders.family_pool import FamilyPool, ScoredFamilies
from structlearn.search.orders.placed_order import PlacedOrder, foresee_walks
from structlearn.search.orders.random_orders import Order, random_order
from structlearn.search.orders.reordering import fresh_families
from structlearn.search.space import Space
from structlearn.search.starts import state_with

# A walk from a random order ended at the optimum of 14 tables of 27 to 56 columns in 0.5 to 1 of 16 cases
# with 1,200 shakes of patience, in 0.06 to 1 with 200. A shake takes 20 µs with 37 nodes,
# 0.4 ms with 724.
SHAKES_PER_NODE, MOST_SHAKES = 40, 1000
MOST_ROWS = 100_000  # of a node's list, times the shakes: where lists are long, a shake takes milliseconds
LONG_LIST = 400  # rows per node, beyond which one walk is all there is time for
LONG_TABLE = 300_000  # rows: a family takes a millisecond to count, and growing all took half of the time
FURTHER_STARTS = 4
# Nodes. Of 150 columns and 2,000 rows a search from no arcs ended 231 nats above that from a greedy one, in a
# third of a second more; of 200 and more, below it.
MOST_FROM_ANYWHERE = 150
# All families of three parents of 56 binary and ternary columns, 1.5 million, take a second with 20,000 rows,
# and led to a DAG 582 nats better than walks that all ended in one trap; a shake among them takes a quarter
# of a millisecond. In random networks with such traps a third of the nodes had three parents, in ALARM and
# hailfinder, whose proven optima are found without, 4 % at most. All families of 62 columns with 100,000 rows
# take 8 s, and lead to a DAG 2,200 to 3,100 nats better.
SHARE_OF_FULL = 0.05
# With 100,000 rows of ALARM, 37 columns, all take 1 of 1.5 s. In seven published networks with as many rows
# they brought something in one, where half of the nodes had three parents, and nothing where a tenth had; in
# eight random networks with traps, a tenth to two fifths had.
MANY_ROWS, SHARE_OF_MANY_ROWS = 30_000, 0.1
# Rows in which they are tried first. With a million rows of ALARM they took 10 of 14 s, for nothing.
SAMPLE = 100_000
MOST_PARENTS, MOST_VISITS = 3, 3e11
MOST_FAMILIES = 2.5e7  # beyond 64 columns: of 110 columns and 2,000 rows 3 s, for a DAG 390 nats better
# Among all families of three parents, of 250 random networks with 30 to 63 columns, many more parents than
# three among them, most walks from random orders end at the best score that was found; in one table of ten
# less than one in ten do, of 150 shakes as of 400 and of 1,000. A walk takes 2 to 20 ms of discrete columns;
# of continuous ones, whose lists are long, 30 to 200.
LAST_SHAKES, MOST_LAST_SHAKES = 150, 400
LAST_STARTS, MOST_LAST_STARTS, LAST_ROWS = 8, 40, 1.2e7
ENOUGH_AGREE = 0.4  # of the random walks
# Squared columns times rows: LINK, 724 columns and 10,000 rows, has half of it; joint families take 4 s.
MOST_TRIED = 1e10
# Families of columns of both kinds take longer to score, and from one order walks come nowhere near where
# they come from another. Searches from random orders that share families take a tenth of the time of the
# first: until so many bring nothing, runs on 22 tables of 16 to 59 columns ended at the best score known in
# 32 of 44 cases. All families of three led to nothing there, in 28 runs on tables of 24 to 42 columns; where
# nodes may have no more they led to the proven optimum of 5 tables of 26 to 40 columns and 12 of 16, where
# these searches alone ended up to 37 nats below five of them.
FRUITLESS_IF_DEAR, FRUITLESS_IF_WIDE, STARTS_TIMES_NODES, SHARE_IF_DEAR = 10, 4, 640, 5
MOST_IF_DEAR, MOST_OF_ALL_IF_DEAR = 4e4, 1e6  # families of three: of 23 columns, and of 50
LONG_ENOUGH = 2  # shares of the patience that a walk has
# Of the patience, by round: while families are missing, longer walks are for nothing. In 294 runs on tables
# of 20 to 60 columns, two rounds of a twentieth missed the best score that any run found 4 times, two of a
# quarter without windows 9 times; these shares, in 162 runs on others, once. ALARM took half of the time.
SHARES = 40, 20, 20, 4, 2, 1, 1
SHARE_OF_MANY = 4  # of the patience, beyond 64 columns, until the last walk


class ShakenOrders:
    """Searches the orders around a DAG; `trace` has the score of every order it settled on."""

    def __init__(self, space: Space) -> None:
        self._space = space
        self._n_further = 0
        self._is_dear = {"discrete", "continuous"} <= set(space.statistics.kinds)  # to score families
        self.trace: list[float] = []

    def improve_from_anywhere(self, patience: int | None, perturb: int) -> DAGState:
        """The best DAG found from where greedy search ends; where families are dear, from random orders."""
        start = greedy_start(self._space)
        if self._space.n_nodes > MOST_FROM_ANYWHERE or not self._is_dear:
            return self.improve(start, patience, perturb)
        return first_best([start, self._from_random_orders(patience, perturb)], lambda state: state.score)

    def _from_random_orders(self, patience: int | None, perturb: int) -> DAGState:
        """The best DAG found from random orders, among families that all searches from them share.

        Each begins with the best parents of few along an order or, in turn, with the best of those families.
        """
        space, patience = self._space, self._usual(patience)
        of_few, shared = (FamilyPool(space, FirstFamilies(space)) for _ in range(2))
        best, n_starts, n_fruitless = DAGState(space), 0, 0
        most = max(FRUITLESS_IF_DEAR, STARTS_TIMES_NODES // space.n_nodes)
        while n_fruitless < (FRUITLESS_IF_WIDE if is_wide(space) else most):
            if space.run.must_stop():
                return best
            n_starts += 1
            begun = PlacedOrder(
                of_few if n_starts % 2 == 0 else shared, random_order(space.limits, space.rng)
            )
            begun.settle(space.rng, space.run)
            found = self._by_short_walks(climbed(DAGState(space), begun), shared, patience, perturb)
            n_fruitless = 0 if is_better(found.score, best.score) else n_fruitless + 1
            best = first_best([best, found], lambda state: state.score)
        if is_wide(space):
            return best
        best = self._in_rounds(best, shared, patience, perturb)
        return self._among_all(best, shared, patience, perturb)

    def _by_short_walks(self, found: DAGState, pool: FamilyPool, patience: int, perturb: int) -> DAGState:
        """The best DAG found from a state by walks one after the other, until one brings nothing."""
        space, state = self._space, DAGState(self._space)
        self._n_further = 0
        while is_better(found.score, state.score) and not space.run.must_stop():
            state = found
            pool.take(fresh_families(space))
            pool.keep(state.parents())
            [walk] = self._walks(pool, state, _n_shakes(pool, space, patience, SHARE_IF_DEAR), perturb)
            found = climbed(state, walk)
            if not space.run.must_stop():
                pool.grow(np.flatnonzero(walk.is_used))
        return first_best([state, found], lambda state: state.score)

    def _usual(self, patience: int | None) -> int:
        usual = min(SHAKES_PER_NODE * self._space.n_nodes, MOST_SHAKES)
        return usual if patience is None else patience

    def improve(
        self, state: DAGState, patience: int | None, perturb: int, *, is_settled: bool = False
    ) -> DAGState:
        """The best DAG found from a state on, by orders and then by single arcs.

        Of many nodes, a search from the state is the end where it brings nothing, or nodes are too many for
        one from anywhere, or another search over orders has led to the state already. Of few nodes, that is
        the end if nothing better is found and no node has as many parents as it may.
        """
        space = self._space
        if space.n_nodes < 2 or space.run.must_stop():
            return state
        pool, patience = FamilyPool(space, FirstFamilies(space)), self._usual(patience)
        if is_wide(space):
            found = self._among_many(state, pool, patience, perturb)
            is_much = is_settled or self._is_dear or space.n_nodes > MOST_FROM_ANYWHERE
            if is_much or not is_better(found.score, state.score):
                return found
            start = DAGState(space)
            climb(start)
            elsewhere = self._in_rounds(start, pool, patience, perturb)
            found = first_best([found, elsewhere], lambda dag: dag.score)
        else:
            found = self._in_rounds(state, pool, patience, perturb)
            is_free = (found.arcs.sum(axis=1) < space.limits.most_parents).all()
            if is_settled and is_free and not is_better(found.score, state.score):
                return found
        return self._among_all(found, pool, patience, perturb)

    def _in_rounds(self, state: DAGState, pool: FamilyPool, patience: int, perturb: int) -> DAGState:
        """The best DAG of walks from the best order and from random ones, whose families grow in between.

        The end is a round that brings nothing, if half of the random walks come to the best order.
        """
        space, run = self._space, self._space.run
        self._n_further, n_rounds = FURTHER_STARTS, 0
        while not run.must_stop():
            if self._is_dear:
                pool.take(fresh_families(space))
            pool.keep(state.parents())
            share = SHARES[min(n_rounds, len(SHARES) - 1)]
            self._n_further = 0 if _n_listed(pool, space) > LONG_LIST else self._n_further
            walks = self._walks(pool, state, _n_shakes(pool, space, patience, share), perturb)
            n_rounds += 1
            found = climbed(state, first_best(walks, lambda walk: walk.score))
            is_fruitless = not is_better(found.score, state.score)
            state = state if is_fruitless else found
            n_agreeing = n_at_best([walk.score for walk in walks[1:]], state.score)
            if is_fruitless and (self._is_agreed(n_agreeing, share) or n_rounds >= len(SHARES)):
                break
            if share == 1 and not n_agreeing:
                self._n_further = 0  # from elsewhere there is no way to it, however long the walk
            if not run.must_stop():
                pool.grow(self._rows_to_grow(walks))
        return state

    def _among_many(self, state: DAGState, pool: FamilyPool, patience: int, perturb: int) -> DAGState:
        """The best DAG of many nodes: by short walks, then with joint families too, by long walks at last.

        Where all columns are continuous, parents hardly hide each other so.
        """
        space, run, families = self._space, self._space.run, JointFamilies(self._space)
        has_joint = space.n_nodes**2 * space.statistics.n_rows <= MOST_TRIED
        has_joint &= "discrete" in space.statistics.kinds
        stages = [(SHARE_OF_MANY, False), *([(SHARE_OF_MANY, True)] if has_joint else []), (1, has_joint)]
        while stages and not run.must_stop():
            share, is_joint = stages[0]
            if is_joint:
                pool.take(families.around(state, pool))
            pool.keep(state.parents())
            [walk] = self._walks(pool, state, _n_shakes(pool, space, patience, share), perturb)
            found = climbed(state, walk)
            if is_better(found.score, state.score):
                state = found
            else:
                del stages[0]
            if stages and not run.must_stop():
                pool.grow(np.flatnonzero(walk.is_used))
        return state

    def _among_all(self, state: DAGState, pool: FamilyPool, patience: int, perturb: int) -> DAGState:
        """Search on with all families of three parents, where many nodes have as many and it is not too much.

        Parents that bring something in threes only are in no pool; with them whole paths turn.
        """
        space, run = self._space, self._space.run
        limits = replace(space.limits, max_parents=min(space.limits.max_parents, MOST_PARENTS))
        n_families = n_visits = float(count_families(limits))
        least_share = SHARE_OF_FULL
        if "discrete" in space.statistics.kinds:  # others know products of columns
            n_visits *= space.statistics.n_rows
            least_share = SHARE_OF_MANY_ROWS if space.statistics.n_rows >= MANY_ROWS else SHARE_OF_FULL
        is_simple = (state.arcs.sum(axis=1) >= MOST_PARENTS).mean() < least_share
        is_much = n_visits > MOST_VISITS or (is_wide(space) and n_families > MOST_FAMILIES)
        are_all = space.limits.max_parents <= MOST_PARENTS
        is_much |= self._is_dear and n_families > (MOST_OF_ALL_IF_DEAR if are_all else MOST_IF_DEAR)
        if is_simple or is_much or run.must_stop():
            return state
        sample = None if "continuous" in space.statistics.kinds else space.of_sample(SAMPLE)
        if sample is not None and not _finds_more(sample, state, limits, patience, perturb):
            return state
        return self._with_all_of(limits, state, pool, patience, perturb)

    def _with_all_of(
        self, limits: Limits, state: DAGState, pool: FamilyPool, patience: int, perturb: int
    ) -> DAGState:
        """The best DAG found with all families within limits, by walks until most come to one order."""
        space, run = self._space, self._space.run
        lists = score_all_families(space.within(limits))
        if lists is None:
            return state
        pool.take(families_of(lists))
        if limits.max_parents < space.limits.max_parents and has_classes(space):
            # Families of more parents, of which one less may be worth nothing.
            pool.keep(greedy_class(space))
        is_done = False
        while not (is_done or run.must_stop()):
            pool.keep(state.parents())
            n_rows = _n_listed(pool, space)
            n_shakes = min(patience, max(LAST_SHAKES, MOST_ROWS // n_rows), MOST_LAST_SHAKES)
            n_starts = int(LAST_ROWS / (n_rows * max(n_shakes, 1)))
            self._n_further = min(max(n_starts, LAST_STARTS), MOST_LAST_STARTS)
            walks = self._walks(pool, state, n_shakes, perturb, int(ENOUGH_AGREE * self._n_further))
            best = first_best(walks, lambda walk: walk.score)
            found = climbed(state, best)
            # Where a climb goes on from a walk, more parents than three may be of use in the next one.
            is_done = not is_better(found.score, max(best.score, state.score))
            state = first_best([state, found], lambda dag: dag.score)
        return state

    def _rows_to_grow(self, walks: list[PlacedOrder]) -> Order:
        """The families that walks used on their way or, where counting takes the time, at their ends."""
        if self._space.statistics.n_rows > LONG_TABLE:
            return np.unique([walk.rows for walk in walks])
        return np.flatnonzero(np.any([walk.is_used for walk in walks], axis=0))

    def _is_agreed(self, n_agreeing: int, share: int) -> bool:
        """Whether enough walks from elsewhere came to the best order; short ones may end in the same trap."""
        if not self._n_further:
            return share == 1
        return n_agreeing >= (self._n_further if share > LONG_ENOUGH else self._n_further // 2)

    def _walks(
        self, pool: FamilyPool, state: DAGState, patience: int, perturb: int, enough: int = FURTHER_STARTS
    ) -> list[PlacedOrder]:
        """Where shaking leads from the order of a DAG, and from random ones until enough come to the best."""
        run, rng = self._space.run, self._space.rng
        starts = [np.array(dags.parents_first(state.parents()), dtype=np.int64)]
        starts += [random_order(self._space.limits, rng) for _ in range(self._n_further)]
        foresee_walks(len(starts), patience, self._space.n_nodes)
        walks, scores = [], []
        for start in starts:
            walk = PlacedOrder(pool, start)
            walk.settle(rng, run)
            self.trace.append(walk.score)
            self.trace += walk.shake(rng, run, patience, perturb)
            walks.append(walk)
            scores.append(walk.score)
            if run.must_stop() or n_at_best(scores[1:], max(scores)) >= enough:
                break
        return walks


def _finds_more(sample: Space, state: DAGState, limits: Limits, patience: int, perturb: int) -> bool:
    """Whether all families within limits lead on from a DAG, in a sample of the rows."""
    start = state_with(sample, state.parents())
    climb(start)
    pool, orders = FamilyPool(sample, ()), ShakenOrders(sample)
    return is_better(orders._with_all_of(limits, start, pool, patience, perturb).score, start.score)  # noqa: SLF001, its own kind


def _n_listed(pool: FamilyPool, space: Space) -> int:
    """How many families a node has to choose from, about."""
    return len(pool.lists.scores) // space.n_nodes + 1


def _n_shakes(pool: FamilyPool, space: Space, patience: int, share: int) -> int:
    """The patience of a walk that has a share of it, if lists are not too long."""
    return min(-(-patience // share), MOST_ROWS // _n_listed(pool, space))


def climbed(state: DAGState, walk: PlacedOrder) -> DAGState:
    """Where a climb leads from the end of a walk; what is known of families that the state has too stays."""
    found = state.copy()
    found.become(walk.arcs())
    climb(found)
    return found


def n_at_best(scores: Sequence[float], best: float) -> int:
    """How many walks end at the best score."""
    return sum(not is_better(best, score) for score in scores)


def families_of(lists: LocalScores) -> Iterator[ScoredFamilies]:
    """The listed families by their size, the smaller ones first."""
    sizes = [of_node.sizes() for of_node in lists.sets]
    for size in range(max(int(of_node.max(initial=0)) for of_node in sizes) + 1):
        rows, scores = [np.empty((0, 1 + size), dtype=np.int64)], [np.empty(0)]
        for child, of_node in enumerate(lists.sets):
            is_of_size = sizes[child] == size
            if is_of_size.any():  # who may have fewer parents has no room for so many either
                members = of_node.members[is_of_size, :size]
                rows.append(np.column_stack([np.full(len(members), child), members]))
                scores.append(of_node.scores[is_of_size])
        yield ScoredFamilies(np.concatenate(rows), np.concatenate(scores))
