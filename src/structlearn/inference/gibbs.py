"""Gibbs sampling: chains that draw each node, or block of nodes, given all others.

Geman and Geman (1984), Stochastic relaxation, Gibbs distributions, and the Bayesian restoration of images.
Gelfand and Smith (1990), Sampling-based approaches to calculating marginal densities.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from structlearn.errors import DataError, warn
from structlearn.inference.approximate_answers import GibbsAnswer
from structlearn.inference.elimination import Problem, none_found, with_known
from structlearn.inference.gibbs_blocks import Blocks, blocked
from structlearn.inference.kernels.gibbs import run_sweeps
from structlearn.inference.parts import Floats, Integers
from structlearn.inference.possible_states import NoneFoundError, draw_possible
from structlearn.inference.questions import Question
from structlearn.inference.tables_only import refuse_densities
from structlearn.models.factors_product import FactorProduct
from structlearn.numerics.chain_diagnostics import effective_sample_size, split_r_hat

FAR_APART = 1.1  # an R-hat above which the chains have not mixed (Gelman and Rubin, 1992)
MOST_ERRORS = 2**10  # cells of a joint table up to which each gets a standard error: a series of draws each
BATCH_DRAWS = 2**20  # 8 MiB of random numbers at once


@dataclass(frozen=True, eq=False)
class Chains:
    """What was seen of some columns: `drawn` is (chains, sweeps, columns).

    `shares` has for each column the probability of its states before each draw, (chains, sweeps, states).
    """

    drawn: Integers
    shares: tuple[Floats, ...]


@dataclass(frozen=True, eq=False)
class Watch:
    """The columns to look at: their blocks, and their state in each state of these."""

    homes: Integers
    codes: tuple[Integers, ...]
    sizes: tuple[int, ...]

    @classmethod
    def of(cls, blocks: Blocks, columns: Sequence[int], sizes: dict[int, int]) -> "Watch":
        """Find each column's block."""
        homes = [blocks.of(column) for column in columns]
        codes = [blocks.blocks[home].codes(column) for home, column in zip(homes, columns, strict=True)]
        return cls(np.array(homes, dtype=np.int64), tuple(codes), tuple(sizes[column] for column in columns))

    @property
    def ends(self) -> Integers:
        """Where the states of each column begin among those of all, and where the last ones end."""
        return np.cumsum([0, *self.sizes]).astype(np.int64)

    @property
    def arrays(self) -> tuple[Integers, Integers, Integers, Integers]:
        """`watched`, `firsts`, `places` and `codes` of the kernel."""
        places = np.cumsum([0, *map(len, self.codes)])[:-1].astype(np.int64)
        return self.homes, self.ends[:-1], places, np.concatenate(self.codes)


def gibbs_answer(
    question: Question,
    *,
    chains: int = 4,
    sweeps: int = 10_000,
    burn_in: int = 1000,
    blocking: bool = True,
    random_state: int | np.random.Generator | None = None,
) -> GibbsAnswer:
    """Run several chains on the factors that the evidence leaves."""
    problem = Problem.of(question)
    query = problem.columns(question.asked)
    refuse_densities(question, problem.ancestral(query), method="gibbs")
    watched = [column for column in query.tolist() if problem.sizes[column] > 1]
    tables = [table for table in problem.tables(problem.required(query)) if table[0]]
    columns = sorted({*watched, *(axis for axes, _ in tables for axis in axes)})
    rngs = np.random.default_rng(random_state).spawn(chains)
    starts = _starts(question, problem, query, rngs)
    blocks = blocked(tables, problem.sizes, columns, joined=blocking)
    if blocks.loose:
        _warn_of_zeros(blocking=blocking)
    product = blocks.product(tables)
    watch = Watch.of(blocks, watched, problem.sizes)
    states = [blocks.numbers(start) for start in starts]
    return _answer(question, blocks, _seen(product, watch, states, (burn_in, sweeps), rngs))


def _seen(
    product: FactorProduct,
    watch: Watch,
    starts: Sequence[Integers],
    lengths: tuple[int, int],
    rngs: Sequence[np.random.Generator],
) -> Chains:
    if not watch.sizes:
        return Chains(np.zeros((len(starts), lengths[1], 0), dtype=np.int64), ())
    runs = [_run(product, watch, start, lengths, rng) for start, rng in zip(starts, rngs, strict=True)]
    shares = np.stack([shares for _, shares in runs])
    by_column = [shares[:, :, first:end] for first, end in pairwise(watch.ends.tolist())]
    return Chains(np.stack([drawn for drawn, _ in runs]), tuple(by_column))


def _run(
    product: FactorProduct, watch: Watch, states: Integers, lengths: tuple[int, int], rng: np.random.Generator
) -> tuple[Integers, Floats]:
    """What a chain draws after its burn-in, and the probabilities that it draws from."""
    levels = np.array(product.layout.levels)
    n_sweeps = sum(lengths)
    drawn = np.zeros((n_sweeps, len(watch.homes)), dtype=np.int64)
    shares = np.zeros((n_sweeps, watch.ends[-1]))
    batch = max(1, BATCH_DRAWS // levels.size)
    for first in range(0, n_sweeps, batch):
        part = slice(first, min(first + batch, n_sweeps))
        uniforms = rng.random((part.stop - first, levels.size))
        chain = states, levels, product.logs, product.layout.neighborhoods
        run_sweeps(*chain, uniforms, *watch.arrays, shares[part], drawn[part])
    return drawn[lengths[0] :], shares[lengths[0] :]


def _answer(question: Question, blocks: Blocks, seen: Chains) -> GibbsAnswer:
    names, labels = question.parts.names, question.parts.labels
    asked = [name for name in question.asked if len(labels[name]) > 1]
    cells, errors = averaged(seen) if len(asked) == 1 else counted(seen, [len(labels[n]) for n in asked])
    shape = [len(labels[name]) for name in question.asked]
    series = {name: list(np.moveaxis(shares, 2, 0)) for name, shares in zip(asked, seen.shares, strict=True)}
    answer = GibbsAnswer(
        question.names,
        {name: labels[name] for name in question.names},
        with_known(question, cells.reshape(shape)),
        method="gibbs",
        error=None if errors is None else with_known(question, errors.reshape(shape)),
        r_hat={name: max(map(split_r_hat, ofs)) for name, ofs in series.items()},
        effective_size={name: min(map(effective_sample_size, ofs)) for name, ofs in series.items()},
        n_chains=seen.drawn.shape[0],
        n_sweeps=seen.drawn.shape[1],
        blocks=tuple(
            tuple(names[c] for c in block.columns) for block in blocks.blocks if len(block.columns) > 1
        ),
    )
    warn_of_disagreement(answer)
    return answer


def averaged(seen: Chains) -> tuple[Floats, Floats]:
    """The mean of the probabilities that each draw was made from, which varies less than the draws."""
    (shares,) = seen.shares
    errors = [math.sqrt(one.var() / effective_sample_size(one)) for one in np.moveaxis(shares, 2, 0)]
    return shares.mean(axis=(0, 1)), np.array(errors)


def counted(seen: Chains, sizes: Sequence[int]) -> tuple[Floats, Floats | None]:
    """The share of each joint state among the draws."""
    cells = np.zeros(seen.drawn.shape[:2], dtype=np.int64)
    for column, size in enumerate(sizes):
        cells = cells * size + seen.drawn[:, :, column]
    shares = np.bincount(cells.ravel(), minlength=math.prod(sizes)) / cells.size
    if shares.size > MOST_ERRORS:
        return shares, None
    worth = [effective_sample_size((cells == cell).astype(np.float64)) for cell in range(shares.size)]
    return shares, np.sqrt(shares * (1.0 - shares) / np.array(worth))


def _starts(
    question: Question, problem: Problem, query: Integers, rngs: Sequence[np.random.Generator]
) -> list[dict[int, int]]:
    """Possible states of all that bears on the evidence, also of what the query does not depend on."""
    tables = problem.tables(problem.ancestral(query))
    columns = {*query.tolist(), *(axis for axes, _ in tables for axis in axes)}
    order = [i for i in map(question.parts.index.__getitem__, question.parts.order) if i in columns]
    if any(not axes and table == 0.0 for axes, table in tables):
        raise none_found(question)
    try:
        found = [draw_possible(tables, problem.sizes, order, rng) for rng in rngs]
    except NoneFoundError:
        raise DataError(
            f"query(method='gibbs'): no state was found that agrees with the evidence "
            f"{question.evidence_in_words()}. It is very unlikely or impossible; use method='exact'."
        ) from None
    starts = [start for start in found if start is not None]
    if not starts:
        raise none_found(question)
    return starts


def _warn_of_zeros(*, blocking: bool) -> None:
    what = "the nodes that they bind are too many to be drawn together" if blocking else "blocking is off"
    warn(
        f"query(method='gibbs'): some probabilities are zero and {what}, so that the chains may be "
        "reducible: they may not reach every possible state. Use method='exact' or 'weighting'"
        + ("." if blocking else ", or blocking=True.")
    )


def warn_of_disagreement(answer: GibbsAnswer) -> None:
    """Warn where chains have not mixed."""
    apart = {name: value for name, value in answer.r_hat.items() if value > FAR_APART}
    if not apart:
        return
    name = max(apart, key=apart.__getitem__)
    warn(
        f"query(method='gibbs'): the chains disagree about {name!r} (R-hat {apart[name]:.2f}, near 1 where "
        "they agree). Use more sweeps, or another method."
    )
