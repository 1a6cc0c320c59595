"""What a module network reads, and what its result can do; how it is found is said elsewhere."""

from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np

from structlearn.data import Knowledge
from structlearn.errors import DataError, OptionError
from structlearn.graphs import Graph
from structlearn.learners.base import Learner
from structlearn.learners.network.factors.table import entries_of
from structlearn.learners.network.information.regulators import places_of_regulators
from structlearn.learners.network.modules.options import ModuleOptions, ProgramOptions
from structlearn.learners.network.modules.problem import Flags, Problem, in_standard_units
from structlearn.learners.network.modules.result import Units, units_of
from structlearn.learners.option_groups import Informed, Seeded, Threaded, Timed
from structlearn.numerics.enrichment import Enrichment, enrichments
from structlearn.options import result
from structlearn.run import Run
from structlearn.statistics import Statistics
from structlearn.statistics.units import log_units, origins, refuse_other_units


class ModuleLearner(ModuleOptions, ProgramOptions, Informed, Seeded, Threaded, Timed, Learner):
    """Reads a table of modules and regulators, and gives what was found as modules, trees and a model."""

    random_state = 0
    modules_: Mapping[str, tuple[str, ...]] = result()
    regulators_: Mapping[str, Mapping[str, float]] = result()
    module_graph_: Graph = result()
    scores_: Mapping[int, float] = result()
    programs_: Mapping[str, Any] = result()
    model_: Any = result()

    def enrichment(self, gene_sets: Mapping[str, Iterable[str]]) -> tuple[Enrichment, ...]:
        """Say which modules have more of which sets than chance would give them.

        Parameters
        ----------
        gene_sets : mapping of str to iterable of str
            The columns of each set, such as the genes of a function. Names in no module are left out.

        Returns
        -------
        tuple of Enrichment
            `group` (the module), `gene_set`, `n_shared`, `n_group`, `n_set`, the hypergeometric `p_value`,
            and `q_value`, the false discovery rate over all modules and sets (Benjamini and Hochberg); the
            smallest p-values first.
        """
        if not hasattr(self, "modules_"):
            raise DataError("enrichment: nothing has been learned yet; call fit first.")
        if not isinstance(gene_sets, Mapping) or any(isinstance(each, str) for each in gene_sets.values()):
            raise OptionError(
                "enrichment: give a mapping from the name of each set to a list of its columns."
            )
        return enrichments(self.modules_, gene_sets)

    def _problem(self, statistics: Statistics, knowledge: Knowledge, run: Run) -> tuple[Problem, Units]:
        names = statistics.names
        bits = np.rint(log_units(statistics) / np.log(2.0)).astype(np.int64)
        rows = np.ldexp(entries_of(run.owner, statistics, names), bits)
        rows = rows[np.lexsort(rows.T)]  # sums in another order may choose between columns that nearly tie
        values, means, deviations = in_standard_units(rows)
        measured = rows + origins(statistics)
        if not self.standardise:
            refuse_other_units(run.owner, statistics, "standardise=False leaves columns as they are")
            values, means, deviations = measured.T.copy(), np.zeros(len(names)), np.ones(len(names))
        varies = np.ptp(values, axis=1) > 0.0
        is_regulator = places_of_regulators(run.owner, names, self.regulators)
        if is_regulator is None and not self.assign_regulators:
            raise OptionError(
                f"{run.owner}(assign_regulators=False): say in regulators= which columns they are."
            )
        may_regulate = varies if is_regulator is None else varies & is_regulator
        required, forbids = knowledge.matrices(names)
        forbids = forbids | ~may_regulate[:, None]
        _refuse_constant(names, required, varies)
        outside = np.zeros(len(names), dtype=np.bool_) if self.assign_regulators else may_regulate
        members = varies & ~outside
        problem = Problem(
            names,
            values,
            measured.T,
            np.flatnonzero(may_regulate | required.any(axis=1)),
            np.flatnonzero(members),
            forbids,
            {
                j: np.flatnonzero(required[:, j]).tolist()
                for j in np.flatnonzero(required.any(axis=0)).tolist()
            },
            self,
        )
        _refuse_indistinct(run.owner, problem)
        is_standard = 1.0 if self.standardise else 0.0
        return problem, units_of(names, means + is_standard * origins(statistics), deviations)


def _refuse_indistinct(owner: str, problem: Problem) -> None:
    """Refuse regulators whose values a threshold could not keep apart: whole numbers beyond 2^53."""
    for j in problem.regulators.tolist():
        if len(np.unique(problem.measured[j])) < len(np.unique(problem.values[j])):
            raise DataError(
                f"{owner}: the whole numbers of regulator {problem.names[j]!r} are too large for thresholds "
                "between them. Subtract the smallest of them first."
            )


def _refuse_constant(names: tuple[str, ...], required: Flags, varies: Flags) -> None:
    for i, j in np.argwhere(required & ~(varies[:, None] & varies[None, :])).tolist():
        raise OptionError(
            f"Knowledge: {names[i]} → {names[j]} is required, but one of the columns has a single value."
        )
