"""Learners find what causal-learn found on the same rows: docs/references/constraint.md#stored-graphs."""

import numpy as np
import pytest

import structlearn as sl
from structlearn.independence import G2, Chi2, FisherZ
from tests.data_files import data_file

# hailfinder has a column twice under other labels, water has constant ones.
pytestmark = pytest.mark.filterwarnings("ignore::structlearn.DataWarning")
NETWORKS = ("asia", "cancer", "earthquake", "sachs", "alarm", "insurance", "water", "hailfinder")
X2, LIKELIHOOD_RATIO = Chi2(sparse="asymptotic"), G2(sparse="asymptotic")  # as theirs, in sparse tables too
SAMPLES = {name: (f"{name}_10000", f"{name}_10000_pc_chisq_0.05", X2) for name in NETWORKS} | {
    "20 discrete columns, X²": ("sim20_discrete_10", "sim20_discrete_10_pc_chisq_0.05_stable_0_-1", X2),
    "20 discrete columns, G²": (
        "sim20_discrete_10",
        "sim20_discrete_10_pc_gsq_0.05_stable_0_-1",
        LIKELIHOOD_RATIO,
    ),
    "20 normal columns": ("sim20_linear_10", "sim20_linear_10_pc_fisherz_0.05_stable_0_4", FisherZ()),
}


def rows(table):
    data = sl.Dataset(data_file(f"tables/causal-learn/{table}.csv.gz"))
    kind = "continuous" if "linear" in table else "discrete"
    return sl.Dataset(data.to_dict(), kinds=dict.fromkeys(data.names, kind))


def stored(name, nodes):
    """A graph of causal-learn: [i, j] = −1 and [j, i] = 1 for i → j, −1 and −1 for i — j."""
    matrix = np.loadtxt(data_file(f"reference/causal-learn/{name}.txt"), dtype=int)
    pairs = [(i, j) for i in range(len(matrix)) for j in range(len(matrix)) if matrix[i, j] == -1]
    return sl.Graph(
        nodes,
        directed=[(nodes[i], nodes[j]) for i, j in pairs if matrix[j, i] == 1],
        undirected=[(nodes[i], nodes[j]) for i, j in pairs if matrix[j, i] == -1 and i < j],
    )


@pytest.mark.compiled
@pytest.mark.parametrize(("table", "result", "test"), SAMPLES.values(), ids=SAMPLES)
def test_pc_finds_the_same_skeleton(table, result, test):
    data = rows(table)
    theirs = stored(result, data.names)

    assert sl.PC(alpha=0.05, test=test).fit(data).graph_.skeleton() == theirs.skeleton()


@pytest.mark.parametrize("network", ["asia", "cancer", "earthquake", "hailfinder"])
def test_pc_finds_the_same_arrows_where_no_collider_contradicts_another(network):
    data = rows(f"{network}_10000")

    found = sl.PC(alpha=0.05, test=X2).fit(data).graph_

    assert found == stored(f"{network}_10000_pc_chisq_0.05", data.names)


@pytest.mark.compiled
@pytest.mark.parametrize(
    ("table", "result", "score"),
    [
        ("sim20_discrete_10", "sim20_discrete_10_ges_local_score_BDeu_none_none", "bdeu"),
        ("sim20_linear_10", "sim20_linear_10_ges_local_score_BIC_none_none", "bic"),
    ],
)
def test_greedy_equivalence_finds_the_same_class(table, result, score):
    data = rows(table)

    assert sl.GreedyEquivalence(score=score).fit(data).graph_ == stored(result, data.names)
