"""From sets of inputs to what is published: the graph, evidence, rules and what is not certain."""

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from structlearn.data import Knowledge
from structlearn.graphs import Edge, Graph
from structlearn.learners.network.boolean.methods import Explanation
from structlearn.learners.network.boolean.options import RuleOptions
from structlearn.learners.network.boolean.pairs import Inconsistency, Pairs
from structlearn.learners.network.boolean.reading import Reading
from structlearn.learners.network.boolean.rules import counted_rule, joint_entropy, labelled_rule
from structlearn.learners.network.boolean.search import MUST, NEVER
from structlearn.naming import listed
from structlearn.outcome import EdgeEvidence, Outcome, Pair
from structlearn.run import Run


def allowed_inputs(pairs: Pairs, knowledge: Knowledge, *, self_inputs: bool) -> NDArray[np.int8]:
    """Who may and must act on whom: what never changes says nothing, and knowledge decides."""
    names = pairs.names
    knowledge.check(names)
    may = np.zeros((len(names), len(names)), dtype=np.int8)
    may[(pairs.before == pairs.before[0]).all(axis=0)] = NEVER
    if not self_inputs:
        np.fill_diagonal(may, NEVER)
    required, forbidden = knowledge.matrices(names)
    may[forbidden] = NEVER
    may[required] = MUST
    return may


def outcome_of(reading: Reading, found: Sequence[Explanation], options: RuleOptions, run: Run) -> Outcome:
    """The cyclic graph of all solutions, with the rules of the first ones."""
    pairs, names = reading.pairs, reading.pairs.names
    rules = [
        counted_rule(pairs, target, each.closest, options.functions) for target, each in enumerate(found)
    ]
    evidence = {
        pair: known
        for target, each in enumerate(found)
        for pair, known in _evidence(pairs, target, each).items()
    }
    edges = [Edge(source, target, "directed") for source, target in evidence]
    inconsistencies = pairs.inconsistencies()
    _say_what_is_open(names, found, inconsistencies, options, run)
    return Outcome(
        graph=Graph.from_edges(names, edges, kind="cyclic"),
        status=run.status,
        evidence=evidence,
        by_node={
            "thresholds": reading.thresholds,
            "entropy": np.array([joint_entropy(rule.counts.sum(axis=0)) for rule in rules]),
            "errors": np.array([rule.n_errors for rule in rules]),
            "is_unique": np.array([len(each.solutions) == 1 for each in found]),
            "margin": np.array([each.margin for each in found]),
        },
        extra={
            "pairs": pairs,
            "rules": {name: labelled_rule(pairs, rule) for name, rule in zip(names, rules, strict=True)},
            "solutions": {
                name: tuple(tuple(names[j] for j in inputs) for inputs in each.solutions)
                for name, each in zip(names, found, strict=True)
            },
            "runner_ups": {
                name: tuple(names[j] for j in each.runner_up)
                for name, each in zip(names, found, strict=True)
                if each.runner_up is not None
            },
            "inconsistencies": inconsistencies,
        },
    )


def _evidence(pairs: Pairs, target: int, found: Explanation) -> Mapping[Pair, EdgeEvidence]:
    """What each input tells that the others of the first solution with it do not, and in how many it is."""
    evidence = {}
    for source in sorted({j for inputs in found.solutions for j in inputs}):
        with_it = [inputs for inputs in found.solutions if source in inputs]
        others = [j for j in with_it[0] if j != source]
        whole, less = (counted_rule(pairs, target, inputs) for inputs in (with_it[0], others))
        evidence[pairs.names[source], pairs.names[target]] = EdgeEvidence(
            max(less.open_information - whole.open_information, 0.0),
            confidence=len(with_it) / len(found.solutions),
        )
    return evidence


def _say_what_is_open(
    names: Sequence[str],
    found: Sequence[Explanation],
    inconsistencies: Sequence[Inconsistency],
    options: RuleOptions,
    run: Run,
) -> None:
    if inconsistencies and options.method != "best-fit":
        nodes = sorted({node for each in inconsistencies for node in each.nodes})
        states = "1 state is" if len(inconsistencies) == 1 else f"{len(inconsistencies)} states are"
        run.warn(
            f"the data are inconsistent: {states} followed by different states of {listed(nodes)}, which no "
            "rule explains. Use method='best-fit', which allows for noise."
        )
    several = [name for name, each in zip(names, found, strict=True) if len(each.solutions) > 1]
    if several:
        run.note(f"Several sets of inputs explain {listed(several)} equally well; see solutions_.")
    nothing = [name for name, each in zip(names, found, strict=True) if not each.solutions]
    if nothing:
        run.note(f"No set of up to {options.max_inputs} inputs explains {listed(nothing)}.")
