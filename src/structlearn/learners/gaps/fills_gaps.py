"""Searches that can estimate missing values together with the graph."""

import numpy as np
from numpy.typing import NDArray

from structlearn.data import Dataset, Knowledge
from structlearn.errors import OptionError
from structlearn.learners.dag_search import DAGSearch
from structlearn.learners.gaps.structural_em import structural_em
from structlearn.learners.option_groups import TolerantByExpectation
from structlearn.options import result
from structlearn.outcome import Outcome
from structlearn.run import Run
from structlearn.search.space import Space
from structlearn.statistics import Source, Statistics
from structlearn.statistics.weightless import without_weightless_rows


class FillsGaps(TolerantByExpectation, DAGSearch):
    """A search over DAGs that, asked by `missing="em"`, is repeated on completed tables."""

    em_scores_: NDArray[np.float64] = result()

    def _learn_from_table(self, source: Source, knowledge: Knowledge, run: Run) -> Outcome:
        if self.missing == "em" and isinstance(source, Dataset):
            source = without_weightless_rows(source)
        if self.missing != "em" or not isinstance(source, Dataset) or not source.missing:
            return super()._learn_from_table(source, knowledge, run)
        if self.targets is not None:
            raise OptionError(
                f"{run.owner}(missing='em', targets=…): gaps are not estimated in rows set apart."
            )

        def space_of(statistics: Statistics) -> Space:
            return self._space(statistics, knowledge, run)

        return structural_em(source.select(sorted(source.names)), space_of, self._search, run)
