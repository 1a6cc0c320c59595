"""Rules: the inputs of a node and the state that follows each of their patterns."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from structlearn.data import Label
from structlearn.learners.network.boolean.functions import Functions, Tables, functions_of
from structlearn.learners.network.boolean.pairs import Codes, Pairs


@dataclass(frozen=True)
class Rule:
    """How a node follows from its inputs.

    `states` are those that the node may be in. `table` has the state that follows each pattern of the inputs,
    None for patterns that were never seen; `usual` is the commonest state of the node, which stands in for
    them in a simulation. `essential`
    are the inputs that two seen patterns prove to matter. `errors` counts the pairs that the
    table gets wrong, and `information` is what the inputs tell of the node, in bits.
    """

    node: str
    inputs: tuple[str, ...]
    states: tuple[Label, ...]
    table: Mapping[tuple[Label, ...], Label | None]
    usual: Label
    essential: tuple[str, ...]
    errors: int
    information: float

    def __str__(self) -> str:
        """The truth table, one line for each pattern."""
        head = f"{self.node} follows {', '.join(self.inputs)}" if self.inputs else f"{self.node} is"
        lines = [
            f"  {' '.join(str(label) for label in pattern)} → {'?' if state is None else state}"
            for pattern, state in self.table.items()
        ]
        return "\n".join([head, *lines])


@dataclass(frozen=True)
class CountedRule:
    """A rule in codes: how often each state of the target follows each pattern of the inputs."""

    target: int
    inputs: tuple[int, ...]
    counts: Codes
    allowed: Tables | None = None  # the functions that it may be, one in each row; None where it may be any

    @property
    def states(self) -> Codes:
        """The state after each pattern; the commonest of all where it was not seen. The first of equals."""
        if self.allowed is not None:
            is_right = np.where(self.allowed[:, :, None], [False, True], [True, False])
            n_states = self.counts.shape[1]
            best = (is_right[:, :, :n_states] * self.counts).sum(axis=(1, 2)).argmax()
            return np.asarray(self.allowed[best], dtype=np.int64)
        usual = self.counts.sum(axis=0).argmax()
        states: Codes = np.where(self.is_seen, self.counts.argmax(axis=1), usual)
        return states

    @property
    def is_seen(self) -> NDArray[np.bool_]:
        """Which patterns some pair has."""
        seen: NDArray[np.bool_] = self.counts.sum(axis=1) > 0
        return seen

    @property
    def n_errors(self) -> int:
        """The pairs that the table gets wrong."""
        right = self.counts[self.is_seen, self.states[self.is_seen]]
        return int(self.counts.sum() - right.sum())

    @property
    def open_information(self) -> float:
        """H(target | inputs), in bits."""
        return joint_entropy(self.counts) - joint_entropy(self.counts.sum(axis=1))

    @property
    def information(self) -> float:
        """M(target; inputs), in bits."""
        return max(joint_entropy(self.counts.sum(axis=0)) - self.open_information, 0.0)


def counted_rule(
    pairs: Pairs, target: int, inputs: Sequence[int], functions: Functions = "any"
) -> CountedRule:
    """Count what follows what."""
    levels = pairs.levels
    shape = tuple(levels[list(inputs)].tolist())
    pattern = np.zeros(len(pairs), dtype=np.int64)
    for j in inputs:
        pattern = pattern * levels[j] + pairs.before[:, j]
    counts = np.zeros((math.prod(shape), levels[target]), dtype=np.int64)
    np.add.at(counts, (pattern, pairs.after[:, target]), 1)
    allowed = None if functions == "any" else functions_of(functions, shape.count(2))
    return CountedRule(target, tuple(int(j) for j in inputs), counts, allowed)


def joint_entropy(counts: Codes) -> float:
    """In bits, of the shares of these counts."""
    seen = counts[counts > 0].astype(np.float64)
    return max(float(np.log2(seen.sum()) - (seen * np.log2(seen)).sum() / seen.sum()), 0.0)


def labelled_rule(pairs: Pairs, rule: CountedRule) -> Rule:
    """A rule in the words of the table."""
    labels, shape = pairs.labels, [len(pairs.labels[j]) for j in rule.inputs]
    outputs = labels[rule.target]
    patterns = [
        tuple(labels[j][code] for j, code in zip(rule.inputs, codes, strict=True))
        for codes in np.ndindex(*shape)
    ]
    return Rule(
        node=pairs.names[rule.target],
        inputs=tuple(pairs.names[j] for j in rule.inputs),
        states=outputs,
        table={
            pattern: outputs[state] if seen else None
            for pattern, state, seen in zip(patterns, rule.states.tolist(), rule.is_seen, strict=True)
        },
        usual=outputs[int(rule.counts.sum(axis=0).argmax())],
        essential=tuple(pairs.names[j] for axis, j in enumerate(rule.inputs) if _matters(rule, shape, axis)),
        errors=rule.n_errors,
        information=rule.information,
    )


def _matters(rule: CountedRule, shape: list[int], axis: int) -> bool:
    """Whether two seen patterns that differ in this input only have different states."""
    states = np.moveaxis(rule.states.reshape(shape), axis, 0)
    is_seen = np.moveaxis(rule.is_seen.reshape(shape), axis, 0)
    least = np.where(is_seen, states, states.max() + 1).min(axis=0)
    most = np.where(is_seen, states, -1).max(axis=0)
    return bool((most > least).any())
