"""What system identification reads and what its result can do; how it is found is said elsewhere."""

from collections.abc import Collection, Mapping, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from structlearn.errors import DataError, OptionError
from structlearn.learners.base import Learner
from structlearn.learners.network.dynamics.identified import Trajectory, run_of
from structlearn.learners.network.dynamics.methods import AllOptions
from structlearn.learners.network.dynamics.options import Identification
from structlearn.learners.network.dynamics.perturbed import acted_on, experiments_of
from structlearn.learners.network.dynamics.problem import Movement, movements_of
from structlearn.learners.network.dynamics.side_tables import columns_of, values_by_node
from structlearn.learners.network.dynamics.steady_states import Experiments
from structlearn.learners.option_groups import Coursed, Informed, Timed
from structlearn.options import one_of, option, result
from structlearn.statistics import Statistics

Floats = NDArray[np.float64]
TIMES_OF_A_RATE = 2  # before the last of three, through which a curve has a slope


class Action(NamedTuple):
    """What a compound does to a node, and how many standard errors that is away from nothing."""

    perturbation: float
    z_score: float


class DynamicsLearner(Coursed, AllOptions, Informed, Timed, Learner):
    """Reads courses or experiments, and lets the system that was found run."""

    method: Identification = option(
        one_of(Identification),
        "How the system is found. Sparse rows of dx/dt = A·x + c, or of x(t+1) = A·x(t) + c, by the lasso "
        "[1]_; a regression on interpolated states [2]_; the sparsest of all systems that fit exactly [3]_; "
        "or, from steady states with known perturbations, the best few regulators of each node [4]_.",
        default="ode-lasso",
    )
    matrix_: Floats = result()
    intercept_: Floats = result()
    stability_: float = result()
    penalty_: Floats = result()
    trajectories_: tuple[Trajectory, ...] = result()
    trajectory_error_: float = result()
    covariances_: Mapping[str, tuple[list[str], Floats]] = result()

    def simulate(self, start: Mapping[str, float] | ArrayLike, times: ArrayLike) -> dict[str, Floats]:
        """Let the system run from a state, and give each node's states at these times.

        Parameters
        ----------
        start : mapping of str to float, or array
            The state at the first of the times, by node or in the order of `graph_.nodes`.
        times : array
            Rising numbers, in the unit of the table. With "var-lasso" each is one step after the one before.

        Returns
        -------
        dict of str to array
            By node; inputs stay as they begin.
        """
        owner = f"{type(self).__name__}.simulate"
        self._refuse_unfitted(owner)
        moments = np.asarray(times, dtype=np.float64)
        if moments.ndim != 1 or not len(moments) or (np.diff(moments) <= 0.0).any():
            raise DataError(f"{owner}: times are numbers in rising order, one or more.")
        in_steps, names = self.method == "var-lasso", self.graph_.nodes
        matrix = self.matrix_.copy()
        if in_steps:
            inputs = [names.index(name) for name in self.inputs or []]
            matrix[inputs, inputs] = 1.0  # they stay
        states = run_of(
            matrix, self.intercept_, values_by_node(owner, start, names), moments, in_steps=in_steps
        )
        return dict(zip(names, states.T, strict=True))

    def predict_targets(
        self, state: Mapping[str, float] | ArrayLike, errors: Mapping[str, float] | ArrayLike | None = None
    ) -> dict[str, Action]:
        """What a compound acts on, from the steady state that it leads to; for "nir".

        Parameters
        ----------
        state : mapping of str to float, or array
            The new steady state, by node or in the order of `graph_.nodes`, measured as those of the table.
        errors : mapping of str to float, or array, optional
            Their standard errors; 0 by default.

        Returns
        -------
        dict of str to Action
            For each node the perturbation −A·x and its z-score, by the errors of rows and state.
        """
        owner = f"{type(self).__name__}.predict_targets"
        self._refuse_unfitted(owner)
        if self.method != "nir":
            raise DataError(f"{owner}: it needs the errors of rows that method='nir' gives.")
        names = self.graph_.nodes
        known = [self.covariances_[name] for name in names]
        rows = [([names.index(source) for source in sources], found) for sources, found in known]
        uncertain = np.zeros(len(names)) if errors is None else values_by_node(owner, errors, names)
        pushes, scores = acted_on(self.matrix_, rows, values_by_node(owner, state, names), uncertain)
        return {
            name: Action(*pair) for name, *pair in zip(names, pushes.tolist(), scores.tolist(), strict=True)
        }

    def columns_aside(self) -> dict[str, str]:
        """By option, the columns that become no nodes."""
        found = super().columns_aside()
        for name in ("perturbations", "rates", "state_errors", "perturbation_errors"):
            found |= {f"{name}[{node!r}]": column for node, column in columns_of(getattr(self, name)).items()}
        return found

    def _rows_are_steps(self, names: Sequence[str]) -> bool:
        """Whether rows are of courses without times, and rates have to be estimated from them."""
        nodes = set(names) - set(self.columns_aside().values())
        return super()._rows_are_steps(names) and not self._is_steady() and not self._are_rates_given(nodes)

    def times_before(self, names: Sequence[str]) -> int:
        """As many as rates are estimated from, where they have to be."""
        nodes = set(names) - set(self.columns_aside().values())
        if self._is_steady() or self._are_rates_given(nodes):
            return 0
        return 1 if self.method == "var-lasso" else TIMES_OF_A_RATE

    def _are_rates_given(self, nodes: Collection[str]) -> bool:
        return set(self.rates or {}) >= set(nodes) - set(self.inputs or [])

    def _is_steady(self) -> bool:
        """Whether rows are steady states, each of an experiment of its own."""
        has_time = self.time is not None or self.series is not None
        if self.method == "nir" and has_time:
            raise OptionError(
                f"{type(self).__name__}(method='nir'): its rows are steady states, without time= and "
                "series=. Use method='ode-lasso' for time courses."
            )
        return self.method == "nir" or (
            self.method == "svd-l1" and self.perturbations is not None and not has_time and self.rates is None
        )

    def _experiments(self, statistics: Statistics, names: tuple[str, ...]) -> Experiments:
        return experiments_of(type(self).__name__, statistics, names, self)

    def _movements(self, statistics: Statistics, names: tuple[str, ...]) -> list[Movement]:
        owner = type(self).__name__
        if self.perturbations is not None and not columns_of(self.perturbations):
            raise OptionError(
                f"{owner}(perturbations=…): for time courses it is a mapping from nodes to columns of "
                "the table, so that it is sorted and averaged with them."
            )
        return movements_of(
            owner,
            statistics,
            names,
            self,
            time=self.time,
            series=self.series,
            fewest_times=1 if self._are_rates_given(names) else 2,
        )

    def _refuse_unfitted(self, owner: str) -> None:
        if not hasattr(self, "matrix_"):
            raise DataError(f"{owner}: nothing has been learned yet; call fit first.")
