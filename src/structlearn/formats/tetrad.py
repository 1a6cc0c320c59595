"""Text files of Tetrad: graphs as numbered lists of edges, and knowledge as tiers and pairs.

    Graph Nodes:                    /knowledge
    X1;X2;X3                        addtemporal
                                    1 X1 X2
    Graph Edges:                    2* X3
    1. X1 --> X2
    2. X2 o-o X3                    forbiddirect
                                    X2 X1

                                    requiredirect
                                    X1 X3

Nodes may stand between commas too, latent ones in brackets. What stands behind an edge, such as the shares of
a bootstrap, is left out, and so are sections after the edges. A star behind the number of a tier forbids
arrows within it. Tetrad has blanks between the names of its knowledge, so that these can have none.
"""

import re
from collections.abc import Iterator, Sequence
from itertools import islice

from structlearn.data import Knowledge
from structlearn.errors import DataError
from structlearn.formats.content import Saved, graph_of
from structlearn.graphs import Edge, Graph
from structlearn.graphs.edge import FORMS
from structlearn.graphs.edge_text import edge_of_parts

NODES, EDGES, KNOWLEDGE = "Graph Nodes:", "Graph Edges:", "/knowledge"
TIERS, FORBIDDEN, REQUIRED = "addtemporal", "forbiddirect", "requiredirect"

MOST_SIGNS = 10  # of an edge and of the shares behind it that are looked at
MOST_STARRED = 1000  # names of a tier of which all pairs are forbidden

_NUMBERED = re.compile(r"\d+\.\s+(?P<edge>.+)")
_SIGN = re.compile(r"\s(?P<sign>[<o-]-[->o])\s")
_TIER = re.compile(r"(?P<number>\d+)(?P<star>\*?)(?P<next>-?)")


def read(text: str) -> Graph | Knowledge:
    """Make a graph, or knowledge, of the text of a file."""
    lines = [line.strip() for line in text.splitlines()]
    filled = [line for line in lines if line]
    if filled and filled[0].lower() == KNOWLEDGE:
        return _knowledge(filled[1:])
    if not filled or not filled[0].startswith(NODES):
        raise DataError(
            f"a text file of Tetrad begins with {NODES!r} or {KNOWLEDGE!r}. A table of data is for "
            "sl.Dataset, knowledge in plain lines ends in .knowledge, and a table of edges in .csv."
        )
    return _graph(filled)


def write(thing: Saved) -> str:
    """Give a graph, the graph of a model, or knowledge as Tetrad has it."""
    if isinstance(thing, Knowledge):
        return _knowledge_text(thing)
    graph = graph_of(thing)
    for node in graph.nodes:
        if (
            not node
            or node != node.strip()
            or not node.isprintable()
            or re.search(r"[;,()]", node)
            or _SIGN.search(f" {node} ")
        ):
            raise DataError(f"a graph in Tetrad's text has no place for a node that is called {node!r}.")
    edges = [
        f"{number}. {edge.source} {FORMS[edge.kind].typed} {edge.target}"
        for number, edge in enumerate(graph.edges, start=1)
    ]
    return "\n".join([NODES, ";".join(graph.nodes), "", EDGES, *edges, ""])


def _graph(lines: Sequence[str]) -> Graph:
    try:
        place = lines.index(EDGES)
    except ValueError:
        raise DataError(f"the graph has no line {EDGES!r}.") from None
    listed = " ".join([lines[0].removeprefix(NODES), *lines[1:place]])
    names = [name.strip().strip("()").strip() for name in re.split("[;,]", listed)]
    nodes = [name for name in names if name]
    known, longest = set(nodes), max((len(node.split(" ")) for node in nodes), default=1)
    edges = []
    for line in lines[place + 1 :]:
        numbered = _NUMBERED.fullmatch(line)
        if numbered is None:
            break
        edges.append(_edge(numbered["edge"], known, longest))
    return Graph(nodes, edges=edges)


def _edge(text: str, nodes: set[str], longest: int) -> Edge:
    """An edge between two nodes; of what stands behind it, the longest part that is a node counts."""
    for sign in islice(_SIGN.finditer(f"{text} "), MOST_SIGNS):
        left, behind = text[: sign.start()].strip(), text[sign.end() :].strip()
        words = behind.split(" ", longest)
        ends = (" ".join(words[:n]) for n in range(min(len(words), longest), 0, -1))
        right = next((end for end in ends if end in nodes), None)
        if left in nodes and right is not None:
            return edge_of_parts(left, sign["sign"], right)
    raise DataError(f"{text!r} is no edge between two of the nodes.")


def _knowledge(lines: Sequence[str]) -> Knowledge:
    tiers: dict[int, list[str]] = {}
    forbidden: list[tuple[str, str]] = []
    required: list[tuple[str, str]] = []
    for section, words in _sections(lines):
        if section == TIERS:
            found = _TIER.fullmatch(words[0])
            if found is None:
                raise DataError(f"a tier begins with its number, not with {words[0]!r}.")
            if found["star"] and len(words) > MOST_STARRED:
                raise DataError(
                    f"tier {words[0]!r} has more than {MOST_STARRED:,} names, too many for pairs."
                )
            if found["next"]:
                raise DataError(f"tier {words[0]!r}: causes of the next tier alone cannot be said here.")
            tiers.setdefault(int(found["number"]), []).extend(words[1:])
            forbidden += [(a, b) for a in words[1:] for b in words[1:] if a != b] if found["star"] else []
        elif len(words) != 2:
            raise DataError(f"{section} has two names in a line, not {' '.join(words)!r}.")
        else:
            (forbidden if section == FORBIDDEN else required).append((words[0], words[1]))
    return Knowledge(required, forbidden, [tiers[number] for number in sorted(tiers)])


def _sections(lines: Sequence[str]) -> Iterator[tuple[str, list[str]]]:
    section = ""
    for line in lines:
        if line.lower() in (TIERS, FORBIDDEN, REQUIRED):
            section = line.lower()
        elif not section or line.lower() in ("forbidgroup", "requiregroup"):
            raise DataError(f"knowledge has the parts {TIERS}, {FORBIDDEN} and {REQUIRED}, not {line!r}.")
        else:
            yield section, line.split()


def _knowledge_text(known: Knowledge) -> str:
    for name in known.names:
        if not name or len(name.split()) != 1 or name != name.strip():
            raise DataError(f"Tetrad's knowledge has no place for {name!r}: its names have no blanks.")
    tiers = [f"{number} {' '.join(sorted(tier))}" for number, tier in enumerate(known.tiers, start=1)]
    forbidden, required = (
        [f"{a} {b}" for a, b in sorted(pairs)] for pairs in (known.forbidden, known.required)
    )
    parts = [KNOWLEDGE, TIERS, *tiers, "", FORBIDDEN, *forbidden, "", REQUIRED, *required, ""]
    return "\n".join(parts)
