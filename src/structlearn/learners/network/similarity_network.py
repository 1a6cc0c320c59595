"""Columns joined where they are similar, and a tree of clusters."""

from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from structlearn.data import Knowledge
from structlearn.data.pair_knowledge import forbidden_pairs
from structlearn.graphs import Graph
from structlearn.learners.network.information.estimates import usual_estimator
from structlearn.learners.network.information.options import EstimatesInformation
from structlearn.learners.network.matrix_of_pairs import TakesMatrices
from structlearn.learners.network.similarity.dendrogram import Dendrogram, dendrogram_of
from structlearn.learners.network.similarity.measures import MeasureName, distances
from structlearn.learners.network.similarity.options import Clusters, JoinsTheSimilar
from structlearn.learners.network.similarity.similarities import GivenSimilarities, Similarities
from structlearn.learners.option_groups import InformedOfPairs, Seeded, Threaded, Timed, TolerantByTest
from structlearn.options import Flag, OrNone, one_of, option, result
from structlearn.outcome import EdgeEvidence, Outcome, edges_of
from structlearn.run import Run
from structlearn.statistics import Statistics


class SimilarityNetwork(
    JoinsTheSimilar,
    Clusters,
    EstimatesInformation,
    InformedOfPairs,
    Seeded,
    TolerantByTest,
    Threaded,
    Timed,
    TakesMatrices,
):
    """Join the columns that are more similar than a threshold, and cluster them at every scale."""

    needs_full_rank = False
    weight_means = "weight"
    random_state = 0
    measure: MeasureName | None = option(
        OrNone(one_of(MeasureName), "by the kinds of the columns"),
        "How similarity is measured. By default Pearson's correlation where all columns are continuous, "
        "otherwise mutual information, as `estimator` has it.",
        default=None,
    )
    signed: bool = option(
        Flag(), "Whether columns that go against each other are far apart, and not near.", default=False
    )

    similarity_: NDArray[np.float64] = result()
    dendrogram_: Dendrogram = result()
    used_measure_: MeasureName = result()

    def _learn(self, statistics: Statistics, knowledge: Knowledge, run: Run) -> Outcome:
        names, rng = statistics.names, np.random.default_rng(self.random_state)
        is_forbidden = forbidden_pairs("SimilarityNetwork", names, knowledge)
        measure = self.measure or ("mutual-information" if "discrete" in statistics.kinds else "pearson")
        estimator = self.estimator or usual_estimator(statistics)
        settings = self._settings(int(rng.integers(2**31)))
        kind = GivenSimilarities if self.precomputed else Similarities
        similar = kind(statistics, measure, bool(self.signed), estimator, settings, run, self.device)
        verdict, weights = similar.judged(self, rng), similar.weights(self)
        tree = dendrogram_of(names, distances(similar.values, measure, signed=similar.signed), self.linkage)
        pairs = np.argwhere(verdict.is_edge & similar.varies & ~is_forbidden).tolist()
        evidence = {
            (names[i], names[j]): EdgeEvidence(
                float(weights[i, j]), None if verdict.p_value is None else float(verdict.p_value[i, j])
            )
            for i, j in pairs
        }
        return Outcome(
            graph=Graph(names, edges=edges_of(evidence, "undirected")),
            status=run.status,
            evidence=evidence,
            by_pair={"similarity": similar.values},
            extra={
                "threshold": verdict.threshold if measure != "euclidean" else _less(verdict.threshold),
                "used_measure": measure,
                "dendrogram": tree,
                "modules": {n: tree.clusters(n) for n in self.scales or ()},
            },
        )

    details: ClassVar[str] = """
    Attributes
    ----------
    graph_ : Graph
        An undirected graph; weights are what the measure says, or 1 / (1 + distance).
    similarity_ : array of shape (p, p)
        What the measure says of every two columns, in the order of `graph_.nodes`.
    threshold_, used_measure_ : float, str
        What an edge had to exceed, or stay below for a distance, and how similarity was measured.
    dendrogram_ : Dendrogram
        The tree of clusters; `clusters(n)` and `graph(height=…)` cut it at any scale.
    modules_ : dict
        The clusters for each of `scales`.
    evidence_ : dict
        The weight of each edge and its p-value, where permutations give one.
    trace_ : dict of arrays
        Empty: there are no steps.

    Notes
    -----
    Edges are all dependence, through other columns too. Trees are of distances 1 − |r|, 1 − r or Euclidean,
    of information with r = √(1 − exp(−2 I)); of given similarities beyond 1 they are the largest less each.
    The clusters of single linkage at height h are the parts of the graph with threshold 1 − h. Where values
    are missing, pairs with fewer than 10 common rows have 0.

    References
    ----------
    .. [1] Butte and Kohane (2000), Mutual information relevance networks, Pac. Symp. Biocomputing 5.
    .. [2] Eisen et al. (1998), Cluster analysis and display of genome-wide expression patterns, PNAS 95.

    Examples
    --------
    >>> import numpy as np
    >>> import structlearn as sl
    >>> rows = np.random.default_rng(0).normal(size=(50, 4))
    >>> rows[:, 1] += rows[:, 0]
    >>> sl.SimilarityNetwork().fit(rows).graph_.undirected
    (('x0', 'x1'),)
    """


def _less(threshold: float | None) -> float | None:
    return None if threshold is None else -threshold
