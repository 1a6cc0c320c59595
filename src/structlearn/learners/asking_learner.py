"""What learners that only ask tests share: data or an oracle, the rest is the same."""

from collections.abc import Mapping
from typing import Any

from structlearn.data import Knowledge, Oracle
from structlearn.independence import SeparationOracle, test_for
from structlearn.independence.asking import Asker
from structlearn.learners.base import Learner
from structlearn.learners.option_groups import Informed, Targeted, Tested, Threaded, Timed, TolerantByTest
from structlearn.options import result
from structlearn.outcome import Outcome, Pair, Separation
from structlearn.run import Run
from structlearn.statistics import Statistics


class AskingLearner(Tested, TolerantByTest, Informed, Targeted, Threaded, Timed, Learner):
    """A learner that sees its data through tests alone.

    Subclasses say in `_learn_by_asking` what they ask and what they make of the answers.
    """

    separating_sets_: Mapping[Pair, Separation] = result()
    conflicts_: tuple[Any, ...] = result()

    def _learn(self, statistics: Statistics, knowledge: Knowledge, run: Run) -> Outcome:
        test = test_for(type(self).__name__, self.test, statistics)
        asker = Asker(test, statistics, alpha=self.alpha, must_stop=run.must_stop)
        return self._learn_by_asking(asker, statistics.names, knowledge, run)

    def _learn_from_oracle(self, oracle: Oracle, knowledge: Knowledge, run: Run) -> Outcome:
        names = tuple(sorted(oracle.names))
        truth = SeparationOracle.of(oracle, names)
        asker = Asker(truth, None, alpha=self.alpha, must_stop=run.must_stop)
        return self._learn_by_asking(asker, names, knowledge, run)

    def _learn_by_asking(
        self, asker: Asker, names: tuple[str, ...], knowledge: Knowledge, run: Run
    ) -> Outcome:
        raise NotImplementedError
