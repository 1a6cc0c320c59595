"""Which kind of distribution each node gets when a network is fitted."""

from collections.abc import Callable, Mapping
from inspect import ismethod

from structlearn.data import Kind
from structlearn.errors import OptionError
from structlearn.models.cpds import CPD, CPDS, Family, is_cpd
from structlearn.naming import listed

Fitter = Callable[..., CPD]
"""Takes a Family and the option `smoothing`, and gives a CPD: `TreeCPD.fit` is one."""

Wish = str | CPD | Fitter
"""A kind by its name, a distribution whose kind to keep, or what fits one."""


def fitter_for(node: str, wish: Wish | None, family: Family) -> Fitter:
    """What fits the node: as wished, or else by the kinds of its column and of its parents'."""
    statistics = family.statistics
    kind, parent_kinds = statistics.kinds[family.child], set(family.parent_kinds)
    if wish is None:
        return CPDS[_usual_form(kind, parent_kinds)].fit
    if isinstance(wish, str):
        return _checked(node, CPDS[wish], kind, parent_kinds).fit
    if callable(wish):
        return wish
    _checked(node, type(wish), kind, parent_kinds)
    return wish.fit


def check_wishes(wishes: Mapping[str, Wish]) -> None:
    """Refuse what is neither a kind, nor a distribution, nor callable."""
    for node, wish in wishes.items():
        _refuse_name_alone(node, wish)
        is_class = isinstance(wish, type)
        if wish in CPDS if isinstance(wish, str) else is_cpd(wish) or (callable(wish) and not is_class):
            continue
        shown = wish.__name__ if isinstance(wish, type) else repr(wish)
        raise OptionError(
            f"BayesianNetwork(cpds={{{node!r}: {shown}}}): give a CPD, or the name of a kind, one of "
            f"{listed(list(CPDS))}."
        )


def _refuse_name_alone(node: str, wish: Wish) -> None:
    """Refuse the name of a kind whose `fit` is a method of an example, such as a formula."""
    if isinstance(wish, str) and wish in CPDS and not ismethod(CPDS[wish].fit):
        raise OptionError(
            f"BayesianNetwork(cpds={{{node!r}: {wish!r}}}): a {wish} CPD cannot be estimated by its name "
            f"alone; give an example, a {CPDS[wish].__name__}."
        )


def _usual_form(kind: Kind, parent_kinds: set[Kind]) -> str:
    if kind == "discrete":
        return "softmax" if "continuous" in parent_kinds else "table"
    return "conditional-gaussian" if "discrete" in parent_kinds else "linear-gaussian"


def _checked(node: str, cpd: type[CPD], kind: Kind, parent_kinds: set[Kind]) -> type[CPD]:
    if cpd.kind != kind:
        raise OptionError(f"fit: a {cpd.form} distribution is of {cpd.kind} nodes, and {node!r} is {kind}.")
    if cpd.parent_kind is not None and parent_kinds - {cpd.parent_kind}:
        raise OptionError(
            f"fit: a {cpd.form} distribution takes {cpd.parent_kind} parents, and {node!r} has others."
        )
    return cpd
