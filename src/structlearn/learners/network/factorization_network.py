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
)
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
        rows, rng = self._entries(statistics, names, run), np.random.default_rng(self.random_state)
        row_names = self._row_names(statistics, run)
        if self.symmetric:
            rows = self._one_set(rows, names, row_names, run)
        found = self._factors(rows, names, rng, run)
        if self.reading == "variables":
            threshold = found.pair_threshold if self.threshold is None else float(self.threshold)
            graph, evidence = between_columns(names, found, threshold, is_forbidden)
        elif self.reading == "factors":
            threshold = found.part_threshold if self.threshold is None else float(self.threshold)
            graph, evidence = from_factors(run.owner, names, found, threshold)
        else:
            threshold = float(self.threshold or 0.0)
            links, sources = self._links(found, names, row_names, run), row_names
            if self.symmetric:
                sources = list(names)
            graph, evidence = from_rows(names, sources, links, threshold)
        return Outcome(
            graph=graph,
            status=run.status,
            evidence=evidence,
            extra=self._published(found, names, statistics) | {"threshold": threshold},
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
        Only the first ones, and no entropy, where they were found in random directions.
    filtered_ : dict of str to array
        With "svd": the table as the kept components make it, in its units, for any other method.
    cophenetic_, held_out_, loss_ : dicts of int to float, float
        With "nmf" and "sparse-nmf": by number of factors how well runs agree, 1 at best, and how far they
        miss entries that were held out; what the best loses.
    completed_, cost_, used_loss_ : dict of str to array, float, str
        With "mmmf": the fitted table, in its units, by column that varies; of two values, how far each entry
        is on the side of the larger. And how it was found.

    Notes
    -----
    What `likeness` says is the strength. By default, with "svd" it is the part of the correlation of two
    standardised columns that the kept components carry, Σ s² u_i u_j / n [1]_. It is small for columns that
    have little of any component, whose correlations after reconstruction would be large and mean nothing.
    With "nmf" it is the share of runs in which both have the same largest factor [4]_. With "mmmf", for
    signs and grades, it is the cosine of the fitted columns; for other numbers what the fitted matrix
    carries of their correlation [5]_.

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
    .. [6] Shen and Huang (2008), Sparse principal component analysis via regularized low rank matrix
       approximation, JMVA 99.
    .. [7] Halko, Martinsson and Tropp (2011), Finding structure with randomness, SIAM Review 53.
    .. [8] Boutsidis and Gallopoulos (2008), SVD based initialization: a head start for nonnegative matrix
       factorization, Pattern Recognition 41.

    Examples
    --------
    >>> import numpy as np
    >>> import structlearn as sl
    >>> rng = np.random.default_rng(0)
    >>> rows = np.repeat(rng.normal(size=(200, 2)), 2, axis=1) + 0.5 * rng.normal(size=(200, 4))
    >>> sl.FactorizationNetwork().fit(rows).graph_.undirected
    (('x0', 'x1'), ('x2', 'x3'))
    """
