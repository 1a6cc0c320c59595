"""Text files, read whole and written whole or not at all."""

import gzip
import re
import zlib
from io import BytesIO
from pathlib import Path

from structlearn.errors import DataError
from structlearn.whole_files import refuse_null, write_whole

ZIPPED = ".gz"
LARGEST_UNZIPPED = 2**30
# A file of zeros shrinks to a thousandth, one of probabilities to a tenth, one of equal rows to a hundredth.
SMALL_UNZIPPED = 2**24
LARGEST_RATIO = 200
UTF_8 = "utf-8-sig"  # with or without a byte order mark

_DECLARED = re.compile(rb"""<\?xml\s[^>]{0,200}?encoding=["']([A-Za-z0-9._-]{1,40})["']""")
# What programs for Windows declare, beside UTF-8 and its part ASCII.
_ONE_BYTE = {"iso-8859-1": "latin-1", "latin1": "latin-1", "windows-1252": "cp1252"}


def read_text(path: Path) -> str:
    """Read a text file, unzipped if its name ends in .gz.

    It is in UTF-8, or in the encoding that the first line of an XML file declares.
    """
    encoding = UTF_8
    refuse_null(path)
    try:
        content = path.read_bytes()
        if path.name.lower().endswith(ZIPPED):
            content = _unzipped(content, path)
        encoding = _encoding(content)
        return content.decode(encoding)
    except UnicodeDecodeError as error:
        raise DataError(
            f"{path} is not text in {encoding.removesuffix('-sig').upper()}: byte {error.start} is "
            f"{content[error.start]:#x}."
        ) from None
    except (EOFError, zlib.error) as error:
        raise DataError(f"{path} is not a whole gzip file: {error}.") from None
    except OSError as error:
        raise DataError(f"{path} cannot be read: {error.strerror or error}.") from None


def write_text(path: Path, text: str) -> None:
    """Write a text file in UTF-8, zipped if its name ends in .gz.

    An earlier file of that name stays as it was until the new one is complete.
    """
    try:
        content = text.encode()
    except UnicodeEncodeError as error:
        found = ascii(text[error.start])
        raise DataError(f"{path}: a name has {found}, half a character, which no text file holds.") from None
    write_whole(path, gzip.compress(content, mtime=0) if path.name.lower().endswith(ZIPPED) else content)


def _unzipped(content: bytes, path: Path) -> bytes:
    with gzip.GzipFile(fileobj=BytesIO(content)) as file:
        most = min(LARGEST_UNZIPPED, max(SMALL_UNZIPPED, LARGEST_RATIO * len(content)))
        found = file.read(most + 1)
    if len(found) > most:
        raise DataError(f"{path} unzips to more than {most:,} bytes; unzip it first.")
    return found


def _encoding(content: bytes) -> str:
    declared = _DECLARED.match(content)
    if declared is None:
        return UTF_8
    return _ONE_BYTE.get(declared[1].decode().lower(), UTF_8)
