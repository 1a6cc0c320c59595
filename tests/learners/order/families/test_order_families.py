"""Along an order each node takes the parents that its way of choosing says, by definition."""

import itertools

import numpy as np
import pytest

from structlearn.learners.order.families.order_families import OrderFamilies, total
from tests.learners.order.model_tables import random_table
from tests.search.spaces import space_of


def best_of_all(local, child, before, most):
    """The best set of at most so many of the nodes before."""
    sets = itertools.chain.from_iterable(itertools.combinations(before, size) for size in range(most + 1))
    return max(sets, key=lambda parents: local(child, parents))


def grown(local, child, before, most):
    """What is left when the best parent is added as long as it brings something."""
    parents = ()
    while len(parents) < most:
        larger = [tuple(sorted((*parents, u))) for u in before if u not in parents]
        best = max(larger, key=lambda members: local(child, members), default=parents)
        if local(child, best) <= local(child, parents) + 1e-9:
            break
        parents = best
    return parents


@pytest.mark.parametrize(("choosing", "chosen"), [("greedy", grown), ("exhaustive", best_of_all)])
@pytest.mark.parametrize("seed", range(5))
def test_nodes_choose_among_those_before_them(seed, choosing, chosen):
    space = space_of(random_table(seed), max_parents=2)
    order = np.random.default_rng(seed).permutation(5)

    families = OrderFamilies(space, choosing).of(order)

    local = space.scores.local
    for place, child in enumerate(order.tolist()):
        expected = chosen(local, child, sorted(order[:place].tolist()), 2)
        assert families[child].score == pytest.approx(local(child, expected))
        assert local(child, families[child].parents) == pytest.approx(families[child].score)
        assert set(families[child].parents) <= set(order[:place].tolist())
    assert total(families) == pytest.approx(space.scores.total([family.parents for family in families]))


def test_what_a_node_chooses_among_the_same_nodes_is_asked_once():
    space = space_of(random_table(0))
    families = OrderFamilies(space, "greedy")
    asked = []
    choose = families._chooser.choose
    families._chooser.choose = lambda child, before: asked.append(child) or choose(child, before)

    families.of(np.array([0, 1, 2, 3, 4]))
    families.of(np.array([1, 0, 2, 4, 3]))

    # In the second order 2 has the same nodes before it; the four others do not.
    assert sorted(asked) == [0, 0, 1, 1, 2, 3, 3, 4, 4]
