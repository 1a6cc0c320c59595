"""Files and functions are short enough to be read at a sitting."""

import ast
import inspect
from pathlib import Path

import pytest

import structlearn
from structlearn.learners.catalog import CATALOG

ROOT = Path(structlearn.__file__).parent
FILES = sorted(ROOT.rglob("*.py"))
MOST_LINES_OF_A_FILE = 400
MOST_LINES_OF_A_FUNCTION = 60


def test_files_and_their_functions_are_short():
    functions = (ast.FunctionDef, ast.AsyncFunctionDef)
    for path in FILES:
        text = path.read_text(encoding="utf-8")
        long = [
            node.name
            for node in ast.walk(ast.parse(text))
            if isinstance(node, functions) and node.end_lineno - node.lineno >= MOST_LINES_OF_A_FUNCTION
        ]

        assert len(text.splitlines()) <= MOST_LINES_OF_A_FILE, path
        assert not long, path


def test_there_are_three_lines_of_tests_for_four_of_source():
    n_source, n_tests = (
        sum(len(path.read_text(encoding="utf-8").splitlines()) for path in paths)
        for paths in (FILES, Path(__file__).parent.rglob("*.py"))
    )

    assert n_tests >= 0.75 * n_source


@pytest.mark.parametrize("method", CATALOG.values(), ids=CATALOG.keys())
def test_a_method_s_file_is_short_and_comes_to_its_steps_in_the_first_half(method):
    text = Path(inspect.getfile(method.load())).read_text(encoding="utf-8")
    (learner,) = (
        node
        for node in ast.parse(text).body
        if isinstance(node, ast.ClassDef) and node.name == method.learner
    )
    first_step = min(node.lineno for node in learner.body if isinstance(node, ast.FunctionDef))
    n_lines = text.count("\n")

    assert 40 <= n_lines <= 130
    assert first_step <= n_lines / 2
