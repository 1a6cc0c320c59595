"""Files written whole or not at all: what was there stays until the new content is complete."""

import os
import shutil
import stat
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from structlearn.errors import DataError


@contextmanager
def written_whole(path: Path) -> Iterator[Path]:
    """Give a path to write to; at the end of the block its content becomes that of `path`, at once.

    A link stays, and the file that it leads to is replaced. A file that was there hands down its mode and its
    owner. Whoever else writes to `path` at the same time does the same: one of the files wins, whole. A
    DataError says why a file cannot be written, and then nothing of it is left.
    """
    refuse_null(path)
    try:
        target = Path(os.path.realpath(path))
        before = _status(target)
        is_stream = before is not None and not stat.S_ISREG(before.st_mode)  # a pipe, or /dev/stdout
        # A folder of one's own: nobody else has its name, and nobody else reads what is not finished.
        with tempfile.TemporaryDirectory(
            prefix=".structlearn-", dir=None if is_stream else target.parent, ignore_cleanup_errors=True
        ) as folder:
            unfinished = Path(folder) / "content"
            yield unfinished
            if is_stream:
                _pour(unfinished, target)
            else:
                _settle(unfinished, before)
                os.replace(unfinished, target)  # noqa: PTH105, named as what it does: atomically
    except OSError as error:
        raise DataError(f"{path} cannot be written: {error.strerror or error}.") from None


def path_of(path: object) -> Path:
    """The path that a text or a path means."""
    if not isinstance(path, str | os.PathLike):
        raise DataError(f"The path of a file is text or a Path, not {path!r}.")
    return Path(path)


def refuse_null(path: Path) -> None:
    """Refuse what no file can be called."""
    if "\0" in str(path):
        raise DataError(f"{str(path)!r} is no path of a file: it has a null character.")


def write_whole(path: Path, content: bytes) -> None:
    """Write a file whole, or raise a DataError that says why not."""
    with written_whole(path) as unfinished:
        unfinished.write_bytes(content)


def _status(target: Path) -> os.stat_result | None:
    try:
        found = target.stat()
    except FileNotFoundError:
        return None
    if stat.S_ISDIR(found.st_mode):
        raise IsADirectoryError(0, "it is a folder")
    return found


def _settle(unfinished: Path, before: os.stat_result | None) -> None:
    """Bring the content to the disk, and give it the mode and the owner of the file that it replaces."""
    # Without this a machine that stops now could leave the new name on an empty file.
    with unfinished.open("r+b") as file:
        os.fsync(file.fileno())
    if before is None:
        return
    if hasattr(os, "chown"):
        with suppress(OSError):  # only an administrator gives files away
            os.chown(unfinished, before.st_uid, before.st_gid)
    with suppress(PermissionError):  # some file systems have no modes
        unfinished.chmod(stat.S_IMODE(before.st_mode))


def _pour(unfinished: Path, stream: Path) -> None:
    with unfinished.open("rb") as content, stream.open("wb") as file:
        shutil.copyfileobj(content, file)
