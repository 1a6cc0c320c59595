"""The part of a docstring that the declared options make."""

import inspect
import re
import textwrap
from collections.abc import Mapping

from structlearn.options.declared import REQUIRED, Option

WIDTH = 104


def documented(idea: str, options: Mapping[str, Option], details: str) -> str:
    """A docstring in numpydoc's form: the idea, the options, and the details behind them."""
    parts = [inspect.cleandoc(idea)]
    if options:
        parts.append("\n".join(["Parameters", "-" * 10, *map(_entry, options, options.values())]))
    if details:
        parts.append(inspect.cleandoc(details))
    return "\n\n".join(parts) + "\n"


def with_attributes(docstring: str, shared: Mapping[str, str]) -> str:
    """The docstring with these entries at the end of its attributes, but for those that it has itself."""
    title = re.search(r"^Attributes\n-{3,}\n", docstring, re.MULTILINE)
    if title is None:
        return docstring
    after = docstring.find("\n\n", title.end())
    end = len(docstring.rstrip()) if after < 0 else after
    entries = [entry for name, entry in shared.items() if f"\n{name} : " not in docstring]
    return "\n".join([docstring[:end], *entries]) + docstring[end:]


def _entry(name: str, declared: Option) -> str:
    default = "" if declared.default is REQUIRED else f", default {declared.default!r}"
    said = textwrap.fill(declared.says, WIDTH - 4, break_long_words=False, break_on_hyphens=False)
    return f"{name} : {declared.allowed}{default}\n{textwrap.indent(said, '    ')}"
