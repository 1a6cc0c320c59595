"""The tables of the challenges with their true networks, from the folder that STRUCTLEARN_DATA names."""

import csv
import gzip
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from structlearn import Graph

Numbers = NDArray[np.float64]

# LexA represses these genes (Simmons, Foti, Cohen and Walker 2008, The SOS regulatory network, EcoSal Plus,
# table 1), and active RecA has it cleaved. What acts on sigma factors and recF is left open.
SOS = [("lexA", gene) for gene in ("recA", "umuDC", "dinI", "ssb")] + [("recA", "lexA")]
# Of the genes that a cell cycle turns on and off, those with a textbook's regulator in the table.
CYCLE_GENES = {
    "SWI4": "YER111C",
    "MBP1": "YDL056W",
    "MCM1": "YMR043W",
    "FKH1": "YIL131C",
    "SWI5": "YDR146C",
    "ACE2": "YLR131C",
    "CLN1": "YMR199W",
    "CLN2": "YPL256C",
    "CLN3": "YAL040C",
    "CLB1": "YGR108W",
    "CLB2": "YPR119W",
    "CLB5": "YPR120C",
    "CLB6": "YGR109C",
    "CDC20": "YGL116W",
    "SIC1": "YLR079W",
    "ASH1": "YKL185W",
}
ACTS_ON = {
    "SWI4": ("CLN1", "CLN2"),
    "MBP1": ("CLB5", "CLB6"),
    "MCM1": ("CLB1", "CLB2", "SWI5", "ACE2", "CDC20", "SWI4", "CLN3"),
    "FKH1": ("CLB1", "CLB2", "SWI5", "ACE2", "CDC20"),
    "SWI5": ("SIC1", "ASH1"),
    "ACE2": ("SIC1", "ASH1"),
}
CYCLE = [(source, target) for source, targets in ACTS_ON.items() for target in targets]


@dataclass(frozen=True)
class Network:
    """Measurements of genes whose network is known.

    `series` and `time` say where a row of a time course stands; `wild_type` is the state with nothing
    knocked out, where row i of `values` has gene i knocked out.
    """

    kind: str
    name: str
    genes: tuple[str, ...]
    values: Numbers
    truth: Graph
    series: Numbers | None = None
    time: Numbers | None = None
    wild_type: Numbers | None = None

    @property
    def table(self) -> dict[str, Any]:
        """The measurements by gene, with `series` and `time` beside them where there are some."""
        aside = {} if self.time is None else {"series": self.series, "time": self.time}
        return aside | dict(zip(self.genes, self.values.T, strict=True))


def networks(folder: Path) -> Iterator[Network]:
    """Every network that is in the folder, the small ones first."""
    for size in ("size10", "size100"):
        for path in sorted(folder.glob(f"dream4/{size}_*_gold.arcs.csv")):
            yield from _dream4(path.parent, path.name.removesuffix("_gold.arcs.csv"))
    for path in sorted(folder.glob("dream4/multifactorial100_*_gold.arcs.csv")):
        stem = path.name.removesuffix("_gold.arcs.csv")
        yield _network("multifactorial, 100 genes", stem[-1], path.parent / stem, path)
    for size in (10, 50, 100):
        for path in sorted(folder.glob(f"dream3/size{size}_*_gold.arcs.csv")):
            stem = path.name.removesuffix("_gold.arcs.csv")
            kind = f"DREAM3 time courses, {size} genes"
            yield _courses(kind, stem.split("_")[1], path.parent / f"{stem}_trajectories", path)
    for medium in ("on", "off"):
        gold = folder / "irma/irma_gold.arcs.csv"
        if gold.exists():
            found = _network("IRMA steady states, 5 genes", medium, folder / f"irma/irma_{medium}", gold)
            yield replace(found, values=np.log(found.values))  # over-expression multiplies
    if _path(folder / "ecoli_sos/SOS_data") is not None:
        genes, values = _read(folder / "ecoli_sos/SOS_data")
        yield Network(
            "E. coli SOS steady states, 9 genes", "compendium", genes, values, Graph(genes, directed=SOS)
        )
    if _path(folder / "spellman/spellman_cdc15") is not None:
        yield _cell_cycle(folder / "spellman/spellman_cdc15")


def _cell_cycle(table: Path) -> Network:
    names, values = _read(table)
    genes = tuple(CYCLE_GENES)
    columns = [names.index(CYCLE_GENES[gene]) for gene in genes]
    return Network(
        f"yeast cell cycle, {len(genes)} genes",
        "cdc15",
        genes,
        values[:, columns],
        Graph(genes, directed=CYCLE),
        series=np.zeros(len(values)),
        time=values[:, 0],
    )


def _dream4(home: Path, stem: str) -> Iterator[Network]:
    gold = home / f"{stem}_gold.arcs.csv"
    size, number = stem.removeprefix("size").split("_")
    if _path(home / f"{stem}_multifactorial") is not None:
        yield _network(f"multifactorial, {size} genes", number, home / f"{stem}_multifactorial", gold)
    names, wild_type = _read(home / f"{stem}_wildtype")
    _, values = _read(home / f"{stem}_knockouts")
    kind = f"knock-outs, {size} genes"
    yield Network(kind, number, names, values, _truth(gold, names), wild_type=wild_type[0])
    yield _courses(f"DREAM4 time courses, {size} genes", number, home / f"{stem}_timeseries", gold)


def _network(kind: str, name: str, table: Path, gold: Path) -> Network:
    genes, values = _read(table)
    return Network(kind, name, genes, values, _truth(gold, genes))


def _courses(kind: str, name: str, table: Path, gold: Path) -> Network:
    names, values = _read(table)
    return Network(
        kind, name, names[2:], values[:, 2:], _truth(gold, names[2:]), series=values[:, 0], time=values[:, 1]
    )


def _truth(path: Path, genes: tuple[str, ...]) -> Graph:
    with path.open(newline="", encoding="utf-8") as lines:
        return Graph(genes, directed=[(row["from"], row["to"]) for row in csv.DictReader(lines)])


def _path(stem: Path) -> Path | None:
    return next((found for end in (".csv", ".csv.gz") if (found := Path(f"{stem}{end}")).exists()), None)


def _read(stem: Path) -> tuple[tuple[str, ...], Numbers]:
    path = _path(stem)
    if path is None:
        raise FileNotFoundError(f"{stem}.csv or .csv.gz")
    opener = gzip.open if path.suffix == ".gz" else open
    with opener(path, "rt", newline="", encoding="utf-8") as lines:
        rows = list(csv.reader(lines))
    return tuple(rows[0]), np.array(rows[1:], dtype=np.float64)
