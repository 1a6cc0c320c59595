"""What structlearn raises, and what it warns of.

ValueError
├── OptionError    an option has a value it cannot have
└── DataError      a table, a graph or a file cannot be used as it is
UserWarning
└── DataWarning    the data can be used, but look wrong
"""

import sys
import warnings
from pathlib import Path

PACKAGE = str(Path(__file__).parent)


class OptionError(ValueError):
    """An option has a value it cannot have; the message says which and what it may be."""


class DataError(ValueError):
    """A table, a graph or a file cannot be used; the message says where and what to do."""


class DataWarning(UserWarning):
    """The data can be used, but something about them is worth a look."""


def warn(message: str) -> None:
    """Warn of the data in the name of the line, outside the library, that led here."""
    level, frame = 2, sys._getframe(1)  # noqa: SLF001, there is no other way to the caller
    while frame.f_back is not None and frame.f_code.co_filename.startswith(PACKAGE):
        level, frame = level + 1, frame.f_back
    warnings.warn(message, DataWarning, stacklevel=level - 1)
