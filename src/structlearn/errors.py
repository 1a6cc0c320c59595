"""What structlearn raises, and what it warns of.

ValueError
├── OptionError    an option has a value it cannot have
└── DataError      a table, a graph or a file cannot be used as it is
    ├── DataTypeError   so can no object of this type, which makes it a TypeError too
    └── ColumnsError    so can several columns, each for a reason
ImportError
└── PackageError   a package that this needs cannot be imported
UserWarning
└── DataWarning    the data can be used, but look wrong
    └── DataNote       they were read in a way that is worth knowing
"""

import sys
import warnings
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

PACKAGE = str(Path(__file__).parent)


class OptionError(ValueError):
    """An option has a value it cannot have; the message says which and what it may be."""


class DataError(ValueError):
    """A table, a graph or a file cannot be used; the message says where and what to do."""


class DataTypeError(DataError, TypeError):
    """An object is of a type that no table has; scikit-learn expects a TypeError then."""


class ColumnsError(DataError):
    """Several columns cannot be used; `reasons` has one for each."""

    def __init__(self, reasons: Sequence[str]) -> None:
        self.reasons = tuple(reasons)
        super().__init__("\n".join([f"{len(reasons)} columns cannot be read as they are.", *reasons]))


class PackageError(ImportError):
    """A package is needed that cannot be imported; the message says what for and how to get it."""


class DataWarning(UserWarning):
    """The data can be used, but something about them is worth a look."""


class DataNote(DataWarning):
    """The data were read in a way that is worth knowing."""


@contextmanager
def needing(package: str, what: str, *, install: str = "") -> Iterator[None]:
    """Import a package in this block; where it is missing, say what needs it and what to install."""
    try:
        yield
    except ImportError as error:
        if isinstance(error, PackageError):
            raise
        raise PackageError(
            f"{what} needs the package {package}, which cannot be imported ({error}). Install it: "
            f"pip install {install or package}",
            name=package,
        ) from error


@contextmanager
def within_memory(message: str) -> Iterator[None]:
    """Raise a DataError with this message where memory does not suffice; also for a whole function."""
    try:
        yield
    except MemoryError:
        raise DataError(message) from None


def warn(message: str, category: type[Warning] = DataWarning) -> None:
    """Warn, of the data by default, in the name of the line outside the library that led here."""
    level, frame = 2, sys._getframe(1)  # noqa: SLF001, there is no other way to the caller
    while frame.f_back is not None and frame.f_code.co_filename.startswith(PACKAGE):
        level, frame = level + 1, frame.f_back
    warnings.warn(message, category, stacklevel=level)
