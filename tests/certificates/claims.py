"""Parts of certificates that tests write by hand, and what the independent scripts say of files."""

import contextlib
import io
import runpy
import sys
from pathlib import Path
from unittest import mock

import numpy as np

TOOLS = Path(__file__).parents[2] / "tools"
ALL_FAMILIES = "The listed families score what is written, and none is missing.\n"


def ending_of_script(name, *files):
    """What a script prints, or the reason with which it ends."""
    said = io.StringIO()
    place = {"argv": [name, *map(str, files)], "path": [str(TOOLS), *sys.path], "excepthook": None}
    to_text = (contextlib.redirect_stdout(said), contextlib.redirect_stderr(said))
    with mock.patch.multiple(sys, **place), to_text[0], to_text[1], np.errstate(all="ignore"):
        try:
            runpy.run_path(str(TOOLS / f"{name}.py"))
        except SystemExit as end:
            return str(end)
        except (AttributeError, LookupError, OSError, TypeError, ValueError) as error:
            sys.excepthook(type(error), error, error.__traceback__)
    return said.getvalue()


def priced(cuts, rounds):
    """Cuts, each some classes and a rank, with a price each, round by round, in one branch."""
    prices = [list(map(list, enumerate(paid))) for paid in rounds]
    listed = [{"classes": [list(members) for members in classes], "rank": rank} for classes, rank in cuts]
    return {"cuts": listed, "branches": {"prices": prices, "arc": None}}


def lists_content(lists):
    """The columns and the families of lists."""
    names = lists.names
    families = {
        name: [
            [score, [names[u] for u in of_node.parents(row)]]
            for row, score in enumerate(of_node.scores.tolist())
        ]
        for name, of_node in zip(names, lists.sets, strict=True)
    }
    return {"table": {"columns": list(names)}, "families": families}
