"""Ways between two nodes that no edge joins, in words."""

from collections import deque
from collections.abc import Callable, Hashable, Iterable, Iterator
from typing import TypeVar

Node = TypeVar("Node", bound=Hashable)
Step = tuple[Node, str]  # where an edge leads, and its sign as it is read from here


def said_apart(path: str | None, between: tuple[str, ...] | None) -> Iterator[str]:
    """That two nodes are independent, given what is between them where that is known, and the way there."""
    if path is None:
        yield "No path joins them: the graph takes them as independent."
        return
    if between is not None:
        given = f"given {', '.join(between)}" if between else "as long as nothing else is known"
        yield f"By the graph they are independent {given}."
    yield f"The shortest way between them is {path}."


def shortest_way(
    start: Node, end: Node, steps: Callable[[Node], Iterable[Step[Node]]], name: Callable[[Node], str] = str
) -> str | None:
    """The nodes along the fewest edges with the signs between them; None where there is no way."""
    came_from: dict[Node, Step[Node]] = {start: (start, "")}
    waiting = deque([start])
    while waiting and end not in came_from:
        here = waiting.popleft()
        for there, sign in steps(here):
            if there not in came_from:
                came_from[there] = here, sign
                waiting.append(there)
    if end not in came_from:
        return None
    words, here = [name(end)], end
    while here != start:
        here, sign = came_from[here]
        words += [sign, name(here)]
    return " ".join(reversed(words))


def turned(sign: str) -> str:
    """The sign of an edge as it is read from its other end."""
    return sign.translate(str.maketrans("→", "←"))[::-1]
