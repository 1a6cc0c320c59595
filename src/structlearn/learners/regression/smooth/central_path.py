"""The loss beside a barrier against cycles, in shares that become small."""

import numpy as np

from structlearn.learners.regression.smooth.problem import Floats, SmoothProblem
from structlearn.numerics.acyclicity import log_determinant
from structlearn.numerics.proximal_descent import proximal_descent
from structlearn.run import OutOfTime, Run

SHARES = (1.0, 0.1, 0.01, 0.001)  # of the loss: these and the scales are the authors'
SCALES = (1.0, 0.9, 0.8, 0.7)
STILL = 1e-6  # weights that a step changes by less, beside a threshold of 0.3
MOST_STEPS = 3000  # of a stage: four columns take some 300
OUT_OF_REACH = 1e12  # the price of a weight that may not be


def central_path(
    problem: SmoothProblem, shares: tuple[float, ...], scales: tuple[float, ...], run: Run
) -> tuple[Floats, dict[str, list[float]]]:
    """The weights at the end of the stages, and what each whole stage came to."""
    weights = np.zeros(problem.is_open.shape)
    prices = np.where(problem.is_open, problem.prices, OUT_OF_REACH)
    trace: dict[str, list[float]] = {"share": [], "cyclicity": [], "loss": []}
    for stage, (share, scale) in enumerate(zip(shares, scales, strict=True)):
        run.show("stages", stage, len(shares))

        def value(at: Floats, share: float = share, scale: float = scale) -> tuple[float, Floats]:
            if run.must_stop():
                raise OutOfTime
            barrier, of_barrier = log_determinant(at, scale, run.must_stop)
            if not np.isfinite(barrier):
                return np.inf, at
            loss, of_loss = problem.at(at, run.must_stop)
            return share * loss + barrier, share * of_loss + of_barrier

        weights = proximal_descent(
            value,
            weights,
            share * prices,
            tolerance=STILL,
            most_steps=MOST_STEPS,
            must_stop=run.must_stop,
        )
        if run.must_stop():
            break
        for name, found in zip(
            trace, (share, log_determinant(weights, scale)[0], problem.at(weights)[0]), strict=True
        ):
            trace[name].append(found)
    return weights, trace
