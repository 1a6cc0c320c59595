"""What each contract tries and over what, read from the tests themselves."""

import ast
from collections.abc import Iterator, Mapping
from pathlib import Path

TESTS = Path(__file__).parents[1] / "tests"
CONFTEST = TESTS / "contracts" / "conftest.py"

OVER = {
    "method": "every method",
    "learner": "every method",
    "estimator": "every method",
    "kind": "each kind of column",
    "sort": "each kind of column",
    "test": "every test of independence",
    "source": "every source",
    "example": "every kind of distribution",
    "model": "every model",
    "ending": "every format",
    "kernel": "every kernel",
}
"""What a test that takes these arguments goes over, in words."""

Functions = Mapping[str, ast.FunctionDef]


def contract_files() -> list[Path]:
    """The contracts, and the tests elsewhere of every one of some things."""
    everywhere = set(TESTS.joinpath("contracts").glob("test_*.py")) | set(TESTS.rglob("test_every_*.py"))
    return sorted(everywhere, key=lambda path: (path.parent.name != "contracts", path))


def promises(path: Path) -> Iterator[tuple[str, str]]:
    """The name of each test as a sentence, and what it goes over."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    fixtures = {**_fixtures(ast.parse(CONFTEST.read_text(encoding="utf-8"))), **_fixtures(tree)}
    for node in tree.body:
        if isinstance(node, ast.FunctionDef) and node.name.startswith("test_"):
            yield _sentence(node.name), _over(node, fixtures)


def subject(path: Path) -> str:
    """What a file of contracts is about: the first line of its docstring."""
    return (ast.get_docstring(ast.parse(path.read_text(encoding="utf-8"))) or "").partition("\n")[0]


def _fixtures(tree: ast.Module) -> Functions:
    return {
        node.name: node
        for node in tree.body
        if isinstance(node, ast.FunctionDef)
        and any("fixture" in ast.unparse(decorator) for decorator in node.decorator_list)
    }


def _sentence(name: str) -> str:
    words = name.removeprefix("test_").replace("_s_", "'s ").replace("_", " ")
    return words[0].upper() + words[1:]


def _over(test: ast.FunctionDef, fixtures: Functions) -> str:
    named = [name for decorator in test.decorator_list for name in _parametrised(decorator)]
    words = {name: OVER.get(name) for name in _taken(test, fixtures)}
    words |= {name: OVER.get(name, f"each `{name}`") for name in named}
    parts = list(dict.fromkeys(said for said in words.values() if said))
    if any(ast.unparse(decorator).startswith("given(") for decorator in test.decorator_list):
        parts.append("random ones")
    conditions = [said for decorator in test.decorator_list for said in _conditions(decorator)]
    first, *others = parts or ["as it says"]
    return ", ".join([" ".join([first, *conditions]), *others])


def _taken(function: ast.FunctionDef, fixtures: Functions) -> Iterator[str]:
    """The arguments of a test, and those of the fixtures among them."""
    for argument in function.args.args:
        yield argument.arg
        if argument.arg in fixtures and fixtures[argument.arg] is not function:
            yield from _taken(fixtures[argument.arg], fixtures)


def _conditions(decorator: ast.expr) -> Iterator[str]:
    match decorator:
        case ast.Call(ast.Name("take"), [ast.Constant(str(kind))]):
            yield f"that takes {kind} columns"
        case ast.Call(ast.Name("have_option"), [ast.Constant(str(name))]):
            yield f"with the option `{name}`"
        case ast.Call(ast.Attribute(_, "methods_that"), [_]):
            yield "that it is for"
        case ast.Attribute(_, "slow"):
            yield "(by `pytest -m slow`)"
        case ast.Attribute(_, "of_reading"):
            yield "(by `pytest -m slow`, but for one of each way of reading)"


def _parametrised(decorator: ast.expr) -> Iterator[str]:
    """The arguments that a list of values is given for."""
    match decorator:
        case ast.Call(ast.Attribute(_, "parametrize"), [ast.Constant(str(names)), *_]):
            yield from (name.strip() for name in names.split(","))
        case ast.Call(ast.Attribute(_, "parametrize"), [ast.Tuple(names) | ast.List(names), *_]):
            yield from (str(name.value) for name in names if isinstance(name, ast.Constant))
