"""ARACNE: mutual information without what a third column explains."""

from typing import ClassVar, Literal

import numpy as np

from structlearn.data import Knowledge
from structlearn.data.pair_knowledge import forbidden_pairs
from structlearn.graphs import Graph
from structlearn.learners.network.information.consensus import resampled_support
from structlearn.learners.network.information.estimates import Estimates, GivenInformation, usual_estimator
from structlearn.learners.network.information.evidence import edge_evidence
from structlearn.learners.network.information.options import EstimatesInformation
from structlearn.learners.network.information.pruning import Pruning, ToleranceRule, removals
from structlearn.learners.network.information.regulators import places_of_regulators
from structlearn.learners.network.matrix_of_pairs import TakesMatrices
from structlearn.learners.option_groups import InformedOfPairs, Seeded, Threaded, Timed, TolerantByTest
from structlearn.options import Above, Between, ListOf, OrNone, Whole, one_of, option
from structlearn.outcome import Outcome, edges_of
from structlearn.run import Run
from structlearn.statistics import Statistics
from structlearn.statistics.varying import n_varying

Correction = Literal["bonferroni", "none"]


class ARACNE(EstimatesInformation, InformedOfPairs, Seeded, TolerantByTest, Threaded, Timed, TakesMatrices):
    """Join the columns with most mutual information, less the weakest side of each triangle."""

    needs_full_rank = False
    weight_means = "weight"
    random_state = 0
    threshold: float | None = option(
        OrNone(Above(-1), "from alpha"), "The information, in nats, that an edge must exceed.", default=None
    )
    alpha: float = option(
        Between(0, 1), "The probability that chance joins columns which have nothing in common.", default=0.01
    )
    correction: Correction = option(
        one_of(Correction),
        "Whether `alpha` is that of any pair at all, shared out among them, or of each pair.",
        default="bonferroni",
    )
    tolerance: float = option(
        Between(0, 1),
        "How much weaker than both others the weakest side of a triangle must be to go. With 1, none goes.",
        default=0.0,
    )
    tolerance_rule: ToleranceRule = option(
        one_of(ToleranceRule), "Whether the tolerance is a share, or a difference in nats.", default="share"
    )
    regulators: list[str] | None = option(
        OrNone(ListOf(str), "all columns"),
        "The columns that regulate, such as transcription factors. Each edge then has one at an end, and "
        "only through them can another be indirect.",
        default=None,
    )
    n_resamples: int = option(
        Whole(0), "From how many resamples of the rows to take a consensus. With 0, from none.", default=0
    )

    def _learn(self, statistics: Statistics, knowledge: Knowledge, run: Run) -> Outcome:
        names, rng = statistics.names, np.random.default_rng(self.random_state)
        is_forbidden = forbidden_pairs("ARACNE", names, knowledge)
        is_regulator = places_of_regulators("ARACNE", names, self.regulators)
        kind = GivenInformation if self.precomputed else Estimates
        name = self.estimator or usual_estimator(statistics)
        estimates = kind(statistics, name, self._settings(int(rng.integers(2**31))), run, self.device)
        estimates.refuse(resamples=self.n_resamples > 0, no_threshold=self.threshold is None)
        chance, level = estimates.chance(rng), self._level(n_varying(statistics))
        threshold = chance.threshold(level) if self.threshold is None else float(self.threshold)
        rule = threshold, float(self.tolerance), self.tolerance_rule, is_regulator
        pruning = Pruning(*rule, statistics.n_jobs)
        judged = pruning.judged(estimates.information, estimates.on_card)
        edges = judged.pairs[judged.mediators < 0]
        support = resampled_support(estimates, pruning, self.n_resamples, rng) if self.n_resamples else None
        if support is not None:
            edges = np.argwhere((support.counts > 0) & (support.p_value <= level))
        edges = edges[~is_forbidden[edges[:, 0], edges[:, 1]]]
        evidence = edge_evidence(names, edges, estimates.information, chance, support)
        return Outcome(
            graph=Graph(names, edges=edges_of(evidence, "undirected")),
            status=run.status,
            trace=removals(names, judged),
            evidence=evidence,
            by_pair={"information": estimates.information},
            extra={"threshold": threshold, "used_estimator": estimates.label, "chance": chance},
        )

    def _level(self, n: int) -> float:
        return float(self.alpha) / max(n * (n - 1) / 2 if self.correction == "bonferroni" else 1.0, 1.0)

    details: ClassVar[str] = """
    Attributes
    ----------
    graph_ : Graph
        An undirected graph; weights are mutual informations in nats.
    information_ : array of shape (p, p)
        That of every two columns, in the order of `graph_.nodes`; estimates below 0 are 0.
    threshold_, used_estimator_ : float, str
        What an edge had to exceed, and how information was estimated.
    chance_ : Chance
        Information by chance: permuted columns, an exponential fitted to their tail.
    trace_ : dict of arrays
        What a third column explains: "source", "target", "information" and "through".
    evidence_ : dict
        The information and the p-value of each edge; of a consensus the share of resamples too.

    Notes
    -----
    Chance is seen in 100,000 pairs of permuted columns or more, with an exponential for the tail beyond the
    0.95 quantile. Triangles are judged on the matrix as it is, so that no order matters [1]_. Exact on trees
    where information is; of a true triangle the weakest side is lost unless `tolerance` protects it, usually
    0.1 to 0.15. A consensus keeps edges that more resamples have than chance would give [2]_. With gaps,
    chance is that of the pair with fewest rows; of a `precomputed` matrix it is not known.

    References
    ----------
    .. [1] Margolin et al. (2006), ARACNE: an algorithm for the reconstruction of gene regulatory networks
       in a mammalian cellular context, BMC Bioinformatics 7.
    .. [2] Basso et al. (2005), Reverse engineering of regulatory networks in human B cells, Nat. Genetics.

    Examples
    --------
    >>> import numpy as np
    >>> import structlearn as sl
    >>> rows = np.random.default_rng(0).normal(size=(300, 4)).cumsum(axis=1)
    >>> sl.ARACNE().fit(rows).graph_.undirected
    (('x0', 'x1'), ('x1', 'x2'), ('x2', 'x3'))
    """
