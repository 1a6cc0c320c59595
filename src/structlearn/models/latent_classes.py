"""Latent classes: groups of rows that nobody named, within which the columns are independent."""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from structlearn.data import Dataset, DiscreteColumn
from structlearn.errors import DataError, OptionError, warn
from structlearn.graphs import Graph
from structlearn.models.bayesian_network import BayesianNetwork
from structlearn.models.cpds import TableCPD
from structlearn.numerics.hidden_classes import Climb, Items, best_classes
from structlearn.options import Either, Instance, OneOf, OrNone, Rules, Whole, check_options
from structlearn.rounding import is_better
from structlearn.statistics import without_empty_rows
from structlearn.statistics.source import check_frequencies
from structlearn.statistics.weightless import without_weightless_rows

RULES: Rules = {
    "n_classes": Either((OneOf(("bic",), ""), Whole(1, "")), "how many classes there are"),
    "max_classes": Whole(1, "the most classes to try"),
    "n_starts": Whole(1, "from how many random tables to begin"),
    "random_state": OrNone(Whole(0, "the seed of all randomness"), "a new one each time"),
    "name": Instance(str, "what the hidden node is called"),
}


class ClassesTried(NamedTuple):
    """What a number of classes is worth: log-likelihood, free parameters, BIC, and whether tables tell it."""

    log_likelihood: float
    n_parameters: int
    bic: float
    is_identified: bool


@dataclass(frozen=True, eq=False)
class LatentClasses:
    """A hidden node with an arc to every column, and how its number of states was chosen.

    `model` is a Bayesian network: `model.predict_proba(rows, "class")` gives the classes of rows. Classes are
    called "1", "2", … by size, the largest first. `tried` has each number of classes that was fitted;
    where it has more free parameters than the table of all columns, the classes are not identified: others
    fit as well. `log_likelihoods` has the last steps of the best start, and never falls; `converged` says
    whether it settled.
    """

    model: BayesianNetwork
    tried: Mapping[int, ClassesTried]
    n_classes: int
    sizes: NDArray[np.float64]
    log_likelihoods: NDArray[np.float64]
    converged: bool
    n_empty_rows: int

    @property
    def log_likelihood(self) -> float:
        """That of what was observed."""
        return self.tried[self.n_classes].log_likelihood

    @property
    def bic(self) -> float:
        """The log-likelihood less half a log-size per free parameter."""
        return self.tried[self.n_classes].bic

    @property
    def is_identified(self) -> bool:
        """Whether there are no more free parameters than the table of all columns has."""
        return self.tried[self.n_classes].is_identified

    def __repr__(self) -> str:
        sizes = ", ".join(f"{size:.3f}" for size in self.sizes)
        return f"<LatentClasses: {self.n_classes} of sizes {sizes}; BIC {self.bic:.3f}>"


def latent_classes(
    data: Any,
    n_classes: int | Literal["bic"] = "bic",
    *,
    max_classes: int = 6,
    n_starts: int = 20,
    random_state: int | None = 0,
    name: str = "class",
) -> LatentClasses:
    """Find groups of rows within which all columns are independent: a hidden node, the parent of all [1]_.

    Parameters
    ----------
    data : anything `Dataset` takes
        A table of discrete columns. Values may be missing: what a row lacks says nothing of its class. Rows
        without any value are left out; `n_empty_rows` says how many.
    n_classes : int or "bic", default "bic"
        How many classes there are; or that number, up to `max_classes`, which has the best BIC, among those
        that the table can identify; no more are tried where two in a row did not raise it.
    max_classes : int, default 6
        The most classes to try.
    n_starts : int, default 20
        From how many random tables to begin; the likelihood has local maxima.
    random_state : int or None, default 0
        The seed of all randomness; by None a new one each time.
    name : str, default "class"
        What the hidden node is called.

    References
    ----------
    .. [1] Goodman (1974), Exploratory latent structure analysis using both identifiable and unidentifiable
       models, Biometrika 61.

    Examples
    --------
    >>> import structlearn as sl
    >>> rows = {"q1": list("yyyynnnn") * 20, "q2": list("yyynnnnn") * 20, "q3": list("yyynynnn") * 20}
    >>> found = sl.latent_classes(rows)
    >>> found
    <LatentClasses: 2 of sizes 0.625, 0.375; BIC -223.694>
    >>> found.model.predict({"q1": ["y"], "q2": ["n"]}, "class")["class"].tolist()
    ['1']
    """
    options = {"n_classes": n_classes, "max_classes": max_classes, "n_starts": n_starts}
    check_options("latent_classes", RULES, {**options, "random_state": random_state, "name": name})
    dataset, n_empty = without_empty_rows(without_weightless_rows(Dataset(data)))
    check_frequencies("latent_classes", dataset.weights)
    columns = _discrete(dataset, name)
    items, levels = _items(columns, dataset.weights)
    numbers = range(1, max_classes + 1) if n_classes == "bic" else range(n_classes, n_classes + 1)
    climbs, tried = _climbs(items, levels, numbers, n_starts, np.random.default_rng(random_state))
    chosen = _chosen(tried)
    if not tried[chosen].is_identified:
        _warn_of_unidentified(chosen, levels)
    climb = climbs[chosen]
    model = _network(columns, climb, name)
    return LatentClasses(model, tried, chosen, climb.sizes, climb.log_likelihoods, climb.converged, n_empty)


def _climbs(
    items: Items, levels: NDArray[np.int64], numbers: range, n_starts: int, rng: np.random.Generator
) -> tuple[dict[int, Climb], dict[int, ClassesTried]]:
    """Fit each number of classes, up to those that the table cannot tell or that BIC has left behind."""
    climbs: dict[int, Climb] = {}
    tried: dict[int, ClassesTried] = {}
    for number in numbers:
        fell_twice = len(tried) > 2 and _chosen(tried) < number - 2
        if tried and (fell_twice or not _is_identified(number, levels)):
            break
        climbs[number] = best_classes(items, number, n_starts, rng)
        tried[number] = _worth(number, climbs[number], levels, float(items.weights.sum()))
    return climbs, tried


def _warn_of_unidentified(n_classes: int, levels: NDArray[np.int64]) -> None:
    warn(
        f"latent_classes(n_classes={n_classes}): {_n_free(n_classes, levels)} parameters are more than the "
        f"{math.prod(levels.tolist()) - 1} free cells of the table tell; other classes fit as well."
    )


def _chosen(tried: Mapping[int, ClassesTried]) -> int:
    """The number with the best BIC; of equal ones the smallest."""
    best, *others = tried
    for number in others:
        best = number if is_better(tried[number].bic, tried[best].bic) else best
    return best


def _worth(n_classes: int, climb: Climb, levels: NDArray[np.int64], size: float) -> ClassesTried:
    n_free, log_likelihood = _n_free(n_classes, levels), float(climb.log_likelihoods[-1])
    bic = log_likelihood - 0.5 * n_free * math.log(size)
    return ClassesTried(log_likelihood, n_free, bic, _is_identified(n_classes, levels))


def _n_free(n_classes: int, levels: NDArray[np.int64]) -> int:
    return n_classes - 1 + n_classes * int((levels - 1).sum())


def _is_identified(n_classes: int, levels: NDArray[np.int64]) -> bool:
    return bool(_n_free(n_classes, levels) <= math.prod(levels.tolist()) - 1)


def _discrete(dataset: Dataset, name: str) -> list[DiscreteColumn]:
    if name in dataset.names:
        raise OptionError(
            f"latent_classes(name={name!r}): the table has a column of that name. Choose another."
        )
    for column in dataset.columns:
        if not isinstance(column, DiscreteColumn):
            raise DataError(
                f"latent_classes takes discrete columns only, and {column.name!r} is not. Leave it out, cut "
                "it into bins, or say otherwise with kinds={…}."
            )
    return [column for column in dataset.columns if isinstance(column, DiscreteColumn)]


def _items(
    columns: list[DiscreteColumn], weights: NDArray[np.float64] | None
) -> tuple[Items, NDArray[np.int64]]:
    levels = np.array([column.levels for column in columns])
    codes = np.column_stack([column.codes.astype(np.int64) for column in columns])
    for j, column in enumerate(columns):
        if column.missing is not None:
            codes[column.missing, j] = -1
    return Items.of(codes, levels, np.ones(len(codes)) if weights is None else weights), levels


def _network(columns: list[DiscreteColumn], climb: Climb, name: str) -> BayesianNetwork:
    names = [column.name for column in columns]
    labels = [str(number + 1) for number in range(len(climb.sizes))]
    cpds = {name: TableCPD(climb.sizes, labels=labels)}
    ends = np.cumsum([column.levels for column in columns])
    for column, shares in zip(columns, np.split(climb.shares, ends[:-1], axis=1), strict=True):
        cpds[column.name] = TableCPD(shares, labels=column.labels, parents=[name])
    return BayesianNetwork(Graph([name, *names], directed=[(name, item) for item in names]), cpds)
