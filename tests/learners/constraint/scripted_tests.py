"""Tests of independence that say what they are told, and remember what they were asked."""

import numpy as np

from structlearn.independence.asking import Asker
from structlearn.independence.protocol import Answers
from tests.oracles import graphs as oracle


class Scripted:
    """Answers with the p-values given for (x, y, conditions), and with another one for all the rest."""

    def __init__(self, p_values, otherwise=0.0):
        self._p_values = {(frozenset((x, y)), frozenset(given)): p for (x, y, *given), p in p_values.items()}
        self._otherwise = otherwise
        self.asked = []

    def many(self, _, questions):
        self.asked += [tuple(question) for question in questions.tolist()]
        p_value = np.array(
            [
                self._p_values.get((frozenset((x, y)), frozenset(given)), self._otherwise)
                for x, y, *given in questions.tolist()
            ],
            dtype=float,
        )
        return Answers(1.0 - p_value, np.full(len(p_value), np.nan), p_value)


class Truth:
    """Answers by enumerating the paths of a DAG of positions."""

    def __init__(self, arrows):
        self._arrows = frozenset(arrows)

    def many(self, _, questions):
        p_value = np.array(
            [oracle.d_separated(self._arrows, x, y, set(given)) for x, y, *given in questions.tolist()],
            dtype=float,
        )
        return Answers(1.0 - p_value, np.full(len(p_value), np.nan), p_value)


def asking(test, alpha=0.05, must_stop=lambda: False):
    return Asker(test, None, alpha=alpha, must_stop=must_stop)
