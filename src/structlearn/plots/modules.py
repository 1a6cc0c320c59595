"""A picture of a module: its columns by sample, its regulators above, and a line at every split."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from structlearn.data import Dataset
from structlearn.errors import DataError, OptionError, needing
from structlearn.plots.look import INK, QUIET, told

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from structlearn.learners.network.module_network import ModuleNetwork

Floats = NDArray[np.float64]
MOST_NAMES = 60  # more would overlap
MOST_REGULATORS = 8  # the strongest
BRIGHTEST = 2.0  # deviations from the mean, beyond which colours do not change


@dataclass(frozen=True)
class ModulePicture:
    """What is drawn of a module: values in standard units, samples sorted by the leaves of its tree."""

    members: tuple[str, ...]
    regulators: tuple[str, ...]
    values: Floats
    regulator_values: Floats
    ends: tuple[int, ...]  # of the leaves, but for the last one
    means: Floats


def module_picture(learner: "ModuleNetwork", data: Any, module: str) -> ModulePicture:
    """Lay out a module: leaves from left to right, and samples within a leaf by their mean."""
    if not hasattr(learner, "modules_"):
        raise DataError("plot_module: this ModuleNetwork has learned nothing yet; call fit first.")
    if module not in learner.modules_:
        known = ", ".join(map(repr, list(learner.modules_)[:5]))
        raise OptionError(f"plot_module: there is no module {module!r}; there are {known} and so on.")
    rows, program = Dataset(data).to_dict(), learner.programs_[module]
    members, regulators = learner.modules_[module], tuple(learner.regulators_[module])[:MOST_REGULATORS]
    missing = [name for name in (*members, *program.parents) if name not in rows]
    if missing:
        raise DataError(f"plot_module: the table has no column {missing[0]!r}.")
    values = np.array([_standard(rows[name]) for name in members])
    n_rows = values.shape[1]
    leaves = program.leaves_of([rows[name] for name in program.parents], n_rows)
    places = _left_to_right(program.tree)
    order = np.lexsort((values.mean(axis=0), places[leaves]))
    sizes = np.bincount(places[leaves], minlength=len(places))
    return ModulePicture(
        members,
        regulators,
        values[:, order],
        np.array([_standard(rows[name]) for name in regulators]).reshape(-1, n_rows)[:, order],
        tuple(np.cumsum(sizes)[:-1].tolist()),
        program.means[np.argsort(places)],
    )


def plot_module(learner: "ModuleNetwork", data: Any, module: str) -> "Figure":
    """Draw a module of a fitted `ModuleNetwork` as colours, its regulators above it.

    Parameters
    ----------
    learner : ModuleNetwork
        After `fit`.
    data : data frame, dict of columns or Dataset
        The samples to draw: those it learned from, or others.
    module : str
        Its name, such as "module 1".

    Returns
    -------
    matplotlib.figure.Figure
        Shows itself in a notebook; `savefig(path)` writes it.
    """
    drawn = module_picture(learner, data, module)
    with needing("matplotlib", "A picture of a module"):
        from matplotlib.figure import Figure  # noqa: PLC0415, slow to load and not needed to learn

    heights = [max(len(drawn.regulators), 0.3), max(len(drawn.members), 2)]
    figure = Figure(figsize=(8.0, min(max(0.16 * sum(heights), 2.4), 10.0) + 0.8), layout="constrained")
    above, below = figure.subplots(2, 1, height_ratios=heights, sharex=True)
    _draw(above, drawn.regulator_values, drawn.regulators, drawn.ends)
    shown = _draw(below, drawn.values, drawn.members, drawn.ends)
    above.set_title(f"{module}: {len(drawn.members)} columns, regulators above", color=INK, fontsize=11)
    below.set_xlabel(f"{drawn.values.shape[1]} samples, by leaf of the programme", color=QUIET, fontsize=9)
    figure.colorbar(shown, ax=[above, below], shrink=0.5, label="standard units")
    return figure


def _draw(axes: "Axes", values: Floats, names: Sequence[str], ends: Sequence[int]) -> Any:
    shown = axes.imshow(
        values if len(values) else np.zeros((1, values.shape[1])),
        cmap="RdBu_r",
        vmin=-BRIGHTEST,
        vmax=BRIGHTEST,
        aspect="auto",
        interpolation="nearest",
    )
    for end in ends:
        axes.axvline(end - 0.5, color=INK, linewidth=1.6)
    shown_names = [told(name) for name in names] if len(names) <= MOST_NAMES else []
    axes.set_yticks(range(len(shown_names)), shown_names)
    axes.set_xticks([])
    axes.tick_params(colors=INK, labelsize=7, length=0)
    axes.spines[:].set_visible(False)
    return shown


def _standard(values: Any) -> Floats:
    column = np.asarray(values, dtype=np.float64)
    spread = float(column.std())
    return np.asarray((column - column.mean()) / (spread if spread > 0.0 else 1.0))


def _left_to_right(tree: Any) -> NDArray[np.int64]:
    """The place, from left to right, of each leaf as the tree numbers them: level by level."""
    by_level, waiting = [], [tree]
    for vertex in waiting:  # it grows meanwhile
        if hasattr(vertex, "branches"):
            waiting.extend(vertex.branches)
        else:
            by_level.append(id(vertex))
    across: list[int] = []
    _walk(tree, across)
    place = {leaf: k for k, leaf in enumerate(across)}
    return np.array([place[leaf] for leaf in by_level], dtype=np.int64)


def _walk(vertex: Any, across: list[int]) -> None:
    if not hasattr(vertex, "branches"):
        across.append(id(vertex))
        return
    for branch in vertex.branches:
        _walk(branch, across)
