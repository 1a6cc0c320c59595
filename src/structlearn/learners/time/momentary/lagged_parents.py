"""The first half of PCMCI: candidates for the lagged parents of each variable, one condition set a level."""

from collections.abc import Sequence
from functools import partial

import numpy as np
from numpy.typing import NDArray

from structlearn.learners.time.learner import KnownInTime
from structlearn.learners.time.momentary.asked_links import Floats, LaggedParents, LinkTests, Places
from structlearn.run import Run
from structlearn.scores import score_for
from structlearn.scores.families import FamilyScores

LEVELS = (0.05, 0.1, 0.2, 0.3, 0.4, 0.5)  # that one is chosen of
QUESTIONS_AT_ONCE = 1 << 16  # of several variables, to have few batches; of few, to lose little to a limit


def lagged_parents(
    tests: LinkTests, lags: Sequence[int], known: KnownInTime, alpha: float | None, run: Run
) -> LaggedParents:
    """For each variable what may act on it, the strongest first.

    With d conditions each candidate is tested given the d strongest others. Those that turn out independent
    leave together after the pass, so that the order of the columns cannot matter. A variable that time
    leaves unfinished has none. Without a level each variable has that of several whose candidates have most
    AIC.
    """
    n = len(tests.table.variables)
    variables = np.flatnonzero(~tests.table.is_context)
    found: list[Places] = [np.zeros(0, dtype=np.int64) for _ in range(n)]
    aic = _aic(tests, run) if alpha is None else None
    step = max(QUESTIONS_AT_ONCE // max(len(variables) * len(lags), 1), 1)
    n_done = 0
    while n_done < len(variables):
        run.show("parents of variables", n_done, len(variables))
        targets = variables[n_done : n_done + step].tolist()
        by_level = [
            _pruned([_Candidates(target, lags, known) for target in targets], tests, level)
            for level in (LEVELS if alpha is None else (alpha,))
        ]
        if run.must_stop():
            run.note(f"Parents were found of {n_done:,} of {len(variables):,} variables.")
            break
        for target, *sets in zip(targets, *by_level, strict=True):
            found[target] = max(sets, key=partial(aic.local, target)) if aic else sets[0]
        n_done += len(targets)
    return LaggedParents.of(found, tests.table.is_context)


def _aic(tests: LinkTests, run: Run) -> FamilyScores:
    statistics = tests.table.statistics
    return FamilyScores(score_for(run.owner, "aic", statistics), statistics)


def _pruned(variables: Sequence["_Candidates"], tests: LinkTests, alpha: float) -> list[Places]:
    """The candidates that stay of several variables, once none has others left to be tested given."""
    size = 0
    while open_ := [each for each in variables if len(each.columns) > size]:
        p_value, strength = tests.ask(np.concatenate([each.questions(size) for each in open_]))
        if tests.asker.must_stop():
            break
        ends = np.cumsum([len(each.columns) for each in open_])[:-1]
        for each, p, strong in zip(open_, np.split(p_value, ends), np.split(strength, ends), strict=True):
            each.hear(p <= alpha, strong)
        size += 1
    return [each.columns for each in variables]


class _Candidates:
    """What may act on a variable, the strongest first: as strong as the weakest answer so far."""

    def __init__(self, target: int, lags: Sequence[int], known: KnownInTime) -> None:
        n = len(known.required)
        may = np.flatnonzero(~known.forbidden[:, target])
        self.target = target
        acts, first = known.acting(lags)[:, may].T, known.first_places(lags)[may]
        self.columns: Places = (may[:, None] + n * np.array(lags))[acts]  # ties: by variable, then by lag
        self._rank = np.arange(len(self.columns))
        is_required = known.required[may, target][:, None] & (np.arange(len(lags)) == first[:, None])
        self._is_required = is_required[acts]
        self._strength: Floats = np.full(len(self.columns), np.inf)

    def questions(self, size: int) -> Places:
        """Each candidate given the strongest others, so many."""
        place = np.arange(len(self.columns))[:, None]
        others = np.arange(size)[None]
        given = self.columns[others + (others >= place)]
        return np.column_stack([self.columns, np.full(len(self.columns), self.target), given])

    def hear(self, is_dependent: NDArray[np.bool_], strength: Floats) -> None:
        """Leave out what is independent and not required, and put the strongest first."""
        self._strength = np.minimum(self._strength, strength)
        kept = np.flatnonzero(is_dependent | self._is_required)
        order = kept[np.lexsort((self._rank[kept], -self._strength[kept]))]
        self.columns, self._rank = self.columns[order], self._rank[order]
        self._strength, self._is_required = self._strength[order], self._is_required[order]
