"""One self-contained HTML page about what was learned."""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from structlearn.report.page import write_report
    from structlearn.report.subject import Source

__all__ = ["Source", "write_report"]

# Loaded on first use: the command line needs the words of a report more often than its page.
_HOMES = {"Source": "structlearn.report.subject", "write_report": "structlearn.report.page"}


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module 'structlearn.report' has no attribute {name!r}")
    return getattr(import_module(_HOMES[name]), name)
