"""Several names one after the other, each given those before it: the query of Heckerman et al. (2000)."""

from dataclasses import replace
from itertools import product
from typing import Any

import numpy as np

from structlearn.errors import DataError
from structlearn.inference.approximate_answers import PseudoGibbsAnswer
from structlearn.inference.dependency_chains import chain_answer
from structlearn.inference.dependency_questions import DependencyQuestion
from structlearn.inference.pseudo_gibbs import Floats

MOST_RUNS = 256  # of chains: each joint state of the names before needs a run of its own


def factored_answer(question: DependencyQuestion, **options: Any) -> PseudoGibbsAnswer:
    """Multiply p(first | evidence), p(second | evidence, first), …; what the others cover needs no chains.

    The next name is the one with fewest parents among those left.
    """
    model = question.model
    if any(name not in model.labels for name in question.names):
        raise DataError("query(method='factored') takes discrete names; use method='gibbs'.")
    names = tuple(_in_turn(question))
    sizes = [len(model.labels[name]) for name in names]
    _refuse_many_runs(question, names, sizes)
    options["random_state"] = np.random.default_rng(options.get("random_state"))
    table, relative = np.ones(()), np.zeros(())
    orders: list[tuple[str, ...]] = [()]
    for place, name in enumerate(names):
        factors, errors = np.zeros((2, *sizes[: place + 1]))
        for states in product(*map(range, sizes[:place])):
            known = {**question.known, **dict(zip(names[:place], states, strict=True))}
            factors[states], errors[states], order = _one(
                replace(question, names=(name,), known=known), options
            )
            orders.append(order)
        table = table[..., None] * factors
        share = np.divide(errors, factors, out=np.zeros_like(errors), where=factors > 0.0)
        relative = relative[..., None] + share**2
    turn = [names.index(name) for name in question.open]
    return PseudoGibbsAnswer(
        question.names,
        {name: model.labels[name] for name in question.names},
        question.with_known(table.transpose(turn)),
        method="factored",
        error=question.with_known((table * np.sqrt(relative)).transpose(turn)),
        order=max(orders, key=len),
    )


def _one(question: DependencyQuestion, options: dict[str, Any]) -> tuple[Floats, Floats, tuple[str, ...]]:
    """The distribution of one name, its error, and the order of the chains that it took."""
    (name,) = question.names
    if question.is_direct(name):
        shares = question.model.conditionals[name].shares(question.state(), 1)[0]
        return shares, np.zeros_like(shares), ()
    answer = chain_answer(question, **options)
    assert isinstance(answer, PseudoGibbsAnswer)  # noqa: S101, the name is discrete
    assert answer.error is not None  # noqa: S101, one name has few states
    return answer.probabilities, answer.error, answer.order


def _in_turn(question: DependencyQuestion) -> list[str]:
    left, turn = list(question.open), []
    while left:
        parents = {name: question.model.cpds[name].parents for name in left}
        turn.append(min(left, key=lambda name: len(set(parents[name]) & set(left))))
        left.remove(turn[-1])
    return turn


def _refuse_many_runs(question: DependencyQuestion, names: tuple[str, ...], sizes: list[int]) -> None:
    n_runs = 0
    for place, name in enumerate(names):
        covered = {*question.known, *names[:place]}
        if not set(question.model.cpds[name].parents) <= covered:
            n_runs += int(np.prod(sizes[:place], dtype=np.int64))
    if n_runs > MOST_RUNS:
        raise DataError(
            f"query(method='factored') would take {n_runs:,} runs of the sampler, one for each joint state "
            f"of the names before; {MOST_RUNS} are the most. Ask for fewer names, or use method='gibbs'."
        )
