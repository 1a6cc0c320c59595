"""Learning again and again, each time from other rows, on as many workers as there are."""

import threading
import warnings
from collections.abc import Iterable, Iterator
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from typing import Any

import joblib
from joblib.parallel import get_active_backend

from structlearn.data import Knowledge
from structlearn.errors import DataError, DataWarning
from structlearn.learners.base import Learner
from structlearn.learners.ensemble.drawing import Draw, search_seed
from structlearn.learners.ensemble.drawn_tables import Drawable, tables_of
from structlearn.learners.ensemble.pattern import Directions, Pattern, pattern_of
from structlearn.learners.option_groups import ParityChecked
from structlearn.options import copy_of
from structlearn.run import Run, Status
from structlearn.statistics import SourceTable

# In a row that bring nothing, where nobody says how many. On 12 tables of four networks, graphs of resamples
# were 341 edges from the truth with one, 359 with ten, which took a quarter longer; on 24 tables 522 with
# one, 765 with none.
SHAKES = 1
Drawn = tuple[int, list[Pattern] | None]


@dataclass(frozen=True)
class Resampling:
    """What a worker must know to learn from the draw of a number."""

    owner: str
    learner: Learner
    draw: Draw
    directions: Directions
    entropy: int
    knowledge: Knowledge

    def patterns(self, source: Drawable, number: int) -> Drawn:
        """The number and the pattern of each set of rows; None where the learner was interrupted."""
        found = []
        for part, (table, told) in enumerate(tables_of(source, self.draw, self.entropy, number)):
            learner = self._fitted(table, told, number, part)
            if learner.status_.startswith(Status.INTERRUPTED.value):
                return number, None
            experiments = getattr(learner, "experiments_", ())
            found.append(pattern_of(learner.graph_, self.knowledge, self.directions, experiments))
        return number, found

    def _fitted(self, table: Any, told: str, number: int, part: int) -> Learner:
        learner = copy_of(self.learner)
        own = {"n_jobs": 1, "progress": False, "random_state": search_seed(self.entropy, number, part)}
        if isinstance(learner, ParityChecked):
            own["check_parity"] = 0  # it changes no graph, and nobody would read what it says
        if getattr(learner, "shakes", 0) is None:
            own["shakes"] = SHAKES
        learner.set_params(**{name: own[name] for name in own.keys() & learner.get_params(deep=False)})
        try:
            with quiet():
                return learner.fit(table)
        except DataError as error:
            raise DataError(
                f"{self.owner}: resample {number}{told} cannot be learnt from. {error}"
            ) from error


def in_parallel(
    resampling: Resampling, table: Drawable, numbers: Iterable[int], *, n_jobs: int | None, run: Run
) -> Iterable[Drawn]:
    """The patterns of the numbers, as they are done; the first at least, then until the run must stop."""
    if isinstance(table, SourceTable):  # its engine is where the work is shared
        return (resampling.patterns(table, number) for number in _until_stopped(numbers, run))
    backend, _ = get_active_backend(prefer="threads")
    parallel = joblib.Parallel(
        n_jobs=n_jobs,
        prefer="threads",
        return_as="generator_unordered" if backend.supports_return_generator else "list",
        batch_size=1,
        pre_dispatch="n_jobs",  # what is dispatched is finished, so that nothing more would delay a stop
    )
    learn = joblib.delayed(resampling.patterns)
    drawn: Iterable[Drawn] = parallel(learn(table, number) for number in _until_stopped(numbers, run))
    return drawn


def _until_stopped(numbers: Iterable[int], run: Run) -> Iterator[int]:
    for place, number in enumerate(numbers):
        if place and run.must_stop():
            return
        yield number


def quiet() -> AbstractContextManager[object]:
    """Leave out what is said of every table again; only a program's main thread can say so."""
    if threading.current_thread() is not threading.main_thread():
        return nullcontext()
    return warnings.catch_warnings(action="ignore", category=DataWarning)
