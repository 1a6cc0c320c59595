"""A toy learner: each column is joined to the one that it is most correlated with."""

from typing import ClassVar

import numpy as np

from structlearn.data import Kind, Knowledge
from structlearn.data.pair_knowledge import forbidden_pairs
from structlearn.graphs import Graph
from structlearn.learners.base import Learner
from structlearn.learners.option_groups import InformedOfPairs
from structlearn.options import Between, option
from structlearn.outcome import EdgeEvidence, Outcome
from structlearn.run import Run
from structlearn.statistics import Statistics


class NearestColumn(InformedOfPairs, Learner):  # brings `knowledge`
    """Join each column to the one that it is most correlated with."""

    only: ClassVar[Kind | None] = "continuous"
    weight_means = "weight"  # of an edge: its correlation, which is no gain of a score
    least: float = option(Between(0, 1), "How strong a correlation must be to make an edge.", default=0.2)

    def _learn(self, statistics: Statistics, knowledge: Knowledge, run: Run) -> Outcome:
        names, correlation = statistics.names, statistics.moments().correlation
        is_out = forbidden_pairs("NearestColumn", names, knowledge) | np.eye(len(names), dtype=np.bool_)
        strength = np.where(is_out, 0.0, np.abs(correlation))
        nearest = strength.argmax(axis=1)
        pairs = {tuple(sorted((i, int(j)))) for i, j in enumerate(nearest) if strength[i, j] > self.least}
        evidence = {(names[i], names[j]): EdgeEvidence(float(correlation[i, j])) for i, j in sorted(pairs)}
        return Outcome(
            graph=Graph(names, undirected=list(evidence)),
            status=run.status,
            evidence=evidence,
            by_pair={"correlation": correlation},
        )

    details: ClassVar[str] = """
    Attributes
    ----------
    graph_ : Graph
        An undirected graph; weights are correlations.
    correlation_ : array
        The correlation of each pair.
    """
