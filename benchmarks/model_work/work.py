"""What each library is asked to do."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

Frame = Any
Model = Any


@dataclass(frozen=True)
class Question:
    """A node asked for, and the states of others that are known."""

    node: str
    evidence: dict[str, str]


@dataclass(frozen=True)
class Library:
    """The work of one library.

    Parameters
    ----------
    load : callable
        Reads a BIF file.
    prepare : callable
        Brings a frame of text, with the model it was drawn from, into the form the library likes best.
    fit : callable
        Estimates the tables of a model's graph from what `prepare` gave.
    sample : callable
        Draws rows from a model into the library's own kind of table.
    answer : callable
        Answers questions one after the other: a row of probabilities for each, states in the order of
        the file. `ready` makes once what the library keeps between questions.
    predict : callable, optional
        Predicts a node in each row of what `prepare` gave; without it each row is a question.
    """

    load: Callable[[Path], Model]
    prepare: Callable[[Frame, Model], Any]
    fit: Callable[[Any, Model], Model]
    sample: Callable[[Model, int], Any]
    ready: Callable[[Model], Any]
    answer: Callable[[Any, Question], Sequence[float] | NDArray[np.float64]]
    predict: Callable[[Model, Any, str], Any] | None = None
