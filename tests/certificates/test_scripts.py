"""Scripts for strangers are short, know nothing of us, and end in a sentence whatever they are given."""

import ast
import subprocess
import sys

import pytest

from tests.certificates.claims import TOOLS, ending_of_script

SCRIPTS = sorted(TOOLS.glob("check_*.py"))
KNOWN = {"numpy", "scipy.special", "p_values", *sys.stdlib_module_names}


def names_of(script):
    return script.stem


@pytest.mark.parametrize("script", SCRIPTS, ids=names_of)
def test_a_script_has_at_most_fifty_lines(script):
    assert len(script.read_text(encoding="utf-8").splitlines()) <= 50


@pytest.mark.parametrize("script", [*SCRIPTS, TOOLS / "p_values.py"], ids=names_of)
def test_a_script_imports_nothing_of_ours(script):
    found = list(ast.walk(ast.parse(script.read_text(encoding="utf-8"))))
    imports = {each.module for each in found if isinstance(each, ast.ImportFrom)}
    imports |= {alias.name for each in found if isinstance(each, ast.Import) for alias in each.names}

    assert imports <= KNOWN


@pytest.mark.parametrize("text", ["", " ", "{", "{}", "[1, 2]", "a,b\n1,2\n", '{"kind": "other"}'])
@pytest.mark.parametrize("script", SCRIPTS, ids=names_of)
def test_a_file_that_is_no_certificate_ends_a_script_with_a_sentence(script, text, tmp_path):
    (tmp_path / "c.json").write_text(text)

    said = ending_of_script(script.stem, tmp_path / "c.json", tmp_path / "c.json")

    assert said.startswith(("This cannot be checked: ", "This script is for "))
    assert said.strip().count("\n") == 0


def test_a_stranger_sees_the_sentence_and_no_traceback(tmp_path):
    ended = subprocess.run(
        [sys.executable, TOOLS / "check_separations.py", tmp_path / "none.json"],
        capture_output=True,
        text=True,
        check=False,
    )

    assert ended.returncode == 1
    assert ended.stderr == "This cannot be checked: FileNotFoundError(2, 'No such file or directory').\n"
