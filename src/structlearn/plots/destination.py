"""Where pictures go, checked before they are drawn."""

from pathlib import Path

from structlearn.errors import OptionError

ENDINGS = ("svg", "png", "pdf")


def checked_ending(owner: str, path: Path) -> str:
    """The ending of a picture's file; another one, or a folder that is not there, is refused."""
    ending = path.suffix.lower().lstrip(".")
    if ending not in ENDINGS:
        raise OptionError(f"{owner}: {str(path)!r} must end in {', '.join('.' + word for word in ENDINGS)}.")
    if not path.parent.is_dir():
        raise OptionError(f"{owner}: there is no folder {str(path.parent)!r}; make it first.")
    return ending
