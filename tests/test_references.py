"""What tests and pages cite is in the repository: pages of docs/references, no note or folder beside it."""

import re

import pytest

from tests.test_docs import headings
from tools.write_docs import ROOT

FOLDERS = ("tests", "docs", "benchmarks", "src", "tools")
TEXTS = [
    *sorted(ROOT.glob("*.md")),
    *(
        path
        for folder in FOLDERS
        for ending in ("py", "md", "toml", "html")
        for path in sorted((ROOT / folder).rglob(f"*.{ending}"))
    ),
]
CITATION = re.compile(r"docs/references/(?P<page>[\w-]+\.md)(?P<anchors>#[\w-]+(?:(?:,| and) #[\w-]+)*)?")
# With brackets, so that this file does not have them itself.
BESIDE = re.compile(r"\b[Cc]ar[d]s? \d|[Mm]ethods?('s)? car[d]|\.\./share[d]|share[d][_/]data")


def cited(text):
    """The pages of docs/references that a text cites, each with one heading or none."""
    one_line = re.sub(r"\n\s*#?\s*", " ", text)
    for citation in CITATION.finditer(one_line):
        anchors = re.findall(r"#([\w-]+)", citation["anchors"] or "")
        yield from ((citation["page"], anchor) for anchor in anchors or [""])


CITED = {(page, anchor): path for path in TEXTS for page, anchor in cited(path.read_text(encoding="utf-8"))}


@pytest.mark.parametrize(("page", "anchor"), sorted(CITED), ids=["#".join(one) for one in sorted(CITED)])
def test_what_is_cited_is_there(page, anchor):
    path = ROOT / "docs" / "references" / page

    assert path.exists()
    assert not anchor or anchor in headings(path), CITED[page, anchor].relative_to(ROOT)


def test_every_page_of_references_is_cited_by_a_test():
    tests = {page for (page, _), path in CITED.items() if path.is_relative_to(ROOT / "tests")}

    assert {path.name for path in (ROOT / "docs" / "references").glob("*.md")} == tests


def test_nothing_beside_the_repository_is_cited():
    found = {path.relative_to(ROOT): BESIDE.findall(path.read_text(encoding="utf-8")) for path in TEXTS}

    assert {path: words for path, words in found.items() if words} == {}


def test_a_citation_may_name_several_headings_over_two_lines():
    text = "# From docs/references/scores.md#bge and\n    # #laplace, and docs/references/models.md."

    assert list(cited(text)) == [("scores.md", "bge"), ("scores.md", "laplace"), ("models.md", "")]
