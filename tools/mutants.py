"""Small wrongs for a module: what a slip of the pen could have written instead."""

import ast
from collections.abc import Iterator
from dataclasses import dataclass

COMPARED: dict[type[ast.cmpop], tuple[type[ast.cmpop], ...]] = {
    ast.Lt: (ast.LtE, ast.GtE),
    ast.LtE: (ast.Lt, ast.Gt),
    ast.Gt: (ast.GtE, ast.LtE),
    ast.GtE: (ast.Gt, ast.Lt),
    ast.Eq: (ast.NotEq,),
    ast.NotEq: (ast.Eq,),
    ast.In: (ast.NotIn,),
    ast.NotIn: (ast.In,),
    ast.Is: (ast.IsNot,),
    ast.IsNot: (ast.Is,),
}
CALCULATED: dict[type[ast.operator], type[ast.operator]] = {
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.Div,
    ast.Div: ast.Mult,
    ast.FloorDiv: ast.Mult,
    ast.Mod: ast.FloorDiv,
    ast.Pow: ast.Mult,
    ast.BitAnd: ast.BitOr,
    ast.BitOr: ast.BitAnd,
    ast.BitXor: ast.BitOr,
    ast.LShift: ast.RShift,
    ast.RShift: ast.LShift,
}
EXCHANGED = (
    ("min", "max"),
    ("minimum", "maximum"),
    ("argmin", "argmax"),
    ("any", "all"),
    ("floor", "ceil"),
    ("log", "log1p"),
    ("exp", "expm1"),
    ("union", "intersection"),
)
CALLED = {name: other for pair in EXCHANGED for name, other in (pair, pair[::-1])}
PASSED_THROUGH = {"abs", "clip", "sorted", "reversed", "sqrt", "unique"}  # f(x, …) becomes x
REMOVED = (ast.Expr, ast.AugAssign, ast.Raise, ast.Continue, ast.Break, ast.Delete)


@dataclass(frozen=True)
class Mutant:
    """A module with one thing changed: the line, what stood there, what stands there now, and the whole."""

    line: int
    before: str
    after: str
    source: str
    statement: range  # the lines of the statement around it, or of its head
    is_on_import: bool  # whether that runs when the module is imported, and not when a function is called

    def __str__(self) -> str:
        return f"{self.before.splitlines()[0]} → {self.after}"


def mutants_of(source: str) -> list[Mutant]:
    """Every mutant, by place; words for people (docstrings, messages, annotations) stay as they are."""
    found = [
        Mutant(
            place.lineno,
            _text(source, place),
            after,
            _replaced(source, place, after),
            _head(around),
            on_import,
        )
        for node, around, on_import in _code(ast.parse(source))
        for place, after in _wrongs(node)
    ]
    return sorted(found, key=lambda mutant: (mutant.line, mutant.before, mutant.after))


def _code(
    tree: ast.AST, around: ast.stmt | None = None, *, on_import: bool = True
) -> Iterator[tuple[ast.expr | ast.stmt, ast.stmt, bool]]:
    """The statements and expressions that do something, the statement around each, and whether on import."""
    for child in ast.iter_child_nodes(tree):
        if _is_word(child, tree):
            continue
        statement = child if isinstance(child, ast.stmt) else around
        if isinstance(child, ast.expr | ast.stmt) and statement:
            yield child, statement, on_import
        # What is raised says why in words; the statement itself is worth a mutant.
        if not isinstance(child, ast.Raise):
            is_function = isinstance(child, ast.FunctionDef)
            yield from _code(child, statement, on_import=on_import and not is_function)


def _head(statement: ast.stmt) -> range:
    """The lines of a statement without those of its body; a call begins in the line of a decorator."""
    first = min(node.lineno for node in [statement, *getattr(statement, "decorator_list", ())])
    body = getattr(statement, "body", None)
    last = body[0].lineno - 1 if body else statement.end_lineno or statement.lineno
    return range(first, max(first, last) + 1)


def _is_word(child: ast.AST, parent: ast.AST) -> bool:
    if isinstance(child, ast.JoinedStr | ast.Import | ast.ImportFrom):
        return True
    if child is getattr(parent, "annotation", None) or child is getattr(parent, "returns", None):
        return True
    if child in getattr(parent, "decorator_list", ()):
        return True
    if isinstance(child, ast.If) and ast.unparse(child.test) == "TYPE_CHECKING":
        return True
    if isinstance(parent, ast.Module) and isinstance(child, ast.Assign):  # a union of types
        return isinstance(child.value, ast.BinOp) and isinstance(child.value.op, ast.BitOr)
    return isinstance(child, ast.Expr) and isinstance(child.value, ast.Constant)


def _wrongs(node: ast.expr | ast.stmt) -> Iterator[tuple[ast.expr | ast.stmt, str]]:
    """What could stand in the place of a node, or of a part of it, as text."""
    if isinstance(node, ast.If | ast.While):
        if isinstance(node.test, ast.Name | ast.Attribute | ast.Call):  # others are changed themselves
            yield node.test, _written(ast.UnaryOp(ast.Not(), node.test))
    elif isinstance(node, REMOVED):
        yield node, "pass"
    elif isinstance(node, ast.expr):
        yield from ((node, after) for after in _other_values(node))


def _other_values(node: ast.expr) -> Iterator[str]:
    match node:
        case ast.Compare(left, [operator], right):
            for other in COMPARED[type(operator)]:
                yield _written(ast.Compare(left, [other()], right))
        case ast.BinOp(left, operator, right) if type(operator) in CALCULATED:
            yield _written(ast.BinOp(left, CALCULATED[type(operator)](), right))
        case ast.BoolOp(operator, values):
            yield _written(ast.BoolOp(ast.Or() if isinstance(operator, ast.And) else ast.And(), values))
        case ast.UnaryOp(ast.USub() | ast.Not() | ast.Invert(), operand):
            yield _written(operand)
        case ast.Constant(bool(value)):
            yield str(not value)
        case ast.Constant(int(value) | float(value)):
            yield repr(value + 1 if isinstance(value, int) else 2.0 * value or 1.0)
        case ast.IfExp(test, body, otherwise):
            yield _written(ast.IfExp(test, otherwise, body))
        case ast.Call(function, arguments, keywords):
            yield from _other_calls(function, arguments, keywords)


def _other_calls(function: ast.expr, arguments: list[ast.expr], keywords: list[ast.keyword]) -> Iterator[str]:
    name = function.attr if isinstance(function, ast.Attribute) else getattr(function, "id", "")
    if name in CALLED:
        renamed = _renamed(function, CALLED[name])
        yield _written(ast.Call(renamed, arguments, keywords))
    if name in PASSED_THROUGH and arguments and not isinstance(arguments[0], ast.Starred):
        yield _written(arguments[0])


def _renamed(function: ast.expr, name: str) -> ast.expr:
    return ast.Attribute(function.value, name) if isinstance(function, ast.Attribute) else ast.Name(name)


def _written(node: ast.expr) -> str:
    """In parentheses, so that what stands around it binds as before."""
    return f"({ast.unparse(node)})"


def _text(source: str, node: ast.expr | ast.stmt) -> str:
    return ast.get_source_segment(source, node) or ""


def _replaced(source: str, node: ast.expr | ast.stmt, after: str) -> str:
    """The source with other text in the place of a node; the parser counts bytes."""
    lines = source.encode().splitlines(keepends=True)
    first, last = node.lineno - 1, (node.end_lineno or node.lineno) - 1
    begin, end = lines[first][: node.col_offset], lines[last][node.end_col_offset :]
    return b"".join([*lines[:first], begin, after.encode(), end, *lines[last + 1 :]]).decode()
