"""Greedy search in stages: longer chains are looked at when shorter ones have nothing more to give."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import chain
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from structlearn.data import Knowledge
from structlearn.data.relational import (
    Aggregate,
    CodedFeature,
    Database,
    Feature,
    Schema,
    features_of,
)
from structlearn.data.relational.acyclicity import Arrow, arrow_of, is_safe
from structlearn.data.relational.chains import chains_from
from structlearn.data.relational.features import features_along
from structlearn.errors import OptionError
from structlearn.learners.network.relational.target import Move, Target
from structlearn.naming import listed
from structlearn.rounding import ENOUGH
from structlearn.run import Run
from structlearn.scores import Score
from structlearn.statistics.relational import ClassView, TargetStatistics

Structure = dict[str, tuple[Feature, ...]]


@dataclass(frozen=True)
class Plan:
    """What a search may do."""

    score: Callable[[TargetStatistics], Score]
    aggregates: tuple[Aggregate, ...]
    max_chain: int
    extend: Literal["all", "used"]
    max_parents: int | None
    pairs: bool
    acyclic: frozenset[str]
    bins: int


class Search:
    """Finds parents for every attribute of a database."""

    def __init__(
        self, database: Database, schema: Schema, plan: Plan, knowledge: Knowledge, run: Run
    ) -> None:
        self._database, self._schema, self._plan = database, schema, plan
        self._knowledge, self._run = knowledge, run
        self._views: list[ClassView] = []
        self._coded: dict[Feature, CodedFeature] = {}
        self._steps: list[tuple[int, int, float]] = []
        self.targets: dict[str, Target] = {}
        self.structure: Structure = dict.fromkeys(schema.nodes, ())

    def climb(self) -> None:
        """Go through all stages; then `structure` has the parents that were found."""
        # Before all else: what a stage finds could close a cycle with a required arrow along a longer chain.
        self._add_required()
        for length in range(self._plan.max_chain + 1):
            self._open(partial(self._features, length=length))
            self._note(length, 0)
            self._climb_stage(length)
            if self._run.must_stop():
                return

    def score(self) -> float:
        """The score of the structure."""
        return sum(target.score(self.columns(node)) for node, target in self.targets.items())

    def columns(self, node: str) -> tuple[int, ...]:
        """The parents of a node as columns of its target."""
        return self.targets[node].columns(self.structure[node])

    def trace(self) -> dict[str, NDArray[Any]]:
        """The score after each move, with the chain length of its stage."""
        length, moves, score = zip(*self._steps, strict=True)
        return {"chain_length": np.array(length), "move": np.array(moves), "score": np.array(score)}

    def close(self) -> None:
        """Forget what the database keeps for the search."""
        for view in self._views:
            view.close()
        self._views = []

    def _open(self, features: Callable[[str], list[Feature]]) -> None:
        """Make views with some features of each class, and the targets that count on them."""
        views = [
            ClassView(
                self._database,
                features(entity.name),
                n_intervals=self._plan.bins,
                known=self._coded,
            )
            for entity in self._schema.classes
            if entity.attributes
        ]
        self.close()
        self._views = views
        self._coded |= {coded.feature: coded for view in views for coded in view.coded}
        self.targets = {target.node: target for view in views for target in self._targets_of(view)}

    def _targets_of(self, view: ClassView) -> list[Target]:
        own = [i for i, coded in enumerate(view.coded) if not coded.feature.chain]
        return [
            Target(view, column, self._plan.score, self._allowed(node), self._required(node))
            for column in own
            for node in [str(view.coded[column].feature.source)]
        ]

    def _features(self, base: str, length: int) -> list[Feature]:
        """The attributes of a class, and what its objects see along the chains of a stage."""
        own, used = self._own(base), self._used(base)
        before = {feature.chain for feature in used}
        found: list[Feature] = []
        for way in chains_from(self._schema, base, length)[1:]:
            is_new = len(way) == length and (way[:-1] in before or length == 1)
            if self._plan.extend == "all" or is_new or way in before:
                found += features_along(self._schema, base, way, self._plan.aggregates)
        return [*own, *found, *(feature for feature in used if len(feature.chain) > length)]

    def _own(self, base: str) -> list[Feature]:
        return [Feature(base, (), attribute) for attribute in self._schema.entity(base).attributes]

    def _used(self, base: str) -> list[Feature]:
        used = [f for each in self._own(base) for f in self.structure[str(each.source)]]
        return list(dict.fromkeys(used))

    def _allowed(self, node: str) -> Callable[[Feature], bool]:
        def is_allowed(feature: Feature) -> bool:
            arrow = arrow_of(node, feature, self._plan.acyclic)
            return arrow is None or (is_safe([arrow]) and not self._knowledge.forbids(arrow.source, node))

        return is_allowed

    def _required(self, node: str) -> set[str]:
        """The parents that a node must keep."""
        return {source for source, target in self._knowledge.required if target == node}

    def _add_required(self) -> None:
        """Give each required arrow the shortest chain that it can have, and of those the best."""
        lacking = sorted(self._knowledge.required)
        for length in range(self._plan.max_chain + 1):
            if lacking:
                self._open(partial(self._ways_of, arrows=lacking, length=length))
                lacking = [arrow for arrow in lacking if not self._is_added(*arrow)]
        if lacking:
            raise OptionError(self._why_not(*lacking[0]))

    def _ways_of(self, base: str, arrows: Sequence[tuple[str, str]], length: int) -> list[Feature]:
        """The attributes of a class, what they depend on by now, and what may make the arrows to them."""
        own = self._own(base)
        sources = {source for source, node in arrows if any(each.source == node for each in own)}
        found = [
            feature
            for way in chains_from(self._schema, base, length)[1:]
            if sources and len(way) == length
            for feature in features_along(self._schema, base, way, self._plan.aggregates)
            if feature.source in sources
        ]
        return list(dict.fromkeys([*own, *self._used(base), *found]))

    def _is_added(self, source: str, node: str) -> bool:
        target = self.targets[node]
        ways = [column for column in target.candidates if target.feature(column).source == source]
        best = self._best(target.additions(self.columns(node), 0.0, ways))
        if best is not None:
            self._take(best)
        return best is not None

    def _why_not(self, source: str, node: str) -> str:
        required = f"RelationalModel(knowledge=…): {source} → {node} is required, but"
        if len(self._schema.attribute(source).labels) < 2:
            return f"{required} {source!r} has a single state, on which nothing can depend. Drop the arrow."
        base, n = self._schema.attribute(node).owner, self._plan.max_chain
        ways = features_of(self._schema, base, max_length=n, aggregates=self._plan.aggregates)
        if any(feature.source == source for feature in ways):
            return f"{required} all objects see the same, or tables with it are too large. Drop the arrow."
        return (
            f"{required} no {base!r} sees {source!r} along at most {n} references with the aggregates "
            f"{listed(self._plan.aggregates)}. Raise max_chain=, add aggregates=, or drop the arrow."
        )

    def _climb_stage(self, length: int) -> None:
        moves = {node: self._moves_of(node) for node in self.targets}
        n_moves = 0
        while not self._run.must_stop():
            best = self._best([*chain(*moves.values()), *self._turns()]) or self._best_pair()
            if best is None:
                return
            self._take(best)
            n_moves += 1
            self._note(length, n_moves)
            moves |= {node: self._moves_of(node) for node in best.parents}

    def _moves_of(self, node: str) -> Sequence[Move]:
        if self._run.must_stop():
            return []
        return self.targets[node].moves(self.columns(node), self._plan.max_parents)

    def _turns(self) -> list[Move]:
        """Every arrow that is better turned round; what this asks for has been counted for other moves."""
        if self._run.must_stop():
            return []
        now = {node: (target, self.columns(node)) for node, target in self.targets.items()}
        found = [move for target, parents in now.values() for move in target.turns(parents, now)]
        most = self._plan.max_parents
        return [
            move
            for move in found
            if move.gain > ENOUGH and (most is None or max(map(len, move.parents.values())) <= most)
        ]

    def _best(self, moves: Sequence[Move]) -> Move | None:
        """The best move that no cycle forbids; of equal ones the first."""
        every = sorted(moves, key=lambda move: -move.gain)
        return next((move for move in every if self._is_safe(move)), None)

    def _best_pair(self) -> Move | None:
        if not self._plan.pairs:
            return None
        every = [
            move
            for node, target in self.targets.items()
            if not self._run.must_stop()
            for move in target.pair_moves(self.columns(node), self._plan.max_parents)
        ]
        return self._best(every)

    def _take(self, move: Move) -> None:
        self.structure |= self._features_of(move)

    def _is_safe(self, move: Move) -> bool:
        return is_safe(self._arrows(self.structure | self._features_of(move)))

    def _features_of(self, move: Move) -> Structure:
        return {
            node: tuple(self.targets[node].feature(column) for column in columns)
            for node, columns in move.parents.items()
        }

    def _arrows(self, structure: Structure) -> list[Arrow]:
        made = [
            arrow_of(node, f, self._plan.acyclic) for node, features in structure.items() for f in features
        ]
        return [arrow for arrow in made if arrow is not None]

    def _note(self, length: int, n_moves: int) -> None:
        self._steps.append((length, n_moves, self.score()))
        self._run.show(f"chains of length {length}, {n_moves} moves")
