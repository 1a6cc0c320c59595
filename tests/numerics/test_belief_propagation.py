"""Loopy belief propagation settles where it should, and says so where it does not."""

import itertools

import numpy as np
import pytest

from structlearn.numerics.belief_propagation import Factors, propagate, propagate_safely


def ising_factors(n_nodes, couplings, fields):
    """Pair factors and fields of spins, as belief propagation takes them."""
    pairs = np.array(list(couplings))
    tables = np.array([[[j, -j], [-j, j]] for j in couplings.values()])
    fields = np.broadcast_to(fields, n_nodes)
    return np.column_stack([-fields, fields]), [Factors(pairs, tables)]


# From docs/references/inference.md#loopy-belief-propagation.
TREE = ({(0, 1): 0.7, (1, 2): -0.4, (1, 3): 0.9, (3, 4): 0.3}, [0.1, -0.2, 0.3, 0.0, 0.5])
GRID = [(i, i + 1) for i in range(9) if i % 3 < 2] + [(i, i + 3) for i in range(6)]
BELIEFS = [
    (5, *TREE, [-0.02832513, -0.15289281, 0.30617090, -0.04237701, 0.42081819], 4.3437529073),
    (4, dict.fromkeys([(0, 1), (1, 2), (2, 3), (0, 3)], 0.5), [0.3, 0, 0, 0],
     [0.31647465, 0.16973915, 0.12927235, 0.16973915], 3.3014173770),
    (3, dict.fromkeys([(0, 1), (1, 2), (0, 2)], 0.5), [0.3, 0, 0],
     [0.34800237, 0.21401431, 0.21401431], 2.4932817024),
    (9, dict.fromkeys(GRID, 0.2), 0.1,
     [0.16227951, 0.18647946, 0.16227951, 0.18647946, 0.21550971, 0.18647946, 0.16227951, 0.18647946,
      0.16227951],
     6.5579384294),
    (4, dict.fromkeys(itertools.combinations(range(4), 2), -2.0), 0.1, [0.00122947] * 4, 10.7228510),
]  # fmt: skip


@pytest.mark.parametrize(("n", "couplings", "fields", "means", "log_z"), BELIEFS)
def test_loopy_beliefs_are_those_of_the_references(n, couplings, fields, means, log_z):
    found = propagate_safely(*ising_factors(n, couplings, fields))

    assert found.converged
    assert found.columns[:, 1] - found.columns[:, 0] == pytest.approx(means, abs=2e-8)
    assert found.log_z == pytest.approx(log_z, abs=1e-7)


def test_messages_that_do_not_settle_are_said_to():
    everyone = dict.fromkeys(itertools.combinations(range(4), 2), -2.0)

    assert not propagate(*ising_factors(4, everyone, 0.1)).converged
    tree = propagate(*ising_factors(5, *TREE))
    assert tree.converged
    assert tree.n_sweeps <= 5  # the diameter is 3; one sweep more sees that nothing changes
