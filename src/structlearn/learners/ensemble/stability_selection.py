"""Stability selection."""

import math
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from structlearn.learners.ensemble.consensus import consensus_of
from structlearn.learners.ensemble.drawing import Draw, complementary_halves, half
from structlearn.learners.ensemble.ensemble import Ensemble, Findings
from structlearn.learners.ensemble.error_bounds import least_threshold, unimodal_bound, worst_case_bound
from structlearn.options import Above, Between, Flag, OrNone, Whole, option, result
from structlearn.outcome import Outcome


class StabilitySelection(Ensemble):
    """Learn from halves of the rows, and keep the edges that are found again and again."""

    n_resamples: int = option(
        Whole(1),
        "How many subsamples of half the rows to draw, without replacement. Complementary ones come in twos, "
        "so an odd number has one more.",
        default=100,
    )
    threshold: float = option(
        Between(0.5, 1),
        "The least share of subsamples that an edge of the graph needs.",
        default=0.75,
    )
    max_false: float | None = option(
        OrNone(Above(0), "the threshold is given"),
        "How many false edges may be expected, at most, by `bound_`. The threshold is then the least that "
        "keeps this, and `threshold` is not used.",
        default=None,
    )
    complementary: bool = option(
        Flag(), "Whether subsamples are drawn as pairs without a row in common.", default=True
    )
    threshold_: float = result()
    bound_: float = result()

    @property
    def _draw(self) -> Draw:
        return complementary_halves if self.complementary else half

    @property
    def _n_draws(self) -> int:
        return -(-self.n_resamples // 2) if self.complementary else self.n_resamples

    def _conclude(self, findings: Findings) -> Outcome:
        is_open = _open_pairs(findings)
        n_pairs = int(is_open.sum())
        n_chosen = _mean_edges(findings, is_open)
        threshold = self.threshold
        if self.max_false is not None:
            threshold = least_threshold(n_chosen, n_pairs, self.max_false)
        graph, cyclic = consensus_of(
            findings.names, findings.confidence, threshold, is_cyclic=self._is_cyclic
        )
        n_draws = findings.n_resamples // 2 if self.complementary else 0
        extra = {
            "threshold": threshold,
            "n_chosen": n_chosen,
            "n_pairs": n_pairs,
            "bound": worst_case_bound(n_chosen, n_pairs, threshold),
            "unimodal_bound": unimodal_bound(n_chosen, n_pairs, threshold, n_draws),
            "cyclic": cyclic,
        }
        return Outcome(graph, extra=extra)

    details: ClassVar[str] = """
    Attributes
    ----------
    graph_ : Graph
        The stable edges; `confidence` is the share of subsamples that have it. An edge has a
        direction where more than half of its subsamples agree on one.
    confidence_ : dict
        For each pair (a, b) that some subsample joins, the shares `edge`, `forward`, `backward` and
        `undirected`, as for `EdgeConfidence`.
    threshold_ : float
        The least share of an edge of the graph.
    n_chosen_ : float
        q, the mean number of edges of a subsample, those that knowledge requires left out.
    n_pairs_ : int
        p', how many edges there could be: the pairs that knowledge leaves open.
    bound_ : float
        q² / ((2π − 1) p'), the most false edges to expect at the threshold π.
    unimodal_bound_ : float
        For complementary pairs, the smaller bound that holds if the share of pairs that both have a
        false edge is distributed with one mode; infinite where the theorem does not apply.
    cyclic_ : tuple of (source, target)
        Arrows that most subsamples have but that would close a directed cycle, so they are lines.
    n_resamples_ : int
        How many subsamples were done.
    evidence_ : dict
        For each edge its confidence.
    trace_ : dict of arrays
        The number of "edges" in each subsample.
    status_ : str
        How the run ended; after Ctrl-C or at the time limit, of how many subsamples the result is.

    Notes
    -----
    The bounds use the mean of the subsamples for the expected number of edges. [1]_ proves the first
    where all false edges are alike (exchangeable) and no better chosen than by chance; [2]_ proves it
    of complementary pairs without that, for edges that a subsample has with probability q / p' at
    most. Either speaks of edges whatever their direction.

    References
    ----------
    .. [1] Meinshausen and Bühlmann (2010), Stability selection, JRSS B 72.
    .. [2] Shah and Samworth (2013), Variable selection with error control: another look at
       stability selection, JRSS B 75.

    Examples
    --------
    >>> import structlearn as sl
    >>> data = sl.example("cancer").sample(5_000, random_state=0)
    >>> found = sl.StabilitySelection(sl.PC(), n_resamples=20, random_state=0).fit(data)
    >>> [str(edge) for edge in found.graph_.skeleton().edges]
    ['Smoker — Cancer', 'Cancer — Xray', 'Cancer — Dyspnoea']
    """


def _open_pairs(findings: Findings) -> NDArray[np.bool_]:
    """The pairs that knowledge neither joins nor keeps apart, above the diagonal.

    Of two nodes in the past no method in time says anything.
    """
    required, forbidden = findings.knowledge.matrices(findings.names)
    is_past = np.array([findings.facts.get(name, {}).get("lag", 0) > 0 for name in findings.names])
    is_decided = required | required.T | (forbidden & forbidden.T) | is_past & is_past[:, None]
    return np.triu(~is_decided, k=1)


def _mean_edges(findings: Findings, is_open: NDArray[np.bool_]) -> float:
    index = {name: i for i, name in enumerate(findings.names)}
    shares = findings.confidence.items()
    return math.fsum(share.edge for (a, b), share in shares if is_open[index[a], index[b]])
