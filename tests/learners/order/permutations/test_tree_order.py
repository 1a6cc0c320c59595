"""The order along a tree: neighbours in the tree before others, required parents before their children."""

import numpy as np

import structlearn as sl
from structlearn.learners.order.permutations.tree_order import tree_order
from tests.search.spaces import space_of


def noisy_copies(*sources, n_rows=400):
    """Columns a, b, …, each a noisy copy of the column of the given number; None is a coin."""
    rng = np.random.default_rng(0)
    columns = []
    for source in sources:
        coin = rng.integers(0, 2, n_rows)
        kept = rng.random(n_rows) < 0.9
        columns.append(coin if source is None else np.where(kept, columns[source], coin))
    return sl.Dataset(dict(zip("abcdef", columns, strict=False)))


def test_a_star_begins_with_its_centre():
    space = space_of(noisy_copies(None, 0, 0, 0, 0))

    assert tree_order(space)[0] == 0


def test_every_node_of_a_chain_but_the_first_comes_after_a_neighbor():
    space = space_of(noisy_copies(None, 0, 1, 2, 3))

    order = tree_order(space).tolist()

    for place, node in enumerate(order[1:], start=1):
        assert {node - 1, node + 1} & set(order[:place])


def test_required_parents_come_first():
    knowledge = sl.Knowledge(required=[("e", "a"), ("d", "e")])
    space = space_of(noisy_copies(None, 0, 0, 0, 0), knowledge=knowledge)

    order = tree_order(space).tolist()

    assert order.index(3) < order.index(4) < order.index(0)


def test_a_node_that_may_not_have_some_parent_comes_before_all_others():
    rng = np.random.default_rng(1)
    a = rng.normal(size=300)
    data = {"a": a, "b": a + rng.normal(size=300), "c": np.where(a > 0, "yes", "no")}

    # A discrete column has no continuous parents in the conditional Gaussian model.
    assert tree_order(space_of(sl.Dataset(data)))[0] == 2
