"""Which regulator may act on which genes, as it is known beforehand."""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from structlearn.data import Knowledge
from structlearn.errors import DataError, OptionError
from structlearn.graphs import Graph
from structlearn.numerics.factorization.known_patterns import Fault, faults_of, repaired
from structlearn.run import Run

Pattern = NDArray[np.bool_]
GenesByRegulator = Mapping[str, Collection[str]]
Regulators = GenesByRegulator | Graph | Callable[[Sequence[str]], GenesByRegulator]
CRITERIA = {
    1: "their columns of strengths are not independent, whatever the numbers: together they have fewer genes "
    "than they are",
    2: "without the genes of one of them, the strengths of the others are not independent",
}
MOST_NAMED = 8


@dataclass(frozen=True)
class Connections:
    """A mapping from regulators to names of genes, a graph of arrows, or a function of the columns."""

    meaning: str = ""
    allowed: str = (
        "a mapping from regulators to lists of their genes, a Graph of arrows to genes, or a function from "
        "the names of the columns to such a mapping"
    )

    def accepts(self, value: Any) -> bool:
        """Whether it is one of these."""
        return isinstance(value, Graph) or callable(value) or _is_mapping(value)


def _is_mapping(value: Any) -> bool:
    return isinstance(value, Mapping) and all(
        isinstance(name, str) and isinstance(genes, Collection) and not isinstance(genes, str)
        for name, genes in value.items()
    )


def genes_by_regulator(owner: str, regulators: Regulators, names: Sequence[str]) -> dict[str, list[str]]:
    """For each regulator its genes; one without, and a gene that is no column, are refused."""
    given: Any = regulators
    if isinstance(regulators, Graph):
        given = {node: kids for node in regulators.nodes if (kids := regulators.children(node))}
    elif not isinstance(regulators, Mapping):
        given = regulators(names)
        if not _is_mapping(given):
            raise OptionError(
                f"{owner}(regulators=…): the function gave {given!r}, and no mapping from names to lists."
            )
    if not given and not callable(regulators):
        raise OptionError(f"{owner}(regulators=…): there is no regulator.")
    known, found = set(names), {name: sorted(set(genes)) for name, genes in sorted(given.items())}
    for name, genes in found.items():
        if not genes:
            raise OptionError(f"{owner}(regulators=…): regulator {name!r} has no gene. Leave it out.")
        strange = [gene for gene in genes if gene not in known]
        if strange:
            raise OptionError(
                f"{owner}(regulators=…): {name!r} acts on {strange[0]!r}, and the table has no such column."
            )
    return found


def with_knowledge(found: Mapping[str, list[str]], knowledge: Knowledge) -> dict[str, list[str]]:
    """The same without arrows that are forbidden, and with those that are required."""
    kept = {
        name: [gene for gene in genes if not knowledge.forbids(name, gene)] for name, genes in found.items()
    }
    for name, gene in sorted(knowledge.required):
        kept[name] = sorted({*kept.get(name, ()), gene})
    return dict(sorted(kept.items()))


def acting(found: Mapping[str, list[str]], genes: Collection[str], run: Run) -> dict[str, list[str]]:
    """The regulators with a gene that varies, and these genes; others are reported."""
    varying = set(genes)
    left = {name: [gene for gene in targets if gene in varying] for name, targets in found.items()}
    silent = [name for name, targets in left.items() if not targets]
    if silent:
        run.note(f"No gene of {_listed(silent)} is left: nothing is said of what they do.")
    return {name: targets for name, targets in left.items() if targets}


def pattern_of(found: Mapping[str, list[str]], genes: list[str]) -> Pattern:
    """Genes by regulators: who may act on whom."""
    sets = [set(targets) for targets in found.values()]
    return np.array([[gene in targets for targets in sets] for gene in genes], dtype=np.bool_)


def identified(
    pattern: Pattern, genes: list[str], regulators: list[str], run: Run, *, repair: bool
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """The places of the genes and regulators whose factors are identified: all, or what a repair leaves."""
    faults = faults_of(pattern)
    if not faults:
        return np.arange(len(genes)), np.arange(len(regulators))
    if not repair:
        raise DataError(
            f"{run.owner}: the pattern does not identify strengths and activities. "
            f"{' '.join(_said(fault, regulators) for fault in faults)} Give other genes, leave regulators "
            "out, or let repair=True do that."
        )
    kept_genes, kept = repaired(pattern)
    dropped = [name for k, name in enumerate(regulators) if k not in set(kept.tolist())]
    n_genes = len(genes) - len(kept_genes)
    run.warn(
        f"the pattern does not identify all factors; repair leaves out {_listed(dropped)}"
        f"{f' and {n_genes} genes that nobody else acts on' if n_genes else ''}."
    )
    return kept_genes, kept


def _said(fault: Fault, regulators: list[str]) -> str:
    names = [regulators[k] for k in fault.regulators]
    return f"Criterion {fault.criterion} fails for {_listed(names)}: {CRITERIA[fault.criterion]}."


def _listed(names: list[str]) -> str:
    shown = ", ".join(repr(name) for name in names[:MOST_NAMED])
    return shown + (f" and {len(names) - MOST_NAMED} more" if len(names) > MOST_NAMED else "")
