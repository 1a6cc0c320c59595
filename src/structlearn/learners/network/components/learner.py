"""What network component analysis reads, and what its result can say of new samples."""

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from structlearn.data import Dataset
from structlearn.errors import DataError
from structlearn.graphs import Edge, Graph
from structlearn.learners.base import Learner
from structlearn.learners.network.components.fitted import Analysis
from structlearn.learners.network.components.options import Analysed
from structlearn.learners.network.factors.table import entries_of, is_varying
from structlearn.learners.option_groups import Seeded, Timed
from structlearn.numerics.factorization.known_patterns import solved
from structlearn.options import result
from structlearn.outcome import EdgeEvidence, Outcome
from structlearn.run import Run
from structlearn.statistics import Statistics

Floats = NDArray[np.float64]


class ComponentLearner(Analysed, Seeded, Timed, Learner):
    """Reads expressions, publishes strengths and activities, and finds activities in new samples."""

    random_state = 0
    strengths_: Mapping[str, Mapping[str, float]] = result()
    errors_: Mapping[str, Mapping[str, float]] = result()
    activities_: Mapping[str, Floats] = result()
    residual_: float = result()
    means_: Mapping[str, float] = result()

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

    def _expression(
        self, statistics: Statistics, run: Run
    ) -> tuple[dict[str, Floats], list[str], dict[str, float]]:
        """The columns that vary, and what was taken off each."""
        rows = entries_of(run.owner, statistics, statistics.names)
        means = rows.mean(axis=0) if self.center else np.zeros(rows.shape[1])
        varying = np.flatnonzero(is_varying(rows)).tolist()
        columns = {statistics.names[j]: rows[:, j] - means[j] for j in varying}
        return columns, list(columns), {statistics.names[j]: float(means[j]) for j in varying}

    def _served(self, genes: list[str], connections: Mapping[str, list[str]], run: Run) -> list[str]:
        """The genes that somebody acts on; others are reported."""
        acted_on = {gene for targets in connections.values() for gene in targets}
        others = [gene for gene in genes if gene not in acted_on]
        if others:
            run.note(
                f"No regulator acts on {len(others)} columns, such as {others[0]!r}: they were left out."
            )
        return [gene for gene in genes if gene in acted_on]

    def _refuse_few_samples(self, regulators: list[str], n_rows: int, run: Run) -> None:
        if n_rows < len(regulators):
            raise DataError(
                f"{run.owner}: {len(regulators)} regulators and {n_rows} rows. More regulators than samples "
                "have no activities of their own (criterion 3): leave regulators out, or get more samples."
            )

    def _outcome(
        self,
        found: Analysis,
        genes: list[str],
        regulators: list[str],
        means: dict[str, float],
        names: tuple[str, ...],
        run: Run,
    ) -> Outcome:
        if found.has_ridge and self.ridge is None:
            run.note("A least-squares step was ill-conditioned; a small ridge was added to it.")
        p_values = found.p_values()
        is_edge = (p_values <= self.alpha) & (found.strengths != 0.0)
        evidence = {
            (regulators[k], genes[i]): EdgeEvidence(
                float(found.strengths[i, k]), p_value=float(p_values[i, k]) if self.n_resamples else None
            )
            for i, k in np.argwhere(is_edge).tolist()
        }
        nodes = [*names, *(name for name in regulators if name not in set(names))]
        return Outcome(
            graph=_graph(nodes, list(evidence), is_cyclic=bool(set(regulators) & set(names))),
            status=run.status,
            evidence=evidence,
            trace={"residual": np.array(found.residuals)},
            extra={
                "strengths": _by_name(found.strengths, found.strengths != 0.0, genes, regulators),
                "errors": _by_name(found.errors, found.strengths != 0.0, genes, regulators),
                "activities": dict(zip(regulators, found.activities, strict=True)),
                "residual": found.share_left,
                "means": {gene: means[gene] for gene in genes},
            },
        )


def _graph(nodes: list[str], arcs: list[tuple[str, str]], *, is_cyclic: bool) -> Graph:
    """Arrows; where regulators are columns too, they may go round."""
    if is_cyclic:
        return Graph.from_edges(nodes, [Edge(*arc, "directed") for arc in arcs], kind="cyclic")
    return Graph(nodes, directed=arcs)


def _by_name(
    values: Floats, is_there: NDArray[np.bool_], genes: list[str], regulators: list[str]
) -> dict[str, dict[str, float]]:
    return {
        name: {genes[i]: float(values[i, k]) for i in np.flatnonzero(is_there[:, k]).tolist()}
        for k, name in enumerate(regulators)
    }
