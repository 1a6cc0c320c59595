"""The files that are made by the library: a table, a picture, and the names that editors see."""

import csv
from collections.abc import Callable
from dataclasses import dataclass
from io import StringIO
from pathlib import Path
from xml.etree import ElementTree as ET

import structlearn as sl
from tools.public_stub import public_stub


@dataclass(frozen=True)
class DrawnFile:
    """A file that is made, and what of it must be up to date."""

    make: Callable[[], str]
    essence: Callable[[str], object]

    def is_current(self, path: Path) -> bool:
        """Whether the file is there and says what a new one would say."""
        if not path.exists():
            return False
        return self.essence(path.read_text(encoding="utf-8")) == self.essence(self.make())

    def write(self, path: Path) -> None:
        """Make the file."""
        path.write_text(self.make(), encoding="utf-8")


def _earthquake_table() -> str:
    columns = sl.example("earthquake").sample(2000, random_state=0).to_dict()
    text = StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(columns)
    writer.writerows(zip(*columns.values(), strict=True))
    return text.getvalue()


def _asia_picture() -> str:
    data = sl.example("asia").sample(5000, random_state=0)
    return f"{sl.learn(data).plot().svg()}\n"


def _titles(svg: str) -> list[str | None]:
    """The names of nodes and edges; where they are drawn is Graphviz's affair, and changes with it."""
    return [title.text for title in ET.fromstring(svg).iter("{http://www.w3.org/2000/svg}title")]  # noqa: S314, our own file


FILES = {
    "stubs/__init__.pyi": DrawnFile(public_stub, str),
    "docs/data/earthquake.csv": DrawnFile(_earthquake_table, str),
    "docs/images/asia.svg": DrawnFile(_asia_picture, _titles),
}
