"""Methods that need a table of probabilities for every node that matters."""

import numpy as np

from structlearn.errors import DataError
from structlearn.inference.parts import Flags
from structlearn.inference.questions import Question


def refuse_densities(question: Question, used: Flags, *, method: str) -> None:
    """Refuse a network in which a node that is used, a factor each, has no table."""
    parts = question.parts
    if parts.directed is None:
        return
    for i in np.flatnonzero(parts.without_table & used[: len(parts.names)]).tolist():
        raise DataError(
            f"query(method={method!r}): {parts.names[i]!r} has no table of probabilities. "
            "Use method='weighting'."
        )
