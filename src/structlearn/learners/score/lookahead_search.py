"""Decomposable Markov networks by looking several links ahead."""

import math
from typing import Any, ClassVar, Literal

import numpy as np
from numpy.typing import NDArray
from scipy.special import chdtri

from structlearn.data import Knowledge
from structlearn.data.pair_knowledge import forbidden_pairs
from structlearn.errors import DataError, OptionError
from structlearn.graphs import Graph
from structlearn.learners.base import ALPHA, Learner
from structlearn.learners.score.cliques.decomposable import Neighbors, attachments_of, is_clique
from structlearn.learners.score.cliques.entropies import Entropies
from structlearn.learners.score.cliques.link_sets import LinkSet, LinkSets, Prices
from structlearn.options import Between, Either, Instance, OneOf, OrNone, Rules, Whole
from structlearn.outcome import EdgeEvidence, Outcome, Pair
from structlearn.run import Run
from structlearn.statistics import Statistics
from structlearn.statistics.kind import only_kind

Threshold = float | Literal["bic", "chi2"]


class LookaheadSearch(Learner):
    """Add to a decomposable Markov network the links, one or several at once, that explain most.

    Parameters
    ----------
    max_clique : int, default 3
        The most nodes of a clique.
    max_links : int or None, default None
        The most links that are added at once; None for as many as the largest clique has. With 1
        this is a greedy search by single links.
    threshold : float, "bic" or "chi2", default "bic"
        How many bits the links must take from the entropy: a number; ln(n) / (2 n ln 2) for each
        parameter that they add in a table of n rows; or as many as make them significant at the level
        `alpha`.
    alpha : float, default 0.05
        The level of each test with ``threshold="chi2"``. There are as many tests as sets of links.
    initial : Graph or None, default None
        The undirected graph to start from; by default no links.
    knowledge : Knowledge or None, default None
        Edges that may not be there, forbidden in both directions.
    n_jobs : int or None, default None
        How many threads count tables; -1 for all.
    time_limit : float or None, default None
        Seconds after which the best graph so far is returned.
    progress : bool or None, default None
        Whether to show a progress bar; by default only in a terminal.

    Attributes
    ----------
    graph_ : Graph
        An undirected graph in which every cycle of four or more nodes has a chord.
    score_ : float
        Its log-likelihood in nats: that of any DAG without v-structures on these edges.
    entropy_ : float
        The entropy of a row in the fitted network, in bits.
    evidence_ : dict
        For each edge what the log-likelihood would lose without it; None where the graph without it
        would not be decomposable.
    trace_ : dict of arrays
        Each step: its "links" in words, how many there are in "n_links", its "gain" and the
        "entropy" after it, both in bits.
    status_ : str
        How the run ended.
    n_features_in_ : int
        The number of columns.
    feature_names_in_ : array of str
        Their names, where the table has them.

    Notes
    -----
    First single links are added, each time that which lowers the entropy of the network most, while it
    lowers it by more than the threshold; then pairs of links, and so on [1]_. All links of a step
    are between the nodes of one clique of the graph with them, and that graph is decomposable. Less
    entropy is a smaller divergence of the network from the data. With a threshold that depends
    on the number of parameters, the step is taken that exceeds its own by most.

    Where no two columns depend on each other but three do, as in c = a xor b, no single link lowers
    the entropy and a search that adds them one by one ends where it starts. Three links at once find
    it; the parity of four columns takes ``max_clique=4``, which is for some 50 columns: all sets of
    so many columns are looked at.

    Continuous columns have the entropies of a joint normal distribution. Ties go to the names in
    alphabetical order.

    References
    ----------
    .. [1] Xiang, Wong and Cercone (1997), A "microscopic" study of minimum entropy search in learning
       decomposable Markov networks, Machine Learning 26.

    Examples
    --------
    >>> import numpy as np
    >>> import structlearn as sl
    >>> a, b = np.random.default_rng(0).integers(0, 2, (2, 1000))
    >>> data = {"a": a, "b": b, "c": a ^ b}
    >>> len(sl.LookaheadSearch(max_links=1).fit(data).graph_.edges)
    0
    >>> print(sl.LookaheadSearch().fit(data).graph_)
    Graph with 3 nodes and 3 edges
      a — b
      a — c
      b — c
    """

    rules: ClassVar[Rules] = {
        "max_clique": Whole(2, "the most nodes of a clique"),
        "max_links": OrNone(Whole(1, "the most links added at once"), "all of a clique"),
        "threshold": Either(
            (Between(0, math.inf, ""), OneOf(("bic", "chi2"), "")), "how many bits links must bring"
        ),
        "alpha": ALPHA,
        "initial": OrNone(Instance(Graph, "the undirected graph to start from"), "no links"),
    }

    def __init__(
        self,
        *,
        max_clique: int = 3,
        max_links: int | None = None,
        threshold: Threshold = "bic",
        alpha: float = 0.05,
        initial: Graph | None = None,
        knowledge: Knowledge | None = None,
        n_jobs: int | None = None,
        time_limit: float | None = None,
        progress: bool | None = None,
    ) -> None:
        self.max_clique = max_clique
        self.max_links = max_links
        self.threshold = threshold
        self.alpha = alpha
        self.initial = initial
        self.knowledge = knowledge
        self.n_jobs = n_jobs
        self.time_limit = time_limit
        self.progress = progress

    def _learn(self, statistics: Statistics, knowledge: Knowledge, run: Run) -> Outcome:
        names = statistics.names
        only_kind("LookaheadSearch", statistics, "decomposable network")
        self._refuse_large_cliques(len(names))
        closed = forbidden_pairs("LookaheadSearch", names, knowledge)
        joined = self._start(names, closed)
        link_sets = LinkSets(statistics, closed, self.max_clique, self._prices(statistics.size))
        steps = self._search(joined, link_sets, run)
        neighbors: Neighbors = [set(np.flatnonzero(row).tolist()) for row in joined]
        bits = statistics.size * math.log(2.0)
        entropy = _entropy(link_sets.entropies, neighbors)
        return Outcome(
            graph=Graph.from_adjacency(names, joined),
            status=run.status,
            score=-bits * entropy,
            trace=_trace(names, steps, entropy),
            evidence=_evidence(names, link_sets, neighbors, bits),
            extra={"entropy": entropy},
        )

    def _search(self, joined: NDArray[np.bool_], link_sets: LinkSets, run: Run) -> list[LinkSet]:
        """Add links to `joined`: one at a time while that is worth it, then two at a time, and so on."""
        steps: list[LinkSet] = []
        most = math.comb(self.max_clique, 2)
        for n_links in range(1, min(self.max_links or most, most) + 1):
            while not run.must_stop():
                run.show(f"{n_links} at once, {len(steps)} steps made", n_links, most)
                best = link_sets.best(joined, n_links, run)
                if best is None or run.must_stop():
                    break
                for a, b in best.links:
                    joined[a, b] = joined[b, a] = True
                steps.append(best)
        return steps

    def _prices(self, size: float) -> Prices:
        if self.threshold == "bic":
            return lambda n_parameters: n_parameters * (math.log2(size) / (2.0 * size))
        if self.threshold == "chi2":
            return lambda n_parameters: chdtri(n_parameters, self.alpha) / (2.0 * size * math.log(2.0))
        threshold = float(self.threshold)
        return lambda n_parameters: np.full(len(n_parameters), threshold)

    def _refuse_large_cliques(self, n_columns: int) -> None:
        if (n_columns + 1) ** self.max_clique >= 2**63:
            raise OptionError(
                f"LookaheadSearch(max_clique={self.max_clique}): {n_columns} columns have too many sets of "
                "that size to look at. Use a smaller one."
            )

    def _start(self, names: tuple[str, ...], closed: NDArray[np.bool_]) -> NDArray[np.bool_]:
        if self.initial is None:
            return np.zeros((len(names), len(names)), dtype=np.bool_)
        if set(self.initial.nodes) != set(names) or not self.initial.is_undirected:
            raise OptionError(
                "LookaheadSearch(initial=…): initial is an undirected graph over the columns, "
                f"{', '.join(names)}."
            )
        self._refuse_unfit(self.initial)
        joined = self.initial.reordered(names).adjacency() > 0
        ruled_out = np.argwhere(joined & closed)
        if len(ruled_out):
            a, b = (names[i] for i in ruled_out[0])
            raise OptionError(
                f"LookaheadSearch(initial=…): knowledge forbids its edge {a} — {b}; remove one of the two."
            )
        return joined

    def _refuse_unfit(self, initial: Graph) -> None:
        try:
            dag = initial.to_dag()
        except DataError:
            raise OptionError(
                "LookaheadSearch(initial=…): a cycle of four or more nodes has no chord. Add chords, for "
                "example with BoundedTreewidth."
            ) from None
        if any(len(dag.parents(node)) >= self.max_clique for node in dag):
            raise OptionError(
                f"LookaheadSearch(initial=…): a clique has more than max_clique={self.max_clique} nodes."
            )


def _entropy(entropies: Entropies, neighbors: Neighbors) -> float:
    """The entropy of the network, in bits: that of each node given the clique it is attached to."""
    total = 0.0
    for node, clique in attachments_of(neighbors):
        family = np.array([[-1, *clique], [node, *clique]], dtype=np.int64)
        of_clique, of_both = entropies.of(family)
        total += float(of_both - of_clique)
    return total


def _trace(names: tuple[str, ...], steps: list[LinkSet], entropy: float) -> dict[str, NDArray[Any]]:
    gains = np.array([step.gain for step in steps], dtype=np.float64)
    links = [", ".join(f"{names[a]} — {names[b]}" for a, b in step.links) for step in steps]
    return {
        "links": np.array(links, dtype=object),
        "n_links": np.array([len(step.links) for step in steps], dtype=np.int64),
        "gain": gains,
        "entropy": entropy + gains.sum() - gains.cumsum(),
    }


def _evidence(
    names: tuple[str, ...], link_sets: LinkSets, neighbors: Neighbors, bits: float
) -> dict[Pair, EdgeEvidence]:
    """What the log-likelihood loses without an edge, wherever its ends' common neighbours are a clique."""
    evidence = {}
    for a, around in enumerate(neighbors):
        for b in sorted(other for other in around if other > a):
            common = tuple(sorted(around & neighbors[b]))
            loss = bits * link_sets.information(a, b, common) if is_clique(neighbors, common) else None
            evidence[names[a], names[b]] = EdgeEvidence(score_gain=loss)
    return evidence
