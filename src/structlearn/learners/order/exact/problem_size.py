"""What is too large for an exact search, and how a problem is made to fit."""

from dataclasses import replace
from typing import Literal

from structlearn.errors import OptionError
from structlearn.gpu import card, subsets
from structlearn.gpu import order_sums as sums_on_cards
from structlearn.gpu.card import Device
from structlearn.learners.free_memory import free_bytes, refuse_beyond_memory
from structlearn.learners.order.exact import dynamic_programme, order_sums
from structlearn.learners.order.exact.highs import load_highs
from structlearn.run import Run
from structlearn.search.limits import NO_LIMIT, Limits, count_families

MOST_FAMILIES = 300_000  # all of 15 columns: some ten seconds of counting
MOST_COLUMNS = 28  # 2 GiB; each column more doubles memory and time
FAMILY_BYTES = 150  # while all sets of a family are there and none is dropped yet

SolverName = Literal["dp", "ilp"]


def with_affordable_sets(limits: Limits) -> Limits:
    """The limits; where they leave the size of parent sets open, the largest that is quickly scored."""
    if limits.max_parents < NO_LIMIT or count_families(limits) <= MOST_FAMILIES:
        return limits
    most = 1
    while count_families(replace(limits, max_parents=most + 1)) <= MOST_FAMILIES:
        most += 1
    return replace(limits, max_parents=most)


def solver_and_place(
    device: Device, solver: SolverName | None, n_columns: int, run: Run
) -> tuple[SolverName, bool]:
    """The solver, and whether a graphics card does its work; only dynamic programming runs on one."""
    if solver == "ilp" and device == "cuda":
        raise OptionError(
            "ExactSearch(device='cuda', solver='ilp'): integer programming runs on the processor. Use "
            "solver='dp', or device='cpu'."
        )
    takes, why_not = card.takes_card(
        "cpu" if solver == "ilp" else device,
        f"the 2^{n_columns} subsets of {n_columns} columns",
        subsets.bytes_needed(n_columns),
        "pass device='cpu', or fewer columns",
    )
    if why_not:
        run.note(why_not)
    return ("dp", True) if takes else (choose_solver(solver, n_columns), False)


def sums_on_card(device: Device, n_columns: int, run: Run) -> bool:
    """Whether a graphics card sums over all orders; on the processor what does not fit is refused."""
    problem = f"the 2^{n_columns} subsets of {n_columns} columns"
    advice = "take fewer columns, or draw orders by OrderMCMC"
    takes, why_not = card.takes_card(device, problem, sums_on_cards.bytes_needed(n_columns), advice)
    if why_not:
        run.note(why_not)
    if not takes:
        refuse_beyond_memory(f"ExactPosterior: {problem}", order_sums.bytes_needed(n_columns), advice)
    return takes


def choose_solver(solver: SolverName | None, n_columns: int) -> SolverName:
    """Dynamic programming up to 28 columns if its table fits into memory, otherwise integer programming.

    Who asks for dynamic programming where it does not fit is refused, and so is integer programming
    where its solver is not installed: before any family is scored.
    """
    n_bytes = dynamic_programme.bytes_needed(n_columns)
    fits = n_columns <= MOST_COLUMNS and n_bytes <= free_bytes()
    if solver == "ilp" or (solver is None and not fits):
        load_highs()
        return "ilp"
    if solver == "dp":
        refuse_beyond_memory(
            f"ExactSearch(solver='dp'): the 2^{n_columns} subsets of {n_columns} columns",
            n_bytes,
            "pass solver='ilp', or fewer columns",
        )
    return "dp"


def refuse_too_many_families(owner: str, limits: Limits) -> None:
    """Refuse more families than fit into memory, before any is scored."""
    n_columns, n_families = len(limits.columns), count_families(limits)
    refuse_beyond_memory(
        f"{owner}(max_parents={limits.max_parents}): the {n_families:,} families of {n_columns} columns",
        FAMILY_BYTES * n_families,
        "lower max_parents, or forbid arcs by knowledge",
    )
