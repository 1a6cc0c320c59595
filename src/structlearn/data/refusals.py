"""What speaks against the columns of a table, in one error: whoever mends one sees the others too."""

from collections.abc import Iterator
from contextlib import contextmanager

from structlearn.errors import ColumnsError, DataError


class Refusals:
    """The errors of columns, kept until all columns were looked at."""

    def __init__(self) -> None:
        self._said: list[str] = []

    @contextmanager
    def kept(self) -> Iterator[None]:
        """Keep the error that this block may raise."""
        try:
            yield
        except DataError as error:
            self._said.append(str(error))

    def raise_all(self) -> None:
        """Raise what was kept, as one error."""
        if len(self._said) > 1:
            raise ColumnsError(self._said)
        if self._said:
            raise DataError(self._said[0])
