"""The local distributions of a dependency network: what predicts each column, and how well they agree."""

from structlearn.learners.network.dependency.learner import DependencyLearner
from structlearn.models import DependencyModel
from structlearn.report.markup import joined, table, tag
from structlearn.report.subject import Section, Subject
from structlearn.report.wording import counted, number

SHOWN_PARENTS = 6


def section(subject: Subject) -> Section | None:
    """Show what each column is predicted from, strongest first."""
    learner = subject.learner
    if not isinstance(learner, DependencyLearner):
        return None
    model = learner.model_
    said = (
        f"Each column given those that predict it: {counted(model.n_parameters, 'parameter')} in all. Arrows "
        f"say what helps to predict, not what causes. {_agreement(model)}"
    )
    rows = [
        (node, cpd.form, _parents(learner, node) or "none", f"{cpd.n_parameters:,}")
        for node, cpd in model.cpds.items()
    ]
    head = ("column", "distribution", "predicted from (nats)", "parameters")
    return Section("dependencies", "Local distributions", joined([tag("p", said), table(head, rows)]))


def _parents(learner: DependencyLearner, node: str) -> str:
    gains = {edge.source: edge.weight or 0.0 for edge in learner.graph_.edges if edge.target == node}
    ranked = sorted(gains, key=lambda parent: -gains[parent])
    shown = ", ".join(f"{parent} ({number(gains[parent])})" for parent in ranked[:SHOWN_PARENTS])
    more = len(ranked) - SHOWN_PARENTS
    return f"{shown} and {more} more" if more > 0 else shown


def _agreement(model: DependencyModel) -> str:
    """How far they are from one joint distribution, where that takes no sampling."""
    from structlearn.inference.stationary import MOST_STATES, n_joint_states  # noqa: PLC0415, needs packages

    if n_joint_states(model, model.nodes) > MOST_STATES:
        return "They were learnt apart and need not agree on one joint distribution."
    found = model.consistency("exact")
    return (
        f"They were learnt apart: {number(found.total)} nats lie between them and one joint distribution, "
        f"most of it at {found.worst}."
    )
