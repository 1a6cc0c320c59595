"""From continuous columns to bins: one function for all ways to cut."""

from collections.abc import Sequence
from typing import Any, Literal, get_args

import numpy as np
from numpy.typing import NDArray

from structlearn.data import ContinuousColumn, Dataset, DiscreteColumn
from structlearn.data.discretization import Discretization
from structlearn.errors import DataError, OptionError, warn
from structlearn.naming import listed, no_such
from structlearn.numerics.discretization.crossed import crossed
from structlearn.numerics.discretization.hartemink import joined_bins
from structlearn.numerics.discretization.scored import ScoredBins
from structlearn.numerics.discretization.single_columns import Cuts, quantile_cuts, width_cuts
from structlearn.options import OneOf, Rules, Whole, check_options
from structlearn.statistics.weightless import without_weightless_rows

Cutting = Literal["quantile", "width", "hartemink", "score"]
FEW_BINS = 20  # which tables of any size may ask for
MOST_ROWS = 1e7  # that weights stand for, to be written out
RULES: Rules = {
    "method": OneOf(get_args(Cutting), "how columns are cut"),
    "bins": Whole(2, "how many bins a column has at most"),
    "initial_bins": Whole(2, "how many bins of equal frequency a column has at first"),
}


def discretize(
    data: Any,
    method: Cutting = "quantile",
    *,
    bins: int = 3,
    columns: Sequence[str] | None = None,
    initial_bins: int = 30,
    **table_options: Any,
) -> Dataset:
    """Cut continuous columns into bins.

    Parameters
    ----------
    data : data frame, array, dict of columns, path or Dataset
        The table. Discrete columns stay as they are, and missing values missing.
    method : "quantile", "width", "hartemink" or "score", default "quantile"
        Bins of equal frequency, or of equal width; those that keep what columns tell of each other, joined
        from many until each column has `bins` (Hartemink, 2001); or those of the best description length
        together with a forest between the columns, at most `bins` of them (Friedman and Goldszmidt, 1996; a
        column that depends on none has bins of equal frequency).
    bins : int, default 3
        How many bins a column gets; for "score", at most.
    columns : list of str, optional
        Which columns to cut; by default every continuous one.
    initial_bins : int, default 30
        How many bins of equal frequency "hartemink" and "score" begin with: their cuts are among those.
    **table_options
        How to read the table, as `sl.Dataset` takes it.

    Returns
    -------
    Dataset
        Its `discretization` has the cuts and applies them to new rows.

    Examples
    --------
    >>> import structlearn as sl
    >>> flowers = sl.discretize(sl.example("iris"), bins=3)
    >>> flowers.labels["petal width (cm)"]
    ('≤ 0.8', '0.8 to 1.65', '> 1.65')
    >>> flowers.discretization.apply(sl.example("iris").take([0, 149])).to_dict()["petal width (cm)"].tolist()
    ['≤ 0.8', '> 1.65']
    """
    check_options("discretize", RULES, {"method": method, "bins": bins, "initial_bins": initial_bins})
    dataset = data if isinstance(data, Dataset) and not table_options else Dataset(data, **table_options)
    names = _chosen(dataset, columns)
    rows = _written_out(dataset)
    _refuse_many(bins, rows.n_rows)
    values = {name: _present(rows, name) for name in names}
    if method in ("quantile", "width"):
        alone = quantile_cuts if method == "quantile" else width_cuts
        cuts = {name: alone(values[name], bins) for name in names}
    else:
        fine = {name: quantile_cuts(values[name], max(initial_bins, bins)) for name in names}
        cuts = _cuts_by_others(rows, fine, bins, method)
    constant = [name for name in names if not cuts[name].size]
    if constant:
        warn(f"{listed(constant)}: a single value, and so a single bin.")
    found = Discretization({name: tuple(cuts[name].tolist()) for name in names}, method)
    return found.apply(dataset)


def _written_out(dataset: Dataset) -> Dataset:
    """The rows that count, each as often as its weight says where weights are whole numbers."""
    counted, weights = without_weightless_rows(dataset), dataset.weights
    if weights is None:
        return dataset
    if (weights % 1.0).any() or weights.sum() > MOST_ROWS:
        warn(
            "discretize: bins are made of rows, whatever their weights, which are no whole numbers or large."
        )
        return counted
    return dataset.take(np.repeat(np.arange(dataset.n_rows), weights.astype(np.int64)))


def _refuse_many(bins: int, n_rows: int) -> None:
    if bins > max(n_rows, FEW_BINS):
        raise OptionError(
            f"discretize(bins={bins}): {n_rows:,} rows cannot fill so many bins. Give fewer, such as 3 to 10."
        )


def _chosen(dataset: Dataset, columns: Sequence[str] | None) -> list[str]:
    unknown = [name for name in columns or () if name not in set(dataset.names)]
    if unknown:
        raise OptionError(no_such("column", unknown[0], dataset.names, owner="discretize"))
    chosen = [name for name, kind in dataset.kinds.items() if kind == "continuous"]
    if columns is not None:
        others = [name for name in columns if name not in chosen]
        if others:
            raise DataError(
                f"discretize: {listed(others)} is discrete already. Leave it out of columns, or say "
                f'kinds={{"{others[0]}": "continuous"}} if it holds measurements.'
            )
        return list(columns)
    if not chosen:
        raise DataError(
            "discretize: every column is discrete already; say kinds={…} if some hold measurements."
        )
    return chosen


def _present(dataset: Dataset, name: str) -> NDArray[np.float64]:
    column = dataset.column(name)
    assert isinstance(column, ContinuousColumn)  # noqa: S101, `_chosen` has seen to it
    return column.values if column.missing is None else column.values[~column.missing]


def _cuts_by_others(dataset: Dataset, fine: dict[str, Cuts], bins: int, method: Cutting) -> dict[str, Cuts]:
    """Which of many cuts remain, judged by what columns tell of each other."""
    if len(dataset.columns) < 2:
        raise DataError(
            f"discretize(method={method!r}): bins are judged by other columns, and there are none."
        )
    codes = [_codes(column, fine.get(column.name)) for column in dataset.columns if _takes_part(column, fine)]
    names = [column.name for column in dataset.columns if _takes_part(column, fine)]
    levels = [
        len(fine[name]) + 1 if name in fine else max(int(code.max()) + 1, 1)
        for name, code in zip(names, codes, strict=True)
    ]
    wanted = [min(bins, size) if name in fine else None for name, size in zip(names, levels, strict=True)]
    table = crossed(codes, levels)
    if method == "hartemink":
        groups = joined_bins(table, wanted)
    else:
        start = [
            _evenly(size, most) if most is not None else np.arange(size)
            for size, most in zip(levels, wanted, strict=True)
        ]
        groups = ScoredBins(table, names, wanted, start, dataset.n_rows).climb().groups
    return {
        name: fine[name][group[1:] - 1] for name, group in zip(names, groups, strict=True) if name in fine
    }


def _takes_part(column: ContinuousColumn | DiscreteColumn, fine: dict[str, Cuts]) -> bool:
    """Whether a column is cut, or is discrete: one that stays continuous has no levels to tell of."""
    return column.name in fine or isinstance(column, DiscreteColumn)


def _codes(column: ContinuousColumn | DiscreteColumn, cuts: Cuts | None) -> NDArray[np.int64]:
    if isinstance(column, DiscreteColumn):
        codes = column.codes.astype(np.int64)
    else:
        codes = np.searchsorted(cuts if cuts is not None else [], column.values, side="left").astype(np.int64)
    if column.missing is not None:
        codes[column.missing] = -1
    return codes


def _evenly(n_levels: int, n_bins: int) -> NDArray[np.int64]:
    """Bins of as equal numbers of levels as can be."""
    return np.unique(np.arange(n_bins) * n_levels // max(n_bins, 1))
