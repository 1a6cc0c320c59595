"""Exact answers: which engine a question needs."""

import numpy as np

from structlearn.inference.answers import Answer, GaussianAnswer, MixtureAnswer, MostProbable
from structlearn.inference.elimination import (
    CELL_LIMIT,
    Problem,
    discrete_answer,
    log_evidence,
    most_probable,
)
from structlearn.inference.questions import Question


def exact_answer(
    question: Question, *, cell_limit: int = CELL_LIMIT
) -> Answer | GaussianAnswer | MixtureAnswer:
    """Tables by elimination; where continuous nodes matter, normal distributions and their mixtures."""
    if question.parts.is_tabular or is_discrete(question):
        return discrete_answer(question, cell_limit=cell_limit)
    from structlearn.inference.hybrid import hybrid_answer  # noqa: PLC0415, few questions need it

    return hybrid_answer(question)


def is_discrete(question: Question) -> bool:
    """Whether only nodes with tables bear on the answer and on the evidence."""
    if any(name not in question.parts.labels for name in (*question.names, *question.known)):
        return False
    problem = Problem.of(question)
    query = problem.columns(question.asked)
    used = problem.required(query) | problem.ancestral(query)
    return not np.any(question.parts.without_table & used[: len(question.parts.names)])


def exact_log_evidence(question: Question) -> float:
    """The logarithm of the probability (density) of the evidence."""
    if question.parts.is_tabular or is_discrete(question):
        return log_evidence(question)
    from structlearn.inference.hybrid import hybrid_log_evidence  # noqa: PLC0415, few questions need it

    return hybrid_log_evidence(question)


def exact_most_probable(question: Question) -> MostProbable:
    """The most probable joint state of the names."""
    if question.parts.is_tabular or is_discrete(question):
        return most_probable(question)
    from structlearn.inference.hybrid_maximum import hybrid_most_probable  # noqa: PLC0415, as above

    return hybrid_most_probable(question)
