"""Write the generated parts of the documentation: `python -m tools.write_docs`, or `make docs`.

Three things are never typed by hand, and a test fails where they are out of date:

- what stands between `<!-- generated: NAME -->` and `<!-- end -->` (see `generated_parts`);
- what a page's examples print (see `examples`);
- the files in `docs/data` and `docs/images` (see `drawn_files`).
"""

import sys
from pathlib import Path

from tools.drawn_files import FILES
from tools.examples import with_fresh_outputs
from tools.generated_parts import with_fresh_parts

ROOT = Path(__file__).parents[1]


def pages() -> list[Path]:
    """Every page of the documentation."""
    return [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").rglob("*.md"))]


def fresh(page: Path) -> str:
    """The text that a page should have."""
    return with_fresh_outputs(with_fresh_parts(page.read_text(encoding="utf-8"), page), page)


def main() -> None:
    """Write what is out of date, and say what was."""
    for name, file in FILES.items():
        if not file.is_current(ROOT / name):
            file.write(ROOT / name)
            _say(name)
    for page in pages():
        text = fresh(page)
        if text != page.read_text(encoding="utf-8"):
            page.write_text(text, encoding="utf-8")
            _say(str(page.relative_to(ROOT)))


def _say(name: str) -> None:
    sys.stdout.write(f"wrote {name}\n")


if __name__ == "__main__":
    main()
