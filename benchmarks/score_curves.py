"""`python -m benchmarks.score_curves`: the best score that each search has after how many CPU seconds.

Our searches run with time limits that double, each from the start; those of other libraries run once, as they
take no limit. Writes benchmarks/results/score_curves.csv and draws docs/figures/score_per_second.svg.
"""

import argparse
import csv
import sys
import tempfile
import warnings
from collections.abc import Callable, Iterator, Sequence
from itertools import accumulate
from pathlib import Path
from typing import Any, NamedTuple

import matplotlib as mpl
from matplotlib.axes import Axes
from matplotlib.figure import Figure

import structlearn as sl
from benchmarks.entries import ENTRIES
from benchmarks.entries.ours import dataset
from benchmarks.race import Course
from benchmarks.worker import cpu_seconds
from benchmarks.workloads import Workload, network
from structlearn.run import Status

ROOT = Path(__file__).parents[1]
NUMBERS = ROOT / "benchmarks" / "results" / "score_curves.csv"
PICTURE = ROOT / "docs" / "figures" / "score_per_second.svg"
WORKLOADS = (
    network("alarm", 10_000, 37),
    network("insurance", 10_000, 27),
    network("hailfinder", 10_000, 56),
)
ENDLESS = 10**6
SHORTEST_S, LONGEST_S = 0.04, 4.0
PATIENCE = 8  # seconds of the wall clock per CPU second, on a machine with other work
LEAST = 0.1  # nats: what is closer to the best is drawn here
# Halfway between black and white, so that the picture reads on a page of either.
INK = "#7d8590"


class Point(NamedTuple):
    """The score of a search that was stopped, or ended, after so many CPU seconds."""

    network: str
    method: str
    seconds: float
    score: float


class Style(NamedTuple):
    """How the points of a method are drawn."""

    colour: str
    marker: str


def searches(time_limit: float) -> dict[str, Any]:
    """Our searches, which go on until the time is over or nothing is left to do."""
    shared: dict[str, Any] = {"time_limit": time_limit, "progress": False}
    quick = {**shared, "check_parity": 0}
    return {
        "BOSS": sl.BOSS(patience=ENDLESS, random_state=0, **quick),
        "OrderSearch": sl.OrderSearch(moves="insertion", restarts=ENDLESS, random_state=0, **shared),
        "OptimalReinsertion": sl.OptimalReinsertion(restarts=ENDLESS, random_state=0, **shared),
        "GreedyEquivalence": sl.GreedyEquivalence(**quick),
        "HillClimbing, restarts": sl.HillClimbing(restarts=ENDLESS, random_state=0, **quick),
        "HillClimbing, long tabu list": sl.HillClimbing(tabu=100, patience=ENDLESS, **quick),
    }


STYLES = {
    "BOSS": Style("#3b82f6", "o"),
    "OrderSearch": Style("#e0701f", "s"),
    "OptimalReinsertion": Style("#a45ee5", "^"),
    "GreedyEquivalence": Style("#1a9e77", "D"),
    "HillClimbing, restarts": Style("#d6408f", "v"),
    "HillClimbing, long tabu list": Style("#b08a00", "<"),
    "pyagrum: greedy hill climbing": Style(INK, "x"),
    "pyagrum: tabu list": Style(INK, "+"),
    "pgmpy: HillClimbSearch, no tabu": Style(INK, "*"),
}


def measured(workload: Workload, limit_s: float) -> Iterator[Point]:
    """The points of every search on one table."""
    name = workload.network
    data = dataset(workload.draw())
    few_rows = dataset(network(name, 500, workload.n_columns).draw())
    for method, search in searches(1.0).items():
        compile_kernels(search, few_rows)
        for seconds, score in curve(data, lambda limit, method=method: searches(limit)[method]):
            yield Point(name, method, seconds, score)
    with tempfile.TemporaryDirectory() as folder:
        course = Course(workload, Path(folder), limit_s)
        for entry in ENTRIES:
            if entry.task == "search" and entry.is_installed and entry.name in STYLES:
                lap = course.run_lap(entry)
                if lap.warm_s is not None:
                    yield Point(name, entry.name, lap.warm_s, lap.quality["bic"])


def curve(data: sl.Dataset, search: Callable[[float], Any]) -> Iterator[tuple[float, float]]:
    """CPU seconds and score at limits that double, until the search ends before its time."""
    limit, seconds = SHORTEST_S, 0.0
    while seconds < LONGEST_S and limit < PATIENCE * LONGEST_S:
        started = cpu_seconds()
        found = search(limit).fit(data)
        seconds = cpu_seconds() - started
        yield seconds, found.score_
        if found.status_ == Status.COMPLETE.value:
            return
        limit *= 2.0


def compile_kernels(search: Any, data: sl.Dataset) -> None:
    """Run once to the end, outside the clock, with little patience."""
    little = {name: 1 for name, value in search.get_params().items() if value == ENDLESS}
    search.set_params(time_limit=None, **little).fit(data)


def picture(points: Sequence[Point]) -> Figure:
    """A panel for each network."""
    measured_on = {point.network for point in points}
    networks = [workload.network for workload in WORKLOADS if workload.network in measured_on]
    figure = Figure(figsize=(10.4, 4.6), layout="constrained")
    panels = figure.subplots(1, len(networks), sharey=True, squeeze=False)[0]
    for panel, name in zip(panels, networks, strict=True):
        draw_panel(panel, [point for point in points if point.network == name])
        panel.set_title(name, color=INK, fontsize=11)
        panel.set_xlabel("CPU seconds", color=INK, fontsize=11)
    panels[0].set_ylabel("BIC below the best found, nats", color=INK, fontsize=11)
    drawn = {line.get_label(): line for panel in panels for line in panel.get_lines()}
    lines = [drawn[method] for method in STYLES if method in drawn]
    figure.legend(
        handles=lines, loc="outside lower center", ncols=3, frameon=False, labelcolor=INK, fontsize=9
    )
    return figure


def draw_panel(panel: Axes, points: Sequence[Point]) -> None:
    """A line for each method: the best it has had until then."""
    best = max(point.score for point in points)
    for method, style in STYLES.items():
        own = sorted((point.seconds, point.score) for point in points if point.method == method)
        if not own:
            continue
        gaps = [max(best - score, LEAST) for score in accumulate((score for _, score in own), max)]
        panel.plot(
            [seconds for seconds, _ in own],
            gaps,
            color=style.colour,
            marker=style.marker,
            markersize=5 if style.colour != INK else 8,
            lw=1.5 if style.colour != INK else 0,
            drawstyle="steps-post",
            label=method,
            clip_on=False,
        )
    _quieten(panel)


def _quieten(panel: Axes) -> None:
    panel.set_xscale("log")
    panel.set_yscale("log")
    panel.set_ylim(bottom=LEAST)
    ticks = [1, 10, 100, 1_000, 10_000, 100_000]
    panel.set_yticks([LEAST, *ticks], ["best", *(f"{tick:,}" for tick in ticks)])
    panel.minorticks_off()
    panel.spines[["top", "right"]].set_visible(False)
    panel.spines[["left", "bottom"]].set_color(INK)
    panel.tick_params(colors=INK, labelsize=9)
    panel.grid(axis="y", color=INK, alpha=0.25, linewidth=0.8)


def write(points: Sequence[Point]) -> None:
    """Keep the points."""
    with NUMBERS.open("w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(Point._fields)
        writer.writerows(points)


def read() -> list[Point]:
    """The points that were kept, if any."""
    if not NUMBERS.exists():
        return []
    with NUMBERS.open(newline="", encoding="utf-8") as file:
        rows = csv.DictReader(file)
        return [Point(r["network"], r["method"], float(r["seconds"]), float(r["score"])) for r in rows]


def main() -> None:
    """Measure and draw, or only draw."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.score_curves", description=__doc__)
    parser.add_argument("networks", nargs="*", help="measure on these only; the points of others stay")
    parser.add_argument("--draw", action="store_true", help="only draw what an earlier run wrote")
    parser.add_argument("--limit", type=float, default=60.0, help="CPU seconds of a run of another library")
    options = parser.parse_args()
    warnings.simplefilter("ignore", sl.DataWarning)
    for workload in () if options.draw else WORKLOADS:
        if workload.network in (options.networks or [workload.network]):
            fresh = []
            for point in measured(workload, options.limit):
                fresh.append(point)
                print(*point, file=sys.stderr, flush=True)
            write([*(point for point in read() if point.network != workload.network), *fresh])
    # Letters stay letters, and the same points give the same file.
    with mpl.rc_context({"svg.fonttype": "none", "svg.hashsalt": "scores", "font.family": "sans-serif"}):
        picture(read()).savefig(PICTURE, transparent=True, metadata={"Date": None})


if __name__ == "__main__":
    main()
