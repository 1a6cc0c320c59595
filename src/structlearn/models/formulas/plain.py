"""Formulas as what JSON can hold, and back.

A constant is a number. The others are objects: {"parameter": name, "value": number}, {"atom": relation,
"arguments": [name, …]}, {"choice": [f, g, h]}, and {"noisy-or": [term, …]} with "over": [variable, …],
"same": [[name, name], …], "different": the same, and "weights" of a mean, where there are any.
"""

from collections.abc import Mapping
from typing import Any

from structlearn.errors import DataError
from structlearn.models.formulas.combinations import COMBINATIONS, Combination, Mean
from structlearn.models.formulas.conditions import Different, Same
from structlearn.models.formulas.terms import Atom, Choice, Constant, Formula, Parameter, as_formula


def to_plain(formula: Formula) -> Any:
    """Give a formula as numbers, texts, lists and objects."""
    if isinstance(formula, Constant):
        return formula.value
    if isinstance(formula, Parameter):
        return {"parameter": formula.name, "value": formula.value}
    if isinstance(formula, Atom):
        arguments = {"arguments": list(formula.arguments)} if formula.arguments else {}
        return {"atom": formula.relation, **arguments}
    if isinstance(formula, Combination):
        return _combination(formula)
    return {"choice": [to_plain(part) for part in formula.parts]}


def _combination(formula: Combination) -> dict[str, Any]:
    known: dict[str, Any] = {formula.word: [to_plain(term) for term in formula.terms]}
    if formula.over:
        known["over"] = list(formula.over)
    for word, kind in (("same", Same), ("different", Different)):
        pairs = [[c.one, c.other] for c in formula.where if isinstance(c, kind)]
        known |= {word: pairs} if pairs else {}
    if isinstance(formula, Mean) and formula.weights is not None:
        known["weights"] = list(formula.weights)
    return known


def from_plain(known: Any) -> Formula:
    """Make the formula that `to_plain` gave."""
    if not isinstance(known, Mapping):
        return as_formula(known)
    if "parameter" in known:
        return Parameter(known["parameter"], known["value"])
    if "atom" in known:
        return Atom(known["atom"], *_listed(known.get("arguments", [])))
    if "choice" in known:
        return _choice(_listed(known["choice"]))
    for word, combination in COMBINATIONS.items():
        if word in known:
            terms = [from_plain(term) for term in _listed(known[word])]
            return combination(*terms, **_quantified(known))
    raise DataError(f"A formula is a number, or an object with one of {_words()}; not {known!r}.")


def _choice(parts: list[Any]) -> Formula:
    if len(parts) != 3:
        raise DataError(f'A "choice" has three formulas, not {len(parts)}.')
    return Choice(*map(from_plain, parts))


def _quantified(known: Mapping[str, Any]) -> dict[str, Any]:
    same = [Same(*_pair(pair)) for pair in _listed(known.get("same", []))]
    different = [Different(*_pair(pair)) for pair in _listed(known.get("different", []))]
    options: dict[str, Any] = {"over": _listed(known.get("over", [])), "where": [*same, *different]}
    has_weights = "weights" in known and Mean.word in known
    return {**options, "weights": _listed(known["weights"])} if has_weights else options


def _pair(known: Any) -> tuple[str, str]:
    if isinstance(known, list | tuple) and len(known) == 2 and all(isinstance(name, str) for name in known):
        return known[0], known[1]
    raise DataError(f"A condition of a formula is a pair of names, not {known!r}.")


def _listed(known: Any) -> list[Any]:
    if isinstance(known, list | tuple):
        return list(known)
    raise DataError(f"A formula has a list here, not {known!r}.")


def _words() -> str:
    return ", ".join(f'"{word}"' for word in ("parameter", "atom", "choice", *COMBINATIONS))
