"""A Gaussian network between clusters of columns."""

from collections.abc import Mapping
from typing import ClassVar, Literal

import numpy as np
from numpy.typing import NDArray

from structlearn.data import Kind, Knowledge
from structlearn.data.pair_knowledge import forbidden_pairs
from structlearn.learners.base import Learner
from structlearn.learners.network.clusters.elimination import Elimination, refuse_singular, warn_of_few_rows
from structlearn.learners.network.clusters.options import EliminationOptions, ProfileOptions
from structlearn.learners.network.clusters.profiles import chosen_profiles, given_profiles, tree_of
from structlearn.learners.network.clusters.result import (
    allowed_pairs,
    evidence_of,
    graph_of,
    names_of_clusters,
    steps,
    with_lone,
)
from structlearn.learners.network.similarity.dendrogram import Dendrogram
from structlearn.learners.network.similarity.options import Linked
from structlearn.learners.option_groups import InformedOfPairs, Timed
from structlearn.numerics.blas_threads import threads_for
from structlearn.options import result
from structlearn.outcome import Outcome
from structlearn.run import Run
from structlearn.statistics import Statistics


class ClusterGaussianNetwork(ProfileOptions, Linked, EliminationOptions, InformedOfPairs, Timed, Learner):
    """Cluster the columns, let a profile stand for each cluster, and join profiles by partial correlation."""

    only: ClassVar[Kind | None] = "continuous"
    needs_full_rank: ClassVar[bool] = False
    sign_matters: ClassVar[bool] = True
    weight_means: ClassVar[Literal["score gain", "weight"]] = "weight"

    clusters_: Mapping[str, tuple[str, ...]] = result()
    dendrogram_: Dendrogram = result()
    column_similarity_: NDArray[np.float64] = result()

    def _learn(self, statistics: Statistics, knowledge: Knowledge, run: Run) -> Outcome:
        names, moments = statistics.names, statistics.moments()
        is_forbidden = forbidden_pairs(run.owner, names, knowledge)
        varying = np.flatnonzero(np.diag(moments.correlation) > 0.0)
        correlation = moments.correlation[np.ix_(varying, varying)]
        columns = tuple(names[j] for j in varying.tolist())
        tree = tree_of(columns, correlation, moments.size, self.distance, self.linkage)
        most = max(statistics.n_rows - 1, 1)
        with threads_for(min(most, len(columns))):
            if self.n_clusters is None:
                found = chosen_profiles(tree, correlation, most, self.max_inflation, self.profile, run)
            else:
                found = given_profiles(run.owner, tree, correlation, self.n_clusters, most, self.profile)
            refuse_singular(run.owner, found.correlation)
            lone = [(name,) for name in names if name not in set(columns)]
            members = [tuple(columns[j] for j in places.tolist()) for places in found.members] + lone
            nodes = names_of_clusters(run.owner, members, names)
            elimination = Elimination(found.correlation, moments.size, self.stop, self.alpha)
            is_allowed = allowed_pairs(members, knowledge, is_forbidden)[: len(found.members)]
            warn_of_few_rows(statistics.n_rows, len(found.members), run)
            selected = elimination.selected(is_allowed[:, : len(found.members)], run)
            evidence = evidence_of(nodes, elimination, selected, run)
        return Outcome(
            graph=graph_of(nodes, members, list(evidence)),
            status=run.status,
            evidence=evidence,
            trace=steps(nodes, selected.removals),
            by_node={"inflation": np.append(found.inflation, np.ones(len(lone)))},
            by_pair={
                "correlation": with_lone(found.correlation, len(nodes)),
                "partial_correlation": with_lone(selected.partial, len(nodes)),
            },
            extra={
                "clusters": dict(zip(nodes, members, strict=True)),
                "deviance": selected.deviance,
                "dendrogram": tree,
                "column_similarity": correlation,
            },
        )

    details: ClassVar[str] = """
    Attributes
    ----------
    graph_ : Graph
        An undirected graph of clusters; weights are partial correlations. A cluster of one column has its
        name; the others have `facts`, their members.
    clusters_ : dict of str to tuple of str
        The columns of each node.
    correlation_, partial_correlation_ : arrays of shape (q, q)
        Of every two profiles, in the order of `graph_.nodes`; the latter is zero where there is no edge.
    inflation_ : array
        The variance inflation factor of each profile.
    deviance_ : float
        How far the fitted correlations are from the complete graph, n (log det Σ̂ − log det R).
    dendrogram_, column_similarity_ : Dendrogram and array
        The tree of the columns, and the correlation of every two, in the order of `dendrogram_.names`.
    trace_ : dict of arrays
        The edges on trial: "source", "target", "partial", "deviance", "increase", "p_value" and "is_out".
    evidence_ : dict
        The partial correlation of each edge, and the p-value of what the deviance rises by without it.

    Notes
    -----
    The number of clusters is the largest below the number of rows for which no variance inflation factor
    of the profiles reaches `max_inflation`. Then the edge with the smallest partial correlation goes, all
    others are fitted again, and so on: what is zero is so by the fit. In [1]_ each rise of the deviance is
    held against χ² (`stop="increment"`), which joins many by chance.

    References
    ----------
    .. [1] Toh and Horimoto (2002), Inference of a genetic network by a combined approach of cluster analysis
       and graphical Gaussian modeling, Bioinformatics 18.
    .. [2] Horimoto and Toh (2001), Statistical estimation of cluster boundaries in gene expression profile
       data, Bioinformatics 17.

    Examples
    --------
    >>> import numpy as np
    >>> import structlearn as sl
    >>> rng = np.random.default_rng(0)
    >>> u = rng.normal(size=(100, 3)).cumsum(axis=1)
    >>> rows = np.repeat(u, 3, axis=1) + 0.1 * rng.normal(size=(100, 9))
    >>> learner = sl.ClusterGaussianNetwork().fit(rows)
    >>> print(learner.graph_.undirected, learner.clusters_["cluster 1"])
    (('cluster 1', 'cluster 2'), ('cluster 2', 'cluster 3')) ('x0', 'x1', 'x2')
    """
