"""What is proven of a graph: its score, what none scores more than, and how far apart they are."""

import math

from structlearn.report.markup import joined, table, tag
from structlearn.report.subject import Section, Subject
from structlearn.report.wording import number

CHECKED = "Others can check this from the table: learner.certificate().save(FILE), then structlearn check."


def section(subject: Subject) -> Section | None:
    """State the proof of an exact search, or of one that an exact solver ended."""
    learner = subject.learner
    proof, bound = getattr(learner, "proof_", None), getattr(learner, "bound_", math.inf)
    if proof is None:
        return None
    rows = [("score of the graph", number(learner.score_))]
    if math.isfinite(bound):
        gap = max(bound - learner.score_, 0.0)
        rows += [("no DAG scores more than", number(bound)), ("gap", number(gap))]
    parts = [tag("p", proof), table(("", "value"), rows), tag("p", CHECKED)]
    return Section("proof", "Proof", joined(parts))
