"""Network component analysis."""

from typing import ClassVar, Literal

import numpy as np

from structlearn.data import Kind, Knowledge
from structlearn.learners.network.components.expression import expression_of
from structlearn.learners.network.components.fitted import analysed
from structlearn.learners.network.components.learner import ComponentLearner
from structlearn.outcome import Outcome
from structlearn.run import Run
from structlearn.statistics import Statistics


class NetworkComponentAnalysis(ComponentLearner):
    """Find how active regulators are, and how strongly they act on the genes that are known for them."""

    only: ClassVar[Kind] = "continuous"
    needs_full_rank: ClassVar[bool] = False
    weight_means: ClassVar[Literal["score gain", "weight"]] = "weight"
    tells_direction: ClassVar[str] = "Its direction was known beforehand: a regulator acts on its genes."

    def _learn(self, statistics: Statistics, knowledge: Knowledge, run: Run) -> Outcome:
        names = tuple(name for name in statistics.names if name != self.replicates)
        expression = expression_of(run.owner, statistics, names, self.replicates, center=self.center)
        expression, regulators, pattern = self._known(expression, names, knowledge, run)
        if not regulators:
            return self._nothing(names, run)
        rng = np.random.default_rng(self.random_state)
        is_certain = self._certain(expression.genes, regulators, pattern, names, run)
        found = analysed(expression.rows, pattern, is_certain, self, rng, run)
        found = found.in_units(expression.exponents, pattern)
        return self._outcome(found, expression, regulators, names, knowledge, run)

    details: ClassVar[str] = """
    Attributes
    ----------
    graph_ : Graph
        Arrows from regulators to genes; weights are strengths. Regulators that are no columns stand behind.
    strengths_ : dict of dict of str to float
        By regulator and gene. Their sizes are 1 in the mean for each regulator, and their sum is 0 or more.
    errors_ : dict of dict of str to float
        The standard errors of the strengths, over resamples of the rows.
    activities_ : dict of str to array
        By regulator, one number for each row; the same for the replicates of a sample.
    residual_ : float
        The share of the sum of squares that is left.
    trace_ : dict of arrays
        The sum of squares that is left after each sweep.
    evidence_ : dict
        The strength of each edge and the p-value that it is 0.

    Notes
    -----
    The table is the product of strengths, which are 0 where a regulator does not act, and activities.
    Least squares give both in turn. They are unique but for a scale for each regulator if (1) the strengths
    of the regulators are independent, (2) so are those of the others on the genes that a regulator does not
    act on, for each of them, and (3) there are as many rows as regulators at least. All three are
    checked first, the first two with random numbers on the pattern.

    References
    ----------
    .. [1] Liao, Boscolo, Yang, Tran, Sabatti and Roychowdhury (2003), Network component analysis:
       reconstruction of regulatory signals in biological systems, PNAS 100.

    Examples
    --------
    >>> import numpy as np
    >>> import structlearn as sl
    >>> rng = np.random.default_rng(0)
    >>> one, two = rng.normal(size=(2, 30))
    >>> noise = 0.01 * rng.normal(size=30)
    >>> table = {"a": one, "b": 2 * one + two, "c": two, "d": noise - two, "e": 3 * one + two}
    >>> known = {"one": ["a", "b", "e"], "two": ["b", "c", "d", "e"]}
    >>> learner = sl.NetworkComponentAnalysis(regulators=known).fit(table)
    >>> {gene: round(strength, 2) for gene, strength in learner.strengths_["one"].items()}
    {'a': 0.5, 'b': 1.0, 'e': 1.5}
    """
