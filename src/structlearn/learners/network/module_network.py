"""Module networks: columns that share regulators and a programme."""

from dataclasses import replace
from typing import ClassVar, Literal

import numpy as np

from structlearn.data import Kind, Knowledge
from structlearn.learners.network.modules.fitted import outcome_of
from structlearn.learners.network.modules.learner import ModuleLearner
from structlearn.learners.network.modules.search import Search
from structlearn.learners.network.modules.tails import has_long_tails, price_of_tails
from structlearn.numerics.blas_threads import threads_for
from structlearn.outcome import Outcome
from structlearn.run import Run
from structlearn.statistics import Statistics


class ModuleNetwork(ModuleLearner):
    """Group columns into modules, each with one regression tree over regulators for all its columns."""

    only: ClassVar[Kind | None] = "continuous"
    needs_full_rank: ClassVar[bool] = False
    sign_matters: ClassVar[bool] = True
    weight_means: ClassVar[Literal["score gain", "weight"]] = "weight"
    tells_direction: ClassVar[str] = "Its direction is that from a regulator to the members of a module."

    def _learn(self, statistics: Statistics, knowledge: Knowledge, run: Run) -> Outcome:
        problem, units = self._problem(statistics, knowledge, run)
        seed = int(np.random.default_rng(self.random_state).integers(2**31))
        search = Search(problem, self, seed, run, n_jobs=statistics.n_jobs)
        with threads_for(len(problem.members)):
            if self.penalty is None and has_long_tails(problem):
                search = replace(search, problem=replace(problem, price_of_tails=price_of_tails(search)))
            state, score, scores = search.best()
        return outcome_of(state, score, scores, search, units)

    details: ClassVar[str] = """
    Attributes
    ----------
    graph_ : Graph
        The Bayesian network of the columns: arrows from the regulators of each module to its columns, which
        know the number of a module that they share in `facts`. Weights are what splits on a regulator gain.
    modules_ : dict of str to tuple of str
        The columns of each module, the largest first.
    regulators_ : dict of str to dict
        For each module its regulators, with what their splits gain in nats, the strongest first.
    programs_ : dict of str to GaussianTreeCPD
        The tree of each module; `print` shows it. Thresholds are in the units of the regulator, leaves have
        mean and variance in standard units of the columns.
    module_graph_ : Graph
        Arrows from regulators to modules, which know their members.
    model_ : ModuleNetworkModel
        With `predict`, `sample`, `log_likelihood` and `save`.
    score_, scores_ : float and dict
        The best score, and that of each number of modules that was tried.
    trace_ : dict of arrays
        Every half-step: "start", "n_modules", "step", "score" and "n_changed", programmes or columns.
    evidence_ : dict
        What the splits on a regulator gain, for each of its arrows.

    Notes
    -----
    The score is the log marginal likelihood of all leaves, normal-gamma, less the penalty of each split, with
    all assignments of columns to modules equally probable. Programmes and assignments are improved in turn,
    and no half-step lowers it. Parents of modules are columns; no module regulates itself, not through
    others either, so that the network has no cycles. It ends at a local maximum: use `restarts`. Columns
    with required parents have modules of their own. Rows count once each, as a leaf needs so many of them:
    case weights are refused. An arrow says that a regulator predicts a module.

    References
    ----------
    .. [1] Segal et al. (2003), Module networks: identifying regulatory modules and their condition-specific
       regulators from gene expression data, Nature Genetics 34.
    .. [2] Segal, Pe'er, Regev, Koller and Friedman (2005), Learning module networks, JMLR 6.

    Examples
    --------
    >>> import numpy as np
    >>> import structlearn as sl
    >>> rng = np.random.default_rng(0)
    >>> table = {"r": rng.normal(size=60)}
    >>> table |= {name: (table["r"] > 0) + 0.2 * rng.normal(size=60) for name in "abc"}
    >>> learner = sl.ModuleNetwork(regulators=["r"]).fit(table)
    >>> learner.modules_, list(learner.regulators_["module 1"])
    ({'module 1': ('a', 'b', 'c'), 'module 2': ('r',)}, ['r'])
    """
