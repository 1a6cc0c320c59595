"""Answers of the pseudo-Gibbs sampler, with how far off they may be."""

import math
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from structlearn.errors import warn
from structlearn.inference import gibbs
from structlearn.inference.answers import Floats
from structlearn.inference.approximate_answers import PseudoGibbsAnswer, SampleAnswer
from structlearn.inference.dependency_questions import DependencyQuestion
from structlearn.inference.pseudo_gibbs import Sampler, Seen, warn_of_zeros
from structlearn.numerics.chain_diagnostics import effective_sample_size, split_r_hat

# Chains side by side cost little more than one: a step of each node is a step of all of them at once.
CHAINS, SWEEPS, BURN_IN = 64, 400, 100
MOST_TIMES = 64  # as long as was asked for, where an error is wanted that is not reached before


def chain_answer(question: DependencyQuestion, **options: Any) -> PseudoGibbsAnswer | SampleAnswer:
    """Run chains with the evidence held fixed, and look at the names; for the options see `_watched`."""
    seen, order = _watched(question, lambda seen: _largest_error(question, seen), **options)
    if all(name in question.model.labels for name in question.names):
        return _table(question, seen, order)
    return _means(question, seen, order)


def marginal_answers(question: DependencyQuestion, **options: Any) -> dict[str, tuple[Floats, Floats]]:
    """The probabilities of each discrete name by itself, with their standard errors."""
    found: dict[str, tuple[Floats, Floats]] = {}
    for name in filter(question.is_direct, question.names):
        shares = question.model.conditionals[name].shares(question.state(), 1)[0]
        found[name] = shares, np.zeros_like(shares)
    rest = tuple(name for name in question.names if name not in found)
    if rest:

        def averaged(seen: Seen) -> dict[str, tuple[Floats, Floats]]:
            return {name: gibbs.averaged(_chains(seen, [name])) for name in rest}

        def largest(seen: Seen) -> float:
            return max(float(errors.max()) for _, errors in averaged(seen).values())

        seen, _ = _watched(DependencyQuestion(question.model, rest, question.known), largest, **options)
        found |= averaged(seen)
    return found


def _watched(
    question: DependencyQuestion,
    largest_error: Callable[[Seen], float],
    *,
    chains: int = CHAINS,
    sweeps: int = SWEEPS,
    burn_in: int = BURN_IN,
    error: float | None = None,
    random_state: int | np.random.Generator | None = None,
) -> tuple[Seen, tuple[str, ...]]:
    """What chains saw of the open names, and the order of their sweeps."""
    rng = np.random.default_rng(random_state)
    sampler = Sampler(question.model, question.known, question.open, chains=chains, rng=rng)
    warn_of_zeros("query", question.model, sampler.order)
    sampler.run(burn_in)
    seen = sampler.watch(sweeps)
    while error is not None and largest_error(seen) > error:
        n_sweeps = next(iter(seen.drawn.values())).shape[1]
        if n_sweeps >= MOST_TIMES * sweeps:
            warn(f"query: after {n_sweeps:,} sweeps a standard error is still above {error:g}.")
            break
        seen = seen.and_then(sampler.watch(n_sweeps))
    return seen, sampler.order


def _chains(seen: Seen, names: Sequence[str]) -> gibbs.Chains:
    drawn = np.stack([seen.drawn[name] for name in names], axis=2)
    return gibbs.Chains(drawn, tuple(seen.shares[name] for name in names))


def _cells(question: DependencyQuestion, seen: Seen) -> tuple[Floats, Floats | None]:
    """The probability of each joint state of the open discrete names, with its error."""
    labels = question.model.labels
    names = [name for name in question.open if name in labels]
    if not names:
        return np.ones(1), np.zeros(1)
    chains = _chains(seen, names)
    return (
        gibbs.averaged(chains) if len(names) == 1 else gibbs.counted(chains, [len(labels[n]) for n in names])
    )


def _largest_error(question: DependencyQuestion, seen: Seen) -> float:
    errors = _cells(question, seen)[1]
    others = [_error_of_mean(seen.drawn[name]) for name in question.open if name not in question.model.labels]
    return max([0.0 if errors is None else float(errors.max()), *others])


def _table(question: DependencyQuestion, seen: Seen, order: tuple[str, ...]) -> PseudoGibbsAnswer:
    names = tuple(name for name in question.names if name in question.model.labels)
    part = DependencyQuestion(question.model, names, question.known)
    cells, errors = _cells(part, seen)
    series = {name: list(np.moveaxis(seen.shares[name], 2, 0)) for name in part.open}
    n_chains, n_sweeps = next(iter(seen.drawn.values())).shape
    answer = PseudoGibbsAnswer(
        names,
        {name: question.model.labels[name] for name in names},
        part.with_known(cells),
        method="gibbs",
        error=None if errors is None else part.with_known(errors),
        r_hat={name: max(map(split_r_hat, ofs)) for name, ofs in series.items()},
        effective_size={name: min(map(effective_sample_size, ofs)) for name, ofs in series.items()},
        n_chains=n_chains,
        n_sweeps=n_sweeps,
        order=order,
    )
    gibbs.warn_of_disagreement(answer)
    return answer


def _means(question: DependencyQuestion, seen: Seen, order: tuple[str, ...]) -> SampleAnswer:
    names = tuple(name for name in question.names if name not in question.model.labels)
    shape = next(iter(seen.drawn.values())).shape
    series = {name: seen.drawn.get(name, np.full(shape, question.known.get(name, 0.0))) for name in names}
    values = np.stack([series[name].ravel() for name in names], axis=1)
    n_rows = len(values)
    return SampleAnswer(
        names=names,
        values=values,
        weights=np.full(n_rows, 1.0 / n_rows),
        mean=values.mean(axis=0),
        covariance=np.atleast_2d(np.cov(values.T, bias=True)),
        standard_error=np.array([_error_of_mean(series[name]) for name in names]),
        effective_size=min(effective_sample_size(series[name]) for name in names),
        discrete=_table(question, seen, order) if len(names) < len(question.names) else None,
        method="gibbs",
    )


def _error_of_mean(chains: Floats) -> float:
    return math.sqrt(float(chains.var()) / effective_sample_size(chains))
