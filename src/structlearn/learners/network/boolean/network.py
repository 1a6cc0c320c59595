"""Rules that run: states in time, what they settle in, and which state leads where."""

import math
from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Literal, get_args

import numpy as np
from numpy.typing import NDArray

from structlearn.data import Label
from structlearn.errors import DataError, OptionError
from structlearn.graphs import Edge, Graph
from structlearn.learners.network.boolean.attractors import Attractor, all_cycles, cycle_from
from structlearn.learners.network.boolean.rules import Rule
from structlearn.naming import listed
from structlearn.options import OneOf, Rules, Whole, check_options
from structlearn.options.seeds import generator_of

Update = Literal["synchronous", "asynchronous"]
Codes = NDArray[np.int64]
SIMULATION: Rules = {
    "n_steps": Whole(0, "how many steps to take"),
    "update": OneOf(get_args(Update), "whether all nodes change at once"),
}
MOST_STATES = 1 << 20  # of which each is looked at: 20 nodes that are off or on
MOST_IN_A_PICTURE = 1 << 10  # states of a graph that one can still draw


class RuleNetwork:
    """A network in which each node follows a rule: a truth table of the states one step before.

    Patterns that were never seen lead to the commonest state of the node.

    Parameters
    ----------
    rules : sequence of Rule
        One for each node, in the order of the nodes.
    """

    def __init__(self, rules: Sequence[Rule]) -> None:
        self.rules = {rule.node: rule for rule in rules}
        self.nodes = tuple(self.rules)
        unknown = [name for rule in rules for name in rule.inputs if name not in self.rules]
        if unknown or len(self.rules) < len(rules):
            raise OptionError(
                "RuleNetwork: it has one rule for each node, and inputs that are nodes; "
                + (f"there is no rule for {listed(unknown)}." if unknown else "a node has two rules.")
            )
        self._levels = np.array([len(rule.states) for rule in rules], dtype=np.int64)
        self._inputs = [[self.nodes.index(name) for name in rule.inputs] for rule in rules]
        self._tables = [_codes_of(rule, [self.rules[name] for name in rule.inputs]) for rule in rules]

    def simulate(
        self,
        start: Mapping[str, Label],
        n_steps: int,
        *,
        update: Update = "synchronous",
        random_state: int | None = None,
    ) -> dict[str, list[Label]]:
        """Let the network run from a state.

        Parameters
        ----------
        start : mapping of str to state
            The state of each node.
        n_steps : int
            How many steps.
        update : "synchronous" or "asynchronous"
            Whether all nodes change at once, or one of them, drawn at random, in each step.
        random_state : int, optional
            The seed of the draws.

        Returns
        -------
        dict of str to list
            By node its states: that at the start, and one after each step.
        """
        check_options("RuleNetwork.simulate", SIMULATION, {"n_steps": n_steps, "update": update})
        states = [self._coded(start)]
        rng = generator_of("RuleNetwork.simulate", random_state)
        for _ in range(n_steps):
            now = states[-1]
            drawn = None if update == "synchronous" else int(rng.integers(len(self.nodes)))
            states.append(self._follower(now, drawn))
        return {
            node: [self.rules[node].states[state[j]] for state in states] for j, node in enumerate(self.nodes)
        }

    def attractors(
        self, *, n_starts: int = 1000, random_state: int | None = 0, limit: int | None = None
    ) -> tuple[Attractor, ...]:
        """The states that the network settles in, all nodes changing at once.

        Up to 2²⁰ states are all looked at; of more, so many random ones are followed to where they lead, at
        most 10,000 steps: what has not settled by then is in no basin.

        Parameters
        ----------
        n_starts : int, default 1000
            From how many states to start where there are too many.
        random_state : int, optional
            The seed of those starts.
        limit : int, optional
            How many to give, those with the largest basins; all by default.

        Returns
        -------
        tuple of Attractor
            Those with the largest basins first.
        """
        n_states = math.prod(self._levels.tolist())
        if n_states <= MOST_STATES:
            cycles = all_cycles(self._all_followers(n_states), limit)
            return tuple(
                Attractor(tuple(self._labelled(self._state(code)) for code in cycle), share, is_exact=True)
                for cycle, share in cycles
            )
        rng = generator_of("RuleNetwork.attractors", random_state)
        seen: dict[bytes, bytes] = {}
        cycles_by_least: dict[bytes, tuple[Codes, ...]] = {}
        shares: dict[bytes, int] = {}
        for _ in range(n_starts):
            cycle = cycle_from(rng.integers(0, self._levels), self._follower, seen, cycles_by_least)
            if cycle is not None:
                shares[cycle] = shares.get(cycle, 0) + 1
        found = sorted(shares, key=lambda least: (-shares[least], least))[:limit]
        return tuple(
            Attractor(
                tuple(self._labelled(state) for state in cycles_by_least[least]),
                shares[least] / n_starts,
                is_exact=False,
            )
            for least in found
        )

    def state_graph(self) -> Graph:
        """Which state leads to which, as a graph to draw: each node is a state, in the order of `nodes`."""
        n_states = math.prod(self._levels.tolist())
        if n_states > MOST_IN_A_PICTURE:
            raise DataError(
                f"RuleNetwork.state_graph: there are {n_states:,} states, and a picture holds "
                f"{MOST_IN_A_PICTURE:,}. Look at attractors() instead."
            )
        apart = "" if all(len(str(s)) == 1 for rule in self.rules.values() for s in rule.states) else " "
        names = [apart.join(str(s) for s in self._labelled(self._state(c)).values()) for c in range(n_states)]
        edges = [
            Edge(names[a], names[b], "directed") for a, b in enumerate(self._all_followers(n_states).tolist())
        ]
        return Graph.from_edges(names, edges, kind="cyclic")

    def _follower(self, state: Codes, only: int | None = None) -> Codes:
        """The next state, of all nodes or of one."""
        then = state.copy()
        for j in range(len(self.nodes)) if only is None else [only]:
            then[j] = self._tables[j][self._pattern(j, state)]
        return then

    def _pattern(self, j: int, state: Sequence[Codes] | Codes) -> Codes:
        """The place of the inputs' states in the table of node j, of one state or of many."""
        place = np.zeros_like(state[0])
        for source in self._inputs[j]:
            place = place * self._levels[source] + state[source]
        return place

    def _all_followers(self, n_states: int) -> Codes:
        """The follower of each state, both as numbers whose first digit is the first node."""
        digits = list(self._digits(np.arange(n_states)))
        then = np.zeros(n_states, dtype=np.int64)
        for j, level in enumerate(self._levels.tolist()):
            then = then * level + self._tables[j][self._pattern(j, digits)]
        return then

    def _state(self, number: int) -> Codes:
        return np.array([int(digit) for digit in self._digits(np.array(number))], dtype=np.int64)

    def _digits(self, numbers: Codes) -> Iterator[Codes]:
        places = np.concatenate([np.cumprod(self._levels[::-1])[::-1], [1]])
        for high, low in pairwise(places.tolist()):
            yield numbers % high // low

    def _labelled(self, state: Codes) -> dict[str, Label]:
        return {node: self.rules[node].states[code] for node, code in zip(self.nodes, state, strict=True)}

    def _coded(self, start: Mapping[str, Label]) -> Codes:
        missing = [node for node in self.nodes if node not in start]
        if missing or len(start) > len(self.nodes):
            raise DataError(
                "RuleNetwork: a state has a value for each node and no others; the nodes are "
                f"{listed(self.nodes)}."
            )
        for node, rule in self.rules.items():
            if start[node] not in rule.states:
                raise DataError(
                    f"RuleNetwork: node {node!r} is never {start[node]!r}; its states are "
                    f"{listed(rule.states)}."
                )
        return np.array([rule.states.index(start[node]) for node, rule in self.rules.items()], dtype=np.int64)


def _codes_of(rule: Rule, inputs: Sequence[Rule]) -> Codes:
    """The table as codes, in the order of the patterns."""
    shape = [len(each.states) for each in inputs]
    patterns = (
        tuple(each.states[code] for each, code in zip(inputs, codes, strict=True))
        for codes in np.ndindex(*shape)
    )
    states = (rule.table.get(pattern) for pattern in patterns)
    return np.array([rule.states.index(rule.usual if s is None else s) for s in states], dtype=np.int64)
