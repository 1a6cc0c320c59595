"""Spaces for tests of what happens in them."""

from structlearn.data import Knowledge
from structlearn.run import Run
from structlearn.search.space import Space
from structlearn.statistics import from_dataset


def space_of(data, score="bic", *, knowledge=None, run=None, **options):
    """The space of all DAGs over a table that the options leave."""
    run = run or Run("test", progress=False)
    return Space.of("test", from_dataset(data), knowledge or Knowledge(), run, score=score, **options)
