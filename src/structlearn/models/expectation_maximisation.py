"""Tables of probabilities from rows with missing values, by expectation-maximisation."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from math import prod
from typing import Self

import numpy as np
from scipy.special import xlogy

from structlearn.data import Dataset, DiscreteColumn
from structlearn.errors import DataError, warn
from structlearn.graphs.names import counted
from structlearn.models.cpds import CPD, Family, TableCPD
from structlearn.models.cpds.table import refuse_large_table
from structlearn.models.factors_layout import Floats, Integers, Layout
from structlearn.models.fitters import Fitter
from structlearn.models.hidden_rows import Rows, split_rows
from structlearn.numerics.junction_tree import TooWideError

MOST_ITERATIONS = 1000  # near a flat maximum steps shrink slowly; the run says that it did not settle
TOLERANCE = 1e-8  # of the objective, relative: parameters, off by its root, have four digits


@dataclass(frozen=True, eq=False)
class EMRun:
    """How expectation-maximisation went, from its start to the tables that were kept.

    `log_likelihoods` has that of the observed values at each step, the last one of the fitted network.
    `objectives` adds to each what the smoothing is worth, and never falls; without smoothing the two
    are the same.

    Examples
    --------
    >>> import structlearn as sl
    >>> graph = sl.Graph(["rain", "grass"], directed=[("rain", "grass")])
    >>> rows = {"rain": ["no", "no", "yes", None], "grass": ["dry", "wet", None, "wet"]}
    >>> model = sl.BayesianNetwork(graph).fit(rows, missing="em")
    >>> bool(model.em_.log_likelihoods[-1] > model.em_.log_likelihoods[0]), model.em_.converged
    (True, True)
    """

    log_likelihoods: Floats
    objectives: Floats
    converged: bool

    @property
    def n_iterations(self) -> int:
        """How often the tables were estimated anew."""
        return len(self.objectives) - 1

    @property
    def status(self) -> str:
        """How it ended, in a sentence."""
        length = counted(self.n_iterations, "iteration")
        if self.converged:
            return f"The log-likelihood settled after {length}."
        return f"Stopped after {length}, before the log-likelihood settled."


@dataclass(frozen=True, eq=False)
class ExpectedFamily(Family):
    """A family whose counts are expectations."""

    expected: Floats = field(default_factory=lambda: np.zeros(0))

    def counts(self) -> Floats:
        """The expected counts."""
        return self.expected


@dataclass(frozen=True, eq=False)
class Gaps:
    """Families of which some rows lack a value, and these rows."""

    families: tuple[Family, ...]
    layout: Layout
    counts: Floats
    parts: tuple[Rows, ...]

    @classmethod
    def of(cls, dataset: Dataset, families: Sequence[Family]) -> Self:
        """Code the columns of the families, and sort the rows by what they lack."""
        used = sorted({column for family in families for column in _columns(family)})
        codes = np.column_stack([_codes(dataset, column) for column in used])
        levels = [len(dataset.labels[dataset.names[column]]) for column in used]
        place = {column: i for i, column in enumerate(used)}
        scopes = [tuple(sorted(place[column] for column in _columns(family))) for family in families]
        layout = Layout(tuple(levels), tuple(scopes))
        weights = np.ones(dataset.n_rows) if dataset.weights is None else dataset.weights
        counts, parts = split_rows(layout, codes, weights)
        return cls(tuple(families), layout, counts, tuple(parts))

    def expected(self, tables: Sequence[TableCPD]) -> tuple[float, Floats]:
        """The log-likelihood of what was observed, and the counts to expect."""
        cells = np.concatenate(
            [_ascending(t.probabilities, f).ravel() for t, f in zip(tables, self.families, strict=True)]
        )
        with np.errstate(divide="ignore"):
            logs = np.log(cells)
        counts = self.counts.copy()
        total = float(xlogy(self.counts, cells).sum())
        for part in self.parts:
            total += float(part.weights @ part.expect(logs, counts))
        return total, counts

    def maximised(self, counts: Floats, smoothing: float) -> list[TableCPD]:
        """The tables of most likelihood, given how often each cell is expected."""
        tables = self.layout.tables(counts)
        return [
            TableCPD.fit(_with_counts(family, table), smoothing=smoothing)
            for family, table in zip(self.families, tables, strict=True)
        ]


def fit_with_gaps(
    dataset: Dataset,
    families: Mapping[str, Family],
    fitters: Mapping[str, Fitter],
    *,
    given: Mapping[str, CPD],
    smoothing: float = 0.0,
) -> tuple[dict[str, CPD], EMRun]:
    """Fit every node; those whose family lacks values by expectation-maximisation [1]_.

    It begins with the rows that lack nothing of a family, one pseudo-row added for each joint state of
    the parents; and where there are none with the distribution in `given`, or else with random tables.

    References
    ----------
    .. [1] Lauritzen (1995), The EM algorithm for graphical association models with missing data,
       Computational Statistics & Data Analysis 19.
    """
    gapped = {node: family for node, family in families.items() if _lacking(dataset, family)}
    for node, family in gapped.items():
        _refuse_other_forms(dataset, node, family, fitters[node])
    whole = {
        node: fitters[node](family, smoothing=smoothing)
        for node, family in families.items()
        if node not in gapped
    }
    rng = np.random.default_rng(0)
    tables = [_start(family, given.get(node), rng) for node, family in gapped.items()]
    try:
        tables, run = _climb(Gaps.of(dataset, tuple(gapped.values())), tables, smoothing)
    except TooWideError as error:
        raise DataError(
            f"fit(missing='em'): {error}. Leave out rows that lack many values, or use a sparser graph."
        ) from None
    _warn_of_unsettled(run)
    known = _log_likelihood(dataset, whole)
    run = EMRun(run.log_likelihoods + known, run.objectives + known, run.converged)
    found = whole | dict(zip(gapped, tables, strict=True))
    return {node: found[node] for node in families}, run


def _climb(gaps: Gaps, tables: list[TableCPD], smoothing: float) -> tuple[list[TableCPD], EMRun]:
    totals: list[float] = []
    objectives: list[float] = []
    while True:
        total, counts = gaps.expected(tables)
        if total == -np.inf:
            raise DataError(
                "fit(missing='em'): some row is impossible under the tables that it begins with. Give "
                "the nodes without values tables above 0."
            )
        totals.append(total)
        objectives.append(total + _worth(tables, smoothing))
        settled = len(totals) > 1 and objectives[-1] - objectives[-2] <= TOLERANCE * abs(objectives[-1])
        if settled or len(totals) > MOST_ITERATIONS:
            return tables, EMRun(np.array(totals), np.array(objectives), settled)
        tables = gaps.maximised(counts, smoothing)


def _warn_of_unsettled(run: EMRun) -> None:
    if run.converged:
        return
    warn(
        f"fit(missing='em'): stopped after {run.n_iterations:,} iterations, before the log-likelihood "
        "settled; see `em_`. Leave out columns with few values, or use smoothing."
    )


def _worth(tables: Sequence[TableCPD], smoothing: float) -> float:
    """The log density, but for a constant, of the Dirichlet prior that the pseudo-rows stand for."""
    if smoothing == 0.0:
        return 0.0
    return smoothing * sum(float(np.log(table.probabilities).mean()) for table in tables)


def _start(family: Family, given: CPD | None, rng: np.random.Generator) -> TableCPD:
    shape = (*family.parent_levels, len(family.labels))
    refuse_large_table(family.name, shape)
    if family.counts().any():
        return TableCPD.fit(family, smoothing=prod(shape[:-1]))
    if isinstance(given, TableCPD) and sorted(given.parents) == sorted(family.parent_names):
        order = [given.parents.index(name) for name in family.parent_names]
        table = given.probabilities.transpose([*order, len(order)])
        if table.shape == shape:
            return TableCPD(table, labels=family.labels, parents=family.parent_names)
    table = rng.dirichlet(np.ones(shape[-1]), shape[:-1])
    return TableCPD(table, labels=family.labels, parents=family.parent_names)


def _log_likelihood(dataset: Dataset, cpds: Mapping[str, CPD]) -> float:
    """That of complete columns."""
    rows = {c.name: c.codes if isinstance(c, DiscreteColumn) else c.values for c in dataset.columns}
    weights = np.ones(dataset.n_rows) if dataset.weights is None else dataset.weights
    counted = weights > 0.0
    return sum(
        float(weights[counted] @ cpd.log_probability(rows[node], [rows[p] for p in cpd.parents])[counted])
        for node, cpd in cpds.items()
    )


def _refuse_other_forms(dataset: Dataset, node: str, family: Family, fitter: Fitter) -> None:
    lacking = _lacking(dataset, family)
    if any(dataset.kinds[name] == "continuous" for name in lacking):
        raise DataError(
            f"fit(missing='em'): the columns {', '.join(map(repr, lacking))} lack values, and only discrete "
            "columns may. Drop those rows, or fill the gaps in."
        )
    if getattr(fitter, "__func__", None) is not TableCPD.fit.__func__:  # type: ignore[attr-defined]  # of a class method
        raise DataError(
            f"fit(missing='em'): {node!r} or its parents lack values, and then only a table can be fitted. "
            "Let it have one, or drop those rows."
        )


def _lacking(dataset: Dataset, family: Family) -> list[str]:
    return [
        dataset.names[column] for column in _columns(family) if dataset.columns[column].missing is not None
    ]


def _columns(family: Family) -> tuple[int, ...]:
    return (*family.parents, family.child)


def _codes(dataset: Dataset, column: int) -> Integers:
    found = dataset.columns[column]
    codes = (found.codes if isinstance(found, DiscreteColumn) else found.values).astype(np.int64)
    if found.missing is not None:
        codes[found.missing] = -1
    return codes


def _ascending(table: Floats, family: Family) -> Floats:
    """A family's table with its axes in the order of the columns."""
    return table.transpose(np.argsort(_columns(family)))


def _with_counts(family: Family, ascending: Floats) -> ExpectedFamily:
    order = np.argsort(np.argsort(_columns(family)))
    return ExpectedFamily(**vars(family), expected=ascending.transpose(order))
