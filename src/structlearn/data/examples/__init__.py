"""Small networks of the literature, and tables that scikit-learn carries."""

from collections.abc import Callable
from importlib.resources import files
from importlib.resources.abc import Traversable
from typing import Any

import numpy as np

from structlearn.data.columns import Kind
from structlearn.data.dataset import Dataset
from structlearn.errors import OptionError, needing

_FOLDER = files("structlearn.data.examples")

NETWORKS: dict[str, Traversable] = {
    name: _FOLDER / f"{name}.bif" for name in ("asia", "cancer", "earthquake")
}
"""The bundled Bayesian networks: name → a file in BIF."""

TABLES = ("iris", "wine", "breast_cancer", "diabetes", "linnerud")
"""The tables that `load_table` knows."""

EXAMPLES: dict[str, str] = {
    "asia": "Chest clinic: 8 binary variables, 8 arrows (Lauritzen and Spiegelhalter, 1988)",
    "cancer": "Lung cancer: 5 binary variables, 4 arrows (Korb and Nicholson, 2010)",
    "earthquake": "Burglar alarm: 5 binary variables, 4 arrows (Korb and Nicholson, 2010, after Pearl, 1988)",
    "iris": "Iris flowers: 150 rows, 4 measurements and the species (Fisher, 1936)",
    "wine": "Italian wines: 178 rows, 13 measurements and the cultivar (Forina et al., 1991)",
    "breast_cancer": "Breast tumours: 569 rows, 30 measurements and the diagnosis (Street et al., 1993)",
    "diabetes": "Diabetes: 442 rows, 9 measurements, sex and progression (Efron et al., 2004)",
    "linnerud": "Fitness club: 20 rows, 3 exercises and 3 body measurements (Linnerud)",
}
"""Every example with a line about it."""


def load_table(name: str) -> Dataset:
    """One of the tables that come with scikit-learn, its column kinds given.

    Examples
    --------
    >>> load_table("iris").labels
    {'species': ('setosa', 'versicolor', 'virginica')}
    """
    readers: dict[str, Callable[[], Dataset]] = {
        "iris": lambda: _classified("load_iris", "species"),
        "wine": lambda: _classified("load_wine", "cultivar"),
        "breast_cancer": lambda: _classified("load_breast_cancer", "diagnosis"),
        "diabetes": _diabetes,
        "linnerud": _linnerud,
    }
    if name not in readers:
        raise OptionError(f"load_table: there is no table {name!r}; the tables are {', '.join(TABLES)}.")
    return readers[name]()


def _classified(loader: str, class_name: str) -> Dataset:
    bunch = _loaded(loader)
    measurements = _named(bunch.feature_names, bunch.data)
    classes = np.asarray(bunch.target_names, dtype=object)[bunch.target]
    return _with_kinds({**measurements, class_name: classes}, discrete=class_name)


def _diabetes() -> Dataset:
    bunch = _loaded("load_diabetes", scaled=False)
    columns = {**_named(bunch.feature_names, bunch.data), "progression": bunch.target}
    return _with_kinds(columns, discrete="sex")


def _linnerud() -> Dataset:
    bunch = _loaded("load_linnerud")
    columns = {**_named(bunch.feature_names, bunch.data), **_named(bunch.target_names, bunch.target)}
    return _with_kinds(columns, discrete=None)


def _with_kinds(columns: dict[str, Any], *, discrete: str | None) -> Dataset:
    kinds: dict[str, Kind] = dict.fromkeys(columns, "continuous")
    if discrete is not None:
        kinds[discrete] = "discrete"
    return Dataset(columns, kinds=kinds, rows="independent")  # some are sorted by class


def _loaded(loader: str, **options: Any) -> Any:
    with needing("sklearn", "This example", install="scikit-learn"):
        from sklearn import datasets  # noqa: PLC0415, slow to load and only for these tables

    return getattr(datasets, loader)(**options)


def _named(names: Any, values: Any) -> dict[str, Any]:
    return {str(name): values[:, j] for j, name in enumerate(names)}
