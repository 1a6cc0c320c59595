"""The part of a docstring that the declared options make."""

import re
import textwrap
from collections.abc import Mapping

from structlearn.options.declared import REQUIRED, Option

WIDTH = 104
FIRST_SECTION = re.compile(r"^(?P<indent> *)(?P<title>\w+)\n(?P=indent)-{3,}\n", re.MULTILINE)


def with_parameters(docstring: str, options: Mapping[str, Option]) -> str:
    """The docstring with the options in front of its first section, in numpydoc's form."""
    first = FIRST_SECTION.search(docstring)
    if first is None or first["title"] == "Parameters" or not options:
        return docstring
    section = "\n".join(["Parameters", "-" * 10, *map(_entry, options, options.values())])
    indented = textwrap.indent(section, first["indent"])
    return f"{docstring[: first.start()]}{indented}\n\n{docstring[first.start() :]}"


def with_attributes(docstring: str, shared: Mapping[str, str]) -> str:
    """The docstring with these entries at the end of its attributes, but for those that it has itself."""
    title = re.search(r"^(?P<indent> *)Attributes\n *-{3,}\n", docstring, re.MULTILINE)
    if title is None:
        return docstring
    after = re.search(r"\n *\n", docstring[title.end() :])
    end = title.end() + after.start() if after else len(docstring.rstrip())
    entries = [
        textwrap.indent(entry, title["indent"])
        for name, entry in shared.items()
        if f"{title['indent']}{name} : " not in docstring
    ]
    return "\n".join([docstring[:end], *entries]) + docstring[end:]


def _entry(name: str, declared: Option) -> str:
    default = "" if declared.default is REQUIRED else f", default {declared.default!r}"
    said = textwrap.fill(declared.says, WIDTH - 4, break_long_words=False, break_on_hyphens=False)
    return f"{name} : {declared.allowed}{default}\n{textwrap.indent(said, '    ')}"
