"""The doors of inference: what the methods of the models call."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from structlearn.inference import elimination
from structlearn.inference.answers import Answer, GaussianAnswer, MixtureAnswer, MostProbable
from structlearn.inference.exact import exact_answer, exact_log_evidence, exact_most_probable
from structlearn.inference.methods import chosen
from structlearn.inference.questions import read_question


def query(
    model: Any,
    names: str | Sequence[str],
    evidence: Mapping[str, Any] | None = None,
    *,
    do: Mapping[str, Any] | None = None,
    method: str = "exact",
    **options: Any,
) -> Answer | GaussianAnswer | MixtureAnswer:
    """Give the distribution of some nodes given what is known of others.

    Parameters
    ----------
    model : BayesianNetwork, MarkovNetwork or IsingModel
        Or anything with `labels` and `factors()`.
    names : str or sequence of str
        The nodes asked for. None at all gives an answer that has `log_evidence` only.
    evidence : mapping of str to state, optional
        The state of each node that was observed; for a continuous node a number. Or, for a discrete
        node, how likely the observation is in each state: {label: likelihood}, or a list of them.
    do : mapping of str to state, optional
        Nodes that are set from outside: what causes them no longer does.
    method : str, default "exact"
        How to find the answer; see the guide.
    **options
        Those of the method. "exact" has `cell_limit`, the cells of the largest table (default 2^27).
    """
    question = read_question(model, names, evidence, do)
    if method == "exact" and not options:
        return exact_answer(question)
    answer: Answer | GaussianAnswer | MixtureAnswer = chosen(method, options)(question, **options)
    return answer


def most_probable(
    model: Any,
    names: str | Sequence[str] | None = None,
    evidence: Mapping[str, Any] | None = None,
    *,
    do: Mapping[str, Any] | None = None,
) -> MostProbable:
    """Give the most probable joint state of some nodes, or of all that are not known.

    Where names are given, all others are summed out first (marginal MAP); without names it is the most
    probable explanation of the evidence. Ties are broken alike every time. The state of a continuous node is
    the number with the largest density, together with those of the other names.
    """
    question = read_question(model, () if names is None else names, evidence, do)
    if names is None:
        unknown = tuple(name for name in question.parts.names if name not in question.known)
        question = replace(question, names=unknown)
    return exact_most_probable(question)


def log_evidence(model: Any, evidence: Mapping[str, Any], *, do: Mapping[str, Any] | None = None) -> float:
    """Give the natural logarithm of the probability (density) of some states; -inf if they are impossible."""
    return exact_log_evidence(read_question(model, (), evidence, do))


def log_partition(model: Any, *, cell_limit: int = elimination.CELL_LIMIT) -> float:
    """Give the natural logarithm of the sum of an undirected model's factors over all states."""
    question = read_question(model, ())
    scaled = elimination.log_partition(question, cell_limit=cell_limit)
    return scaled + question.parts.factors.log_scale
