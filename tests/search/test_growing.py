"""Parents of continuous nodes that grow and shrink along an order agree with their definition."""

import numpy as np
import pytest

import structlearn as sl
from structlearn.search.kernels import growing
from tests.oracles import grown_orders as oracle
from tests.search.spaces import space_of

N = 6


def dense_table(seed, n_columns=N, n_rows=80, density=0.7):
    rng = np.random.default_rng(seed)
    weights = np.tril(rng.normal(size=(n_columns, n_columns)) * (rng.random((n_columns,) * 2) < density), -1)
    rows = rng.normal(size=(n_rows, n_columns)) @ np.linalg.inv(np.eye(n_columns) - weights).T
    order = rng.permutation(n_columns)
    return sl.Dataset({f"v{j}": rows[:, order[j]] for j in range(n_columns)})


class Planted:
    """A table, what its families score beside the column alone, and arrays for the kernels."""

    def __init__(self, seed, required=(), most=N):
        space = space_of(dense_table(seed))
        moments = space.statistics.moments()
        self.alone = [space.scores.local(y, []) for y in range(N)]
        self.local = lambda y, parents: space.scores.local(y, parents)
        closed, frozen = np.zeros((N, N), dtype=bool), np.zeros((N, N), dtype=bool)
        for u, v in required:
            frozen[v, u] = True
        price = np.log(moments.size) / 2
        self.covariance = moments.covariance
        self.regression = moments.covariance, moments.size, price, closed, frozen, most
        self.room = tuple(np.empty(shape) for shape in (N, N, (N, N), (N, N), N, N))
        self.spare = np.empty(N, dtype=np.int64), np.empty(N, dtype=np.int64), np.empty(N)
        whole = np.int64
        self.families = (
            np.zeros((N, N), dtype=bool),
            np.empty(N),
            np.empty((N, N), dtype=whole),
            np.empty(N, dtype=whole),
            np.empty((N, N)),
            np.empty(N),
            np.empty(N, dtype=whole),
        )
        # What a kernel says of a column without parents, so that differences can be compared.
        self.offset = [self.alone[y] + moments.size / 2 * np.log(moments.covariance[y, y]) for y in range(N)]

    def place(self, order):
        order, position, pending = np.array(order), np.empty(N, dtype=np.int64), np.zeros(N, dtype=bool)
        growing.choose_all(self.regression, order, position, self.families, pending, self.room)
        return order, position, pending


@pytest.mark.parametrize("most", [2, N])
@pytest.mark.parametrize("required", [(), ((1, 0),)])
@pytest.mark.parametrize("seed", range(5))
def test_growing_and_shrinking_finds_the_parents_of_its_definition(seed, required, most):
    planted = Planted(seed, required, most)
    everywhere, members = np.full(N, -1), planted.spare[0]

    score, size, n_tried = growing.grow_shrink(
        planted.regression, 0, everywhere, 0, *planted.spare, planted.room
    )

    named = [u for u, v in required if v == 0]
    expected, parents = oracle.grow_shrink(planted.local, 0, range(1, N), named, most)
    assert set(members[:size].tolist()) == parents
    assert size <= n_tried <= most
    assert score + planted.offset[0] == pytest.approx(expected, abs=1e-6)


@pytest.mark.parametrize("seed", range(5))
def test_the_total_of_every_place_is_that_of_the_order_with_the_node_there(seed):
    planted = Planted(seed)
    rng = np.random.default_rng(seed)
    order, position, _ = planted.place(rng.permutation(N))
    totals = np.empty(N)

    for x in range(N):
        growing.totals_by_place(
            planted.regression, order, position, x, planted.families, totals, planted.spare, planted.room
        )
        others = [y for y in order.tolist() if y != x]
        expected = [oracle.total(planted.local, [*others[:i], x, *others[i:]]) for i in range(N)]
        np.testing.assert_allclose(totals + sum(planted.offset), expected, atol=1e-6)


def test_the_parent_that_is_missed_least_is_the_one_that_a_regression_names():
    planted = Planted(2)
    members, factor = np.array([1, 2, 3]), np.empty((N, N))
    room = planted.room[4], planted.room[5]

    assert growing.cholesky(planted.covariance, members, 3, factor)
    place, lost = growing.least_lost(planted.covariance, 0, members, 3, 0, factor, *room)

    def left(others):
        weights = np.linalg.solve(planted.covariance[np.ix_(others, others)], planted.covariance[others, 0])
        return planted.covariance[0, 0] - weights @ planted.covariance[others, 0]

    losses = [left([u for u in (1, 2, 3) if u != gone]) - left([1, 2, 3]) for gone in (1, 2, 3)]
    assert place == int(np.argmin(losses))
    assert lost == pytest.approx(min(losses))
    assert not growing.cholesky(np.ones((N, N)), members, 2, factor)
