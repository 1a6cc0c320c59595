"""Networks by factors of the table."""

from typing import ClassVar, Literal

import numpy as np

from structlearn.data import Kind, Knowledge
from structlearn.data.pair_knowledge import forbidden_pairs
from structlearn.learners.network.factors.learner import FactorLearner
from structlearn.learners.network.factors.reading import (
    between_columns,
    from_factors,
    from_rows,
    names_of_rows,
)
from structlearn.learners.network.factors.table import entries_of
from structlearn.outcome import Outcome
from structlearn.run import Run
from structlearn.statistics import Statistics


class FactorizationNetwork(FactorLearner):
    """Join the columns that share components, modules or completed entries of the table."""

    only: ClassVar[Kind] = "continuous"
    needs_full_rank: ClassVar[bool] = False
    weight_means: ClassVar[Literal["score gain", "weight"]] = "weight"

    def _learn(self, statistics: Statistics, knowledge: Knowledge, run: Run) -> Outcome:
        aside = set(self.columns_aside().values())
        names = tuple(name for name in statistics.names if name not in aside)
        is_forbidden = forbidden_pairs(run.owner, names, knowledge)
        rows, rng = entries_of(run.owner, statistics, names), np.random.default_rng(self.random_state)
        found = self._factors(rows, names, rng, run)
        if self.reading == "variables":
            threshold = found.pair_threshold if self.threshold is None else float(self.threshold)
            graph, evidence = between_columns(names, found, threshold, is_forbidden)
        elif self.reading == "factors":
            threshold = found.part_threshold if self.threshold is None else float(self.threshold)
            graph, evidence = from_factors(run.owner, names, found, threshold)
        else:
            threshold, row_names = (
                float(self.threshold or 0.0),
                names_of_rows(run.owner, statistics, self.row_names),
            )
            graph, evidence = from_rows(names, row_names, self._links(found, run), threshold)
        return Outcome(
            graph=graph,
            status=run.status,
            evidence=evidence,
            extra=self._published(found, names) | {"threshold": threshold},
        )

    details: ClassVar[str] = """
    Attributes
    ----------
    graph_ : Graph
        An undirected graph of the columns, or arrows from factors or rows to columns; weights are strengths.
    strength_ : dict of dict of str to float
        By two columns, what an edge between them would weigh.
    loadings_ : dict of str to array
        By column, how much of each factor it has.
    courses_ : array of shape (n, rank)
        By row, how much of each factor it has; not with "mmmf".
    rank_, threshold_ : int, float
        The number of factors, and what an edge had to exceed.
    singular_values_, fractions_, entropy_ : arrays, float
        With "svd": all of them, their shares of the sum of squares, and how even these are, from 0 to 1.
    cophenetic_, loss_ : dict of int to float, float
        With "nmf" and "sparse-nmf": by number of factors how well runs agree, 1 at best; what the best loses.
    completed_, cost_, used_loss_ : array of shape (n, p), float, str
        With "mmmf": the fitted table, its columns by name in alphabetical order, and how it was found.

    Notes
    -----
    With "svd" the strength of two standardised columns is the part of their correlation that the kept
    components carry, Σ s² u_i u_j / n [1]_. It is small for columns that have little of any component, whose
    correlations after reconstruction would be large and mean nothing. With "nmf" it is the share of runs in
    which both have the same largest factor [4]_. With "mmmf", for signs, it is the cosine of the fitted
    columns; for other numbers what the fitted matrix carries of their correlation [5]_.

    Columns of one module are all joined: these are no direct dependences.

    References
    ----------
    .. [1] Alter, Brown and Botstein (2000), Singular value decomposition for genome-wide expression data
       processing and modeling, PNAS 97.
    .. [2] Lee and Seung (2001), Algorithms for non-negative matrix factorization, NIPS 13.
    .. [3] Hoyer (2004), Non-negative matrix factorization with sparseness constraints, JMLR 5.
    .. [4] Brunet, Tamayo, Golub and Mesirov (2004), Metagenes and molecular pattern discovery using matrix
       factorization, PNAS 101.
    .. [5] Rennie and Srebro (2005), Fast maximum margin matrix factorization for collaborative prediction,
       ICML.

    Examples
    --------
    >>> import numpy as np
    >>> import structlearn as sl
    >>> rng = np.random.default_rng(0)
    >>> rows = np.repeat(rng.normal(size=(200, 2)), 2, axis=1) + 0.5 * rng.normal(size=(200, 4))
    >>> sl.FactorizationNetwork().fit(rows).graph_.undirected
    (('x0', 'x1'), ('x2', 'x3'))
    """
