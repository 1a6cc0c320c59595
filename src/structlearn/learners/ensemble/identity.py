"""What a set of resamples was made of, in words that can be compared."""

import hashlib
import pickle
from collections.abc import Mapping
from typing import Any

import joblib
import numpy as np

from structlearn import __version__
from structlearn.data import Dataset, DiscreteColumn, Knowledge
from structlearn.errors import OptionError
from structlearn.graphs import Graph
from structlearn.learners.base import Learner
from structlearn.learners.ensemble.drawing import Draw
from structlearn.learners.ensemble.drawn_tables import DifferentRows, Drawable
from structlearn.learners.ensemble.rows_in_blocks import RowsInBlocks
from structlearn.statistics import SourceTable

Identity = Mapping[str, str]
# These options of the learner cannot change a resample: each has a seed of its own.
WITHOUT_EFFECT = {"n_jobs", "progress", "random_state"}


def identity_of(table: Drawable, learner: Learner, draw: Draw, directions: str) -> Identity:
    """All that decides what a resample says, but for the seed."""
    if isinstance(table, SourceTable):
        about = joblib.hash((table.n_rows, table.size, table.names, table.kinds, table.labels, table.looks))
    else:
        dataset = table.dataset if isinstance(table, DifferentRows | RowsInBlocks) else table
        about = f"{dataset.n_rows:,} rows of {len(dataset.names):,} columns, {_fingerprint(dataset)}"
    return {
        "table": about,
        "learner": _in_words(learner),
        "way of drawing rows": draw.__name__,
        "way of counting directions": directions,
        "version of structlearn": __version__,
    }


def _fingerprint(dataset: Dataset) -> str:
    digest = hashlib.blake2b(digest_size=8)
    for column in dataset.columns:
        labels = column.labels if isinstance(column, DiscreteColumn) else None
        content = column.codes if isinstance(column, DiscreteColumn) else column.raw().present
        about = (column.name, column.kind, column.name in dataset.inferred, labels, str(content.dtype))
        digest.update(repr(about).encode("utf-8", "surrogatepass"))
        digest.update(np.ascontiguousarray(content).data)
        digest.update(b"" if column.missing is None else np.packbits(column.missing).data)
    digest.update(b"" if dataset.weights is None else dataset.weights.data)
    return digest.hexdigest()


def _in_words(value: Any) -> str:
    if isinstance(value, Learner):
        options = sorted(value.get_params(deep=False).items())
        shown = [f"{name}={_in_words(option)}" for name, option in options if name not in WITHOUT_EFFECT]
        return f"{type(value).__name__}({', '.join(shown)})"
    if isinstance(value, Graph):
        return f"Graph({', '.join(str(edge) for edge in value.edges)})"
    if value is None or isinstance(value, str | int | float | Knowledge):
        return repr(value)
    try:
        return f"{type(value).__name__}:{joblib.hash(value)}"
    except (pickle.PicklingError, TypeError, AttributeError) as error:
        raise OptionError(
            f"checkpoint=…: another run could not tell whether it has the same {value!r} ({error}). Define "
            "it at the top of a module, or keep no checkpoint."
        ) from error
