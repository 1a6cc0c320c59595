"""The penalty of a regularised method: how large it is, why, and what others would have given."""

from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from structlearn.learners.base import Learner
from structlearn.options import OrNone
from structlearn.report.line_chart import line_chart
from structlearn.report.markup import Markup, joined, tag
from structlearn.report.subject import Section, Subject
from structlearn.report.wording import counted, number

FEWEST_POINTS = 3
# Where the penalty stands, by learner: a number alone says nothing about another method's.
OBJECTIVES = {
    "NeighborhoodSelection": "(1/2n)·SSE + penalty·L1, of each column given the others, standardised",
    "IsingNeighborhoods": "mean negative log-likelihood + penalty·L1, of each column given the others",
    "GraphicalLasso": "−log det X + tr(S·X) + penalty·Σ|X_ij|, with X the precisions and S the covariances",
    "LogLinearMRF": "log-likelihood of all rows, or what stands for it, − penalty·L1 of the weights",
    "FeatureVectorMachine": "½·bᵀ·K·b − bᵀ·k + penalty·L1 of the coefficients b, with K and k the kernel",
    "NOTEARS": "½·E|x − Wᵀx|² + penalty·Σ|w|, among weights W without cycles",
    "DAGMA": "½·E|x − Wᵀx|² + penalty·Σ|w|, among weights W without cycles",
    "RegressionDAGGaussian": "½·SSE + √(penalty·ψ)·L1 of each regression, with ψ the variance of its noise",
}
REASONS = {
    "ebic": "minimises the extended BIC, which weighs the likelihood against the number of parameters.",
    "stars": "is the smallest whose graphs agree in subsamples of the rows. This keeps an edge too many "
    "rather than lose one.",
    "cv": "predicts held-out rows best. Predictions are best with more edges than the truth has.",
    "cv-1se": "is the largest within one standard error of the one that predicts held-out rows best. "
    "Predictions are best with more edges than the truth has.",
}
SIZES = {"n_edges": "edge", "edges": "edge", "n_features": "feature", "coefficients": "coefficient"}


class Path(NamedTuple):
    """The penalties that were tried, and how large the model was at each, in edges or the like."""

    penalties: NDArray[np.float64]
    sizes: NDArray[np.int64]
    noun: str


def section(subject: Subject) -> Section | None:
    """Explain the penalty of a learner that has one."""
    learner = subject.learner
    found = getattr(learner, "penalty_", None)
    if found is None or not np.isfinite(found).any():
        return None
    penalty, path = np.asarray(found, dtype=np.float64), _path(learner)
    paragraphs = [
        tag("p", _value(penalty), _reason(learner)),
        _objective(subject.method),
        _closeness(learner),
        *([] if path is None else _growth(path, penalty)),
    ]
    return Section("penalty", "Penalty", joined(paragraphs))


def _value(penalty: NDArray[np.float64]) -> Markup:
    if penalty.ndim == 0:
        return joined(["The penalty is ", tag("strong", number(penalty.item())), ". It "])
    known = penalty[np.isfinite(penalty)]  # a column that never varies has none
    least, middle, most = (number(value) for value in np.quantile(known, [0.0, 0.5, 1.0]).tolist())
    span = tag("strong", f"{least} to {most}")
    return joined(["Each column has its own penalty: ", span, f", with median {middle}. Each "])


def _reason(learner: Learner) -> str:
    options = learner.get_params(deep=False)
    if options["penalty"] is None and isinstance(rule := learner.options["penalty"].rule, OrNone):
        return f"was left to the method: {rule.none_means}."
    if not isinstance(options["penalty"], str):
        return "was given."
    return REASONS.get(options["penalty"]) or _theory(options.get("alpha"))


def _theory(alpha: float | None) -> str:
    if alpha is None:
        return "follows from the numbers of rows and columns, by the rate √(log p / n) of theory."
    return (
        "follows from the numbers of rows and columns: parts that have nothing to do with each other are "
        f"joined with a probability of about {number(alpha)} at most."
    )


def _objective(method: str) -> Markup | None:
    if method not in OBJECTIVES:
        return None
    return tag("p", "It stands in what was optimised: ", tag("em", OBJECTIVES[method]), ".")


def _closeness(learner: Learner) -> Markup | None:
    """Say how exactly the problem was solved."""
    if hasattr(learner, "gap_"):
        return tag("p", f"The optimum is not further away than the duality gap, {number(learner.gap_)}.")
    if hasattr(learner, "kkt_residual_"):
        return tag("p", f"The conditions of an optimum hold up to {number(learner.kkt_residual_)} per row.")
    return None


def _growth(path: Path, penalty: NDArray[np.float64]) -> list[Markup | None]:
    """Show how the model grows while the penalty falls; a penalty that all columns share is marked."""
    if len(path.sizes) < FEWEST_POINTS:
        return []
    (first, last), (least, most) = path.penalties[[0, -1]].tolist(), path.sizes[[0, -1]].tolist()
    said = (
        f"{len(path.sizes)} penalties were tried, from {number(first)} with {counted(least, path.noun)} "
        f"down to {number(last)} with {counted(most, path.noun)}."
    )
    is_shared = penalty.ndim == 0
    chart = line_chart(
        f"{path.noun}s",
        path.sizes,
        ends=(f"penalty {number(first)}", f"penalty {number(last)}"),
        marked=int(np.abs(path.penalties - penalty).argmin()) if is_shared else None,
    )
    return [tag("p", said, " The larger dot is the one taken." if is_shared else None), chart]


def _path(learner: Learner) -> Path | None:
    """The path, from whichever of `path_` and `trace_` has it by columns."""
    for columns in (getattr(learner, "path_", None), learner.trace_):
        if isinstance(columns, Mapping) and "penalty" in columns:
            return _with_sizes(columns)
    return None


def _with_sizes(columns: Mapping[str, NDArray[Any]]) -> Path | None:
    name = next((name for name in SIZES if name in columns), None)
    if name is None:
        return None
    return Path(np.asarray(columns["penalty"]), np.asarray(columns[name]), SIZES[name])
