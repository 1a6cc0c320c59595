"""Decomposable Markov networks by looking several links ahead."""

import math
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from structlearn.data import Knowledge
from structlearn.data.pair_knowledge import forbidden_pairs
from structlearn.graphs import Graph
from structlearn.learners.base import Learner
from structlearn.learners.option_groups import USUAL_SCORE, Informed, Threaded, Timed
from structlearn.learners.score.cliques.link_sets import LinkSet, LinkSets, trace_of
from structlearn.learners.score.cliques.prices import Threshold, prices_for
from structlearn.learners.score.cliques.results import losses
from structlearn.learners.score.cliques.starts import links_to_start_from, refuse_large_cliques
from structlearn.options import Between, Either, Instance, OneOf, OrNone, Whole, option
from structlearn.outcome import Outcome
from structlearn.run import Run
from structlearn.statistics import Statistics
from structlearn.statistics.column_sorts import only_kind


class LookaheadSearch(Informed, Threaded, Timed, Learner):
    """Add to a decomposable Markov network the links, one or several at once, that explain most."""

    max_clique: int = option(Whole(2), "The most nodes of a clique.", default=3)
    max_links: int | None = option(
        OrNone(Whole(1), "as many as the largest clique has"),
        "The most links that are added at once. With 1 this is a greedy search by single links.",
        default=None,
    )
    threshold: Threshold | None = option(
        OrNone(Either((Between(0, math.inf), OneOf(("bic", "ebic", "chi2")))), USUAL_SCORE),
        "How many bits the links must take from the entropy. A number; ln(n) / (2 n ln 2) for each parameter "
        "that they add to n rows; ln(p) / (n ln 2) more of p columns; or what is significant at `alpha`.",
        default=None,
    )
    alpha: float = option(
        Between(0, 1),
        'The significance level of each test with ``threshold="chi2"``. There are as many tests as sets of '
        "links.",
        default=0.05,
    )
    initial: Graph | None = option(
        OrNone(Instance(Graph), "no links"), "The undirected graph to start from.", default=None
    )

    def _learn(self, statistics: Statistics, knowledge: Knowledge, run: Run) -> Outcome:
        owner, names = type(self).__name__, statistics.names
        only_kind(owner, statistics, "decomposable network")
        refuse_large_cliques(owner, len(names), self.max_clique)
        closed = forbidden_pairs(owner, names, knowledge)
        joined = links_to_start_from(owner, names, self.initial, closed, self.max_clique)
        prices = prices_for(self.threshold, self.alpha, statistics, run)
        link_sets = LinkSets(statistics, closed, self.max_clique, prices)
        steps = self._search(joined, link_sets, run)
        entropy, bits = link_sets.entropy(joined), statistics.size * math.log(2.0)
        pairs = [(a, b) for a, b in np.argwhere(np.triu(joined)).tolist()]
        return Outcome(
            graph=Graph.from_adjacency(names, joined),
            status=run.status,
            score=-bits * entropy,
            trace=trace_of(names, steps, entropy),
            evidence=losses(names, pairs, lambda a, b, given: bits * link_sets.information(a, b, given)),
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

    details: ClassVar[str] = """
    Attributes
    ----------
    graph_ : Graph
        An undirected graph in which every cycle of four or more nodes has a chord.
    score_ : float
        Its log-likelihood in nats: that of any DAG without v-structures on these edges.
    entropy_ : float
        The entropy of a row in the fitted network, in bits.
    evidence_ : dict
        What the log-likelihood would lose without an edge; of one of several cliques, the least of theirs.
    trace_ : dict of arrays
        Each step: its "links" in words and their number "n_links", its "gain" and the "entropy" in bits.

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

    Continuous columns have the entropies of a joint normal distribution. Ties go to the first names of the
    alphabet. Knowledge can only forbid edges, in both directions.

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
    >>> sl.LookaheadSearch().fit(data).graph_.undirected
    (('a', 'b'), ('a', 'c'), ('b', 'c'))
    """
