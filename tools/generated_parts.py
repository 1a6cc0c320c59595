"""Parts of pages that are made from the code: between `<!-- generated: NAME -->` and `<!-- end -->`."""

import inspect
import os
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any, get_args

from typer.models import ArgumentInfo, OptionInfo

from structlearn.cli import app
from structlearn.data.examples import EXAMPLES
from structlearn.formats import ENDINGS, Format
from structlearn.independence import registry as tests
from structlearn.learners.catalog import CATALOG
from structlearn.learners.method import Method
from structlearn.scores import registry as scores
from tools.contract_tables import contract_files, promises, subject

DOCS = Path(__file__).parents[1] / "docs"
PART = re.compile(
    r"(<!-- generated: (?P<name>[\w-]+) ?(?P<subject>[\w-]*) -->\n).*?(<!-- end -->)", re.DOTALL
)
VALUES = {str: "TEXT", int: "NUMBER", float: "NUMBER", Path: "PATH", bool: ""}


def with_fresh_parts(text: str, page: Path) -> str:
    """Write every generated part of a page anew."""

    def replaced(part: re.Match[str]) -> str:
        return f"{part[1]}{PARTS[part['name']](part['subject'], page)}\n{part[4]}"

    return PART.sub(replaced, text)


def method_table(_: str, page: Path) -> str:
    """Every method, with a link to its page."""

    def row(method: Method) -> tuple[str, ...]:
        link = f"[`{method.name}`]({_link(DOCS / 'methods' / f'{method.name}.md', page)})"
        return (
            link,
            f"`sl.{method.learner}`",
            method.family,
            method.input,
            method.returns,
            method.paper,
        )

    return table(("method", "class", "family", "takes", "returns", "paper"), map(row, CATALOG.values()))


def option_table(method: str, _: Path) -> str:
    """The options of a method: default, meaning, values."""
    return table(
        ("option", "default", "meaning", "values"),
        (
            (f"`{name}`", f"`{option.default!r}`", option.meaning, option.allowed)
            for name, option in CATALOG[method].load().options.items()
        ),
    )


def command_list(_: str, page: Path) -> str:
    """Every command and what it does, in a line."""
    return "\n".join(
        f"- [`structlearn {name}`]({_link(DOCS / 'guide' / 'command-line.md', page)}#structlearn-{name}): "
        f"{_paragraphs(command)[0]}"
        for name, command in _commands()
    )


def command_page(name: str, _: Path) -> str:
    """What `structlearn NAME --help` says, from the same declarations."""
    command = dict(_commands())[name]
    panels: dict[str, list[tuple[str, ...]]] = {}
    words = []
    for parameter in inspect.signature(command).parameters.values():
        base, info = get_args(parameter.annotation)[:2]
        if isinstance(info, ArgumentInfo):
            words.append(str(info.metavar))
            panels.setdefault("Arguments", []).append((f"`{info.metavar}`", _said(info, parameter.default)))
        elif isinstance(info, OptionInfo):
            flags = _flags(parameter.name, base, info)
            panels.setdefault(info.rich_help_panel or "Options", []).append(
                (flags, _said(info, parameter.default))
            )
    usage = " ".join(["structlearn", name, *(["[OPTIONS]"] if set(panels) - {"Arguments"} else []), *words])
    tables = [table((panel, ""), rows) for panel, rows in panels.items()]
    return "\n\n".join([f"```text\n{usage}\n```", *_paragraphs(command), *tables])


def score_table(_: str, __: Path) -> str:
    """The scores by name, for each kind of column."""
    return table(
        ("`score=`", "columns", "class", "what it is"),
        (
            (f"`{name!r}`", kind, f"`{made.__name__}`", _first_sentence(made))
            for name, kinds in scores.BY_NAME.items()
            for kind, made in kinds.items()
        ),
    )


def independence_table(_: str, __: Path) -> str:
    """The tests of independence by name."""
    made = {name: type(make()) for name, make in tests.BY_NAME.items()}
    return table(
        ("`test=`", "class", "what it is"),
        ((f"`{name!r}`", f"`{kind.__name__}`", _first_sentence(kind)) for name, kind in made.items()),
    )


def format_table(_: str, __: Path) -> str:
    """The file formats with their endings; each may be zipped too."""
    endings: dict[Format, list[str]] = {}
    for ending, form in ENDINGS.items():
        endings.setdefault(form, []).append(f"`{ending}`")
    return table(
        ("format", "endings", "holds"),
        ((form.name, ", ".join(known), form.holds) for form, known in endings.items()),
    )


def example_table(_: str, __: Path) -> str:
    """The bundled networks and tables."""
    return table(("`sl.example(…)`", ""), ((f"`{name!r}`", said) for name, said in EXAMPLES.items()))


def decision_list(_: str, page: Path) -> str:
    """Every decision record by its title."""
    return "\n".join(
        f"- [{_title(record)}]({_link(record, page)})" for record in sorted((DOCS / "decisions").glob("*.md"))
    )


def code(module: str, _: Path) -> str:
    """A file of the walk-through, whose tests run it."""
    text = (DOCS.parent / "tests" / "walkthrough" / f"{module}.py").read_text(encoding="utf-8")
    return f"```python\n{text}```"


def contract_table(_: str, __: Path) -> str:
    """Every contract: what it tries, and over what."""
    return "\n\n".join(
        f"### {path.stem.removeprefix('test_').replace('_', ' ').capitalize()}\n\n{subject(path)} "
        f"(`{path.relative_to(DOCS.parent).as_posix()}`)\n\n"
        + table(("promise", "tried over"), promises(path))
        for path in contract_files()
    )


PARTS: dict[str, Callable[[str, Path], str]] = {
    "methods": method_table,
    "options": option_table,
    "commands": command_list,
    "command": command_page,
    "scores": score_table,
    "tests": independence_table,
    "formats": format_table,
    "examples": example_table,
    "decisions": decision_list,
    "code": code,
    "contracts": contract_table,
}


def table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """Write a Markdown table."""
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join("| " + " | ".join(cell.replace("|", "\\|") for cell in line) + " |" for line in lines)


def _commands() -> Iterator[tuple[str, Callable[..., Any]]]:
    for command in app.registered_commands:
        assert command.callback is not None  # noqa: S101, each command is a function
        yield command.callback.__name__, command.callback


def _flags(name: str, base: object, info: OptionInfo) -> str:
    # Typer keeps the first declaration where a default would be.
    given = [flag for flag in (info.default, *(info.param_decls or ())) if isinstance(flag, str)]
    flags = given or [f"--{name.replace('_', '-')}"]
    kinds = get_args(base) or (base,)
    value = info.metavar or next((VALUES[kind] for kind in kinds if kind in VALUES), "TEXT")
    written = ", ".join(f"`{flag}`" for flag in "/".join(flags).split("/"))
    return f"{written} `{value}`" if value else written


def _said(info: ArgumentInfo | OptionInfo, default: object) -> str:
    is_shown = default not in (None, False, inspect.Parameter.empty)
    return f"{info.help} Default: `{default}`." if is_shown else str(info.help)


def _paragraphs(command: Callable[..., Any]) -> list[str]:
    return [" ".join(text.split()) for text in (inspect.getdoc(command) or "").split("\n\n")]


def _first_sentence(thing: object) -> str:
    return re.sub(r" \[\d+\]_", "", (inspect.getdoc(thing) or "").partition("\n")[0])


def _title(page: Path) -> str:
    """The first heading, without its date."""
    heading = page.read_text(encoding="utf-8").partition("\n")[0].removeprefix("# ")
    return re.split(r" {2,}", heading)[0]


def _link(target: Path, page: Path) -> str:
    return Path(os.path.relpath(target, page.parent)).as_posix()
