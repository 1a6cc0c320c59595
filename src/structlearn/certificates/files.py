"""The file of a certificate: its content, or what is wrong with it."""

import json
from os import PathLike
from pathlib import Path
from typing import Any

from structlearn.errors import DataError
from structlearn.whole_files import path_of

FORMAT, VERSION = "structlearn certificate", 2
ORIGIN = "Pass a file that learner.certificate().save(…) wrote."


def read_content(path: str | PathLike[str], kinds: tuple[str, ...]) -> dict[str, Any]:
    """What a certificate of one of these kinds says."""
    content = _parsed(_text_of(path_of(path)), path)
    if not isinstance(content, dict) or content.get("format") != FORMAT:
        raise DataError(f'{path} is not a certificate: it lacks "format": "{FORMAT}". {ORIGIN}')
    if content.get("version") != VERSION or content.get("kind") not in kinds:
        raise DataError(
            f"{path} has version {content.get('version')!r} and kind {content.get('kind')!r}; this "
            f"structlearn reads version {VERSION} of {', '.join(kinds)}. Read it with the structlearn that "
            "wrote it, or write it again with this one."
        )
    return content


def _text_of(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8")
    except FileNotFoundError:
        raise DataError(
            f"{path}: there is no such file. Check the path; it is relative to {Path.cwd()}."
        ) from None
    except IsADirectoryError:
        raise DataError(f"{path} is a folder. {ORIGIN}") from None
    except OSError as error:
        raise DataError(f"{path} cannot be read: {error.strerror or error}.") from None
    except UnicodeDecodeError as error:
        raise DataError(
            f"{path} is not a certificate: byte {error.start + 1:,} is no text in UTF-8. {ORIGIN}"
        ) from None


def _parsed(text: str, path: str | PathLike[str]) -> Any:
    if not text.strip():
        raise DataError(f"{path} is empty. {ORIGIN}")
    try:
        return json.loads(text)
    except json.JSONDecodeError as error:
        if text.startswith("{") and _is_cut(error):
            reason = f"it is cut off in line {text.count(chr(10)) + 1}. Copy or write it again, whole."
        else:
            reason = f"line {error.lineno}, character {error.colno}: it is not JSON. {ORIGIN}"
    except (ValueError, RecursionError):
        reason = f"it is not JSON. {ORIGIN}"
    raise DataError(f"{path} is not a certificate: {reason}")


def _is_cut(error: json.JSONDecodeError) -> bool:
    """Whether what is wrong is only that nothing follows."""
    return error.pos >= len(error.doc.rstrip()) or error.msg.startswith("Unterminated string")
