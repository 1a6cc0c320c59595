"""Why pairs have an edge or none: sets that separate them, with p-values, and what edges survived."""

import itertools
from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from structlearn.certificates.findings import Finding
from structlearn.certificates.table import Content
from structlearn.data import Knowledge
from structlearn.errors import DataError
from structlearn.graphs import Graph
from structlearn.graphs.links import Links
from structlearn.independence import IndependenceTest, test_for
from structlearn.independence.asking import Asker, Subsets, separate_pairs
from structlearn.independence.registry import BY_NAME
from structlearn.outcome import Pair, Separation
from structlearn.statistics import Statistics

KIND = "separating-sets"
TOLERANCE = 1e-9  # of p-values: machines round differently in the last places
MOST_TESTS = 1_000_000  # of edges, to be asked again: some ten seconds of counting


def content(
    table: Content,
    test: str,
    alpha: float,
    graph: Graph,
    separating_sets: Mapping[Pair, Separation],
    *,
    knowledge: Knowledge,
    levels: Mapping[str, Any],
) -> dict[str, Any]:
    """What is to be checked of a graph that tests have made.

    `levels` says how edges were pruned, with 0, 1, 2, … conditions: whether the neighbours were those at the
    beginning of each level ("stable"), the "max conditions", and whether the search came to its "end".
    Each pair is in one list: tested "edges", those "required", "separations", those "forbidden".
    """
    required, forbidden = knowledge.matrices(graph.nodes)
    by_knowledge = {
        "required": _named(graph.nodes, required | required.T),
        "forbidden": _named(graph.nodes, forbidden & forbidden.T),
    }
    known = _pairs([*by_knowledge["required"], *by_knowledge["forbidden"]])
    joined = [[edge.source, edge.target] for edge in graph.edges]
    return {
        "kind": KIND,
        "table": table,
        "test": test,
        "alpha": alpha,
        **levels,
        "edges": [pair for pair in joined if frozenset(pair) not in known],
        "separations": [
            [*pair, list(found.given), found.p_value]
            for pair, found in separating_sets.items()
            if frozenset(pair) not in known  # they have such sets too
        ],
        **by_knowledge,
    }


def check(known: Content, statistics: Statistics, judge: IndependenceTest | None) -> list[Finding]:
    """Test each separation again, what each edge survived, and see that every pair has either."""
    _refuse_no_limits(known)
    test = judge or _named_test(known["test"])
    if test is None:
        unknown = f"{len(known['separations'])} p-values: {known['test']} has no name; give it as judge."
        return [_parted(known, statistics), Finding(None, unknown)]
    asker = Asker(test_for("check", test, statistics), statistics, alpha=known["alpha"])
    return [_parted(known, statistics), _tested(known, asker), _survived(known, asker)]


def _refuse_no_limits(known: Content) -> None:
    """Refuse a level that every p-value is above, and a number of conditions that no test has."""
    most = known["max conditions"]
    if not 0.0 <= known["alpha"] <= 1.0 or not isinstance(most, int) or most < 0:
        raise DataError(f"The certificate is not whole: level {known['alpha']}, at most {most} conditions.")


def _parted(known: Content, statistics: Statistics) -> Finding:
    """Whether each pair has an edge or a separating set, or is kept apart by knowledge."""
    tested, required, forbidden = (_pairs(known[name]) for name in ("edges", "required", "forbidden"))
    apart = _pairs([pair[:2] for pair in known["separations"]])
    listed = tested | required | forbidden | apart
    every = set(map(frozenset, itertools.combinations(statistics.names, 2)))
    n_listed = sum(len(known[name]) for name in ("edges", "required", "forbidden", "separations"))
    left = f"; {len(forbidden)} neither, by knowledge" if forbidden else ""
    n_untested = 0 if known["end"] else len(every - listed)
    left += f"; {n_untested} neither, for want of time" if n_untested else ""
    kept = f", {len(required)} of them by knowledge," if required else ""
    n_edges = len(tested | required)
    return Finding(
        listed <= every and n_listed == len(listed) == len(every) - n_untested,
        f"of {len(every)} pairs, {n_edges}{kept} have an edge and {len(apart)} a separating set, "
        f"none both{left}.",
    )


def _tested(known: Content, asker: Asker) -> Finding:
    n_sets = len(known["separations"])
    place = _places(asker)
    written = np.array([p for *_, p in known["separations"]], dtype=np.float64)
    wide = max((len(given) for _, _, given, _ in known["separations"]), default=0)
    questions = np.full((n_sets, 2 + wide), -1, dtype=np.int64)
    for row, (a, b, given, _) in enumerate(known["separations"]):
        questions[row, : 2 + len(given)] = [place[name] for name in (a, b, *given)]
    are_whole = [len({a, b, *given}) == 2 + len(given) for a, b, given, _ in known["separations"]]
    found = asker.p_values_of_any_size(questions)
    is_right = (np.abs(found - written) <= TOLERANCE) & (found > asker.alpha)
    n_right = int((is_right & np.array(are_whole, dtype=np.bool_)).sum())
    return Finding(
        n_right == n_sets,
        f"{n_right} of {n_sets} separating sets have the p-value written, above {asker.alpha:g}, by "
        f"{known['test']}.",
    )


def _survived(known: Content, asker: Asker) -> Finding:
    """Whether no set of neighbours, of those that a level began with, separates the ends of an edge.

    A pair with a separating set of k columns was there until the level of k conditions.
    """
    most, n_nodes = known["max conditions"], len(known["table"]["columns"])
    whose = "that a pair had at a level" if known["stable"] else "that are left"
    which = whose if most >= n_nodes - 2 else f"{whose}, at most {most} of them,"
    claim = f"no neighbours {which} separate the ends of an edge, at {asker.alpha:g}"
    if not known["end"]:
        return Finding(None, f"{claim}: the search did not come to its end.")
    place = _places(asker)
    asking = Asker(asker.test, asker.statistics, alpha=asker.alpha + TOLERANCE)
    asking.must_stop = lambda: asking.n_tests > MOST_TESTS
    edges = _positions(place, known["edges"])
    n_unfounded = 0
    for size in range(most + 1):
        later = [pair[:2] for pair in known["separations"] if known["stable"] and len(pair[2]) >= size]
        neighbors = Links(n_nodes, lines=_positions(place, [*known["edges"], *known["required"], *later]))
        degrees = np.diff(neighbors.neighbor_rows[0])
        asked = edges[degrees[edges].max(axis=1, initial=0) > size]
        if not len(asked):
            break
        n_unfounded += len(separate_pairs(asking, Subsets(asked, neighbors, size)).separated)
        if asking.must_stop():
            return Finding(None, f"{claim}: more than {MOST_TESTS:,} tests.")
    found = f"{n_unfounded} do" if n_unfounded else f"{asking.n_tests:,} tests"
    return Finding(not n_unfounded, f"{claim}: {found}.")


def _places(asker: Asker) -> dict[str, int]:
    names = () if asker.statistics is None else asker.statistics.names
    return {name: i for i, name in enumerate(names)}


def _pairs(written: list[list[str]]) -> set[frozenset[str]]:
    return {frozenset((a, b)) for a, b in written}


def _positions(place: dict[str, int], pairs: list[list[str]]) -> NDArray[np.int64]:
    ends = np.array([[place[a], place[b]] for a, b in pairs], dtype=np.int64).reshape(-1, 2)
    return np.sort(ends, axis=1)


def _named(names: tuple[str, ...], is_pair: NDArray[np.bool_]) -> list[list[str]]:
    return [[names[a], names[b]] for a, b in np.argwhere(np.triu(is_pair, k=1)).tolist()]


def _named_test(text: str) -> IndependenceTest | None:
    return next((test for test in (make() for make in BY_NAME.values()) if repr(test) == text), None)
