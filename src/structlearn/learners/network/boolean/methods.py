"""Which sets of inputs explain each node, by three criteria."""

import math
from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from structlearn.errors import OptionError
from structlearn.learners.network.boolean.kernels.input_sets import ONE_ERROR
from structlearn.learners.network.boolean.options import RuleOptions
from structlearn.learners.network.boolean.pairs import Codes
from structlearn.learners.network.boolean.search import (
    MUST,
    NO_LIMIT,
    Cheapest,
    Costs,
    Search,
    prices_of_information,
)

Inputs = tuple[int, ...]


@dataclass
class Explanation:
    """The sets that explain a node, none where nothing does; then `closest` comes closest.

    `margin` is what the runner-up costs more, in errors or in nats.
    """

    solutions: list[Inputs] = field(default_factory=list)
    closest: Inputs = ()
    runner_up: Inputs | None = None
    margin: float = math.nan


def explanations(search: Search, options: RuleOptions) -> list[Explanation]:
    """What explains each node, by the criterion that was asked for."""
    n_pairs, n_nodes = len(search.pairs), len(search.may)
    zeros = np.zeros(n_nodes, dtype=np.int64)
    if options.method == "reveal":
        return smallest(search, Costs(zeros, zeros, prices_of_information(n_pairs)), options)
    if options.method == "consistency":
        allowed = math.floor(options.tolerance * n_pairs * (1 + 1e-12))  # 0.07·100 is a little above 7
        return smallest(search, Costs(zeros, np.full(n_nodes, allowed * ONE_ERROR)), options)
    if options.noise is None:
        return best_fit(search, Costs(zeros + 1, zeros), options, _nats_of_profile(search))
    if options.noise >= 0.5:
        raise OptionError(
            f"BooleanNetwork(noise={options.noise!r}): noise is the probability that a state is wrong, and "
            "from a half on states say nothing. Give a number below 0.5."
        )
    worth = math.log((1.0 - options.noise) / options.noise)
    units = 0.5 * (search.pairs.levels - 1) * math.log(n_pairs) / worth
    costs = Costs(np.rint(ONE_ERROR * units).astype(np.int64), zeros)
    return best_fit(search, costs, options, lambda cost, _target, _inputs: cost / ONE_ERROR)


def smallest(search: Search, costs: Costs, options: RuleOptions) -> list[Explanation]:
    """All sets of the smallest size that cost no more than the floor."""
    found = [Explanation() for _ in search.may]
    unexplained = np.arange(len(found))
    sizes = _sizes(search, options)
    for size in sizes:
        some = _of(costs, unexplained)
        cheapest = search.of_size(size, unexplained, some, most=some.floors)
        for target, sets in zip(unexplained.tolist(), cheapest.sets, strict=True):
            found[target].solutions = _tuples(sets)
        unexplained = np.array([t for t in unexplained.tolist() if not found[t].solutions], dtype=np.int64)
    cheapest = search.of_size(sizes[-1], unexplained, _of(costs, unexplained))
    for target, sets in zip(unexplained.tolist(), cheapest.sets, strict=True):
        found[target].closest = _tuples(sets[:1])[0] if len(sets) else ()
    for each in found:
        each.closest = each.solutions[0] if each.solutions else each.closest
    return found


def best_fit(
    search: Search, costs: Costs, options: RuleOptions, value: Callable[[int, int, Inputs], float]
) -> list[Explanation]:
    """The sets of any size whose `value`, of cost, target and inputs, is least."""
    targets = np.arange(len(search.may))
    by_size = [search.of_size(size, targets, costs) for size in _sizes(search, options)]
    return [_best_of([_offers(cheapest, t, value) for cheapest in by_size]) for t in targets.tolist()]


def _offers(
    cheapest: Cheapest, target: int, value: Callable[[int, int, Inputs], float]
) -> list[tuple[float, list[Inputs]]]:
    """The best sets of one size with their value, and the next."""
    (least, following), sets = cheapest.costs[target].tolist(), _tuples(cheapest.sets[target])
    offers = [(value(least, target, sets[0]), sets)] if sets else []
    if sets and following < NO_LIMIT:
        runner_up = tuple(cheapest.next_sets[target].tolist())
        offers.append((value(following, target, runner_up), [runner_up]))
    return offers


def _best_of(offers: list[list[tuple[float, list[Inputs]]]]) -> Explanation:
    ranked = sorted((offer for each in offers for offer in each), key=lambda offer: offer[0])
    if not ranked:
        return Explanation()  # nothing may be an input, or there was no time
    least = ranked[0][0]
    solutions = [inputs for cost, sets in ranked if cost == least for inputs in sets]
    worse = [(cost, sets[0]) for cost, sets in ranked if cost > least]
    runner_up, margin = (worse[0][1], worse[0][0] - least) if worse else (None, math.nan)
    return Explanation(solutions, solutions[0], runner_up, margin)


def _nats_of_profile(search: Search) -> Callable[[int, int, Inputs], float]:
    """The extended BIC, in nats, of a channel whose noise is that of the errors themselves."""
    n, levels = len(search.pairs), search.pairs.levels

    def nats(cost: int, target: int, inputs: Inputs) -> float:
        share = (cost // ONE_ERROR) / n
        n_others = int(levels[target]) - 1
        misfit = 0.0 if share <= 0.0 else -share * math.log(share / max(n_others, 1))
        misfit -= (1.0 - share) * math.log1p(-share)
        n_parameters = math.prod(int(levels[j]) for j in inputs) * n_others
        n_choices = math.comb(len(levels), len(inputs))
        return n * misfit + 0.5 * n_parameters * math.log(n) + math.log(n_choices)

    return nats


def _sizes(search: Search, options: RuleOptions) -> range:
    """The sizes of sets to look at: what must be an input is one, however many there are."""
    n_needed = int((search.may == MUST).sum(axis=0).max(initial=0))
    return range(min(max(options.max_inputs, n_needed), len(search.may)) + 1)


def _of(costs: Costs, targets: Codes) -> Costs:
    return Costs(costs.units[targets], costs.floors[targets], costs.prices)


def _tuples(sets: NDArray[np.int64]) -> list[Inputs]:
    return [tuple(each) for each in sets.tolist()]
