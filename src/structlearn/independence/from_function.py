"""Any function of names as a test."""

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from structlearn.independence.checked import no_p_value
from structlearn.independence.protocol import Answers, Questions
from structlearn.statistics import Statistics

PairwiseTest = Callable[[str, str, tuple[str, ...]], float]


@dataclass(frozen=True)
class FunctionTest:
    """A test that asks a function about one question at a time; see `from_function`."""

    function: PairwiseTest

    def many(self, statistics: Statistics, questions: Questions) -> Answers:
        """Answer many questions with the same number of conditions."""
        p_value = np.array([self._ask(statistics.names, question) for question in questions.tolist()])
        nothing = np.full(len(questions), math.nan)
        return Answers(nothing, nothing, p_value)

    def _ask(self, names: tuple[str, ...], question: list[int]) -> float:
        x, y, *given = (names[j] for j in question)
        answer = self.function(x, y, tuple(given))
        try:
            p_value = float(answer)
        except (TypeError, ValueError):
            p_value = math.nan
        if 0.0 <= p_value <= 1.0:
            return p_value
        raise no_p_value(self.function, x, y, given, answer)


def from_function(function: PairwiseTest) -> FunctionTest:
    """Make a test of a function of two names and a tuple of names that returns a p-value.

    Wherever a learner takes `test`, it takes such a function too, and calls this. For speed, write
    a class with the method `many` of `IndependenceTest` instead: it gets many questions at once.

    Examples
    --------
    >>> import structlearn as sl
    >>> truth = sl.Graph("abc", directed=[("a", "b"), ("b", "c")])
    >>> def knows_the_truth(x, y, given):
    ...     return float(truth.d_separated(x, y, given=given))
    >>> data = {"a": [0, 1, 1, 0], "b": [0, 0, 1, 0], "c": [1, 0, 1, 0]}
    >>> print(sl.PC(test=from_function(knows_the_truth)).fit(data).graph_)
    Graph with 3 nodes and 2 edges
      a — b
      b — c
    """
    return FunctionTest(function)
