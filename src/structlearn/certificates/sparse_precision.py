"""How near a graphical lasso is to its optimum: the objective beside that of a dual point."""

import math
from typing import Any

import numpy as np

from structlearn.certificates.findings import Finding
from structlearn.certificates.table import Content
from structlearn.errors import DataError
from structlearn.numerics.precision.penalised_likelihood import (
    Matrix,
    dual_point,
    factor_of,
    inverse_of,
    log_determinant,
    objective,
)
from structlearn.statistics import Statistics

KIND = "sparse-precision"
ROUNDING = 1e-9  # of covariances with variance 1, and of objectives for each column


def content(
    table: Content,
    covariance: Matrix,
    weights: Matrix,
    sparse: Any,
    *,
    penalty: float,
    standardise: bool,
) -> dict[str, Any]:
    """The precision matrix, and a point of the dual that bounds what any other can reach."""
    penalties, precision = _penalties(weights, penalty), sparse.toarray()
    factor = factor_of(precision)
    dual = None if factor is None else dual_point(covariance, penalties, precision, inverse_of(factor))
    if dual is None:
        raise DataError("There is no certificate: no point of the dual was found. Give a larger penalty.")
    primal, bound = objective(covariance, penalties, precision), _dual_objective(dual)
    other = np.argwhere(np.tril(penalties != penalty))
    entries = np.argwhere(np.tril(precision) != 0.0)
    return {
        "kind": KIND,
        "table": table,
        "standardise": standardise,
        "penalty": penalty,
        "penalties": [[i, j, rho if math.isfinite(rho) else None] for i, j, rho in _listed(other, penalties)],
        "precision": _listed(entries, precision),
        "dual": [row[: i + 1].tolist() for i, row in enumerate(dual)],
        "primal objective": primal,
        "dual objective": bound,
        "gap": max(primal - bound, 0.0),
    }


def check(known: Content, statistics: Statistics) -> list[Finding]:
    """Compute both objectives again, from the covariances of the table."""
    covariance = _covariance(statistics, standardise=known["standardise"])
    n_columns = len(covariance)
    penalties = _matrix(n_columns, known["penalties"], known["penalty"])
    precision = _matrix(n_columns, known["precision"], 0.0)
    dual = _matrix(n_columns, [[i, j, w] for i, row in enumerate(known["dual"]) for j, w in enumerate(row)])
    primal, bound = objective(covariance, penalties, precision), _dual_objective(dual)
    scale = np.sqrt(np.outer(np.diag(covariance), np.diag(covariance)))
    excess = float(np.max((np.abs(dual - covariance) - penalties) / scale, initial=-math.inf))
    gap = primal - bound
    rounding = ROUNDING * n_columns * max(1.0, abs(primal))
    n_edges = int(np.count_nonzero(np.tril(precision, -1)))
    n_other = sum(i != j for i, j, _ in known["penalties"])
    other = f" and {n_other} others" if n_other else ""
    return [
        Finding(
            math.isfinite(primal) and abs(primal - known["primal objective"]) <= rounding,
            f"the precision matrix, with {n_edges} edges, has the objective {primal:.10g} at penalty "
            f"{known['penalty']:.6g}{other}.",
        ),
        Finding(
            abs(bound - known["dual objective"]) <= rounding and excess <= ROUNDING,
            f"the dual point is within the penalties of the covariances; its objective is {bound:.10g}.",
        ),
        Finding(
            gap <= known["gap"] + rounding,
            f"no precision matrix has an objective lower by more than {max(gap, ROUNDING):.3g}.",
        ),
    ]


def _covariance(statistics: Statistics, *, standardise: bool) -> Matrix:
    """As the fit had them: a constant column has variance 1."""
    found = statistics.moments().covariance.copy()
    variances = np.diag(found)
    kept = np.where(variances > 0.0, variances, 1.0)
    if standardise:
        found /= np.sqrt(np.outer(kept, kept))
    np.fill_diagonal(found, 1.0 if standardise else kept)
    return found


def _penalties(weights: Matrix, penalty: float) -> Matrix:
    finite = np.isfinite(weights)
    return np.where(finite, penalty * np.where(finite, weights, 0.0), np.inf)


def _dual_objective(dual: Matrix) -> float:
    factor = factor_of(dual)
    return -math.inf if factor is None else log_determinant(factor) + len(dual)


def _listed(places: Any, matrix: Matrix) -> list[Any]:
    return [[int(i), int(j), float(matrix[i, j])] for i, j in places]


def _matrix(n_columns: int, entries: list[Any], rest: float = 0.0) -> Matrix:
    """A symmetric matrix of entries on and below its diagonal; None stands for infinity."""
    found = np.full((n_columns, n_columns), rest)
    for i, j, value in entries:
        found[i, j] = found[j, i] = math.inf if value is None else value
    places = {(i, j) for i, j, _ in entries}
    if len(places) < len(entries) or not all(0 <= j <= i for i, j in places):
        raise DataError("The certificate is not whole: an entry of a matrix is there twice, or elsewhere.")
    return found
