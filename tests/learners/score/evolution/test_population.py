"""Of a population the best survive."""

import math

import numpy as np

from structlearn.learners.score.evolution.population import Individual, fittest


def test_the_fittest_are_the_best_distinct_possible_ones():
    graphs = [np.eye(3, k=k, dtype=bool) for k in (-2, -1, 1, 2)]
    scores = [-5.0, -math.inf, -3.0, -4.0]
    individuals = [Individual(arcs, score) for arcs, score in zip(graphs, scores, strict=True)]

    assert [one.score for one in fittest([*individuals, *individuals], 10)] == [-3.0, -4.0, -5.0]
    assert [one.score for one in fittest(individuals, 2)] == [-3.0, -4.0]
