"""The most probable states of a mixed network: numbers are normal in each joint state of discrete nodes."""

from dataclasses import replace
from functools import partial

import numpy as np
from numpy.typing import NDArray

from structlearn.errors import DataError
from structlearn.inference.answers import MostProbable
from structlearn.inference.contraction import Table
from structlearn.inference.elimination import CELL_LIMIT, Problem, best_codes
from structlearn.inference.hybrid import Numeric, given_numbers, hybrid_log_evidence, refuse_many_states
from structlearn.inference.questions import Question
from structlearn.naming import listed

Floats = NDArray[np.float64]


def hybrid_most_probable(question: Question) -> MostProbable:
    """The joint state of the names with the largest density: a number is the mean in the best states.

    What the numbers say is a table of the discrete nodes above them, one more beside those of the network.
    """
    parts, problem = question.parts, Problem.of(question)
    used = problem.ancestral(problem.columns(list(question.names)))
    numeric = Numeric.of(question, problem, used)
    _refuse_mixtures(question, numeric)
    refuse_many_states(question, numeric.switches)
    shape = [len(parts.labels[name]) for name in numeric.switches]
    states = np.argwhere(np.ones(shape, dtype=np.bool_))
    normal, log_densities = numeric.conditioned(question, numeric.switches, states)
    unknown = [k for k, name in enumerate(numeric.asked) if name not in question.known]
    log_densities = log_densities + normal.log_peaks(unknown)

    whole, with_tables = given_numbers(question, problem, used)
    tables = [*whole.log_tables(with_tables), _table(question, numeric.switches, log_densities)]
    codes, log_probability = best_codes(question, whole, tables, CELL_LIMIT)
    best = tuple(codes.get(name, 0) for name in numeric.switches)
    means = dict(zip(numeric.asked, normal.mean[_place(best, shape)].tolist(), strict=True))
    labels = parts.labels
    return MostProbable(
        {name: labels[name][codes[name]] if name in labels else means[name] for name in question.names},
        log_probability,
        partial(hybrid_log_evidence, replace(question, names=())),
    )


def _refuse_mixtures(question: Question, numeric: Numeric) -> None:
    """Refuse numbers whose distribution is a mixture: its highest point has no closed form."""
    left = [name for name in numeric.switches if name not in question.names]
    numbers = [name for name in numeric.asked if name not in question.known]
    if left and numbers:
        raise DataError(
            f"map: {numbers[0]!r} depends on the discrete {listed(left)}. Where that is summed out, the most "
            "probable number has no closed form. Ask for these states too, give them as evidence, or query."
        )


def _table(question: Question, switches: tuple[str, ...], log_densities: Floats) -> Table:
    """A table as elimination takes it: nodes of a single state have no axis."""
    parts = question.parts
    sizes = {parts.index[name]: len(parts.labels[name]) for name in switches}
    axes = tuple(v for v, size in sizes.items() if size > 1)
    return axes, log_densities.reshape([sizes[v] for v in axes])


def _place(codes: tuple[int, ...], shape: list[int]) -> int:
    return int(np.ravel_multi_index(codes, tuple(shape))) if shape else 0
