"""Laps as Markdown, as CSV and as a summary."""

import csv
import io
from collections.abc import Iterable, Sequence
from typing import Any

from benchmarks.race import Lap

TIMES = ("first_ever_s", "cold_s", "warm_s")
NUMBERS = ("import_s", *TIMES, "memory_mib")
QUALITY = {
    "search": ("bic", "edges", "shd", "skeleton_f1", "arrow_f1"),
    "pc": ("tests", "us_per_test", "edges", "shd", "skeleton_f1", "arrow_f1"),
    "undirected": ("objective", "above_best", "gap", "edges", "f1"),
    "exact": ("memory_mib", "bic", "below_best", "edges", "shd"),
    "hybrid": ("bdeu", "bic", "edges", "shd", "skeleton_f1", "arrow_f1"),
    "confidence": ("edges", "shd", "skeleton_f1", "arrow_f1"),
}
OF_DAGS = ("bic", "bdeu", "tests", "edges", "shd", "skeleton_f1", "arrow_f1")
MEASURES = dict.fromkeys(QUALITY, OF_DAGS) | {"undirected": ("objective", "gap", "edges", "f1")}
SUMMARY = {
    "search": "bic",
    "pc": "shd",
    "undirected": "objective",
    "exact": "bic",
    "hybrid": "bdeu",
    "confidence": "shd",
}
BEST = {"bic": max, "bdeu": max, "shd": min, "objective": min}
FORMATS = {
    "objective": ",.7f",
    "above_best": ".1e",
    "gap": ".1e",
    "below_best": ",.1f",
    "memory_mib": ",.0f",
}
HEADS = {
    "first_ever_s": "first ever, s",
    "cold_s": "cold, s",
    "warm_s": "warm, s",
    "memory_mib": "memory, MiB",
    "bic": "BIC",
    "bdeu": "BDeu",
    "below_best": "below the best here",
    "tests": "tests",
    "us_per_test": "µs per test, warm",
    "edges": "edges",
    "shd": "SHD",
    "skeleton_f1": "skeleton F1",
    "arrow_f1": "arrow F1",
    "objective": "objective",
    "above_best": "above the best here",
    "gap": "duality gap",
    "f1": "F1",
}


def markdown(task: str, laps: Sequence[Lap]) -> str:
    """A row per lap; ratios are to our first entry on the same table."""
    heads = ["data", "library", "method", *(HEADS[name] for name in TIMES), "cold ÷ ours", "warm ÷ ours"]
    heads += [*(HEADS[name] for name in QUALITY[task]), "run"]
    return _grid(heads, [[*_row(task, lap, laps), str(1 + runs(laps).index(lap.run))] for lap in laps])


def runs(laps: Iterable[Lap]) -> list[str]:
    """The runs that the laps are from, each once."""
    return list(dict.fromkeys(lap.run for lap in laps))


def summary(task: str, laps: Sequence[Lap]) -> str:
    """Our first entry on each table beside the fastest and the best other that do the same work."""
    judged = SUMMARY[task]
    heads = ["data", "ours cold, s", "ours warm, s", f"our {HEADS[judged]}"]
    heads += ["fastest other", "its warm, s", "times faster", f"its {HEADS[judged]}"]
    heads += ["best other", "its warm, s", f"its {HEADS[judged]}"]
    return _grid(heads, [_summary_row(laps, lap, judged) for lap in laps if _reference(laps, lap) is lap])


def as_csv(laps: Iterable[Lap], task: str) -> str:
    """All that was measured, in full precision."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    measures = MEASURES[task]
    writer.writerow(["task", "data", "library", "method", "trouble", *NUMBERS, *measures, "run"])
    for lap in laps:
        entry = lap.entry
        numbers = [getattr(lap, name) for name in NUMBERS]
        numbers += [lap.quality.get(name) for name in measures]
        writer.writerow(
            [task, lap.workload.name, entry.library, entry.method, lap.trouble, *numbers, lap.run]
        )
    return text.getvalue()


def _row(task: str, lap: Lap, laps: Sequence[Lap]) -> list[str]:
    ours = _reference(laps, lap)
    row = [lap.workload.name, lap.entry.library, lap.entry.method, _seconds(lap.first_ever_s)]
    row += [lap.trouble or _seconds(lap.cold_s), _seconds(lap.warm_s)]
    row += [_ratio(lap, ours, name) for name in ("cold_s", "warm_s")]
    return row + [_number(_measured(lap, name, laps), name) for name in QUALITY[task]]


def _measured(lap: Lap, name: str, laps: Sequence[Lap]) -> Any:
    if name == "us_per_test":
        tests = lap.quality.get("tests")
        return 1e6 * lap.warm_s / tests if tests and lap.warm_s else None
    if name == "above_best":
        return _above_best(lap, laps)
    if name == "below_best":
        return _below_best(lap, laps)
    return lap.memory_mib if name == "memory_mib" else lap.quality.get(name)


def _above_best(lap: Lap, laps: Sequence[Lap]) -> float | None:
    """The objective less the smallest on the same table, of those that solve the same problem."""
    own = lap.quality.get("objective")
    same = [other for other in laps if other.workload is lap.workload]
    found = [other.quality["objective"] for other in same if "objective" in other.quality]
    return None if own is None else own - min(found)


def _below_best(lap: Lap, laps: Sequence[Lap]) -> float | None:
    """The largest BIC on the same table less this one."""
    own = lap.quality.get("bic")
    found = [other.quality.get("bic") for other in laps if other.workload is lap.workload]
    return None if own is None else max(bic for bic in found if bic is not None) - own


def _summary_row(laps: Sequence[Lap], ours: Lap, judged: str) -> list[str]:
    others = [lap for lap in laps if lap.workload is ours.workload and not lap.entry.is_ours]
    timed = [lap for lap in others if lap.entry.is_same_work and lap.warm_s is not None]
    row = [ours.workload.name, ours.trouble or _seconds(ours.cold_s), _seconds(ours.warm_s)]
    row.append(_number(ours.quality.get(judged), judged))
    if not timed:
        return [*row, "none within the limit" if others else "none was run", "", "", "", "", "", ""]
    fastest = min(timed, key=lambda lap: lap.warm_s)
    row += [fastest.entry.name, _seconds(fastest.warm_s), _ratio(fastest, ours, "warm_s")]
    row.append(_number(fastest.quality.get(judged), judged))
    scored = [lap for lap in timed if lap.quality.get(judged) is not None]
    if not scored:
        return [*row, "none has one", "", ""]
    best = BEST[judged](scored, key=lambda lap: lap.quality[judged])
    return [*row, best.entry.name, _seconds(best.warm_s), _number(best.quality[judged], judged)]


def _reference(laps: Iterable[Lap], beside: Lap) -> Lap | None:
    """Our first lap on the same table."""
    same = (lap for lap in laps if lap.workload is beside.workload and lap.entry.is_ours)
    return next(same, None)


def _ratio(lap: Lap, ours: Lap | None, name: str) -> str:
    theirs = getattr(lap, name)
    if ours is None or theirs is None or not getattr(ours, name):
        return ""
    return f"{theirs / getattr(ours, name):.3g}"


def _seconds(value: float | None) -> str:
    return "" if value is None else f"{value:.3g}" if value < 100 else f"{value:.0f}"


def _number(value: Any, name: str) -> str:
    if value is None:
        return ""
    if name in FORMATS:
        return f"{value:{FORMATS[name]}}"
    if isinstance(value, int):
        return f"{value:,}"
    return f"{value:,.1f}" if abs(value) > 1 else f"{value:.3f}"


def _grid(heads: list[str], rows: Iterable[list[str]]) -> str:
    lines = [heads, ["---"] * len(heads), *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)
