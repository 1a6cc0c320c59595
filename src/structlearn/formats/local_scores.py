"""Lists of parent sets with their scores, in the text format that exact solvers share (GOBNILP's, or jkl).

The file has the number of nodes, and then for every node a line with its name and how many families
follow: each a line with the score, the number of parents and their names. Before the number of nodes
there may be lines that start with # or META.
"""

import math
import re
from collections import deque
from collections.abc import Collection
from dataclasses import dataclass
from os import PathLike

import numpy as np

from structlearn.errors import DataError
from structlearn.formats.files import read_text, write_text
from structlearn.formats.scanner import shortened
from structlearn.search.local_scores import LocalScores
from structlearn.search.parent_sets import ScoredSets
from structlearn.whole_files import path_of

MOST_PLACES = 2**22
MOST_PLACES_FOR_A_PARENT = 16  # lists of all sets up to some size have one or two

_COUNT = re.compile(r"0*[1-9][0-9]{0,8}")


def load_local_scores(path: str | PathLike[str]) -> LocalScores:
    """Read a list of parent sets with their scores, as GOBNILP and other exact solvers write it.

    `sl.ExactSearch().fit_scores(…)` finds its best DAG.

    Parameters
    ----------
    path : str or path
        A text file, zipped if its name ends in .gz.

    Returns
    -------
    LocalScores
        All families of the file, those of each node from the best down.
    """
    path = path_of(path)
    text = read_text(path)
    try:
        return read(text)
    except DataError as error:
        raise DataError(f"{path}: {error}") from None


def save_local_scores(scores: LocalScores, path: str | PathLike[str]) -> None:
    """Write a list of parent sets with their scores, for GOBNILP or another exact solver.

    Parameters
    ----------
    scores : LocalScores
        As in `local_scores_` of a fitted `sl.ExactSearch`.
    path : str or path
        Where to; a file of that name is replaced once the new one is complete.

    Examples
    --------
    >>> import structlearn as sl
    >>> data = sl.example("cancer").sample(500, random_state=0)
    >>> found = sl.ExactSearch(max_parents=2).fit(data)
    >>> save_local_scores(found.local_scores_, "cancer.jkl")  # doctest: +SKIP
    """
    write_text(path_of(path), write(scores))


def write(scores: LocalScores) -> str:
    """Give the lists as text."""
    for name in scores.names:
        if name.split() != [name]:
            raise DataError(
                f"The column name {name!r} {'has a blank' if name else 'is empty'}, "
                "but blanks separate the names in a file of local scores; rename the column."
            )
    lines = [str(len(scores.names))]
    for name, of_node in zip(scores.names, scores.sets, strict=True):
        lines.append(f"{name} {len(of_node.scores)}")
        for row, score in enumerate(of_node.scores.tolist()):
            parents = [scores.names[member] for member in of_node.parents(row)]
            lines.append(" ".join([repr(score), str(len(parents)), *parents]))
    return "\n".join([*lines, ""])


def read(text: str) -> LocalScores:
    """Read the lists from text."""
    lines = _Lines(text)
    lines.skip_remarks()
    n_nodes = lines.next("the number of nodes").count(0, "the number of nodes")
    families: dict[str, list[_Line]] = {}
    for i in range(n_nodes):
        header = lines.next(f"node {i + 1} of {n_nodes}")
        name = header.words[0]
        if name in families:
            raise header.error(f"node {name!r} is there a second time")
        n_families = header.count(1, f"the name of node {i + 1} of {n_nodes} and the number of its families")
        families[name] = [
            lines.next(f"family {j + 1} of {n_families} of {name!r}") for j in range(n_families)
        ]
    lines.refuse_more()
    place = {name: i for i, name in enumerate(families)}
    return LocalScores(tuple(families), tuple(_sets(*node, place) for node in families.items()))


def _sets(name: str, families: list["_Line"], place: dict[str, int]) -> ScoredSets:
    """The parent sets of a node, small ones first where scores are equal."""
    found: dict[tuple[int, ...], float] = {}
    for line in families:
        parents = _parents(name, line, place)
        if parents in found:
            raise line.error(f"{name!r} has this parent set a second time")
        found[parents] = _score(line)
    by_rank = sorted(found, key=lambda parents: (len(parents), parents[::-1]))
    _refuse_gaps(found, families)
    members = np.full((len(found), max(map(len, found), default=0)), -1, dtype=np.int64)
    for row, parents in enumerate(by_rank):
        members[row, : len(parents)] = parents
    return ScoredSets.of(members, np.array([found[parents] for parents in by_rank]))


def _refuse_gaps(found: Collection[tuple[int, ...]], families: list["_Line"]) -> None:
    """Refuse a table with a place for each parent of the largest set, where it would be nearly empty."""
    n_places, n_taken = len(found) * max(map(len, found), default=0), sum(map(len, found))
    if n_places > max(MOST_PLACES, MOST_PLACES_FOR_A_PARENT * n_taken):
        raise max(families, key=lambda line: len(line.words)).error(
            f"this family is so large beside the others of its node that they would take {n_places:,} places"
        )


def _parents(name: str, line: "_Line", place: dict[str, int]) -> tuple[int, ...]:
    names = line.words[2:]
    if len(line.words) < 2 or line.words[1] != str(len(names)):
        raise line.error("a family is a score, the number of parents and as many names")
    unknown = [parent for parent in names if parent not in place]
    if unknown:
        raise line.error(f"there is no node {unknown[0]!r}")
    if name in names or len(set(names)) < len(names):
        raise line.error(f"a node is twice in the family of {name!r}")
    return tuple(sorted(place[parent] for parent in names))


def _score(line: "_Line") -> float:
    try:
        score = float(line.words[0])
    except ValueError:
        score = math.nan
    if not math.isfinite(score):
        raise line.error(f"{line.words[0]!r} is not a score, a finite number")
    return score


@dataclass(frozen=True, slots=True)
class _Line:
    """A line that is not blank."""

    number: int
    words: list[str]

    def error(self, reason: str) -> DataError:
        return DataError(f"line {self.number}: {reason}.")

    def count(self, n_before: int, what: str) -> int:
        """The whole number with which the line ends, behind so many words."""
        if len(self.words) != n_before + 1 or not _COUNT.fullmatch(self.words[-1]):
            raise self.error(f"{what} should be here, not {shortened(' '.join(self.words))!r}")
        return int(self.words[-1])


class _Lines:
    """The lines of a text, one after the other."""

    def __init__(self, text: str) -> None:
        lines = [_Line(number, line.split()) for number, line in enumerate(text.splitlines(), start=1)]
        self._left = deque(line for line in lines if line.words)
        self._end = len(lines)

    def skip_remarks(self) -> None:
        while self._left and (self._left[0].words[0] == "META" or self._left[0].words[0].startswith("#")):
            self._left.popleft()

    def next(self, what: str) -> _Line:
        if not self._left:
            raise DataError(f"line {self._end}: the file ends where {what} should be.")
        return self._left.popleft()

    def refuse_more(self) -> None:
        if self._left:
            raise self._left[0].error("the families of the last node ended before this line")
