"""Simulated annealing."""

from collections.abc import Iterator
from typing import ClassVar

import numpy as np

from structlearn.learners.dag_search import DAGSearch
from structlearn.learners.option_groups import Counted, Limited, Narrowed, Scored, Seeded, Started
from structlearn.learners.score.annealing.chain import Chain
from structlearn.options import Above, Between, Either, Flag, OneOf, OrNone, Whole, option
from structlearn.outcome import Outcome
from structlearn.rounding import ENOUGH, is_better
from structlearn.search.climbing import climb
from structlearn.search.dag_state import DAGState, Move
from structlearn.search.move_trace import MoveTrace
from structlearn.search.space import Space
from structlearn.search.starts import start_from


class SimulatedAnnealing(Scored, Narrowed, Started, Limited, Counted, Seeded, DAGSearch):
    """Change arcs at random, with ever less patience for changes that lower the score."""

    temperature: float | str = option(
        Either((Above(0), OneOf(("auto",)))),
        'The temperature at the start, in units of the score. "auto" takes three times the median of what '
        "single arcs do to the score of the start.",
        default=100.0,
    )
    proposals: int | None = option(
        OrNone(Whole(1), "50 per node"), "The most proposals at one temperature.", default=None
    )
    changes: int | None = option(
        OrNone(Whole(1), "10 per node"), "The most accepted changes at one temperature.", default=None
    )
    cooling: float = option(Between(0, 1), "By what the temperature is multiplied.", default=0.9)
    coolings: int = option(Whole(0), "How often the temperature is lowered.", default=120)
    polish: bool = option(
        Flag(),
        "Whether to climb from the best graph visited, and drop arcs that bring nothing.",
        default=True,
    )
    chains: int = option(Whole(1), "How many independent runs the best graph is taken from.", default=1)
    random_state = 0

    def _search(self, space: Space) -> Outcome:
        trace = MoveTrace(space, temperature=0.0, proposal=0, chain=0)
        start = best = start_from(space, self.initial)
        for chain in range(self.chains):
            if space.run.must_stop():
                break
            trace.at["chain"] = chain
            found = self._anneal(start.copy(), trace)
            best = found if is_better(found.score, best.score) else best
        return space.outcome(best.parents(), trace.columns())

    def _anneal(self, state: DAGState, trace: MoveTrace) -> DAGState:
        """One chain: the best graph it visits, polished."""
        best = state.copy()
        run, chain = state.space.run, Chain(state)
        temperature = self._first_temperature(state)
        for level in range(self.coolings + 1):
            n_changes = 0
            for move in self._changes(chain, temperature):
                n_changes += 1
                state.apply(move)
                trace.at |= {"temperature": temperature, "proposal": chain.n_proposals}
                trace.add(move, state.score)
                if is_better(state.score, best.score):
                    best = state.copy()
            run.show(f"score {best.score:.1f} at temperature {temperature:.3g}", level, self.coolings)
            if n_changes == 0 or run.must_stop():
                break
            temperature *= self.cooling
        if self.polish:
            trace.at |= {"temperature": 0.0, "proposal": chain.n_proposals}
            climb(best, trace.add)
        return best

    def _changes(self, chain: Chain, temperature: float) -> Iterator[Move]:
        """The accepted changes at one temperature; each must be made before the next is asked for."""
        n_nodes, run = len(chain.state.arcs), chain.state.space.run
        n_changes_left = 10 * n_nodes if self.changes is None else self.changes
        last = chain.n_proposals + (50 * n_nodes if self.proposals is None else self.proposals)
        while n_nodes > 1 and n_changes_left > 0 and chain.n_proposals < last and not run.must_stop():
            move = chain.next_change(temperature, last - chain.n_proposals)
            if move is not None:
                n_changes_left -= 1
                yield move

    def _first_temperature(self, state: DAGState) -> float:
        if not isinstance(self.temperature, str):
            return float(self.temperature)
        effects = np.abs(state.gains[~np.eye(len(state.gains), dtype=np.bool_)])
        effects = effects[np.isfinite(effects) & (effects > ENOUGH)]
        return 3.0 * float(np.median(effects)) if len(effects) else 1.0

    details: ClassVar[str] = """
    Attributes
    ----------
    trace_ : dict of arrays
        Each accepted change: "move", "source", "target", "gain", "score", "temperature" (0 in
        the climb at the end), "proposal" (how many there were in this chain, this one
        included) and "chain".

    Notes
    -----
    A proposal takes two nodes and turns what is between them, no arc or one of the two, into one
    of the other two. It is accepted if the score gains, else with probability exp(gain /
    temperature) [1]_. The run ends early at a temperature that accepts nothing.

    Proposals are symmetric: with ``cooling=1`` the graphs visited follow, in the long run, a
    distribution proportional to exp(score / temperature).

    References
    ----------
    .. [1] Heckerman, Geiger and Chickering (1995), Learning Bayesian networks: the combination
       of knowledge and statistical data, Machine Learning 20.

    Examples
    --------
    >>> import structlearn as sl
    >>> data = sl.example("cancer").sample(20_000, random_state=0)
    >>> print(sl.SimulatedAnnealing().fit(data).graph_.skeleton())
    Graph with 5 nodes and 4 edges
      Pollution — Cancer
      Smoker — Cancer
      Cancer — Xray
      Cancer — Dyspnoea
    """
