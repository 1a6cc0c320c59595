"""Relational models of public databases: `python -m benchmarks.databases`, with STRUCTLEARN_DATA set.

The databases are in the folder `relational` there. It writes `docs/benchmarks/databases.md`.
"""

import gzip
import os
import shutil
import sys
import tempfile
from pathlib import Path
from typing import Any, NamedTuple

import structlearn as sl

PAGE = Path(__file__).parents[1] / "docs" / "benchmarks" / "databases.md"


class Case(NamedTuple):
    """A database, how it is learnt from, and what a person can learn from the result."""

    file: str
    title: str
    options: dict[str, Any]
    lesson: str


CASES = (
    Case(
        "unielwin.sqlite",
        "A university",
        {},
        "A grade depends on the student's intelligence, and satisfaction with a course on the "
        "grade. Ten courses and "
        "six professors are too few to tell what makes them: their arrows gain a few nats only.",
    ),
    Case(
        "mutagenesis.sqlite",
        "Molecules that damage DNA, or not",
        {},
        "Whether a molecule is mutagenic (`label`) goes with `ind1`, which chemists made for three "
        "or more rings, and "
        "with the energy `lumo`: the two that the literature names. The type of a bond follows from "
        "the atom that it "
        "is at, and the type and charge of an atom from its element. `logp` and `ind1` follow from "
        "the number of atoms, "
        "the size of the molecule.",
    ),
    Case(
        "financial_pkdd99.sqlite",
        "A bank",
        {"max_chain": 1, "tables": ["account", "client", "disp", "card", "loan", "order"]},
        "The payments of a loan follow from its amount and duration, its status (running or ended, "
        "well or badly) from its date and duration, and a loan comes after its account. Only owners "
        "may pay without cash, which is what the count says of `disp.type`. What a standing order is "
        "for goes with its amount.",
    ),
    Case(
        "chinook.sqlite",
        "A shop of music",
        {
            "tables": ["Invoice", "InvoiceLine", "Track", "MediaType", "Genre"],
            "max_chain": 1,
            "kinds": {"Genre.Name": "discrete", "MediaType.Name": "discrete"},
        },
        "The total of an invoice follows from the number of its lines and their mean price; the "
        "price of a line is "
        "that of its track, and that of a track follows from its medium: films are dearer, and "
        "longer. Names of "
        "genres and media, each of which occurs once, only seem to depend on something.",
    ),
    Case(
        "toy_university.sqlite",
        "Ten rows",
        {"score": "bic"},
        "Three professors and three students say nothing about dependencies; what is found here "
        "would not be found "
        "again. A score with a price for parameters still takes what fits by chance in so few rows.",
    ),
)


def main() -> None:
    """Learn from each database, and write the page."""
    folder = Path(os.environ["STRUCTLEARN_DATA"]) / "relational"
    parts = ["# Relational models of public databases\n", _about()]
    with tempfile.TemporaryDirectory() as unpacked:
        parts += [_told(case, _path(folder, case.file, Path(unpacked))) for case in CASES]
    PAGE.write_text("\n".join(parts), encoding="utf-8")
    sys.stdout.write(f"Wrote {PAGE}\n")


def _about() -> str:
    return (
        "What [relational models](../methods/relational-model.md) find in five databases, written "
        "by `python -m "
        "benchmarks.databases`.\nA parent is a chain of references with its aggregate: `a.b` is "
        "attribute b of the "
        "object that a row refers to by a, and\n`T[a].b` are those of the rows of T that refer to "
        "it. The gain is what "
        "the score would lose without the parent's arrow, in nats.\n"
    )


def _path(folder: Path, name: str, unpacked: Path) -> Path:
    if (folder / name).exists():
        return folder / name
    with gzip.open(folder / f"{name}.gz") as packed, (unpacked / name).open("wb") as file:
        shutil.copyfileobj(packed, file)
    return unpacked / name


def _told(case: Case, path: Path) -> str:
    learner = sl.RelationalModel(**case.options).fit(path)
    schema = learner.schema_
    n_rows = sum(entity.n_objects for entity in schema.classes)
    given = ", ".join(f"{name}={value!r}" for name, value in case.options.items())
    gains = {(edge.source, edge.target): edge.weight or 0.0 for edge in learner.graph_.edges}
    lines = [
        f"## {case.title}\n",
        f"`sl.RelationalModel({given}).fit({case.file!r})`: {len(schema.classes)} tables, {n_rows:,} rows, "
        f"{len(schema.attributes)} attributes.\n",
        case.lesson + "\n",
        "| attribute | depends on | gain of each arrow |",
        "| --- | --- | --- |",
    ]
    for node, each in learner.model_.dependencies.items():
        if each.parents:
            parents = ", ".join(f"`{parent.name}`" for parent in each.parents)
            sources = learner.graph_.facts[node]["parents"]
            gained = ", ".join(f"{gains[sources[parent.name], node]:,.1f}" for parent in each.parents)
            lines.append(f"| `{node}` | {parents} | {gained} |")
    return "\n".join([*lines, ""])


if __name__ == "__main__":
    main()
