"""Which columns are discrete: a rule on the values, whatever type they are stored as.

Text, booleans, categoricals and mixtures are discrete. Numbers are discrete when they are whole
and there are at most two different ones, or at most twenty that occur twice or more on average.
Everything else is continuous. A kind that was given wins.
"""

from collections.abc import Collection, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from structlearn.data.aside import has_targets, is_aside
from structlearn.data.columns import KINDS, Kind, RawColumn
from structlearn.errors import OptionError, warn
from structlearn.naming import listed, no_such
from structlearn.rounding import LARGEST_WHOLE

WIDEST_COUNT = 1 << 16  # whole numbers over a range no longer than this are told apart without a sort
GLANCE = 1_000  # rows
MOST_LEVELS = 20  # whole numbers with more different values are taken as measured, not as codes
FEWEST_IDENTIFIERS = 20  # in fewer rows all values may differ by chance
# What programs and people write for a missing value. Among labels, only the first are no words of their own.
SURE_MARKS = frozenset({"", "?", "na", "n/a", "n.a.", "nan", "null", "#n/a", "#na", "<na>", "nat"})
_WORDS = ("nil", "none", "missing", "unknown", "(null)", *"-–—.…*", "--", "..", "...", "**")
_ERRORS = ("#div/0!", "#name?", "#null!", "#num!", "#ref!", "#value!", "-nan", "1.#qnan", "1.#ind")
MISSING_MARKS = SURE_MARKS.union(_WORDS, _ERRORS)
FEWEST_ROWS_PER_LEVEL = 5  # with fewer a table of counts is mostly chance


def infer_kind(column: RawColumn) -> Kind:
    """The kind of a column by the rule of this module."""
    if not column.is_number or column.categories is not None:
        return "discrete"
    if not are_whole(column.present):
        return "continuous"
    n_different = _n_different(column.present[:GLANCE])  # which spares most measurements the other rows
    if n_different <= MOST_LEVELS and column.present.size > GLANCE:
        n_different = _n_different(column.present)
    return "discrete" if are_few(n_different, column.present.size) else "continuous"


def are_few(n_different: int, n_values: int) -> bool:
    """Whether so many different whole numbers among all are codes."""
    return n_different <= 2 or (n_different <= MOST_LEVELS and 2 * n_different <= n_values)


def _n_different(whole: NDArray[Any]) -> int:
    above = steps_above_least(whole)
    return np.unique(whole).size if above is None else int(np.count_nonzero(np.bincount(above)))


def are_whole(values: NDArray[Any]) -> bool:
    """Whether every number is an integer that its storage holds exactly."""
    if values.dtype.kind in "iu":
        return True
    return bool(np.all((np.floor(values) == values) & (np.abs(values) < LARGEST_WHOLE)))


def steps_above_least(whole: NDArray[Any]) -> NDArray[np.int64] | None:
    """How far numbers are above the least of them; None where they are too far apart to be counted."""
    if not whole.size:
        return None
    least = whole.min()
    if int(whole.max()) - int(least) >= WIDEST_COUNT:
        return None
    if whole.dtype.kind != "u":
        return whole.astype(np.int64) - int(least)
    above: NDArray[np.int64] = (whole - least).astype(np.int64)
    return above


def are_exact(values: NDArray[Any]) -> bool:
    """Whether floats hold these integers to the last digit."""
    largest = max(abs(int(values.min())), abs(int(values.max()))) if values.size else 0
    return largest <= LARGEST_WHOLE


def check_kinds(kinds: Mapping[str, Kind], names: Sequence[str]) -> None:
    """Refuse a kind that does not exist, or one for a column that does not."""
    if not isinstance(kinds, Mapping):
        raise OptionError(
            f'kinds: give the kinds by name, kinds={{"{names[0]}": "discrete"}}, not as a '
            f"{type(kinds).__name__}."
        )
    for name, kind in kinds.items():
        if name not in names:
            raise OptionError(no_such("column", name, names, owner="kinds"))
        if kind not in KINDS:
            raise OptionError(
                f'kinds: column {name!r} is given as {kind!r}; a kind is "discrete" or "continuous".'
            )


def warn_of_identifier(column: RawColumn) -> None:
    """Warn of a column that numbers or names the rows, whose kind nobody has given."""
    kept_as = _identifier_kind(column)
    if kept_as is None or is_aside(column.name):
        return
    wanted = "a measurement" if kept_as == "continuous" else "a category"
    n_rows = column.n_rows
    begins = f"column {column.name!r} has {n_rows:,} different values in {n_rows:,} rows. It looks like "
    warn(
        f"{begins}an identifier; leave it out with drop=[{column.name!r}], or pass "
        f'kinds={{"{column.name}": "{kept_as}"}} if it is {wanted}.'
    )


def warn_of_labels(column: RawColumn) -> None:
    """Warn of text whose words may mean something else than so many labels, whose kind nobody has given."""
    if not column.is_object or column.categories is not None or has_targets(column.name):
        return
    words = column.different()
    _warn_of_marks(column.name, words)
    _warn_of_like_labels(column.name, words)
    if not is_aside(column.name) and MOST_LEVELS < len(
        words
    ) < column.present.size < FEWEST_ROWS_PER_LEVEL * len(words):
        _warn_of_many_labels(column, len(words))


def is_mark(word: str) -> bool:
    """Whether a word among numbers is one that stands for a missing value."""
    return word.strip().lower() in MISSING_MARKS


def _warn_of_marks(name: str, words: Collection[Any]) -> None:
    """Warn of labels that may mean a missing value: nothing at all, or a mark such as NA."""
    if "" in words and len(words) > 1:
        warn(
            f"column {name!r} has the empty text '' among its labels. If that means a missing value, leave "
            "it out (None; in a file, nothing between the separators); pass "
            f'kinds={{"{name}": "discrete"}} if it is a label.'
        )
    marks = sorted(str(word) for word in words if word != "" and str(word).strip().lower() in SURE_MARKS)
    if marks and len(marks) < len(words):
        given = repr(marks[0]) if len(marks) == 1 else repr(marks)
        warn(
            f"column {name!r} has {listed(marks)} among its labels. If that means a missing value, "
            f'pass na={given}; pass kinds={{"{name}": "discrete"}} if it is a label.'
        )


def _warn_of_like_labels(name: str, words: Collection[Any]) -> None:
    """Warn of labels that a person would read as one."""
    read_as: dict[str, list[str]] = {}
    for word in sorted(word for word in words if isinstance(word, str)):
        read_as.setdefault(" ".join(word.split()).casefold(), []).append(word)
    alike = next((found for found in read_as.values() if len(found) > 1), None)
    if alike:
        warn(
            f"column {name!r} has labels that differ in blanks or capitals only, such as {alike[0]!r} and "
            f"{alike[1]!r}. If they mean the same, write them alike; pass "
            f'kinds={{"{name}": "discrete"}} if they do not.'
        )


def _warn_of_many_labels(column: RawColumn, n_words: int) -> None:
    n_rows = column.present.size
    warn(
        f"column {column.name!r} has {n_words:,} different words in {n_rows:,} rows, "
        f"{n_rows / n_words:.1f} rows each, from which little can be learnt. Join rare ones, or leave it "
        f'out with drop=[{column.name!r}]; pass kinds={{"{column.name}": "discrete"}} to keep it.'
    )


def _identifier_kind(column: RawColumn) -> Kind | None:
    values = column.present
    if values.size < FEWEST_IDENTIFIERS or column.missing is not None or column.categories is not None:
        return None
    if column.is_number:
        return "continuous" if _numbers_rows(values) else None
    return "discrete" if column.is_object and _all_differ(column) else None


def _all_differ(column: RawColumn) -> bool:
    return _begin_unlike(column.present) and len(column.different()) == column.present.size


def _numbers_rows(values: NDArray[Any]) -> bool:
    if not _begin_unlike(values):
        return False
    span = values.max().item() - values.min().item()
    return span == values.size - 1 and are_whole(values) and np.unique(values).size == values.size


def _begin_unlike(values: NDArray[Any]) -> bool:
    """Whether the first rows differ: repeats among them are the rule, and spare the look at all of them."""
    beginning = values[:FEWEST_IDENTIFIERS].tolist()
    return len(set(beginning)) == len(beginning)
