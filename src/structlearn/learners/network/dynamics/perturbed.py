"""Systems from perturbed steady states, and what a new compound acts on."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from structlearn.errors import DataError, OptionError
from structlearn.later import stats
from structlearn.learners.network.dynamics.identified import Identified
from structlearn.learners.network.dynamics.methods import AllOptions, sparsest_system
from structlearn.learners.network.dynamics.problem import Structure
from structlearn.learners.network.dynamics.side_tables import columns_of, refuse_other_names, side_table
from structlearn.learners.network.dynamics.steady_states import (
    Experiments,
    Regulation,
    regulation,
    resampled_support,
)
from structlearn.numerics.multiplicity import adjusted
from structlearn.run import Run
from structlearn.statistics import Statistics, rows_of

Floats = NDArray[np.float64]


def experiments_of(
    owner: str, statistics: Statistics, names: Sequence[str], options: AllOptions
) -> Experiments:
    """Each row as one experiment, with what belongs to it."""
    if options.perturbations is None:
        raise OptionError(
            f"{owner}(method='nir'): steady states tell a system only with what was done to them. Give "
            "perturbations=, a table with a row for each row and a column for each node."
        )
    rows = rows_of(owner, statistics, range(len(statistics.names))).values
    tables = [
        _beside(owner, option, getattr(options, option), statistics, rows, names)
        for option in ("perturbations", "state_errors", "perturbation_errors")
    ]
    if not tables[0].any():
        raise DataError(f"{owner}(perturbations=…): nothing was done in any row; all are 0.")
    for option, errors in (("state_errors", tables[1]), ("perturbation_errors", tables[2])):
        if (errors < 0.0).any():
            raise DataError(f"{owner}({option}=…): a standard error is 0 or more; one is {errors.min():g}.")
    states = rows[:, [statistics.names.index(name) for name in names]]
    return Experiments(states, tables[0], tables[1], tables[2])


def by_nir(experiments: Experiments, structure: Structure, options: AllOptions, run: Run) -> Identified:
    """Rows of A·x = −u with few regulators each, tested and with standard errors."""
    found = regulation(experiments, structure, options, run)
    _say_what_is_weak(found, experiments, structure, options, run)
    n_nodes = len(structure.names)
    matrix, errors, edge_p = (
        np.zeros((n_nodes, n_nodes)),
        np.zeros((n_nodes, n_nodes)),
        np.ones((n_nodes, n_nodes)),
    )
    covariances = {}
    for node, row in enumerate(found.rows):
        if found.is_scaled[node] and not structure.is_input[node] and len(row.members):
            matrix[node, node] = -1.0
        deviations = np.sqrt(np.maximum(np.diag(row.covariance), 0.0)) if len(row.members) else np.zeros(0)
        with np.errstate(divide="ignore", invalid="ignore"):
            t = np.abs(row.coefficients) / deviations
        kept = ~(t < options.least_t)
        matrix[node, row.members[kept]] = row.coefficients[kept]
        errors[node, row.members] = deviations
        free = len(experiments.states) - len(row.members)
        edge_p[node, row.members] = 2.0 * stats.t.sf(t, free) if free else np.nan
        names = [structure.names[j] for j in row.members.tolist()]
        covariances[structure.names[node]] = (names, row.covariance)
    return Identified(
        matrix,
        np.zeros(n_nodes),
        p_values=edge_p,
        confidences=resampled_support(found, experiments, structure, options, run)
        if options.n_resamples
        else None,
        by_node={"p_values": _holm(found.p_values), "is_scaled": found.is_scaled},
        by_pair={"standard_errors": errors},
        extra={"covariances": covariances, "is_exact": found.is_exact},
    )


def by_steady_sparsest(
    experiments: Experiments, structure: Structure, options: AllOptions, run: Run
) -> Identified:
    """Of all systems with A·x = −u exactly, the one whose rows have the smallest L1 norm."""
    rates = (options.decay or 0.0) * experiments.states - experiments.pushes
    return sparsest_system(experiments.states, rates, structure, options, run)


def acted_on(
    matrix: Floats,
    errors_of_rows: Sequence[tuple[Sequence[int], Floats]],
    state: Floats,
    state_errors: Floats,
) -> tuple[Floats, Floats]:
    """What acts on each node at a new steady state, −A·x, and how many standard errors that is."""
    pushes = -matrix @ state
    variances = matrix**2 @ state_errors**2
    for node, (members, covariance) in enumerate(errors_of_rows):
        part = state[list(members)]
        variances[node] += float(part @ covariance @ part) if len(members) else 0.0
    with np.errstate(divide="ignore", invalid="ignore"):
        return pushes, pushes / np.sqrt(variances)


def _beside(
    owner: str, option: str, value: Any, statistics: Statistics, rows: Floats, names: Sequence[str]
) -> Floats:
    columns = columns_of(value)
    if not columns:
        return side_table(owner, option, value, names, len(rows))
    refuse_other_names(owner, option, list(columns), names)
    found = np.zeros((len(rows), len(names)))
    for node, column in columns.items():
        place = statistics.names.index(column)
        if statistics.kinds[place] != "continuous":
            raise DataError(f"{owner}({option}=…): column {column!r} holds something else than numbers.")
        found[:, names.index(node)] = rows[:, place]
    return found


def _holm(p_values: Floats) -> Floats:
    """Corrected p-values; rows without a test keep none."""
    corrected, is_tested = np.full(len(p_values), np.nan), np.isfinite(p_values)
    corrected[is_tested] = adjusted(p_values[is_tested], "holm")
    return corrected


def _say_what_is_weak(
    found: Regulation, experiments: Experiments, structure: Structure, options: AllOptions, run: Run
) -> None:
    own = ~structure.is_input
    if not found.is_exact:
        run.warn("there are too many sets of regulators to look at all; the best of a beam was taken.")
    rank = int(np.linalg.matrix_rank(experiments.pushes))
    if rank < int(own.sum()) and not found.is_scaled[own].any():
        run.warn(f"the perturbations have rank {rank}, and there are {int(own.sum())} nodes.")
    _name(
        run,
        structure,
        found.is_scaled & own,
        "never perturbed, so that a row is known but for its scale and has −1 for the node itself",
    )
    corrected = _holm(found.p_values)
    _name(
        run,
        structure,
        (corrected > options.alpha) & own,
        f"without a significant row at alpha = {options.alpha:g}",
    )


def _name(run: Run, structure: Structure, which: NDArray[np.bool_], what: str) -> None:
    names = [repr(structure.names[j]) for j in np.flatnonzero(which).tolist()]
    if names:
        shown = ", ".join(names[:5]) + (f" and {len(names) - 5} more" if len(names) > 5 else "")
        run.warn(f"{what}: {shown}.")
