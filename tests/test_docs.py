"""The documentation is up to date: examples, generated parts, pictures and links."""

import re

import pytest
import typer

from structlearn.learners.catalog import CATALOG
from tools.drawn_files import FILES
from tools.examples import with_fresh_outputs
from tools.generated_parts import PARTS, with_fresh_parts
from tools.write_docs import ROOT, fresh, pages

PAGES = [*pages(), ROOT / "CHANGELOG.md"]
LANGUAGES = {"python", "text", "console", "sh", "bibtex"}
LINK = re.compile(r"!?\[[^\]]*\]\((?P<target>[^)#\s]*)(?:#(?P<heading>[^)\s]+))?\)")
FENCED = re.compile(r"^```.*?^```$", re.DOTALL | re.MULTILINE)


def every_page(test):
    return pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))(test)


@every_page
def test_a_page_shows_what_its_examples_print_and_what_the_code_says(page):
    assert page.read_text(encoding="utf-8") == fresh(page), "run `make docs`"


@every_page
def test_every_link_leads_somewhere(page):
    for link in LINK.finditer(FENCED.sub("", page.read_text(encoding="utf-8"))):
        if link["target"].startswith(("http://", "https://")):
            continue
        target = page.parent / link["target"] if link["target"] else page
        assert target.exists(), link[0]
        if link["heading"]:
            assert link["heading"] in headings(target), link[0]


@every_page
def test_every_block_of_code_has_a_known_language(page):
    """An example under another name would never be run."""
    opened = re.findall(r"^```(.*)$", page.read_text(encoding="utf-8"), re.MULTILINE)

    assert all(end == "" for end in opened[1::2])
    assert set(opened[::2]) <= LANGUAGES


@pytest.mark.parametrize("name", FILES)
def test_a_drawn_file_is_what_the_library_draws(name):
    assert FILES[name].is_current(ROOT / name), "run `make docs`"


@pytest.mark.parametrize("method", CATALOG)
def test_every_method_has_a_page_with_its_options(method):
    page = (ROOT / "docs" / "methods" / f"{method}.md").read_text(encoding="utf-8")

    assert f"<!-- generated: options {method} -->" in page
    assert f"methods/{method}.md" in (ROOT / "docs" / "how-to-choose.md").read_text(encoding="utf-8")


def test_every_page_can_be_reached_from_the_readme():
    reached, new = set(), {ROOT / "README.md"}
    while new:
        reached |= new
        new = {target for page in new if page.suffix == ".md" for target in linked_files(page)} - reached

    assert set(PAGES) - reached == set()


def test_what_a_block_prints_is_written_below_it_and_later_blocks_know_its_names(tmp_path):
    text = "```python\na = 2\n```\n\nThen\n\n```python\nprint(a + a)\n```\n\n```text\n5\n```\n"

    assert with_fresh_outputs(text, tmp_path / "page.md") == text.replace("5", "4")


def test_a_block_that_prints_gets_a_place_for_it(tmp_path):
    text = "```python\nprint('a')\n```\n"

    assert with_fresh_outputs(text, tmp_path / "page.md") == text + "\n```text\na\n```\n"


def test_a_time_alone_makes_no_page_out_of_date(tmp_path):
    text = "```python\nprint('took 1.25 s.')\n```\n\n```text\ntook 9.99 s.\n```\n"

    assert with_fresh_outputs(text, tmp_path / "page.md") == text


def test_an_example_that_fails_is_not_passed_over(tmp_path):
    with pytest.raises(ZeroDivisionError):
        with_fresh_outputs("```python\n1 / 0\n```\n", tmp_path / "page.md")


def test_a_command_that_breaks_is_not_passed_over(tmp_path, monkeypatch):
    broken = typer.Typer()
    broken.command()(lambda: 1 / 0)
    monkeypatch.setattr("tools.examples.app", broken)

    with pytest.raises(ZeroDivisionError):
        with_fresh_outputs("```console\n$ structlearn\n```\n", tmp_path / "page.md")


def test_a_console_block_runs_nothing_but_our_program(tmp_path):
    with pytest.raises(ValueError, match="runs structlearn only"):
        with_fresh_outputs("```console\n$ rm everything\n```\n", tmp_path / "page.md")


def test_a_part_is_replaced_whole_and_its_surroundings_stay(tmp_path):
    text = "before\n<!-- generated: formats -->\nold\n<!-- end -->\nafter\n"
    expected = text.replace("old", PARTS["formats"]("", tmp_path))

    assert with_fresh_parts(text, tmp_path / "page.md") == expected


def headings(page):
    """The anchors that a Markdown page offers: headings in small letters, with hyphens for blanks."""
    found = re.findall(r"^#+ (.+)$", FENCED.sub("", page.read_text(encoding="utf-8")), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in found}


def linked_files(page):
    for link in LINK.finditer(page.read_text(encoding="utf-8")):
        target = (page.parent / link["target"]).resolve()
        if link["target"] and target.exists():
            yield target
