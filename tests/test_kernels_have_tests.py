"""Every kernel module has a test that imports it, or a kernel of it; tests/gpu has those for cards."""

import ast
from pathlib import Path

import pytest

TESTS = Path(__file__).parent
SOURCE = TESTS.parent / "src"
MODULES = [
    ".".join(path.relative_to(SOURCE).with_suffix("").parts)
    for path in sorted(SOURCE.rglob("kernels/*.py"))
    if path.name != "__init__.py" and "gpu" not in path.parts
]


@pytest.fixture(scope="module")
def imported():
    """Everything that tests import, by its full name, and the modules that it is imported from."""
    names = set()
    for path in (path for path in TESTS.rglob("test_*.py") if "kernels" in path.read_text()):
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.ImportFrom):
                names |= {node.module, *(f"{node.module}.{alias.name}" for alias in node.names)}
            elif isinstance(node, ast.Import):
                names |= {alias.name for alias in node.names}
    return names


@pytest.mark.parametrize("module", MODULES)
def test_some_test_imports_it(module, imported):
    assert module in imported
