"""What network component analysis reads, and what its result can say of new samples."""

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from structlearn.data import Dataset, Knowledge
from structlearn.data.pair_knowledge import forbidden_pairs
from structlearn.errors import DataError, OptionError
from structlearn.graphs import Graph
from structlearn.learners.base import Learner
from structlearn.learners.network.components.connections import (
    acting,
    genes_by_regulator,
    identified,
    pattern_of,
    with_knowledge,
)
from structlearn.learners.network.components.expression import Expression
from structlearn.learners.network.components.fitted import Analysis
from structlearn.learners.network.components.options import Analysed
from structlearn.learners.network.components.reading import Links, arrows, between_genes
from structlearn.learners.option_groups import Informed, Seeded, Timed
from structlearn.numerics.factorization.known_patterns import solved
from structlearn.options import result
from structlearn.outcome import Outcome
from structlearn.run import Run

Floats = NDArray[np.float64]
Pattern = NDArray[np.bool_]


class ComponentLearner(Analysed, Informed, Seeded, Timed, Learner):
    """Reads expressions, publishes strengths and activities, and finds activities in new samples."""

    random_state = 0
    strengths_: Mapping[str, Mapping[str, float]] = result()
    errors_: Mapping[str, Mapping[str, float]] = result()
    activities_: Mapping[str, Floats] = result()
    residual_: float = result()
    means_: Mapping[str, float] = result()

    def columns_aside(self) -> dict[str, str]:
        """The column that says which sample a row is of becomes no node."""
        aside = {} if self.replicates is None else {"replicates": self.replicates}
        return super().columns_aside() | aside

    def predict_activities(self, table: Any) -> dict[str, Floats]:
        """The activities of the regulators in new samples, by least squares on the strengths that were found.

        Parameters
        ----------
        table : data frame, array, dict of columns, path or Dataset
            New rows with all genes that regulators act on, measured as those of `fit`.

        Returns
        -------
        dict of str to array
            By regulator, one number for each row.
        """
        owner = f"{type(self).__name__}.predict_activities"
        if not hasattr(self, "strengths_"):
            raise DataError(f"{owner}: nothing has been learned yet; call fit first.")
        columns = Dataset(table).to_dict()
        genes = sorted({gene for targets in self.strengths_.values() for gene in targets})
        lacking = [gene for gene in genes if gene not in columns]
        if lacking:
            raise DataError(f"{owner}: the table has no column {lacking[0]!r}, on which regulators act.")
        rows = np.array([np.asarray(columns[gene], dtype=np.float64) - self.means_[gene] for gene in genes])
        if not np.isfinite(rows).all():
            raise DataError(f"{owner}: the table misses values; activities need all genes of a row.")
        strengths = np.array(
            [[targets.get(gene, 0.0) for targets in self.strengths_.values()] for gene in genes]
        )
        found, _ = solved(strengths, rows, self.ridge)
        return dict(zip(self.strengths_, found, strict=True))

    def _known(
        self, expression: Expression, names: tuple[str, ...], knowledge: Knowledge, run: Run
    ) -> tuple[Expression, list[str], Pattern]:
        """The genes and regulators that the pattern identifies, and the pattern."""
        if self.ridge is not None and (self.nonnegative is not None or self.penalty):
            raise OptionError(
                f"{run.owner}(ridge={self.ridge}): it is for least squares, without nonnegative= and "
                "penalty=."
            )
        if self.reading == "genes":
            forbidden_pairs(run.owner, names, knowledge)  # of one direction they are refused
            knowledge = Knowledge()
        given = with_knowledge(genes_by_regulator(run.owner, self.regulators, names), knowledge)
        served = acting(given, expression.genes, run)
        acted_on = {gene for genes in served.values() for gene in genes}
        others = [gene for gene in expression.genes if gene not in {*acted_on, *served}]
        if others:
            run.note(
                f"No regulator acts on {len(others)} columns, such as {others[0]!r}: they were left out."
            )
        places = np.array([i for i, gene in enumerate(expression.genes) if gene in acted_on], dtype=np.int64)
        expression, regulators = expression.of(places), list(served)
        pattern = pattern_of(served, expression.genes)
        if not served:
            return expression, regulators, pattern
        kept_genes, kept = identified(pattern, expression.genes, regulators, run, repair=self.repair)
        n_rows = expression.rows.shape[1]
        if n_rows < len(kept):
            raise DataError(
                f"{run.owner}: {len(kept)} regulators and {n_rows} rows. More regulators than samples "
                "have no activities of their own (criterion 3): leave regulators out, or get more samples."
            )
        return expression.of(kept_genes), [regulators[k] for k in kept], pattern[np.ix_(kept_genes, kept)]

    def _certain(
        self, genes: list[str], regulators: list[str], pattern: Pattern, names: tuple[str, ...], run: Run
    ) -> Pattern:
        """Which links act for sure."""
        if self.certain is None:
            return np.zeros_like(pattern)
        if not self.penalty:
            raise OptionError(f"{run.owner}(certain=…): it says what a penalty spares; give penalty=… too.")
        known = genes_by_regulator(run.owner, self.regulators, names)
        given = genes_by_regulator(run.owner, self.certain, names)
        strange = [(name, gene) for name in given for gene in given[name] if gene not in known.get(name, ())]
        if strange:
            raise OptionError(
                f"{run.owner}(certain=…): {strange[0][0]!r} acts on {strange[0][1]!r} for sure, and "
                "`regulators` does not say that it may."
            )
        return pattern & pattern_of({name: given.get(name, []) for name in regulators}, genes)

    def _outcome(
        self,
        found: Analysis,
        expression: Expression,
        regulators: list[str],
        names: tuple[str, ...],
        knowledge: Knowledge,
        run: Run,
    ) -> Outcome:
        if found.has_ridge and self.ridge is None:
            run.note("A least-squares step was ill-conditioned; a small ridge was added to it.")
        genes, p_values = expression.genes, found.p_values()
        is_required = np.array(
            [[(name, gene) in knowledge.required for name in regulators] for gene in genes]
        )
        is_edge = ((p_values <= self.alpha) & (found.strengths != 0.0)) | is_required
        links = Links(genes, regulators, found.strengths, p_values if self.n_resamples else None, is_edge)
        graph, evidence = (
            arrows(names, links)
            if self.reading == "regulators"
            else between_genes(
                names,
                links,
                found.activities,
                np.ldexp(expression.rows, expression.exponents[:, None]),
                forbidden_pairs(run.owner, names, knowledge),
            )
        )
        return Outcome(
            graph=graph,
            status=run.status,
            evidence=evidence,
            trace={"residual": np.array(found.costs)},
            extra={
                "strengths": _by_name(found.strengths, found.strengths != 0.0, genes, regulators),
                "errors": _by_name(found.errors, found.strengths != 0.0, genes, regulators),
                "activities": dict(zip(regulators, expression.by_row(found.activities), strict=True)),
                "residual": found.share_left,
                "means": dict(zip(genes, expression.means.tolist(), strict=True)),
            },
        )

    def _nothing(self, names: tuple[str, ...], run: Run) -> Outcome:
        """What there is to say where no regulator has a gene."""
        extra = {name: dict[str, Any]() for name in ("strengths", "errors", "activities", "means")}
        return Outcome(graph=Graph(names), status=run.status, extra=extra | {"residual": 1.0})


def _by_name(
    values: Floats, is_there: NDArray[np.bool_], genes: list[str], regulators: list[str]
) -> dict[str, dict[str, float]]:
    return {
        name: {genes[i]: float(values[i, k]) for i in np.flatnonzero(is_there[:, k]).tolist()}
        for k, name in enumerate(regulators)
    }
