"""What learners share that maximise the penalised likelihood of a precision matrix."""

from collections.abc import Mapping
from typing import ClassVar, Literal

import numpy as np

from structlearn.data import Kind, Knowledge
from structlearn.errors import OptionError
from structlearn.gpu import card
from structlearn.gpu.precision import bytes_needed
from structlearn.learners.base import Learner
from structlearn.learners.option_groups import InformedOfPairs, OnDevice, Seeded, Threaded, Timed
from structlearn.learners.regression.penalties.options import CountsColumns, FollowsPath
from structlearn.learners.regression.precision.judges import (
    CrossValidation,
    ExtendedBIC,
    GivenPenalty,
    PartsOfRows,
    Stability,
)
from structlearn.learners.regression.precision.pair_weights import pair_weights
from structlearn.learners.regression.precision.path import Judge, PathPoint, PenaltyRule
from structlearn.numerics.precision.penalised_likelihood import Matrix
from structlearn.numerics.sparse_precision import SURELY_NOT_REACHED, Solver
from structlearn.options import Above, Flag, Instance, OrNone, one_of, option, result
from structlearn.outcome import Pair
from structlearn.run import Run, Status
from structlearn.statistics import Statistics

Criterion = Literal["ebic", "stars", "cv", "cv-1se", "theory"]


class PrecisionLearner(
    CountsColumns, FollowsPath, InformedOfPairs, OnDevice, Threaded, Seeded, Timed, Learner
):
    """Join the columns whose precision is not zero.

    A subclass declares its `penalty`, and says in `_learn` what it does with the rule and the judge.
    """

    only: ClassVar[Kind] = "continuous"
    needs_full_rank = False
    weight_means = "weight"

    penalty: float | Criterion
    solver: Solver = option(
        one_of(Solver),
        "How to maximise the penalised likelihood. Second order on the entries that are free to move [2]_; "
        "or, as in [1]_, column by column, or a smooth first-order method, whose answer a few second-order "
        "steps make sparse. All find the same matrix; the last is for small tables.",
        default="newton",
    )
    penalise_diagonal: bool = option(
        Flag(), "Whether entries of the diagonal are penalised too.", default=False
    )
    standardise: bool = option(
        Flag(),
        "Whether covariances are those of columns with variance 1. Then a penalty of 1 leaves no edge.",
        default=True,
    )
    weights: Mapping[Pair, float] | None = option(
        OrNone(Instance(Mapping), "1 for all"),
        "What the penalty is multiplied with for some pairs. 0 leaves a pair free, infinity forbids it.",
        default=None,
    )
    refit: bool = option(
        Flag(),
        'Whether likelihoods are those without shrinkage, for "ebic". Without it denser graphs win.',
        default=True,
    )
    tolerance: float = option(Above(0), "The duality gap to reach, for each column.", default=1e-8)
    precision_: Matrix = result()
    penalty_: float = result()
    gap_: float = result()
    objective_: float = result()
    path_: tuple[PathPoint, ...] = result()

    def _rule(self, names: tuple[str, ...], knowledge: Knowledge, run: Run) -> PenaltyRule:
        """How each pair is penalised, and how the likelihood is maximised."""
        weights = pair_weights(
            names, self.weights, knowledge, solver=self.solver, diagonal=float(self.penalise_diagonal)
        )
        on_card = self._takes_card(len(names), run)
        return PenaltyRule(weights, self.solver, self.tolerance, run.must_stop, on_card)

    def _takes_card(self, n_columns: int, run: Run) -> bool:
        """Whether a graphics card does the work of the second-order solver; the others run on none."""
        if self.device == "cuda" and self.solver != "newton":
            raise OptionError(
                f"{type(self).__name__}(device='cuda', solver={self.solver!r}): this solver runs on the "
                "processor. Use solver='newton', or device='cpu'."
            )
        takes, why_not = card.takes_card(
            self.device if self.solver == "newton" else "cpu",
            f"the matrices of {n_columns} columns",
            bytes_needed(n_columns),
            "pass device='cpu', or fewer columns",
            by_cupy=True,
        )
        if why_not:
            run.note(why_not)
        return takes

    def _judge(
        self, statistics: Statistics, covariance: Matrix, rule: PenaltyRule, n_penalties: int
    ) -> Judge:
        """What judges the penalties of the path."""
        if self.penalty == "ebic":
            return ExtendedBIC(
                covariance,
                n_penalties,
                statistics=statistics,
                gamma=self.gamma,
                refit=self.refit,
                must_stop=rule.must_stop,
                on_card=rule.on_card,
            )
        if self.penalty not in {"stars", "cv", "cv-1se"}:
            return GivenPenalty()
        table = PartsOfRows.of(
            f"{type(self).__name__}(penalty={self.penalty!r})",
            statistics,
            rule,
            standardise=self.standardise,
            generator=np.random.default_rng(self.random_state),
        )
        if self.penalty == "stars":
            return Stability(table, n_penalties)
        return CrossValidation(table, n_penalties, one_standard_error=self.penalty == "cv-1se")

    def _status(self, found: PathPoint, run: Run) -> Status:
        """How the run ended; a gap that was not reached is warned of."""
        is_reached = found.gap <= SURELY_NOT_REACHED * self.tolerance * found.precision.shape[0]
        if run.status is not Status.COMPLETE or is_reached:
            return run.status
        run.warn(
            f"the solver ended at a duality gap of {found.gap:.3g}. Take a larger penalty, or free fewer "
            "pairs with weights."
        )
        return Status.INEXACT
