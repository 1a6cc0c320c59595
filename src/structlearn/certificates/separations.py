"""Why pairs have no edge: sets that separate them, with p-values."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from structlearn.certificates.findings import Finding
from structlearn.certificates.table import Content
from structlearn.graphs import Graph
from structlearn.independence import IndependenceTest, test_for
from structlearn.independence.asking import Asker
from structlearn.independence.registry import BY_NAME
from structlearn.outcome import Pair, Separation
from structlearn.statistics import Statistics

KIND = "separating-sets"
TOLERANCE = 1e-9  # of p-values: machines round differently in the last places


def content(
    table: Content, test: str, alpha: float, graph: Graph, separating_sets: Mapping[Pair, Separation]
) -> dict[str, Any]:
    """What is to be checked of a graph that tests have made."""
    return {
        "kind": KIND,
        "table": table,
        "test": test,
        "alpha": alpha,
        "edges": [[edge.source, edge.target] for edge in graph.edges],
        "separations": [[*pair, list(found.given), found.p_value] for pair, found in separating_sets.items()],
    }


def check(known: Content, statistics: Statistics, judge: IndependenceTest | None) -> list[Finding]:
    """Test each separation again, and see that edges and separations share no pair."""
    test = judge or _named_test(known["test"])
    names, alpha = statistics.names, known["alpha"]
    edges = {frozenset(pair) for pair in known["edges"]}
    apart = {frozenset((a, b)) for a, b, _, _ in known["separations"]}
    n_pairs = len(names) * (len(names) - 1) // 2
    n_left = n_pairs - len(edges | apart)
    left = f"; {n_left} neither, by knowledge or for want of time" if n_left else ""
    return [
        Finding(
            not edges & apart,
            f"of {n_pairs} pairs, {len(edges)} have an edge and {len(apart)} a separating set, "
            f"none both{left}.",
        ),
        _tested(known, test, statistics),
        Finding(
            None,
            f"that no set separates the ends of an edge at level {alpha:g}: fit again, a certificate "
            "does not list the tests that an edge survived.",
        ),
    ]


def _tested(known: Content, test: IndependenceTest | None, statistics: Statistics) -> Finding:
    n_sets = len(known["separations"])
    if test is None:
        return Finding(None, f"{n_sets} p-values: {known['test']} has no name; give it as judge.")
    fitting = test_for("check", test, statistics)
    place = {name: i for i, name in enumerate(statistics.names)}
    written = np.array([p for *_, p in known["separations"]])
    wide = max((len(given) for _, _, given, _ in known["separations"]), default=0)
    questions = np.full((n_sets, 2 + wide), -1, dtype=np.int64)
    for row, (a, b, given, _) in enumerate(known["separations"]):
        questions[row, : 2 + len(given)] = [place[name] for name in (a, b, *given)]
    found = Asker(fitting, statistics, alpha=known["alpha"]).p_values_of_any_size(questions)
    is_same = np.abs(found - written) <= TOLERANCE
    is_above = found > known["alpha"]
    n_right = int((is_same & is_above).sum())
    return Finding(
        n_right == n_sets,
        f"{n_right} of {n_sets} separating sets have the p-value written, above {known['alpha']:g}, by "
        f"{known['test']}.",
    )


def _named_test(text: str) -> IndependenceTest | None:
    return next((test for test in (make() for make in BY_NAME.values()) if repr(test) == text), None)
