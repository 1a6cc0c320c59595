"""The data of the tests are small, and each file has its source and licence beside it."""

import re

from tests.data_files import HOME

FOLDERS = ("tables", "networks", "reference")
FILES = [path for folder in FOLDERS for path in sorted((HOME / folder).rglob("*")) if path.is_file()]


def test_every_file_has_its_source():
    named = set(re.findall(r"`([^`]+)`", (HOME / "SOURCES.md").read_text()))
    own = [path for path in FILES if path.parent.name != "arcs" and path.suffix != ".txt"]

    assert {path.name for path in own} <= named
    assert {path.stem for path in FILES if path.parent.name == "arcs"} == {
        path.name.split(".")[0] for path in own if path.parent.name == "networks" and path.stem != "INDEX"
    }


def test_all_files_together_take_less_than_eight_megabytes():
    assert sum(path.stat().st_size for path in FILES) < 8_000_000
