"""Edges as people type them: `a o-> b`."""

import re
from collections.abc import Container, Mapping

from structlearn.errors import DataError
from structlearn.graphs.edge import FORMS, SYMMETRIC, Edge, EdgeKind

_MIRRORED = str.maketrans("<>←→", "><→←")


def _signs() -> Mapping[str, tuple[EdgeKind, bool]]:
    """Give the kind of each sign, and whether the edge runs from right to left."""
    forward: dict[str, EdgeKind] = {"->": "directed", "--": "undirected"}
    for kind, form in FORMS.items():
        forward |= {form.typed: kind, form.printed: kind}
    backward = {
        sign[::-1].translate(_MIRRORED): kind for sign, kind in forward.items() if kind not in SYMMETRIC
    }
    return {sign: (kind, False) for sign, kind in forward.items()} | {
        sign: (kind, True) for sign, kind in backward.items()
    }


SIGNS = _signs()
TYPED = ", ".join(form.typed for form in FORMS.values())
_SIGN = re.compile(rf"(?<=\s)(?:{'|'.join(map(re.escape, SIGNS))})(?=\s)")


def edge_of_text(text: str, nodes: Container[str]) -> Edge:
    """Read an edge such as `a o-> b`; of several signs, the one that stands between two of `nodes`.

    Examples
    --------
    >>> edge_of_text("b <-o a", nodes="ab")
    Edge(source='a', target='b', kind='partially directed', weight=None, p_value=None, confidence=None)
    """
    parts = [
        (text[: sign.start()].strip(), sign[0], text[sign.end() :].strip()) for sign in _SIGN.finditer(text)
    ]
    fitting = [part for part in parts if part[0] in nodes and part[2] in nodes]
    if len(fitting) > 1:
        raise DataError(f"{text!r} can be read as two edges; write an Edge, or (name, sign, name).")
    if not parts:
        raise DataError(
            f"{text!r} is no edge: two names with a sign between them, and a space on each side of it, as in "
            f"'a --> b'. The signs are {TYPED}."
        )
    return edge_of_parts(*(fitting or parts)[0])


def edge_of_parts(left: str, sign: str, right: str) -> Edge:
    """Make an edge of two names and the sign between them."""
    if sign not in SIGNS:
        raise DataError(f"{sign!r} is no sign of an edge; the signs are {TYPED}.")
    kind, is_backward = SIGNS[sign]
    return Edge(right, left, kind) if is_backward else Edge(left, right, kind)
