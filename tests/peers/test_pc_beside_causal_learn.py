"""PC finds the skeleton that causal-learn's stable PC finds, with the same test at the same level."""

import numpy as np
import pytest

import structlearn as sl
from structlearn.independence import G2
from tests.peers.library import library

pytestmark = [pytest.mark.peer, pytest.mark.filterwarnings("ignore")]
pc_module = library("causallearn.search.ConstraintBased.PC")


def continuous_table(seed):
    rng = np.random.default_rng(seed)
    truth = sl.random_dag(12, expected_degree=3, random_state=seed)
    columns = {}
    for name in truth.topological_order():
        weights = {parent: rng.uniform(0.5, 1.0) for parent in truth.parents(name)}
        columns[name] = rng.normal(size=300) + sum(w * columns[p] for p, w in weights.items())
    return {name: columns[name] for name in sorted(columns)}


def discrete_table(seed):
    return dict(sorted(sl.example("asia").sample(2000, random_state=seed).to_dict().items()))


@pytest.mark.parametrize("seed", range(10))
@pytest.mark.parametrize(
    ("make", "ours", "theirs"),
    [(continuous_table, "fisher-z", "fisherz"), (discrete_table, G2(sparse="asymptotic"), "gsq")],
    ids=["fisher-z", "g2"],
)
def test_the_skeletons_are_the_same(make, ours, theirs, seed):
    table = make(seed)
    codes = np.column_stack(
        [np.unique(c, return_inverse=True)[1] if theirs == "gsq" else c for c in table.values()]
    )

    graph = sl.PC(test=ours, alpha=0.01).fit(table).graph_
    peer = pc_module.pc(codes, alpha=0.01, indep_test=theirs, stable=True, show_progress=False, verbose=False)

    names = list(table)
    adjacency = peer.G.graph
    joined = {
        frozenset((names[i], names[j]))
        for i in range(len(names))
        for j in range(i)
        if adjacency[i, j] != 0 or adjacency[j, i] != 0
    }
    assert {frozenset(pair) for pair in graph.skeleton().undirected} == joined
