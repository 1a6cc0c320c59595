"""Rows of a system from perturbed steady states, A·x = −u: the best few regulators of each node."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from structlearn.errors import DataError
from structlearn.later import stats
from structlearn.learners.network.dynamics.options import RegulatorOptions
from structlearn.learners.network.dynamics.problem import Structure
from structlearn.learners.network.dynamics.subset_search import best_sets
from structlearn.numerics.multiplicity import adjusted
from structlearn.run import Run

Floats = NDArray[np.float64]
Places = NDArray[np.int64]
SHORTLIST = 20  # sets that are compared with weights of their own: these need not keep the order
ROUNDS_OF_WEIGHTS = 2
NOTHING_LEFT = 1e-20  # share of a target's squares below which the fit is exact
FINEST = 1e-12  # share of the largest variance below which one would let a single row decide
SMALLEST = 1e-300  # against the logarithm of zero


@dataclass(frozen=True, slots=True)
class Experiments:
    """Steady states and what was done, (rows, nodes) each, with their standard errors."""

    states: Floats
    pushes: Floats
    state_errors: Floats
    push_errors: Floats

    @property
    def has_errors(self) -> bool:
        """Whether any of them is above zero."""
        return bool(self.state_errors.any() or self.push_errors.any())


@dataclass(frozen=True, slots=True)
class RowFit:
    """One row with a set of regulators: coefficients, their covariances, and −2·log-likelihood."""

    members: Places
    coefficients: Floats
    covariance: Floats
    criterion: float
    p_value: float


@dataclass(frozen=True, slots=True)
class Regulation:
    """The rows of all nodes, fitted to `targets`; `is_scaled` says which are known but for their scale."""

    targets: Floats
    rows: tuple[RowFit, ...]
    p_values: Floats
    is_scaled: NDArray[np.bool_]
    is_exact: bool


def regulation(
    experiments: Experiments,
    structure: Structure,
    options: RegulatorOptions,
    run: Run,
    targets: Floats | None = None,
) -> Regulation:
    """Find the regulators of every node, by what was done to it or by other `targets` of the same states.

    A node that was never perturbed has a row that is known but for its scale: it is fitted with −1 for the
    node itself, x_i = Σ a_ij·x_j.
    """
    n_rows, n_nodes = experiments.states.shape
    most = min(options.max_regulators, n_nodes)
    _refuse_few(run.owner, n_rows, n_nodes, most)
    is_scaled = ~(experiments.pushes != 0.0).any(axis=0)
    if targets is None:
        targets = np.where(is_scaled, experiments.states, -experiments.pushes)
    is_out, is_in = np.isinf(structure.costs).T.copy(), (structure.costs == 0.0).T.copy()
    is_out |= ~(experiments.states != 0.0).any(axis=0)[:, None]
    is_in &= ~is_out
    is_out[is_scaled, is_scaled], is_in[is_scaled, is_scaled] = True, False
    by_size: list[list[RowFit | None]] = []
    is_exact = True
    search = best_sets(
        experiments.states,
        targets,
        is_out,
        is_in,
        max_size=most,
        n_kept=SHORTLIST if experiments.has_errors else 1,
        beam_width=options.beam_width,
    )
    for shortlist in search:
        if run.must_stop():
            break
        run.show("sets of regulators", len(by_size), most)
        is_exact &= shortlist.is_exact
        by_size.append(
            [
                _best_row(experiments, targets[:, i], i, sets, left, scaled=bool(is_scaled[i]))
                for i, (sets, left) in enumerate(zip(shortlist.sets, shortlist.residuals, strict=True))
            ]
        )
    rows = _chosen(by_size, is_scaled, structure, options, n_rows, most)
    p_values = np.array([row.p_value for row in rows])
    return Regulation(targets, rows, p_values, is_scaled, is_exact)


def resampled_support(
    found: Regulation, experiments: Experiments, structure: Structure, options: RegulatorOptions, run: Run
) -> Floats:
    """In which share of resamples each regulator (columns) of each node (rows) comes back.

    What the rows leave over is drawn again, and the experiments stay: there may be only one in which a node
    was perturbed.
    """
    n_rows, n_nodes = experiments.states.shape
    fitted = np.column_stack([experiments.states[:, row.members] @ row.coefficients for row in found.rows])
    n_free = np.array([max(n_rows - len(row.members), 1) for row in found.rows])
    left = (found.targets - fitted) * np.sqrt(n_rows / n_free)  # a fit takes some of the noise with it
    rng, counts, n_done = np.random.default_rng(options.random_state), np.zeros((n_nodes, n_nodes)), 0
    while n_done < options.n_resamples and not run.must_stop():
        drawn = np.take_along_axis(left, rng.integers(n_rows, size=left.shape), axis=0)
        again = regulation(experiments, structure, options, run, fitted + drawn)
        for node, row in enumerate(again.rows):
            counts[node, row.members] += 1.0
        n_done += 1
    return counts / max(n_done, 1)


def _refuse_few(owner: str, n_rows: int, n_nodes: int, most: int) -> None:
    # With as many experiments as regulators every set fits; only where there is but one set is it the answer.
    if n_rows > most or (n_rows == most == n_nodes):
        return
    raise DataError(
        f"{owner}(method='nir', max_regulators={most}): {n_rows} experiments cannot tell {most} "
        f"regulators of {n_nodes} nodes apart. Give more rows, or max_regulators={max(n_rows - 1, 1)}."
    )


def _best_row(
    experiments: Experiments, target: Floats, node: int, sets: Places, left: Floats, *, scaled: bool
) -> RowFit | None:
    fits = [
        _fitted(experiments, target, node, members, scaled=scaled)
        for members, residual in zip(sets, left, strict=True)
        if np.isfinite(residual)
    ]
    return min(fits, key=lambda fit: fit.criterion, default=None)


def _fitted(experiments: Experiments, target: Floats, node: int, members: Places, *, scaled: bool) -> RowFit:
    """Least squares; with errors, weighted by the variances of both sides, which a first answer tells."""
    columns = experiments.states[:, members]
    weights = np.ones(len(target))
    coefficients = _least_squares(columns, target)
    if experiments.has_errors:
        own = experiments.state_errors[:, node] if scaled else experiments.push_errors[:, node]
        for _ in range(ROUNDS_OF_WEIGHTS):
            variance = own**2 + experiments.state_errors[:, members] ** 2 @ coefficients**2
            weights = 1.0 / np.maximum(variance, FINEST * variance.max(initial=SMALLEST))
            root = np.sqrt(weights)[:, None]
            coefficients[:] = _least_squares(root * columns, root[:, 0] * target)
    return _judged(columns, target, weights, members, coefficients, has_errors=experiments.has_errors)


def _least_squares(columns: Floats, target: Floats) -> Floats:
    """The coefficients; columns count as such however small their unit makes them beside others."""
    lengths = _lengths(columns)
    return np.asarray(np.linalg.lstsq(columns / lengths, target, rcond=None)[0] / lengths)


def _lengths(columns: Floats) -> Floats:
    found = np.linalg.norm(columns, axis=0)
    return np.where(found > 0.0, found, 1.0)


def _judged(
    columns: Floats,
    target: Floats,
    weights: Floats,
    members: Places,
    coefficients: Floats,
    *,
    has_errors: bool,
) -> RowFit:
    residuals, free = target - columns @ coefficients, len(target) - len(members)
    left, total = float(weights @ residuals**2), float(weights @ target**2)
    left = 0.0 if left <= NOTHING_LEFT * total else left
    lengths = _lengths(np.sqrt(weights)[:, None] * columns)
    units = np.outer(lengths, lengths)
    inverse = np.asarray(np.linalg.pinv((weights[:, None] * columns).T @ columns / units) / units)
    # Known errors are on their own scale; unknown ones are as large as what is left.
    covariance: Floats = inverse if has_errors else inverse * (left / free if free else np.nan)
    ratio = np.inf if left == 0.0 else ((total - left) / len(members)) / (left / max(free, 1))
    p_value = float(stats.f.sf(ratio, len(members), free)) if free else np.nan
    # Sets with other weights are compared by their likelihoods: large coefficients make any misfit likely.
    n = len(target)
    unknown = n * np.log(max(left, NOTHING_LEFT * total, SMALLEST) / n)
    criterion = left - float(np.log(weights).sum()) if has_errors else float(unknown)
    return RowFit(members, coefficients, covariance, criterion, p_value)


def _chosen(
    by_size: list[list[RowFit | None]],
    is_scaled: NDArray[np.bool_],
    structure: Structure,
    options: RegulatorOptions,
    n_rows: int,
    most: int,
) -> tuple[RowFit, ...]:
    """A row for each node, of the size that the rule has; a node itself counts where its row is scaled."""
    sizes = _sizes(by_size, is_scaled, structure, options, n_rows, most)
    rows = []
    for node, size in enumerate(sizes):
        fits = [row for row in (fits[node] for fits in by_size[:size]) if row is not None]
        rows.append(min(fits, key=lambda fit: (fit.criterion, len(fit.members)), default=EMPTY))
    return tuple(rows)


EMPTY = RowFit(np.zeros(0, dtype=np.int64), np.zeros(0), np.zeros((0, 0)), np.inf, np.nan)


def _sizes(
    by_size: list[list[RowFit | None]],
    is_scaled: NDArray[np.bool_],
    structure: Structure,
    options: RegulatorOptions,
    n_rows: int,
    most: int,
) -> list[int]:
    limits = [0 if structure.is_input[i] else most - int(is_scaled[i]) for i in range(len(is_scaled))]
    if options.regulators_by == "significance":
        for size, fits in enumerate(by_size, start=1):
            tested = np.array([row.p_value for row in fits if row is not None and np.isfinite(row.p_value)])
            if len(tested) and adjusted(tested, "holm").max() <= options.alpha:
                return [min(size, limit) for limit in limits]
    if options.regulators_by == "bic":
        return [_size_by_bic(by_size[:limit], node, n_rows) for node, limit in enumerate(limits)]
    return limits


def _size_by_bic(by_size: list[list[RowFit | None]], node: int, n_rows: int) -> int:
    prices = [
        np.inf if row is None else row.criterion + size * np.log(n_rows)
        for size, row in enumerate((fits[node] for fits in by_size), start=1)
    ]
    return int(np.argmin(prices)) + 1 if prices else 0
