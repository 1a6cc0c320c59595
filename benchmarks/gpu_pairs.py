"""Graphics cards and pairs of columns: PC, mutual information, indirect edges; `benchmarks.gpu` has the page.

`python -m benchmarks.gpu_pairs pc 200 2000` or `mi 5000` prints rows of one table; one that fails says why.
"""

import sys
import time
import traceback
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

import structlearn as sl
from structlearn.gpu import pairs, partial_correlations
from structlearn.gpu.spanning import Gains, heaviest_forest
from structlearn.independence.asking import Asker
from structlearn.independence.fisher_z import FisherZ
from structlearn.learners.constraint.skeletons.by_correlation import ByCorrelation
from structlearn.learners.constraint.skeletons.correlations import CorrelationsOfMatrix
from structlearn.learners.constraint.skeletons.known_pairs import KnownPairs
from structlearn.learners.constraint.skeletons.on_card import OnCard, correlations_of
from structlearn.learners.constraint.skeletons.skeleton import Skeleton, prune_skeleton
from structlearn.learners.network.information.pruning import Pruning
from structlearn.numerics.information.columns import Columns
from structlearn.numerics.information.estimators import EstimatorName, information_of
from structlearn.numerics.information.on_card import ON_CARD
from structlearn.numerics.information.settings import Settings
from structlearn.run import Run
from structlearn.statistics import statistics_of

Found = TypeVar("Found")
ALPHA = 0.01
GROUP = 20  # columns that depend on each other: all of them would, were parents any of those before
MOST_HERE = 5000  # columns that the processor does beside the card: more take minutes
SKELETONS = """## Skeletons of PC

Gaussian tables of 500 rows, groups of 20 columns with two parents each, level 0.01, all sizes of conditions.
*Skeleton* begins with the columns in the machine's memory and ends there with the edges, their p-values and
the separating sets; *correlations* is the part of it that scales the columns, brings them over and multiplies
them. *Fit* is all of `PC().fit`, with a look at the table, directions and the graph. Edges were equal
wherever both ran, and p-values to nine digits.

| columns | edges | levels | card's memory, GiB | correlations, card, s | skeleton, card, s | skeleton, processor, s | fit, card, s |
| ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |
"""  # noqa: E501, a row of a table is a line
INFORMATION = """## Mutual information of all pairs, and what is indirect

Tables of 1,000 rows: "plug-in" of 4 levels, "rank" of continuous columns. *Card* begins with the table in the
machine's memory and ends with all information in the card's; *back* brings it over. *Indirect* looks at every
triangle of the hundredth of pairs with most, and brings over what each edge is indirect through; *tree* finds
that of Chow and Liu.

| columns | estimator | card's memory, GiB | card, s | back, s | processor, s | indirect, card, s | indirect, processor, s | tree, card, s |
| ---: | --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: |
"""  # noqa: E501, as above


def skeleton_row(p: int) -> str:
    """One line of the table of skeletons."""
    rows, names = sparse_table(p, 500), [f"x{j:05d}" for j in range(p)]
    statistics = statistics_of(
        sl.Dataset(dict(zip(names, rows.T, strict=True))), names, owner="PC", missing="error", n_jobs=-1
    )
    asker = Asker(FisherZ(), statistics, alpha=ALPHA)
    _skeleton(asker, names)  # compiles what there is to compile
    correlations_s = best(lambda: OnCard(asker, correlations_of(statistics, ALPHA)))
    found, card_s = _skeleton(asker, names), best(lambda: _skeleton(asker, names))
    here_s = "–"
    if p <= MOST_HERE:
        _skeleton_here(asker, names)
        here, seconds = timed(lambda: _skeleton_here(asker, names))
        here_s = f"{seconds:.2f}"
        np.testing.assert_array_equal(here.edges, found.edges)
        np.testing.assert_allclose(here.largest_p, found.largest_p, rtol=1e-9)
        for pairs_asked in _some_pairs(p):
            np.testing.assert_array_equal(
                here.separators.find(*pairs_asked) >= 0, found.separators.find(*pairs_asked) >= 0
            )
    fit_s = best(lambda: sl.PC(device="cuda", alpha=ALPHA, n_jobs=-1).fit(rows))
    memory = partial_correlations.bytes_needed(p) / 2**30
    return (
        f"| {p:,} | {len(found.edges):,} | {len(found.trace['edges'])} | {memory:.1f} | {correlations_s:.3f} "
        f"| {card_s:.3f} | {here_s} | {fit_s:.2f} |"
    )


def _skeleton(asker: Asker, names: list[str]) -> Skeleton:
    return _levels(asker, names, OnCard(asker, correlations_of(asker.statistics, ALPHA)))


def _skeleton_here(asker: Asker, names: list[str]) -> Skeleton:
    matrix = np.corrcoef(asker.statistics.rows(range(len(names))).values, rowvar=False)
    table = CorrelationsOfMatrix(asker.statistics.size, ALPHA, matrix)
    return _levels(asker, names, ByCorrelation(asker, table))


def _levels(asker: Asker, names: list[str], on_card: ByCorrelation) -> Skeleton:
    known = KnownPairs(tuple(names), sl.Knowledge())
    options = {"conditions": "stable", "max_conditioning": None, "run": Run("PC"), "by_correlation": on_card}
    return prune_skeleton(asker, len(names), known, **options)  # type: ignore[arg-type]  # of many kinds


def _some_pairs(p: int) -> Iterator[tuple[NDArray[np.int64], NDArray[np.int64]]]:
    rng = np.random.default_rng(0)
    for _ in range(100):
        yield rng.integers(0, p // 2, 50), rng.integers(p // 2, p, 50)


def information_row(p: int, name: EstimatorName) -> str:
    """One line of the table of information."""
    rng, settings = np.random.default_rng(p), Settings()
    rows, levels = sparse_table(p, 1000).T, np.zeros(p, dtype=np.int64)
    if name == "plug-in":
        rows, levels = np.clip(np.floor(rows), -2, 1) + 2.0, levels + 4
    columns = Columns(np.ascontiguousarray(rows), levels)
    few = ON_CARD[name](columns.take(np.arange(20)), settings)  # compiles what there is to compile
    for most in (0.0, float(np.quantile(few.to_host(), 0.95))):  # by tiles, and by lists
        few.strong_pairs(most, 1.0, 0.0, None)
    heaviest_forest(few, Gains(1000.0, 0.0, np.ones(20), np.inf), 9)
    card_s = best(lambda: ON_CARD[name](columns, settings).strong_pairs(np.inf, 1.0, 0.0, None))
    on_card = ON_CARD[name](columns, settings)
    there, back_s = timed(on_card.to_host)
    np.fill_diagonal(there, 0.0)
    some = there[rng.integers(0, p, 10_000), rng.integers(0, p, 10_000)]
    pruning = Pruning(float(np.quantile(some, 0.99)), 0.0, "share", None, -1)
    judged, indirect_s = pruning.judged(there, on_card), best(lambda: pruning.judged(there, on_card))
    gains = Gains(1000.0, 0.0, np.ones(p), np.inf)
    _, tree_s = timed(lambda: heaviest_forest(on_card, gains, 9))
    here_s = indirect_here_s = "–"
    if p <= MOST_HERE:
        here, seconds = timed(lambda: information_of(columns, name, settings, n_jobs=-1))
        np.fill_diagonal(here, 0.0)
        np.testing.assert_allclose(there, here, rtol=1e-11, atol=0.0 if name == "plug-in" else 1e-14)
        plain, indirect_seconds = timed(lambda: pruning.judged(there, None))
        for mine, other in zip(judged, plain, strict=True):
            np.testing.assert_array_equal(mine, other)
        here_s, indirect_here_s = f"{seconds:.2f}", f"{indirect_seconds:.2f}"
    memory = pairs.bytes_needed(p, 1000) / 2**30
    return (
        f"| {p:,} | {name} | {memory:.1f} | {card_s:.3f} | {back_s:.3f} | {here_s} | {indirect_s:.3f} "
        f"| {indirect_here_s} | {tree_s:.3f} |"
    )


def timed(call: Callable[[], Found]) -> tuple[Found, float]:
    """What a call gives, and its seconds."""
    started = time.perf_counter()
    found = call()
    return found, time.perf_counter() - started


def best(call: Callable[[], object]) -> float:
    """The shortest time of three calls."""
    return min(timed(call)[1] for _ in range(3))


def sparse_table(p: int, n_rows: int) -> NDArray[np.float64]:
    """Rows of a linear Gaussian model of groups of columns, two parents each among those before it."""
    rng = np.random.default_rng(p)
    rows = rng.normal(size=(n_rows, p))
    for j in range(p):
        before = np.arange(j - j % GROUP, j)
        parents = rng.choice(before, min(len(before), 2), replace=False)
        rows[:, j] += rows[:, parents] @ rng.choice([-1.0, 1.0], len(parents))
    return rows


def rows_of(table: str, columns: Iterable[int]) -> Iterator[str]:
    """Rows of the table of skeletons ("pc") or of information."""
    for p in columns:
        if table == "pc":
            yield _row_or_failure(partial(skeleton_row, p))
            continue
        for name in ("plug-in", "rank"):
            yield _row_or_failure(partial(information_row, p, name))


def _row_or_failure(make: Callable[[], str]) -> str:
    try:
        return make() + "\n"
    except Exception:  # noqa: BLE001, the other rows are wanted all the same
        return f"\n{traceback.format_exc()[-3000:]}\n"


if __name__ == "__main__":
    for text in rows_of(sys.argv[1], [int(p) for p in sys.argv[2:]]):
        print(text, end="", flush=True)
