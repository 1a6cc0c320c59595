"""Files and functions are short enough to be read at a sitting."""

import ast
from pathlib import Path

import pytest

import structlearn

ROOT = Path(structlearn.__file__).parent
FILES = sorted(ROOT.rglob("*.py"))
MOST_LINES_OF_A_FILE = 400
MOST_LINES_OF_A_FUNCTION = 60


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(ROOT)))
def test_a_file_and_its_functions_are_short(path):
    text = path.read_text(encoding="utf-8")
    functions = (ast.FunctionDef, ast.AsyncFunctionDef)
    long = [
        node.name
        for node in ast.walk(ast.parse(text))
        if isinstance(node, functions) and node.end_lineno - node.lineno >= MOST_LINES_OF_A_FUNCTION
    ]

    assert len(text.splitlines()) <= MOST_LINES_OF_A_FILE
    assert not long


def test_there_are_three_lines_of_tests_for_four_of_source():
    n_source, n_tests = (
        sum(len(path.read_text(encoding="utf-8").splitlines()) for path in paths)
        for paths in (FILES, Path(__file__).parent.rglob("*.py"))
    )

    assert n_tests >= 0.75 * n_source
