"""What differs between two records."""

from collections.abc import Iterator
from dataclasses import dataclass
from statistics import geometric_mean
from typing import Any

from benchmarks.same_results.recording import Record

ABSENT = "(absent)"


@dataclass(frozen=True)
class Difference:
    """A field of a case with a value in each record."""

    case: str
    field: str
    before: Any
    after: Any

    @property
    def is_new(self) -> bool:
        """Whether only the later version has it: more is told, and nothing is different."""
        return self.before == ABSENT

    def __str__(self) -> str:
        return f"{self.field}: {_shown(self.before)} → {_shown(self.after)}"


def differences(before: Record, after: Record) -> Iterator[Difference]:
    """Every field that is not the same in both, by case."""
    for case in sorted(before | after):
        if case not in before or case not in after:
            told = [ABSENT if case not in record else "recorded" for record in (before, after)]
            yield Difference(case, "case", *told)
            continue
        old, new = (dict(_fields(record[case]["seen"])) for record in (before, after))
        for field in dict.fromkeys([*old, *new]):
            values = old.get(field, ABSENT), new.get(field, ABSENT)
            if values[0] != values[1]:
                yield Difference(case, field, *values)


def time_ratios(before: Record, after: Record) -> list[tuple[float, float, float, str]]:
    """After ÷ before with both times, of the cases that are timed in both; the largest ratio first."""
    rows = []
    for case in before.keys() & after.keys():
        old, new = before[case].get("seconds"), after[case].get("seconds")
        if old is not None and new is not None:
            rows.append((new / old, old, new, case))
    return sorted(rows, reverse=True)


def time_table(before: Record, after: Record) -> str:
    """The ratios as text, with their geometric mean; empty where nothing was timed in both."""
    rows = time_ratios(before, after)
    if not rows:
        return ""
    lines = [f"{ratio:7.3f} {old:9.3f} s {new:9.3f} s  {case}" for ratio, old, new, case in rows]
    mean = geometric_mean(ratio for ratio, *_ in rows)
    return "\n".join(["  after ÷ before", *lines, f"{mean:7.3f} geometric mean of {len(rows)} cases"])


def _fields(value: Any, path: str = "") -> Iterator[tuple[str, Any]]:
    """Each leaf with the way to it; what is empty is a leaf."""
    if isinstance(value, dict) and value:
        for key, item in value.items():
            yield from _fields(item, f"{path} / {key}" if path else key)
    elif isinstance(value, list) and value:
        for place, item in enumerate(value):
            yield from _fields(item, f"{path}[{place}]")
    else:
        yield path, value


def _shown(value: Any) -> str:
    is_number = isinstance(value, str) and value.lstrip("-").startswith("0x")
    return f"{float.fromhex(value)!r} ({value})" if is_number else repr(value)
