"""Why a DAG is the best: the families that it was chosen from, with their scores."""

import math
import re
from contextlib import suppress
from typing import Any

import numpy as np
from numpy.typing import NDArray

from structlearn.certificates.bounds import best_total, bounded_by_cuts, cuts_content
from structlearn.certificates.findings import Finding
from structlearn.certificates.table import Content
from structlearn.data import Knowledge
from structlearn.errors import DataError
from structlearn.graphs import Graph
from structlearn.rounding import slack
from structlearn.run import Run
from structlearn.scores import Extended, Score, VariancesByChance, checked_scores
from structlearn.scores.registry import BY_NAME
from structlearn.search.limits import Limits, count_families
from structlearn.search.local_scores import (
    LocalScores,
    Solution,
    score_all_families,
)
from structlearn.search.space import Space
from structlearn.statistics import Statistics
from structlearn.statistics.column_sorts import sort_of

KIND = "best-dag"
MOST_COLUMNS = 20  # 160 MiB for the tables of best parents, a second or two
MOST_FAMILIES = 1_000_000  # some ten seconds of counting
BY_CUTS = "the cuts, at their prices"
BY_FAMILIES = "the families alone"
Values = NDArray[np.float64]


def content(table: Content, score: str, limits: Limits, lists: LocalScores, best: Solution) -> dict[str, Any]:
    """The best DAG, what no DAG scores more than, and the lists of families."""
    names = lists.names
    forbidden = np.argwhere(limits.closed & ~np.eye(len(names), dtype=np.bool_))
    return {
        "kind": KIND,
        "table": table,
        "score": score,
        "max parents": min(limits.max_parents, len(names) - 1),
        "required": [[names[u], names[v]] for u, v in limits.required_arcs()],
        "forbidden": [[names[u], names[v]] for v, u in forbidden.tolist()],
        "graph": {
            name: [names[u] for u in of_node] for name, of_node in zip(names, best.parents, strict=True)
        },
        "total": best.score,
        "bound": best.bound,
        "bound is shown by": BY_FAMILIES if best.cuts is None else BY_CUTS,
        **cuts_content(names, best.cuts),
        "families": {
            name: [
                [score, [names[u] for u in of_node.parents(row)]]
                for row, score in enumerate(of_node.scores.tolist())
            ]
            for name, of_node in zip(names, lists.sets, strict=True)
        },
    }


def check(known: Content, statistics: Statistics, judge: Score | None) -> list[Finding]:
    """Score the families again, and look for a DAG that is better."""
    _refuse_other_columns(known)
    score = judge or _named_score(known["score"], statistics)
    if score is None:
        unknown = f"the scores of families: {known['score']} has no name; give it as judge."
        return [_dag(known), Finding(None, unknown), _bounded(known)]
    return [
        _dag(known),
        _graph_scored(known, score, statistics),
        _lists_scored(known, score, statistics),
        _lists_whole(known, score, statistics),
        _bounded(known),
    ]


def _dag(known: Content) -> Finding:
    arcs = [(u, v) for v, parents in known["graph"].items() for u in parents]
    is_dag = Graph(known["table"]["columns"], directed=arcs).is_dag
    required, forbidden = (set(map(tuple, known[name])) for name in ("required", "forbidden"))
    is_allowed = required <= set(arcs) and not forbidden & set(arcs)
    is_allowed &= max(map(len, known["graph"].values()), default=0) <= known["max parents"]
    told = f" that honours {len(required)} required and {len(forbidden)} forbidden arcs"
    informed = told if required or forbidden else ""
    return Finding(is_dag and is_allowed, f"the graph is a DAG{informed}, with {len(arcs)} arcs.")


def _graph_scored(known: Content, score: Score, statistics: Statistics) -> Finding:
    families = [(v, known["graph"][v]) for v in statistics.names]
    total = math.fsum(_scores(score, statistics, families))
    is_same = abs(total - known["total"]) <= slack(total)
    return Finding(is_same, f"its score is {total:.10g}, by {known['score']}.")


def _lists_scored(known: Content, score: Score, statistics: Statistics) -> Finding:
    listed = [(v, parents) for v, families in known["families"].items() for _, parents in families]
    written = np.array([value for families in known["families"].values() for value, _ in families])
    found = _scores(score, statistics, listed)
    n_right = int((np.abs(found - written) <= slack(float(np.abs(found).max(initial=1.0)))).sum())
    return Finding(
        n_right == len(listed), f"{n_right:,} of {len(listed):,} listed families score what is written."
    )


def _lists_whole(known: Content, score: Score, statistics: Statistics) -> Finding:
    """Whether each family that is allowed has a subset in the lists that is as good."""
    knowledge = Knowledge(required=map(tuple, known["required"]), forbidden=map(tuple, known["forbidden"]))
    limits = Limits.of(statistics.names, knowledge, known["max parents"])
    n_families = count_families(limits)
    whole = (
        f"of all {n_families:,} families with at most {known['max parents']} parents that are allowed, none "
        "is better than the listed ones within it"
    )
    if n_families > MOST_FAMILIES:
        return Finding(None, f"{whole}: too many to score them here.")
    with Run("check", progress=False) as run:
        space = Space.of("check", statistics, knowledge, run, score=score, max_parents=known["max parents"])
        lists = score_all_families(space)
    if lists is None:
        return Finding(None, f"{whole}: stopped before all were scored.")
    missing = sum(
        _is_missing(value, {lists.names[u] for u in of_node.parents(row)}, known["families"][name])
        for name, of_node in zip(lists.names, lists.sets, strict=True)
        for row, value in enumerate(of_node.scores.tolist())
    )
    return Finding(not missing, f"{whole}{f': {missing:,} are' if missing else ''}.")


def _is_missing(value: float, parents: set[str], listed: list[Any]) -> bool:
    """Whether no listed family within these parents, the best first, is as good."""
    enough = value - slack(value)
    for score, members in listed:
        if score < enough:
            return True
        if parents.issuperset(members):
            return False
    return True


def _bounded(known: Content) -> Finding:
    claim = f"no DAG of the listed families scores more than {known['bound']:.10g}"
    if not known["total"] <= known["bound"] + slack(known["total"]):
        return Finding(holds=False, claim=f"{claim}: the graph itself is said to score more.")
    if known["bound"] > known["total"] + slack(known["total"]):
        claim += f", {known['bound'] - known['total']:.4g} above the graph: it is not proven to be the best"
    trivial = math.fsum(max(value for value, _ in families) for families in known["families"].values())
    if trivial <= known["bound"] + slack(known["bound"]):
        return Finding(holds=True, claim=f"{claim}: the best family of every column together reach no more.")
    if known["cuts"] and bounded_by_cuts(known):
        return Finding(holds=True, claim=f"{claim}, by the prices of {len(known['cuts'])} cuts.")
    if len(known["families"]) > MOST_COLUMNS:
        reason = (
            f"with more than {MOST_COLUMNS} columns this is left to a solver"
            if not known["cuts"]
            else "the cuts do not show it"
        )
        return Finding(
            False if known["cuts"] else None,
            f"{claim}: {reason}; the families alone show {trivial:.10g}.",
        )
    best = best_total(known)
    return Finding(best <= known["bound"] + slack(best), f"{claim}; the best of all has {best:.10g}.")


def _refuse_other_columns(known: Content) -> None:
    families, most = known["families"], known["max parents"]
    if not isinstance(most, int) or most < 0:
        raise DataError(f"The certificate is not whole: at most {most} parents are no number of them.")
    if not set(known["graph"]) == set(families) == set(known["table"]["columns"]):
        raise DataError("The certificate is not whole: the graph or the families are not of its columns.")
    for name, listed in families.items():
        columns = [(name, *parents) for _, parents in listed]
        has_each_once = all(len(set(family)) == len(family) for family in columns)
        if not has_each_once or len(set(map(frozenset, columns))) < len(columns):
            raise DataError(f"The certificate is not whole: {name!r} has a family or a parent twice.")


def _scores(score: Score, statistics: Statistics, families: list[tuple[str, list[str]]]) -> Values:
    """The scores of families of any size."""
    place = {name: i for i, name in enumerate(statistics.names)}
    sizes = np.array([len(parents) for _, parents in families], dtype=np.int64)
    found = np.empty(len(families))
    for size in np.unique(sizes).tolist():
        rows = np.flatnonzero(sizes == size)
        asked = [[place[name] for name in (families[row][0], *families[row][1])] for row in rows.tolist()]
        found[rows] = checked_scores(score, statistics, np.array(asked, dtype=np.int64))
    return found


def _named_score(text: str, statistics: Statistics) -> Score | None:
    """The score of that name, or the form that a table with long tails or many columns has of it."""
    sort = sort_of(statistics)
    named = [sorts[sort]() for sorts in BY_NAME.values() if sort in sorts]
    for score in (*named, *map(VariancesByChance, named)):
        if repr(score) == text:
            return score
        if extended := re.fullmatch(rf"Extended\(score={re.escape(repr(score))}, risk=(\d\S*)\)", text):
            with suppress(ValueError):  # of what is no number, or no risk
                return Extended(score, float(extended[1]))
    return None
