"""Files that say which columns regulate, or which genes each regulator acts on."""

import json
from pathlib import Path
from typing import Any

from structlearn.errors import DataError

HEADINGS = {"regulator", "tf", "source"}  # of the column of regulators, in any letters
GENE_HEADINGS = {"gene", "target"}
LOOKED_AT = 100  # lines, for what stands between their fields


def read_regulators(path: Path) -> Any:
    """The names in a file of one column; by name their genes, where it has two or more."""
    if not path.is_file():
        raise DataError(f"--regulators {path}: there is no such file.")
    if path.name.lower().endswith(".json"):
        return _from_json(path)
    lines = _fields(path)
    headings = [field.lower() for field in lines[0][1][:2]] if lines else [""]
    if headings[0] in HEADINGS:
        del lines[0]
    elif headings[0] in GENE_HEADINGS and headings[1:] and headings[1] in HEADINGS:
        lines = [(number, fields[1::-1]) for number, fields in lines[1:]]
    if not lines:
        raise DataError(f"--regulators {path}: the file names nobody.")
    if all(len(fields) == 1 for _, fields in lines):
        return [fields[0] for _, fields in lines]
    found: dict[str, list[str]] = {}
    for number, fields in lines:
        if len(fields) < 2 or not fields[0] or not fields[1]:
            raise DataError(
                f"--regulators {path}: line {number} has no gene. Write regulator,gene in every line, or "
                "only names."
            )
        found.setdefault(fields[0], []).append(fields[1])
    return found


def _fields(path: Path) -> list[tuple[int, list[str]]]:
    """The lines with something in them, each with its number."""
    from structlearn.data.layouts import separator_of  # noqa: PLC0415, --help needs none of it
    from structlearn.data.separated import first_lines, records  # noqa: PLC0415, as above

    cut = records(path, separator_of(path, first_lines(path, LOOKED_AT)))
    stripped = ((number, [field.strip() for field in fields]) for number, fields in cut)
    return [(number, fields) for number, fields in stripped if any(fields)]


def _from_json(path: Path) -> Any:
    try:
        found = json.loads(path.read_text(encoding="utf-8"))
    except ValueError as error:  # of JSON, or of UTF-8
        raise DataError(f"--regulators {path}: this is no JSON: {error}") from None
    if isinstance(found, list) and all(isinstance(pair, list) and len(pair) == 2 for pair in found):
        by_name: dict[str, list[str]] = {}
        for regulator, gene in found:
            by_name.setdefault(str(regulator), []).append(str(gene))
        return by_name
    return found
