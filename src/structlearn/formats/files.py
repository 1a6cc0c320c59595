"""Text files, read whole and written whole or not at all."""

import gzip
import os
import zlib
from contextlib import suppress
from pathlib import Path

from structlearn.errors import DataError

ZIPPED = ".gz"


def read_text(path: Path) -> str:
    """Read a text file in UTF-8, unzipped if its name ends in .gz."""
    try:
        content = path.read_bytes()
        if path.name.lower().endswith(ZIPPED):
            content = gzip.decompress(content)
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise DataError(
            f"{path} is not text in UTF-8: byte {error.start} is {content[error.start]:#x}."
        ) from None
    except (EOFError, zlib.error) as error:
        raise DataError(f"{path} is not a whole gzip file: {error}.") from None
    except OSError as error:
        raise DataError(f"{path} cannot be read: {_reason(error)}.") from None


def write_text(path: Path, text: str) -> None:
    """Write a text file in UTF-8, zipped if its name ends in .gz.

    An earlier file of that name stays as it was until the new one is complete.
    """
    try:
        content = text.encode()
    except UnicodeEncodeError as error:
        found = ascii(text[error.start])
        raise DataError(f"{path}: a name has {found}, half a character, which no text file holds.") from None
    if path.name.lower().endswith(ZIPPED):
        content = gzip.compress(content, mtime=0)
    try:
        _replace(path, content)
    except OSError as error:
        raise DataError(f"{path} cannot be written: {_reason(error)}.") from None


def _replace(path: Path, content: bytes) -> None:
    unfinished = path.with_name(f".{path.name}.{os.getpid()}.tmp")
    try:
        unfinished.write_bytes(content)
        os.replace(unfinished, path)  # noqa: PTH105, named as what it does: atomically
    except BaseException:
        with suppress(OSError):
            unfinished.unlink(missing_ok=True)
        raise


def _reason(error: OSError) -> str:
    return error.strerror or str(error)
