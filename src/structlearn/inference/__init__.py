"""Questions to models: posteriors, most probable states, the probability of evidence, interventions."""

from structlearn.inference.answers import Answer, GaussianAnswer, MixtureAnswer, MostProbable
from structlearn.inference.approximate_answers import (
    GibbsAnswer,
    LoopyAnswer,
    SampleAnswer,
    WeightedAnswer,
)
from structlearn.inference.interventions import acted_upon
from structlearn.inference.queries import log_evidence, log_partition, most_probable, query

__all__ = [
    "Answer",
    "GaussianAnswer",
    "GibbsAnswer",
    "LoopyAnswer",
    "MixtureAnswer",
    "MostProbable",
    "SampleAnswer",
    "WeightedAnswer",
    "acted_upon",
    "log_evidence",
    "log_partition",
    "most_probable",
    "query",
]
