"""Questions to models: posteriors, most probable states, the probability of evidence, interventions."""

from structlearn.inference.answers import Answer, GaussianAnswer, MixtureAnswer, MostProbable
from structlearn.inference.approximate_answers import (
    GibbsAnswer,
    LoopyAnswer,
    PseudoGibbsAnswer,
    SampleAnswer,
    WeightedAnswer,
)
from structlearn.inference.consistency import Consistency, consistency_of
from structlearn.inference.dependency_queries import query_dependencies
from structlearn.inference.interventions import acted_upon
from structlearn.inference.predictions import imputed, predicted, predicted_shares
from structlearn.inference.pseudo_gibbs import drawn_rows
from structlearn.inference.queries import log_evidence, log_partition, most_probable, query
from structlearn.inference.recommendations import Recommendation, recommended

__all__ = [
    "Answer",
    "Consistency",
    "GaussianAnswer",
    "GibbsAnswer",
    "LoopyAnswer",
    "MixtureAnswer",
    "MostProbable",
    "PseudoGibbsAnswer",
    "Recommendation",
    "SampleAnswer",
    "WeightedAnswer",
    "acted_upon",
    "consistency_of",
    "drawn_rows",
    "imputed",
    "log_evidence",
    "log_partition",
    "most_probable",
    "predicted",
    "predicted_shares",
    "query",
    "query_dependencies",
    "recommended",
]
