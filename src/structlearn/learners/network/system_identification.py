"""Linear dynamic systems: networks from time courses, or from perturbed steady states."""

from typing import ClassVar, Literal

from structlearn.data import Kind, Knowledge
from structlearn.errors import OptionError
from structlearn.learners.network.dynamics.identified import outcome_of
from structlearn.learners.network.dynamics.learner import DynamicsLearner
from structlearn.learners.network.dynamics.methods import FROM_COURSES
from structlearn.learners.network.dynamics.perturbed import by_nir, by_steady_sparsest
from structlearn.learners.network.dynamics.problem import structure_of
from structlearn.outcome import Outcome
from structlearn.run import Run
from structlearn.statistics import Statistics

ESTIMATE_DECAY = ("var-lasso", "nir")


class SystemIdentification(DynamicsLearner):
    """Find which nodes drive the changes of which others, as a sparse linear system."""

    only: ClassVar[Kind] = "continuous"
    needs_full_rank: ClassVar[bool] = False
    weight_means: ClassVar[Literal["score gain", "weight"]] = "weight"
    tells_direction: ClassVar[str] = (
        "Its direction comes from changes in time or experiments: the source drives the target."
    )

    def _learn(self, statistics: Statistics, knowledge: Knowledge, run: Run) -> Outcome:
        if self.decay is not None and self.method in ESTIMATE_DECAY:
            raise OptionError(
                f"{run.owner}(decay={self.decay}, method={self.method!r}): this method estimates decay. "
                "Leave it out, or use 'ode-lasso', 'interpolation' or 'svd-l1'."
            )
        aside = set(self.columns_aside().values())
        names = tuple(name for name in statistics.names if name not in aside)
        structure = structure_of(run.owner, names, self, self, knowledge)
        if self._is_steady():
            experiments = self._experiments(statistics, names)
            identify = by_nir if self.method == "nir" else by_steady_sparsest
            return outcome_of(identify(experiments, structure, self, run), structure, [], run)
        movements = self._movements(statistics, names)
        found = FROM_COURSES[self.method](movements, structure, self, run)
        return outcome_of(found, structure, movements, run)

    details: ClassVar[str] = """
    Attributes
    ----------
    graph_ : Graph
        A cyclic graph with self-loops: an arrow runs from what acts to what it acts on; weights are the
        entries of `matrix_`.
    matrix_ : array of shape (p, p)
        The system A, in the order of `graph_.nodes`. Rows are targets, columns are sources: entry [i, j] is
        what node j does to node i.
    intercept_ : array of shape (p,)
        The constant c.
    stability_ : float
        The largest real part of an eigenvalue of A, above 0 where the system runs away; with "var-lasso"
        the largest modulus, above 1.
    trajectories_ : tuple of Trajectory
        Each course with its `series` and `times`, and by node what was `measured` and what the `fitted`
        system does from the first state on.
    trajectory_error_ : float
        How far these are apart, per the size of the measurements.
    penalty_, gap_ : array of shape (p,), float
        The penalty of each row, and the largest duality gap, with a lasso.
    rank_ : int
        With "interpolation" and "svd-l1": how many directions the states span. `n_times_` and `grid_step_`
        say from how many measured times and on which grid; `is_unique_` which rows no other one equals.
    p_values_, standard_errors_ : arrays of shape (p,) and (p, p)
        With "nir": of the F test of each row, after Holm's correction, and of each coefficient. `is_scaled_`
        says which rows are known but for their scale, `covariances_` has by node its regulators and their
        covariances, and `is_exact_` says whether all sets were looked at.
    evidence_ : dict
        The coefficient of each edge, with "nir" its p-value, and of resamples the share that have it.

    Notes
    -----
    Rows at equal times of one series are averaged, and no step leads from one series to another. One Gram
    matrix of the states serves all rows. The F test does not know that the regulators were searched for: its
    p-values are too small where there are many to choose from.

    References
    ----------
    .. [1] Gustafsson, Hörnquist and Lombardi (2005), Constructing and analyzing a large-scale gene-to-gene
       regulatory network: lasso-constrained inference and biological validation, IEEE/ACM Transactions on
       Computational Biology and Bioinformatics 2.
    .. [2] D'haeseleer, Wen, Fuhrman and Somogyi (1999), Linear modeling of mRNA expression levels during CNS
       development and injury, Pacific Symposium on Biocomputing 4.
    .. [3] Yeung, Tegnér and Collins (2002), Reverse engineering gene networks using singular value
       decomposition and robust regression, PNAS 99.
    .. [4] Gardner, di Bernardo, Lorenz and Collins (2003), Inferring genetic networks and identifying
       compound mode of action via expression profiling, Science 301.

    Examples
    --------
    >>> import numpy as np
    >>> import structlearn as sl
    >>> t = np.linspace(0, 6, 40)
    >>> table = {"t": t, "a": np.exp(-t), "b": t * np.exp(-t)}  # da/dt = -a, db/dt = a - b
    >>> learner = sl.SystemIdentification(time="t").fit(table)
    >>> print(learner.graph_)
    Graph with 2 nodes and 3 edges
      a → a
      a → b
      b → b
    """
