"""Every method of the catalog, resampled ones too, and the entries of the benchmarks."""

import json
from collections.abc import Callable, Iterator
from functools import lru_cache
from typing import Any

import structlearn as sl
from benchmarks.entries import ours, ours_undirected
from benchmarks.same_results.case import Case
from benchmarks.same_results.seen import seen
from benchmarks.same_results.settings import SETTINGS
from benchmarks.same_results.tables import SMALL, data
from benchmarks.tables import Table
from benchmarks.workloads import WORKLOADS, Workload

ALWAYS = {"random_state": 0, "progress": False}
ONLY_TWO_STATES = {"ising-neighborhoods": ("asia", "spins")}
MOST_CELLS = 2_300_000  # those of the larger tables of the benchmarks take too long
SLOW = {
    "confidence: alarm, 10,000 rows: EdgeConfidence(HillClimbing())",
    "exact: random network, 26 columns, 5,000 rows: ExactSearch()",
    "hybrid: alarm, 10,000 rows: L1MB()",
    "hybrid: andes, 10,000 rows: L1MB()",
    "hybrid: hailfinder, 10,000 rows: L1MB()",
    "hybrid: insurance, 10,000 rows: L1MB()",
    "pc: Gaussian, 1000 columns, 500 rows: GrowShrink()",
    "pc: andes, 10,000 rows: GrowShrink()",
    "search: Gaussian, 200 columns, 10,000 rows: BOSS(), from a data frame",
    "search: Gaussian, 200 columns, 10,000 rows: BOSS(), the default",
    "search: andes, 10,000 rows: OptimalReinsertion()",
}


def method_cases() -> Iterator[Case]:
    """Each method with its settings and, where these are all it needs, its defaults on small tables."""
    for name, method in sl.methods().items():
        if method.takes == ("database",):
            continue
        learner = getattr(sl, method.learner)
        small = ONLY_TWO_STATES.get(name, tuple(SMALL[kind] for kind in method.takes))
        defaults = () if method.needs else ((" ".join(small), {}),)
        for tables, options in (*defaults, *SETTINGS.get(name, ())):
            for table in tables.split():
                yield _case(method.family, name, learner, table.replace("-", " "), options)


def ensemble_cases() -> Iterator[Case]:
    """Confidence by resampling, of methods of several kinds."""
    climb = {"learner": sl.HillClimbing(progress=False), "n_resamples": 20}
    for table in ("asia", "mixed", "alarm"):
        yield _case("ensemble", "edge confidence of hill-climbing", sl.EdgeConfidence, table, climb)
    more = climb | {"consensus": "dag", "directions": "graph", "threshold": 0.4, "n_jobs": 2}
    yield _case("ensemble", "edge confidence of hill-climbing", sl.EdgeConfidence, "asia", more)
    asked = {"learner": sl.PC(progress=False), "n_resamples": 20}
    for table in ("asia", "gaussian"):
        yield _case("ensemble", "edge confidence of PC", sl.EdgeConfidence, table, asked)
    chosen = {"learner": sl.NeighborhoodSelection(progress=False), "n_resamples": 20}
    for options in (chosen, chosen | {"complementary": False, "max_false": 2.0}):
        yield _case("ensemble", "stability selection", sl.StabilitySelection, "markov", options)


def benchmark_cases() -> Iterator[Case]:
    """Our entries of the benchmarks, on the tables that take seconds."""
    for task, workloads in WORKLOADS.items():
        for workload in workloads:
            if workload.n_rows * workload.n_columns <= MOST_CELLS:
                yield from _entry_cases(task, workload)


def _entry_cases(task: str, workload: Workload) -> Iterator[Case]:
    for entry in (*ours.ENTRIES, *ours_undirected.ENTRIES):
        name = f"{task}: {workload.name}: {entry.method}"
        if entry.task == task and workload.kind in entry.kinds and name not in SLOW:
            yield Case("benchmarks", name, _prepared(entry.prepare, workload))


@lru_cache(maxsize=1)  # the cases of a table follow each other
def _drawn(workload: Workload) -> Table:
    return workload.draw()


def _prepared(prepare: Callable[[Table], Callable[[], Any]], workload: Workload) -> Callable[[], Any]:
    return lambda: prepare(_drawn(workload))


def _case(family: str, name: str, learner: Any, table: str, options: dict[str, Any]) -> Case:
    def prepare() -> Callable[[], Any]:
        given = data(table)
        made = learner(**options)
        known = made.get_params(deep=False)
        made.set_params(**{option: value for option, value in ALWAYS.items() if option in known})
        return lambda: made.fit(given)

    return Case(family, f"{name} of {table}{_written(options)}", prepare)


def _written(options: dict[str, Any]) -> str:
    return "".join(f", {name}={_short(value)}" for name, value in options.items() if name != "learner")


def _short(value: Any) -> str:
    """An option as a name has it; objects by their type."""
    if isinstance(value, sl.Knowledge):
        return f"{len(value.required)} required, {len(value.forbidden)} forbidden, {len(value.tiers)} tiers"
    if isinstance(value, sl.Graph):
        return f"graph of {len(value.edges)} edges"
    return json.dumps(seen(value) if isinstance(value, dict) else value)
