"""Markov networks of bounded tree-width."""

from typing import ClassVar, Literal

from structlearn.data import Knowledge
from structlearn.data.pair_knowledge import forbidden_pairs
from structlearn.errors import OptionError
from structlearn.learners.base import Learner
from structlearn.learners.option_groups import USUAL_SCORE, Informed, Scored, Threaded, Timed
from structlearn.learners.score.cliques.best_cliques import BestCliques, n_steps
from structlearn.learners.score.cliques.decomposable import Attachment, CliqueGains, total_gain
from structlearn.learners.score.cliques.grown_cliques import grow, improve, nodes_to_start_from
from structlearn.learners.score.cliques.results import outcome_of
from structlearn.options import OrNone, Whole, one_of, option
from structlearn.outcome import Outcome
from structlearn.rounding import DECIMALS_OF_WEIGHTS
from structlearn.run import Run
from structlearn.scores import SCORE, Score, score_for
from structlearn.search.usual_score import usual_score
from structlearn.statistics import Statistics
from structlearn.statistics.column_sorts import only_kind

Method = Literal["greedy", "exact"]
MOST_STEPS = 30_000_000  # 12 columns at width 2, 13 at width 1: minutes


class BoundedTreewidth(Scored, Informed, Threaded, Timed, Learner):
    """Find the decomposable Markov network with the best score whose cliques are small."""

    width: int = option(
        Whole(1),
        "The largest tree-width. No clique has more than `width` + 1 nodes; with 1 the result is a forest.",
        default=2,
    )
    method: Method = option(
        one_of(Method),
        "How to search. Grow the graph node by node and then improve it, or find the best of all such "
        "graphs; that is for a dozen columns.",
        default="greedy",
    )
    starts: int = option(
        Whole(1),
        "From how many nodes to grow a graph. The best result counts; the exact method has no use for it.",
        default=5,
    )
    score: str | Score | None = option(
        OrNone(SCORE, USUAL_SCORE),
        'What to maximise. "loglik" gives as many edges as the width allows: a hypertree. The score must be '
        "the same for equivalent DAGs.",
        default=None,
    )

    def _learn(self, statistics: Statistics, knowledge: Knowledge, run: Run) -> Outcome:
        names = statistics.names
        only_kind("BoundedTreewidth", statistics, "decomposable network")
        score = score_for("BoundedTreewidth", self.score or "bic", statistics)
        self._maximised = score = usual_score(score, statistics, run) if self.score is None else score
        if not getattr(score, "is_equivalent", False):
            raise OptionError(
                f"BoundedTreewidth(score={self.score!r}): the score must be the same for equivalent DAGs, "
                "and say so with is_equivalent = True."
            )
        gains = CliqueGains(score, statistics, forbidden_pairs("BoundedTreewidth", names, knowledge))
        best = self._grown(gains, run)
        if self.method == "exact":
            best = self._exact(gains, best, run)
        return outcome_of(names, gains, best, run)

    def _grown(self, gains: CliqueGains, run: Run) -> list[Attachment]:
        """The best graph of several starts, those first that gain most from one edge."""
        best: list[Attachment] = [(node, ()) for node in range(gains.n_nodes)]
        for n_tried, start in enumerate(nodes_to_start_from(gains, run)[: self.starts]):
            if run.must_stop():
                break
            run.show(f"start {n_tried + 1}", n_tried, self.starts)
            grown = improve(gains, grow(gains, start, self.width, run), self.width, run)
            best = max(best, grown, key=lambda graph: round(total_gain(gains, graph), DECIMALS_OF_WEIGHTS))
        return best

    def _exact(self, gains: CliqueGains, grown: list[Attachment], run: Run) -> list[Attachment]:
        if n_steps(gains.n_nodes, self.width) > MOST_STEPS:
            raise OptionError(
                f"BoundedTreewidth(method='exact'): {gains.n_nodes} columns are too many at width "
                f"{self.width}. Use method='greedy', or fewer columns."
            )
        exact = BestCliques(gains, self.width, run).attachments()
        return max(grown, exact, key=lambda graph: round(total_gain(gains, graph), DECIMALS_OF_WEIGHTS))

    details: ClassVar[str] = """
    Attributes
    ----------
    graph_ : Graph
        An undirected graph in which every cycle of four or more nodes has a chord.
    score_ : float
        Its score: that of any DAG without v-structures on these edges.
    evidence_ : dict
        For each edge what the score would lose without it. Of an edge of several cliques, without which
        the graph would not be decomposable, the least that one of them would lose.
    trace_ : dict of arrays
        How the graph grows: each "node", the clique it is attached "to", its "gain" and the "score".

    Notes
    -----
    A decomposable graph of tree-width k grows by attaching one node at a time to a clique of at most k. The
    greedy method attaches the node that gains most to where it does [1]_; then it moves nodes whose
    neighbours are a clique to better places, and adds and removes edges that leave the graph decomposable,
    until that gains nothing. For k ≥ 2 the best graph is hard to find [2]_. The exact method is dynamic
    programming over what can hang from each clique, about C(p, k + 1) · 3^(p − k − 1) steps for p columns
    [3]_. Knowledge can only forbid edges, in both directions.

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
