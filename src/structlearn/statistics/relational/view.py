"""The features of all objects of a class, as codes, from which counts are made."""

from collections.abc import Mapping, Sequence
from itertools import count
from typing import Any

import numpy as np
from numpy.typing import NDArray

from structlearn.data.relational.cuts import intervals
from structlearn.data.relational.databases import Database
from structlearn.data.relational.features import CodedFeature, Feature
from structlearn.data.relational.schema import Attribute
from structlearn.data.relational.sql import interval_of
from structlearn.data.sql_words import quoted
from structlearn.statistics.relational.view_query import ViewQuery

MOST_IN_A_STATEMENT = 40  # members of a union; SQLite takes 500, and a server plans each of them
NUMBERS = count()


class ClassView:
    """Counts over the objects of a class by GROUP BY, many sets of features in one statement.

    Where the database keeps results for us the codes are made once; otherwise each statement makes them anew.

    Parameters
    ----------
    database : Database
        Where the objects are.
    features : sequence of Feature
        Features of one class, its own attributes among them.
    known : mapping of Feature to CodedFeature
        The states of features that are known already, as those of a model.
    n_intervals : int
        Into how many intervals means and counts are cut.
    """

    def __init__(
        self,
        database: Database,
        features: Sequence[Feature],
        *,
        n_intervals: int,
        known: Mapping[Feature, CodedFeature] | None = None,
    ) -> None:
        self.database = database
        self.base = features[0].base
        query = ViewQuery(self.base, features)
        raw = self._kept(query.sql())
        self.coded = tuple(self._coded(raw, features, known or {}, n_intervals))
        self._source = self._kept(self._codes(raw))
        if database.keeps:
            database.drop(raw)

    def close(self) -> None:
        """Forget the codes."""
        if self.database.keeps:
            self.database.drop(self._source)

    def counts(self, sets: NDArray[np.int64], target: int) -> list[NDArray[np.int64]]:
        """How often each joint state of each set of columns occurs among the objects with a target value.

        Each answer has a row per joint state that occurs: the codes, and how often.
        """
        found: list[NDArray[np.int64]] = []
        for first in range(0, len(sets), MOST_IN_A_STATEMENT):
            found += self._counted(sets[first : first + MOST_IN_A_STATEMENT], target)
        return found

    def _counted(self, sets: NDArray[np.int64], target: int) -> list[NDArray[np.int64]]:
        present = f"c{target} < {self.coded[target].n_values}"
        members = []
        for place, columns in enumerate(sets.tolist()):
            codes = ", ".join(f"c{column}" for column in columns)
            members.append(f"SELECT {place}, {codes}, COUNT(*) FROM codes WHERE {present} GROUP BY {codes}")
        body = " UNION ALL ".join(members)
        source = f"SELECT * FROM {self._source}" if self.database.keeps else self._source
        rows = self.database.rows(f"WITH codes AS ({source}) {body}")
        table = np.array(rows, dtype=np.int64).reshape(-1, sets.shape[1] + 2)
        return [table[table[:, 0] == place, 1:] for place in range(len(sets))]

    def _kept(self, query: str) -> str:
        """The name of a kept result, or the query itself."""
        if not self.database.keeps:
            return query
        name = f"structlearn_view_{next(NUMBERS)}"
        self.database.keep(name, query)
        return name

    def _from(self, source: str) -> str:
        return quoted(source) if self.database.keeps else f"({source}) AS raw"

    def _coded(
        self,
        raw: str,
        features: Sequence[Feature],
        known: Mapping[Feature, CodedFeature],
        n_intervals: int,
    ) -> list[CodedFeature]:
        present = ", ".join(f"COUNT(f{i})" for i in range(len(features)))
        [(n, *n_present)] = self.database.rows(f"SELECT COUNT(*), {present} FROM {self._from(raw)}")
        self.n_objects, self.n_present = int(n), [int(seen) for seen in n_present]
        coded = []
        for i, feature in enumerate(features):
            if feature in known:
                coded.append(known[feature])
                continue
            numbers = f"SELECT f{i} AS v FROM {self._from(raw)} WHERE f{i} IS NOT NULL"
            cut: Any = intervals(self.database, numbers, n_intervals) if feature.is_number else ((), ())
            coded.append(CodedFeature.of(feature, has_none=self.n_present[i] < self.n_objects, intervals=cut))
        return coded

    def _codes(self, raw: str) -> str:
        values = []
        for i, coded in enumerate(self.coded):
            code = interval_of(f"f{i}", coded.cuts) if coded.cuts else f"f{i}"
            if coded.feature.is_number and not coded.cuts:
                code = f"CASE WHEN f{i} IS NOT NULL THEN 0 END"
            values.append(f"CAST(COALESCE({code}, {coded.n_values}) AS SMALLINT) AS c{i}")
        return f"SELECT {', '.join(values)} FROM {self._from(raw)}"


def n_valued(database: Database, attribute: Attribute) -> int:
    """How many objects have a value of an attribute, whether or not it is one of its states."""
    [(n,)] = database.rows(f"SELECT COUNT({quoted(attribute.name)}) FROM {quoted(attribute.owner)}")
    return int(n)
