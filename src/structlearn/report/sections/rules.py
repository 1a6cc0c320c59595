"""The rules of a Boolean network: truth tables, and what the network settles in."""

from collections.abc import Mapping

from structlearn.learners.network.boolean.attractors import Attractor
from structlearn.learners.network.boolean.learner import RuleLearner
from structlearn.learners.network.boolean.rules import Rule
from structlearn.report.markup import Markup, joined, table, tag
from structlearn.report.subject import Section, Subject
from structlearn.report.wording import counted, number

SHOWN_RULES = 60
SHOWN_ATTRACTORS = 12
SHOWN_STATES = 16  # of one cycle


def section(subject: Subject) -> Section | None:
    """Show the truth table of each node, and the attractors of all together."""
    learner = subject.learner
    if not isinstance(learner, RuleLearner):
        return None
    return Section("rules", "Rules", joined([*_rules(learner), *_attractors(learner)]))


def _rules(learner: RuleLearner) -> list[Markup]:
    nodes = learner.graph_.nodes
    several = [node for node in nodes if len(learner.solutions_[node]) > 1]
    said = f"{counted(len(nodes), 'node')}, from {counted(len(learner.pairs_), 'pair')} of states."
    if several:
        said += f" {counted(len(several), 'node')} could follow other inputs as well; the first set is shown."
    rows = [_row(learner, node) for node in nodes[:SHOWN_RULES]]
    columns = ("node", "inputs", "truth table", "errors", "bits told", "solutions")
    return [tag("p", said), table(columns, rows)]


def _row(learner: RuleLearner, node: str) -> tuple[str, str, str, str, str, str]:
    rule, n_solutions = learner.rules_[node], len(learner.solutions_[node])
    return (
        node,
        ", ".join(rule.inputs) or "nothing",
        _truth_table(rule),
        f"{rule.errors:,}",
        number(rule.information),
        f"{n_solutions:,}" if n_solutions else "none: the closest",
    )


def _truth_table(rule: Rule) -> str:
    """Patterns and states in one line; a question mark where a pattern was never seen."""
    return "; ".join(
        f"{' '.join(str(label) for label in pattern) or 'always'} → {'?' if state is None else state}"
        for pattern, state in rule.table.items()
    )


def _attractors(learner: RuleLearner) -> list[Markup]:
    network = learner.network()
    found = network.attractors(limit=SHOWN_ATTRACTORS, n_starts=200)
    basins = "all states" if all(each.is_exact for each in found) else "200 random states"
    said = (
        f"What the network settles in, all nodes changing at once; the basin is the share of {basins} that "
        f"lead there. States are written in the order {', '.join(network.nodes[:SHOWN_RULES])}."
    )
    rows = [(_kind(each), number(each.basin), _states(each)) for each in found]
    return [tag("p", said), table(("attractor", "basin", "states"), rows)]


def _kind(attractor: Attractor) -> str:
    return "fixed point" if attractor.is_fixed_point else f"cycle of {len(attractor.states)}"


def _states(attractor: Attractor) -> str:
    shown = " → ".join(_written(state) for state in attractor.states[:SHOWN_STATES])
    return shown + (" → …" if len(attractor.states) > SHOWN_STATES else "")


def _written(state: Mapping[str, object]) -> str:
    words = [str(value) for value in state.values()]
    return ("" if all(len(word) == 1 for word in words) else " ").join(words)
