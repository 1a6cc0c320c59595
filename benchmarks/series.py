"""Networks in time, under autocorrelation: `STRUCTLEARN_DATA=folder python -m benchmarks.series`.

The folder has `datasets/netsim` with simulated fMRI series (Smith et al. 2011) and their networks.
"""

import os
import time
import warnings
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from scipy import stats

import structlearn as sl
from structlearn.learners.base import Learner

PAGE = Path(__file__).parents[1] / "docs" / "benchmarks" / "time.md"
Floats = NDArray[np.float64]
Arcs = set[tuple[str, str]]
N_RUNS = 60
LINK = 0.3  # the size of an effect between variables

HEAD = """\
# Networks in time, under autocorrelation

Written by `STRUCTLEARN_DATA=folder python -m benchmarks.series`. False and found are shares of what could be.
"""
FIRST = """\
## Four variables, all links by themselves

x_i[t] = a·x_i[t-1] + Σ 0.3·x_j[t-l] + noise, 300 steps: v0 acts on v1 one step later, v1 on v2 two steps
later, v3 is alone. Tests at .05 of each link at lags 1 to 3, without a correction, in {n_runs} runs; a
false rate of .05 is what was asked for.
"""
SECOND = """\
## Random networks, corrected for the number of tests

The same with p variables, p links at lags of 1 or 2, and an autocorrelation of a. Links between variables at
any lag, 40 runs; the false share is that of the arrows found, the false discovery rate, of which .05 was
asked of PCMCI and Granger. Behind ± is the standard error over the runs.
"""
THIRD = """\
## NetSim

{n_sims} simulations of fMRI, a subject each, in which effects take a fraction of the three seconds
between two steps, so that most of them show within a step. Found are true arcs as arrows the right way
round, or as pairs whatever the direction, of {n_arcs} in all; false are pairs without an arc, of {n_others}.
"""
FOURTH = """\
## Options, each where it matters

Found and false are of arrows between variables, as above, of 8 variables in {n_runs} runs, 8 links of 0.3
and an own past of 0.5, lags 1 and 2 looked at. Trends and seasons are added to all columns; of the unequal
series one has 800 steps in which nothing acts, and 20 have 30 in which all does; of the far links all act at
lag 5 of the first column alone; gaps are 3 % of the values, missing by chance.
"""
FIFTH = """\
## Rows as samples

Two independent columns that keep a of themselves, 200 rows, an edge of PC at .05, in 400 runs.
"""
LESSONS = """\
Plain lagged correlation is wrong the more often the longer series remember: of v3, which nothing acts
on, in two of three tests. Tests that take the past of both ends out hold their level. With few lags and
rows enough, Granger's joint test of all lags of a source finds more than PCMCI, which tests each lag;
with as many lagged columns as two thirds of the rows it has little left to test with, and PCMCI, which
conditions on a few, finds twice as much. There neither holds the false discovery rate: parents that are
missed leave what they explain to others. BIC, which knows no level, errs on the side of arrows.

On fMRI most of what acts does so within a step. Methods that look only at lags find little of it; PCMCI+
and VAR-LiNGAM find the pairs, as PC does, which takes rows for samples, and VAR-LiNGAM tells most
directions.

A trend and a season that all columns have make more than half of Granger's arrows false until both are taken
out. Penalties that choose among lags find more than the group lasso; forecasts choose larger penalties
than the extended BIC, and find less. Who knows which column acts late names it: all lags of all columns cost
a third of the links.
"""


class Way(NamedTuple):
    """A learner with its name on the page."""

    name: str
    make: Callable[[], Learner]


def series(matrices: list[Floats], n_steps: int, rng: np.random.Generator) -> dict[str, Floats]:
    """A table of x_t = Σ M_l x_{t-l} + noise, after 200 steps that are forgotten."""
    n = len(matrices[0])
    states = rng.normal(size=(n_steps + 200, n))
    for t in range(len(matrices), len(states)):
        states[t] += sum(matrix @ states[t - lag] for lag, matrix in enumerate(matrices, start=1))
    return {f"v{j:02}": states[200:, j] for j in range(n)}


def four_variables(a: float) -> list[Floats]:
    """Two links, at lags 1 and 2."""
    matrices = [a * np.eye(4), np.zeros((4, 4))]
    matrices[0][1, 0] = matrices[1][2, 1] = LINK
    return matrices


def random_system(n: int, a: float, rng: np.random.Generator) -> tuple[list[Floats], Arcs]:
    """As many links as variables, between random pairs, in a system that stays bounded."""
    while True:
        matrices, arcs = [a * np.eye(n), np.zeros((n, n))], set()
        for _ in range(n):
            source, target = rng.choice(n, size=2, replace=False).tolist()
            matrices[rng.integers(2)][target, source] = LINK * rng.choice([-1, 1])
            arcs.add((f"v{source:02}", f"v{target:02}"))
        companion = np.block([[matrices[0], matrices[1]], [np.eye(n), np.zeros((n, n))]])
        if np.abs(np.linalg.eigvals(companion)).max() < 0.99:
            return matrices, arcs


def p_values_of_lags(table: dict[str, Floats], most: int) -> Floats:
    """Plain lagged correlations, (lags, targets, sources)."""
    rows = np.column_stack(list(table.values()))
    n = len(rows)
    return np.array(
        [
            [[stats.pearsonr(rows[: n - lag, j], rows[lag:, i]).pvalue for j in range(rows.shape[1])]
             for i in range(rows.shape[1])]
            for lag in range(1, most + 1)
        ]
    )  # fmt: skip


def full_conditioning(table: dict[str, Floats], most: int) -> Floats:
    """Each lag beside all others: PCMCI that keeps every candidate."""
    return _pcmci(table, most, alpha_pc=1.0)


def _pcmci(table: dict[str, Floats], most: int, alpha_pc: float = 0.2) -> Floats:
    learner = sl.PCMCI(lags=most, test="t", correction="none", alpha_pc=alpha_pc).fit(table)
    found: Floats = learner.p_values_
    return found


TESTS: dict[str, Callable[[dict[str, Floats], int], Floats]] = {
    "lagged correlation": p_values_of_lags,
    "all lags given": full_conditioning,
    "PCMCI": _pcmci,
}


def level_and_power() -> Iterator[str]:
    """A line for each test and autocorrelation."""
    is_true = np.zeros((3, 4, 4), dtype=bool)
    is_true[0, 1, 0] = is_true[1, 2, 1] = True
    is_other = ~is_true & ~np.eye(4, dtype=bool)
    # What is downstream of a link is correlated with its source at other lags, though not linked.
    for name, test in TESTS.items():
        for a in (0.0, 0.6, 0.95):
            found = [
                test(series(four_variables(a), 300, np.random.default_rng(s)), 3) < 0.05
                for s in range(N_RUNS)
            ]
            alone = np.mean([(each[:, 3, :3].mean() + each[:, :3, 3].mean()) / 2 for each in found])
            power, false = (np.mean([each[among].mean() for each in found]) for among in (is_true, is_other))
            yield f"| {name} | {a:g} | {power:.2f} | {false:.3f} | {alone:.3f} |"


class Case(NamedTuple):
    """A kind of network: variables, autocorrelation, steps, lags that are looked at, and runs."""

    n: int
    a: float
    n_steps: int
    lags: int
    n_runs: int


CASES = (
    Case(5, 0.6, 200, 2, 40),
    Case(5, 0.9, 200, 2, 40),
    Case(10, 0.9, 200, 2, 40),
    Case(20, 0.9, 150, 5, 40),
)
FEWEST_SETS = 10  # variables: with more, dynamic networks have too many sets of parents for this page


def ways(case: Case) -> list[Way]:
    """The learners of a kind of network."""
    lags = case.lags
    found = [
        Way("PCMCI", lambda: sl.PCMCI(lags=lags)),
        Way("Granger", lambda: sl.SparseVAR(method="granger", lags=lags)),
        Way("Granger, Holm", lambda: sl.SparseVAR(method="granger", lags=lags, correction="holm")),
        Way("SparseVAR, group lasso", lambda: sl.SparseVAR(lags=lags)),
    ]
    if case.n <= FEWEST_SETS:
        found.append(Way("DynamicNetwork, BIC", lambda: sl.DynamicNetwork(lags=lags, max_parents=4)))
    return found


def arrows(learner: Learner) -> Arcs:
    """The arrows between different variables."""
    return {(a, b) for a, b in learner.graph_.summary().directed if a != b}


def random_networks(cases: Iterable[Case]) -> Iterator[str]:
    """A line for each learner and kind of network."""
    for case in cases:
        problems = []
        for seed in range(case.n_runs):
            rng = np.random.default_rng([case.n, seed])
            matrices, arcs = random_system(case.n, case.a, rng)
            problems.append((series(matrices, case.n_steps, rng), arcs))
        for way in ways(case):
            started = time.process_time()
            found = [(arrows(way.make().fit(table)), truth) for table, truth in problems]
            seconds = (time.process_time() - started) / case.n_runs
            kind = f"{case.n} | {case.a:g} | {case.n_steps} | {case.lags}"
            yield f"| {way.name} | {kind} | {_shares(found)} | {seconds:.3f} |"


def _shares(found: Iterable[tuple[Arcs, Arcs]]) -> str:
    pairs = list(found)
    power = [len(each & truth) / len(truth) for each, truth in pairs]
    false = [len(each - truth) / max(len(each), 1) for each, truth in pairs]
    errors = np.std([power, false], axis=1, ddof=1) / np.sqrt(len(pairs))
    return f"{np.mean(power):.2f} ± {errors[0]:.2f} | {np.mean(false):.3f} ± {errors[1]:.3f}"


N_OPTION_RUNS = 20


def with_calendar(table: dict[str, Floats], rng: np.random.Generator) -> dict[str, Floats]:
    """The table with a slope, and a season of 12 steps, of each column's own size."""
    t = np.arange(len(next(iter(table.values()))))
    added = {name: rng.normal(size=2) for name in table}
    return {
        name: column + 6.0 * added[name][0] * t / len(t) + 2.0 * added[name][1] * np.sin(t * np.pi / 6)
        for name, column in table.items()
    }


def unequal(matrices: list[Floats], rng: np.random.Generator) -> dict[str, Floats]:
    """One long series in which nothing acts on another, and many short ones in which all does."""
    still = [np.diag(np.diag(matrix)) for matrix in matrices]
    parts = [series(still, 800, rng), *(series(matrices, 30, rng) for _ in range(20))]
    table = {name: np.concatenate([part[name] for part in parts]) for name in parts[0]}
    return {**table, "id": np.repeat(np.arange(21.0), [800, *[30] * 20])}


def with_gaps(table: dict[str, Floats], rng: np.random.Generator) -> dict[str, Floats]:
    """Some of all values missing, beside the times."""
    gapped = {name: np.where(rng.uniform(size=len(x)) < 0.03, np.nan, x) for name, x in table.items()}
    return {**gapped, "t": np.arange(len(next(iter(table.values()))), dtype=np.float64)}


def far(rng: np.random.Generator) -> tuple[dict[str, Floats], Arcs]:
    """The first of eight columns acts on three others five steps later."""
    matrices = [0.5 * np.eye(8), *(np.zeros((8, 8)) for _ in range(4))]
    matrices[4][1:4, 0] = LINK
    return series(matrices, 200, rng), {("v00", f"v{target:02}") for target in (1, 2, 3)}


def problem_of(kind: str, seed: int) -> tuple[dict[str, Floats], Arcs]:
    """A table of some kind, and its arrows."""
    rng = np.random.default_rng([8, seed])
    if kind == "far links":
        return far(rng)
    matrices, arcs = random_system(8, 0.5, rng)
    if kind == "unequal series":
        return unequal(matrices, rng), arcs
    table = series(matrices, 200, rng)
    change = {"trend and season": with_calendar, "gaps": with_gaps}.get(kind)
    return (table if change is None else change(table, rng)), arcs


def _granger(**options: Any) -> Learner:
    return sl.SparseVAR(**{"method": "granger", "lags": 2} | options)


FAR = {"v00": [1, 5], **{f"v{j:02}": 1 for j in range(1, 8)}}
OF_OPTIONS: dict[str, tuple[Way, ...]] = {
    "as they are": (
        Way("group-lasso", lambda: sl.SparseVAR(lags=2)),
        Way("sparse-group-lasso", lambda: sl.SparseVAR(lags=2, method="sparse-group-lasso")),
        Way("hierarchical-lasso", lambda: sl.SparseVAR(lags=2, method="hierarchical-lasso")),
        Way('group-lasso, criterion="forward"', lambda: sl.SparseVAR(lags=2, criterion="forward")),
    ),
    "trend and season": (
        Way("Granger", _granger),
        Way("Granger, trend=True", lambda: _granger(trend=True)),
        Way("Granger, trend=True, season=12", lambda: _granger(trend=True, season=12)),
    ),
    "unequal series": (
        Way("Granger", lambda: _granger(series="id")),
        Way("Granger, equal_series=True", lambda: _granger(series="id", equal_series=True)),
    ),
    "far links": (
        Way("Granger, lags=5", lambda: _granger(lags=5)),
        Way('Granger, lags={"v00": [1, 5]}', lambda: _granger(lags=FAR)),
    ),
    "gaps": (
        Way('PCMCI, missing="drop"', lambda: sl.PCMCI(lags=2, time="t", missing="drop")),
        Way('PCMCI, missing="testwise"', lambda: sl.PCMCI(lags=2, time="t", missing="testwise")),
    ),
}


def options() -> Iterator[str]:
    """A line for each kind of table and each learner with an option or without."""
    for kind, learners in OF_OPTIONS.items():
        problems = [problem_of(kind, seed) for seed in range(N_OPTION_RUNS)]
        for way in learners:
            started = time.process_time()
            found = [(arrows(way.make().fit(table)), truth) for table, truth in problems]
            seconds = (time.process_time() - started) / N_OPTION_RUNS
            yield f"| {kind} | {way.name} | {_shares(found)} | {seconds:.3f} |"


def rows_as_samples() -> Iterator[str]:
    """A line for each test and autocorrelation."""
    for test in ("fisher-z", "effective-z"):
        for a in (0.0, 0.5, 0.9):
            tables = (series([a * np.eye(2)], 200, np.random.default_rng([2, seed])) for seed in range(400))
            n_edges = sum(len(sl.PC(test=test).fit(table).graph_.edges) for table in tables)
            yield f"| {test} | {a:g} | {n_edges / 400:.3f} |"


OF_SCANS = (
    Way("PCMCI", lambda: sl.PCMCI(lags=2)),
    Way("PCMCI+", lambda: sl.PCMCI(lags=2, contemporaneous=True, alpha=0.01)),
    Way("Granger", lambda: sl.SparseVAR(method="granger", lags=2)),
    Way("VARLiNGAM", lambda: sl.VARLiNGAM(lags=2)),
    Way("PC, rows as samples", lambda: sl.PC(alpha=0.01)),
)


def scans(folder: Path) -> tuple[dict[str, int], list[str]]:
    """How many simulations, arcs and other pairs there are, and a line for each learner."""
    tables = sorted(folder.glob("sim*[0-9].csv"))
    lines = []
    for way in OF_SCANS:
        right, joined, false, n_arcs, n_others, started = 0, 0, 0, 0, 0, time.process_time()
        for path in tables:
            truth = set(pd.read_csv(path.with_suffix(".arcs.csv")).itertuples(index=False, name=None))
            table = pd.read_csv(path)
            learner = way.make().fit(table)
            graph = learner.graph_.summary() if "lags" in learner.options else learner.graph_
            pairs = {frozenset((e.source, e.target)) for e in graph.edges if e.source != e.target}
            true_pairs = {frozenset(arc) for arc in truth}
            right += len({(a, b) for a, b in graph.directed if (b, a) not in graph.directed} & truth)
            joined, false = joined + len(pairs & true_pairs), false + len(pairs - true_pairs)
            n_arcs += len(true_pairs)
            n_others += table.shape[1] * (table.shape[1] - 1) // 2 - len(true_pairs)
        seconds = time.process_time() - started
        shares = f"{right / n_arcs:.2f} | {joined / n_arcs:.2f} | {false / n_others:.3f}"
        lines.append(f"| {way.name} | {shares} | {seconds:.1f} |")
    return {"n_sims": len(tables), "n_arcs": n_arcs, "n_others": n_others}, lines


def page() -> str:
    """The whole page."""
    sizes, of_scans = scans(Path(os.environ["STRUCTLEARN_DATA"]) / "datasets" / "netsim")
    parts = [
        HEAD,
        FIRST.format(n_runs=N_RUNS),
        "| test | a | found | false, all pairs | false, with v3 |",
        "| --- " * 5 + "|",
        *level_and_power(),
        "",
        SECOND,
        "| method | p | a | steps | lags | found | false | CPU s |",
        "| --- " * 8 + "|",
        *random_networks(CASES),
        "",
        THIRD.format(**sizes),
        "| method | found as arrows | found as pairs | false pairs | CPU s |",
        "| --- " * 5 + "|",
        *of_scans,
        "",
        FOURTH.format(n_runs=N_OPTION_RUNS),
        "| tables | method | found | false | CPU s |",
        "| --- " * 5 + "|",
        *options(),
        "",
        FIFTH,
        "| test | a | edges |",
        "| --- " * 3 + "|",
        *rows_as_samples(),
        "",
        LESSONS,
    ]
    return "\n".join(parts)


if __name__ == "__main__":
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", sl.DataWarning)
        PAGE.write_text(page(), encoding="utf-8")
