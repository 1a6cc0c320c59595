"""Graphics cards: seconds and memory of the learners that have kernels for them, the processor beside.

`python -m benchmarks.gpu [SECTION …]` writes those sections of docs/benchmarks/gpu.md, or all; it needs a
card. Each figure is the best of three runs, or of one over three seconds; data start and results end
in the machine's memory. A section that fails says why, and the next one begins.
"""

import os
import sys
import traceback
import warnings
from importlib import import_module
from pathlib import Path

from structlearn.gpu.card import load_cuda

PAGE = Path(__file__).parents[1] / "docs" / "benchmarks" / "gpu.md"
SECTIONS = (
    "exact",
    "posterior",
    "precision",
    "families",
    "skeletons",
    "information",
    "threads",
)  # modules of benchmarks/on_cards, in the order of the page
HEAD = """# On a graphics card

Written by `python -m benchmarks.gpu` on one {card}; the processor beside it has {n_cores} cores, all in use.
"""


def main(asked: list[str]) -> int:
    """Measure, and write the page after each row; the number of sections that failed."""
    warnings.simplefilter("ignore")
    card = load_cuda().get_current_device().name
    head = HEAD.format(card=card, n_cores=os.cpu_count())
    n_failed = 0
    for name in asked or SECTIONS:
        try:
            measure(name, head)
        except Exception:  # noqa: BLE001, a card's time is dear: the other sections are measured all the same
            traceback.print_exc()
            n_failed += 1
    return n_failed


def measure(name: str, head: str) -> None:
    """One section, written after each of its rows."""
    section = import_module(f"benchmarks.on_cards.{name}")
    title, text = section.HEAD.splitlines()[0], section.HEAD
    print(text, end="", flush=True)
    for row in section.rows():
        print(row, flush=True)
        text += row + "\n"
        write(title, text, head)


def write(title: str, text: str, head: str) -> None:
    """Put the text of one section into the page, and leave the others as they are."""
    texts = {part.splitlines()[0]: f"## {part}" for part in PAGE.read_text().split("\n## ")[1:]}
    texts[title.removeprefix("## ")] = text
    PAGE.write_text("\n".join([head, *(each.strip() + "\n" for each in texts.values())]))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
