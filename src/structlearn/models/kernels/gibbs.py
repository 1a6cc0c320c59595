"""One sweep of Gibbs sampling over many independent chains of spins."""

import math

from structlearn.compile import kernel


@kernel
def sweep_spins(spins, fields, starts, neighbors, couplings, uniforms):
    """Draw every spin of every chain given its neighbours, in the order of the nodes, in place.

    `spins` is (chains, nodes) of -1 and 1, `uniforms` as large. The neighbours of node i are
    `neighbors[starts[i] : starts[i + 1]]`, with their couplings.
    """
    n_chains, n_nodes = spins.shape
    for chain in range(n_chains):
        for node in range(n_nodes):
            pull = fields[node]
            for k in range(starts[node], starts[node + 1]):
                pull += couplings[k] * spins[chain, neighbors[k]]
            spins[chain, node] = 1 if uniforms[chain, node] * (1.0 + math.exp(-2.0 * pull)) < 1.0 else -1
