"""The distributions that were fitted to the graph."""

from structlearn.report.markup import joined, table, tag
from structlearn.report.subject import Section, Subject
from structlearn.report.wording import counted, listed, number


def section(subject: Subject) -> Section | None:
    """Summarise the model, where one was fitted."""
    model = subject.model
    if model is None:
        return None
    said = f"Each node given its parents: {counted(model.n_parameters, 'parameter')} in all."
    learner = getattr(subject.learner, "learner", subject.learner)  # which resampling goes around
    # Rows in which nodes were set do not follow the network.
    if subject.dataset is not None and getattr(learner, "targets", None) is None:
        said += f" Log-likelihood of these rows: {number(model.log_likelihood(subject.dataset))}."
    rows = [
        (node, cpd.form, listed(cpd.parents) or "none", f"{cpd.n_parameters:,}")
        for node, cpd in model.cpds.items()
    ]
    listing = tag(
        "details", tag("summary", "Nodes"), table(("node", "distribution", "parents", "parameters"), rows)
    )
    return Section("model", "Model", joined([tag("p", said), listing]))
