"""One self-contained HTML page about what was learned."""

from structlearn.report.page import write_report
from structlearn.report.subject import Source

__all__ = ["Source", "write_report"]
