"""The page: a table for each kind of data, and what to use when."""

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from statistics import fmean

from benchmarks.dream.results import SLOW, Row

PAGE = Path(__file__).parents[2] / "docs" / "benchmarks" / "dream.md"
WORDS = Path(__file__).parent / "words.md"
CHANCE = 0.5
NEAR = 0.005  # closer to chance than networks of one kind differ from each other


def page(rows: Sequence[Row]) -> str:
    """The text of the page, around the words that people wrote."""
    kinds = dict.fromkeys(row.kind for row in rows)
    order = sorted(kinds, key=lambda kind: (_place(kind), "100" in kind, "50" in kind))
    tables = "\n\n".join(_part(kind, [row for row in rows if row.kind == kind]) for kind in order)
    return WORDS.read_text(encoding="utf-8").replace("<!-- tables -->", tables)


def _place(kind: str) -> int:
    return next(i for i, word in enumerate(("multi", "knock", "DREAM4", "DREAM3", "")) if word in kind)


def _part(kind: str, rows: Sequence[Row]) -> str:
    names = list(dict.fromkeys(row.network for row in rows))
    by_method: dict[str, dict[str, Row]] = {}
    for row in rows:
        by_method.setdefault(row.method, {})[row.network] = row
    chance = fmean(float(row.chance) for row in rows if row.chance)
    lines = [
        f"| method | {' | '.join(f'network {name}' for name in names)} | mean AUROC | mean AUPR | CPU s |",
        f"| --- |{' --- |' * (len(names) + 3)}",
    ]
    scored = {
        method: found
        for method, found in by_method.items()
        if len(found) == len(names) and all(row.auroc for row in found.values())
    }
    lines += [
        _line(method, found, names)
        for method, found in sorted(scored.items(), key=lambda item: -_aupr(item[1]))
    ]
    said = [
        f"AUROC / AUPR; chance is 0.5 / {chance:.3f}.",
        *_below_chance(scored, chance),
        *_without({method: found for method, found in by_method.items() if method not in scored}),
    ]
    return "\n".join([f"### {kind[0].upper()}{kind[1:]}", "", *lines, "", *said])


def _line(method: str, found: Mapping[str, Row], names: Sequence[str]) -> str:
    cells = [
        _pair(float(found[name].auroc), float(found[name].aupr)) if name in found else "" for name in names
    ]
    auroc = _mean(float(row.auroc) for row in found.values())
    seconds = fmean(float(row.seconds) for row in found.values())
    return f"| {method} | {' | '.join(cells)} | {auroc} | {_aupr(found):.3f} | {seconds:.2g} |"


def _below_chance(scored: Mapping[str, Mapping[str, Row]], chance: float) -> list[str]:
    means = {method: fmean(float(row.auroc) for row in found.values()) for method, found in scored.items()}
    worse = sorted(method for method, mean in means.items() if mean < CHANCE - NEAR)
    none = sorted(
        method
        for method, mean in means.items()
        if abs(mean - CHANCE) <= NEAR and _aupr(scored[method]) < 1.5 * chance
    )
    said = []
    if worse:
        said.append(f"Worse than chance by AUROC: {', '.join(worse)}; [why](#worse-than-chance).")
    if none:
        said.append(
            f"No better than chance: {', '.join(none)}; what they find in these rows is no more than that."
        )
    return said


def _without(others: Mapping[str, Mapping[str, Row]]) -> list[str]:
    slow = [m for m, found in others.items() if any(row.note.startswith(SLOW) for row in found.values())]
    refused = [m for m, found in others.items() if m not in slow and any(row.note for row in found.values())]
    some = [method for method in others if method not in slow and method not in refused]
    said = [f"Not done in the time that was given: {', '.join(sorted(slow))}."] if slow else []
    if some:
        said.append(f"Measured on some of the networks only, and left out: {', '.join(sorted(some))}.")
    return said + ([f"Refuse this data: {', '.join(sorted(refused))}."] if refused else [])


def _aupr(found: Mapping[str, Row]) -> float:
    return fmean(float(row.aupr) for row in found.values())


def _mean(values: Iterable[float]) -> str:
    return f"{fmean(values):.3f}"


def _pair(auroc: float | str, aupr: float | str) -> str:
    return "" if isinstance(auroc, str) or isinstance(aupr, str) else f"{auroc:.3f} / {aupr:.3f}"
