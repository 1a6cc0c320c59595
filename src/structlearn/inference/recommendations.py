"""Which open items of a row are most probable given the others."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from structlearn.data import Label
from structlearn.errors import DataError
from structlearn.inference.answers import Floats
from structlearn.inference.dependency_chains import marginal_answers
from structlearn.inference.dependency_queries import check_chain_options
from structlearn.inference.dependency_questions import DependencyQuestion, value_of
from structlearn.inference.states import code_of
from structlearn.naming import no_such
from structlearn.options import Whole, check_options

if TYPE_CHECKING:
    from structlearn.models.dependency_model import DependencyModel


@dataclass(frozen=True, slots=True)
class Recommendation:
    """An item, the state it was asked for, its probability given the row, and the standard error of that."""

    name: str
    state: Label
    probability: float
    error: float


def recommended(
    model: "DependencyModel",
    row: Mapping[str, Any],
    n: int = 10,
    *,
    state: Label | Mapping[str, Label] | None = None,
    absent: Label | None = None,
    **options: Any,
) -> tuple[Recommendation, ...]:
    """Rank the items that a row leaves open; see `DependencyModel.recommend`."""
    check_options("recommend", {"n": Whole(1, "how many to give")}, {"n": n})
    check_chain_options("recommend", options)
    known = _known(model, row)
    found = _answers(model, known, [name for name in model.labels if name not in known], options)
    for name in [] if absent is None else _absent(model, known, absent):
        others = {other: value for other, value in known.items() if other != name}
        found |= _answers(model, others, [name], options)
    ranked = []
    for name, (shares, errors) in found.items():
        wanted = _wanted(model, name, state)
        place = code_of(name, model.labels[name], wanted)
        ranked.append(Recommendation(name, wanted, float(shares[place]), float(errors[place])))
    return tuple(sorted(ranked, key=lambda item: -item.probability)[:n])


def _answers(
    model: "DependencyModel", known: Mapping[str, float], names: Sequence[str], options: dict[str, Any]
) -> dict[str, tuple[Floats, Floats]]:
    return marginal_answers(DependencyQuestion(model, tuple(names), known), **options)


def _known(model: "DependencyModel", row: Mapping[str, Any]) -> dict[str, float]:
    if not isinstance(row, Mapping):
        raise DataError(f"recommend takes a row as a mapping of names to states, not {row!r}.")
    for name in row:
        if name not in model.cpds:
            raise DataError(no_such("node", name, model.nodes, owner="recommend"))
    given = {name: said for name, said in row.items() if not _is_open(said)}
    return {name: value_of(model, name, said) for name, said in given.items()}


def _is_open(said: Any) -> bool:
    return said is None or (isinstance(said, float) and math.isnan(said))


def _absent(model: "DependencyModel", known: Mapping[str, float], absent: Label) -> list[str]:
    """The discrete items of a row whose state says that they were not taken."""
    having = [name for name in known if name in model.labels and absent in model.labels[name]]
    if not having and not any(absent in states for states in model.labels.values()):
        raise DataError(f"recommend(absent={absent!r}): no item has this state.")
    return [name for name in having if known[name] == model.labels[name].index(absent)]


def _wanted(model: "DependencyModel", name: str, state: Label | Mapping[str, Label] | None) -> Label:
    last = model.labels[name][-1]
    if state is None:
        return last
    return state.get(name, last) if isinstance(state, Mapping) else state
