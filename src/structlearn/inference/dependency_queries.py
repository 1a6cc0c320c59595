"""The ways to answer a question to a dependency network."""

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from structlearn.errors import OptionError
from structlearn.inference.answers import Answer, Floats, GaussianAnswer
from structlearn.inference.approximate_answers import PseudoGibbsAnswer, SampleAnswer
from structlearn.inference.dependency_chains import chain_answer
from structlearn.inference.dependency_questions import DependencyQuestion, read_dependency_question
from structlearn.inference.factored import factored_answer
from structlearn.inference.stationary import stationary
from structlearn.naming import has_no
from structlearn.options import Above, OrNone, Rules, Whole, check_options
from structlearn.options.seeds import RANDOM_STATE

if TYPE_CHECKING:
    from structlearn.models.dependency_model import DependencyModel

CHAIN_RULES: Rules = {
    "chains": Whole(1, "the number of Markov chains"),
    "sweeps": Whole(4, "how often each chain draws every node"),
    "burn_in": Whole(0, "how many sweeps come before those that count"),
    "error": OrNone(Above(0, "the standard error to go on for"), "as many sweeps as are asked for"),
    "random_state": RANDOM_STATE,
}


def query_dependencies(
    model: "DependencyModel",
    names: str | Sequence[str],
    evidence: Mapping[str, Any] | None = None,
    *,
    method: str = "gibbs",
    **options: Any,
) -> Answer | GaussianAnswer | SampleAnswer:
    """Give the distribution of some nodes given what is known of others; see `DependencyModel.query`."""
    if method not in tuple(METHODS):
        raise OptionError(f"query(method={method!r}): method is one of {', '.join(map(repr, METHODS))}.")
    if method == "exact" and options:
        raise OptionError(f"query: method='exact' has no option {next(iter(options))!r}; it has none.")
    check_chain_options("query", options)
    question = read_dependency_question(model, names, evidence)
    answer: Answer | GaussianAnswer | SampleAnswer = METHODS[method](question, **options)
    return answer


def check_chain_options(owner: str, options: Mapping[str, Any]) -> None:
    """Refuse options that chains do not have, and values that these cannot have."""
    for name in options:
        if name not in CHAIN_RULES:
            raise OptionError(has_no(owner, "option", name, CHAIN_RULES))
    check_options(owner, CHAIN_RULES, options)


def _by_chains(question: DependencyQuestion, **options: Any) -> Answer | GaussianAnswer | SampleAnswer:
    if not all(map(question.is_direct, question.open)):
        return chain_answer(question, **options)
    kinds = {question.model.kinds[name] for name in question.names}
    if kinds == {"discrete"}:
        return _direct_table(question)
    if kinds == {"continuous"}:
        return _direct_normals(question)
    return chain_answer(question, **options)


def _direct_table(question: DependencyQuestion) -> PseudoGibbsAnswer:
    """The product of the local distributions: names do not affect each other given all they depend on."""
    cells: Floats = np.ones(1)
    for name in question.open:
        shares = question.model.conditionals[name].shares(question.state(), 1)[0]
        cells = np.multiply.outer(cells, shares)
    table = question.with_known(cells)
    labels = {name: question.model.labels[name] for name in question.names}
    return PseudoGibbsAnswer(question.names, labels, table, method="direct", error=np.zeros_like(table))


def _direct_normals(question: DependencyQuestion) -> GaussianAnswer:
    mean, variance = np.zeros(len(question.names)), np.zeros(len(question.names))
    for place, name in enumerate(question.names):
        if name in question.known:
            mean[place] = question.known[name]
        else:
            (mean[place],), (variance[place],) = question.model.conditionals[name].normals(
                question.state(), 1
            )
    return GaussianAnswer(question.names, mean, np.diag(variance), method="direct")


def _exact(question: DependencyQuestion) -> PseudoGibbsAnswer:
    order, joint = stationary(question.model, question.known, question.open)
    others = tuple(axis for axis, name in enumerate(order) if name not in question.open)
    kept = [name for name in order if name in question.open]
    cells = joint.sum(axis=others).transpose([kept.index(name) for name in question.open])
    labels = {name: question.model.labels[name] for name in question.names}
    table = question.with_known(cells)
    return PseudoGibbsAnswer(question.names, labels, table, error=np.zeros_like(table), order=order)


METHODS: Mapping[str, Callable[..., Any]] = {
    "gibbs": _by_chains,
    "factored": factored_answer,
    "exact": _exact,
}
