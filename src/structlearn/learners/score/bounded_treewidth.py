"""Markov networks of bounded tree-width."""

from typing import Any, ClassVar, Literal

import numpy as np
from numpy.typing import NDArray

from structlearn.data import Knowledge
from structlearn.data.pair_knowledge import forbidden_pairs
from structlearn.errors import OptionError
from structlearn.graphs import Graph
from structlearn.learners.base import Learner
from structlearn.learners.score.cliques.best_cliques import BestCliques, n_steps
from structlearn.learners.score.cliques.decomposable import Attachment, CliqueGains, is_clique, joined
from structlearn.learners.score.cliques.grown_cliques import grow, improve
from structlearn.options import OneOf, Rules, Whole
from structlearn.outcome import EdgeEvidence, Outcome, Pair
from structlearn.run import Run
from structlearn.scores import SCORE, Score, score_for
from structlearn.statistics import Statistics
from structlearn.statistics.kind import only_kind

MOST_STEPS = 30_000_000


class BoundedTreewidth(Learner):
    """Find the decomposable Markov network with the best score whose cliques are small.

    Parameters
    ----------
    width : int, default 2
        The largest tree-width: no clique has more than `width` + 1 nodes. With 1 the result is a
        forest.
    method : {"greedy", "exact"}, default "greedy"
        Grow the graph node by node and then improve it, or find the best of all such graphs; that
        is for a dozen columns.
    starts : int, default 5
        From how many nodes to grow a graph; the best result counts. The exact method has no use for it.
    score : str or Score, default "bic"
        What to maximise. "loglik" gives as many edges as the width allows: a hypertree. The score
        must be the same for equivalent DAGs.
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
        Its score: that of any DAG without v-structures on these edges.
    evidence_ : dict
        For each edge what the score would lose without it; None where the graph without it would
        not be decomposable.
    trace_ : dict of arrays
        How the graph grows: each "node", the clique it is attached "to", its "gain" and the "score".
    status_ : str
        How the run ended.
    n_features_in_ : int
        The number of columns.
    feature_names_in_ : array of str
        Their names, where the table has them.

    Notes
    -----
    A decomposable graph of tree-width k grows by attaching one node at a time to a clique of at most k.
    The greedy method attaches the node that gains most to where it does [1]_; then it moves nodes
    whose neighbours are a clique to better places, and adds and removes edges that leave the graph
    decomposable, until that gains nothing. For k ≥ 2 the best
    graph is hard to find [2]_. The exact method is dynamic programming over what can hang
    from each clique, about C(p, k + 1) · 3^(p − k − 1) steps for p columns [3]_.

    References
    ----------
    .. [1] Malvestuto (1991), Approximating discrete probability distributions with decomposable
       models, IEEE Transactions on Systems, Man, and Cybernetics 21.
    .. [2] Srebro (2001), Maximum likelihood bounded tree-width Markov networks, UAI.
    .. [3] Korhonen and Parviainen (2013), Exact learning of bounded tree-width Bayesian networks,
       AISTATS.

    Examples
    --------
    >>> import structlearn as sl
    >>> data = sl.example("cancer").sample(20_000, random_state=0)
    >>> print(sl.BoundedTreewidth(width=2).fit(data).graph_)
    Graph with 5 nodes and 5 edges
      Pollution — Smoker
      Pollution — Cancer
      Smoker — Cancer
      Cancer — Xray
      Cancer — Dyspnoea
    """

    rules: ClassVar[Rules] = {
        "width": Whole(1, "the largest tree-width"),
        "method": OneOf(("greedy", "exact"), "how to search"),
        "starts": Whole(1, "from how many nodes to grow a graph"),
        "score": SCORE,
    }

    def __init__(
        self,
        *,
        width: int = 2,
        method: Literal["greedy", "exact"] = "greedy",
        starts: int = 5,
        score: str | Score = "bic",
        knowledge: Knowledge | None = None,
        n_jobs: int | None = None,
        time_limit: float | None = None,
        progress: bool | None = None,
    ) -> None:
        self.width = width
        self.method = method
        self.starts = starts
        self.score = score
        self.knowledge = knowledge
        self.n_jobs = n_jobs
        self.time_limit = time_limit
        self.progress = progress

    def _learn(self, statistics: Statistics, knowledge: Knowledge, run: Run) -> Outcome:
        names = statistics.names
        only_kind("BoundedTreewidth", statistics, "decomposable network")
        score = score_for("BoundedTreewidth", self.score, statistics)
        if not getattr(score, "is_equivalent", False):
            raise OptionError(
                f"BoundedTreewidth(score={self.score!r}): the score must be the same for equivalent DAGs, "
                "and say so with is_equivalent = True."
            )
        gains = CliqueGains(score, statistics, forbidden_pairs("BoundedTreewidth", names, knowledge))
        best = self._grown(gains, run)
        if self.method == "exact":
            best = self._exact(gains, best, run)
        return _outcome(names, gains, best, run)

    def _grown(self, gains: CliqueGains, run: Run) -> list[Attachment]:
        """The best graph of several starts, those first that gain most from one edge."""
        best: list[Attachment] = [(node, ()) for node in range(gains.n_nodes)]
        for n_tried, start in enumerate(_starts(gains, run)[: self.starts]):
            if run.must_stop():
                break
            run.show(f"start {n_tried + 1}", n_tried, self.starts)
            grown = improve(gains, grow(gains, start, self.width, run), self.width, run)
            best = max(best, grown, key=lambda graph: round(_gain(gains, graph), 9))
        return best

    def _exact(self, gains: CliqueGains, grown: list[Attachment], run: Run) -> list[Attachment]:
        if n_steps(gains.n_nodes, self.width) > MOST_STEPS:
            raise OptionError(
                f"BoundedTreewidth(method='exact'): {gains.n_nodes} columns are too many at width "
                f"{self.width}. Use method='greedy', or fewer columns."
            )
        exact = BestCliques(gains, self.width, run).attachments()
        return max(grown, exact, key=lambda graph: round(_gain(gains, graph), 9))


def _starts(gains: CliqueGains, run: Run) -> list[int]:
    """The nodes, those first that gain most from one edge."""
    most = np.zeros(gains.n_nodes)
    for node in range(gains.n_nodes):
        if run.must_stop():
            break
        most[node] = gains.of((node,)).max(initial=0.0)
    order: list[int] = np.argsort(-np.round(most, 9), kind="stable").tolist()
    return order


def _gain(gains: CliqueGains, attachments: list[Attachment]) -> float:
    return float(sum(gains.of(clique)[node] for node, clique in attachments))


def _outcome(names: tuple[str, ...], gains: CliqueGains, attachments: list[Attachment], run: Run) -> Outcome:
    lines = [(names[a], names[b]) for a, clique in attachments for b in clique]
    return Outcome(
        graph=Graph(names, undirected=lines),
        status=run.status,
        score=gains.alone + _gain(gains, attachments),
        trace=_trace(names, gains, attachments),
        evidence=_evidence(names, gains, attachments),
    )


def _trace(
    names: tuple[str, ...], gains: CliqueGains, attachments: list[Attachment]
) -> dict[str, NDArray[Any]]:
    gained = np.array([gains.of(clique)[node] for node, clique in attachments], dtype=np.float64)
    return {
        "node": np.array([names[node] for node, _ in attachments], dtype=object),
        "to": np.array(
            [", ".join(names[other] for other in clique) for _, clique in attachments], dtype=object
        ),
        "gain": gained,
        "score": gains.alone + np.cumsum(gained),
    }


def _evidence(
    names: tuple[str, ...], gains: CliqueGains, attachments: list[Attachment]
) -> dict[Pair, EdgeEvidence]:
    """What the score loses without an edge, wherever the common neighbours of its ends are a clique."""
    neighbors = joined(len(names), attachments)
    evidence = {}
    for a, clique in attachments:
        for b in clique:
            common = tuple(sorted(neighbors[a] & neighbors[b]))
            loss = None
            if is_clique(neighbors, common):
                loss = float(gains.of(tuple(sorted((*common, b))))[a] - gains.of(common)[a])
            evidence[names[a], names[b]] = EdgeEvidence(score_gain=loss)
    return evidence
