"""What a graph hands over to later layers: pictures, files, and the question why."""

from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any, Unpack, cast

from structlearn.graphs.structure import Structure

if TYPE_CHECKING:
    from structlearn.graphs.adjustment_sets import AdjustmentSets
    from structlearn.graphs.graph import Graph
    from structlearn.plots import Picture
    from structlearn.plots.drawing import PlotOptions
    from structlearn.why import Why


class Doors(Structure):
    """The methods of a graph whose work is done elsewhere; each loads it when it is asked."""

    def why(self, a: str, b: str, *, data: Any = None, score: Any = None) -> "Why":
        """Say in sentences what speaks for and against an edge between two nodes.

        What the method found of the pair (p-values, a separating set, score, shares of resamples, knowledge),
        whether equivalent graphs turn the edge, and what else joins or separates the two.

        Parameters
        ----------
        a, b : str
            Two nodes.
        data : data frame, array, dict of columns, path or Dataset, optional
            The table. With it the score is said with and without each direction, and tests of independence.
            Missing values, and rows in which something was set, are taken as the method took them.
        score : str or Score, optional
            The score to use; by default the one that the graph was learned with, or BIC.

        Examples
        --------
        >>> import structlearn as sl
        >>> graph = sl.Graph("abc", directed=[("a", "c"), ("b", "c")])
        >>> print(graph.why("a", "b"))
        The graph has no edge between a and b.
        By the graph they are independent as long as nothing else is known.
        The shortest way between them is a → c ← b.
        """
        from structlearn.why import why  # noqa: PLC0415, a door to a later layer

        return why(self._graph(), a, b, data=data, score=score)

    def adjustment_sets(self, x: str | Iterable[str], y: str | Iterable[str]) -> "AdjustmentSets":
        """Which sets to adjust for, so that a regression tells the effect of `x` on `y`, a node or several.

        In a DAG, CPDAG, MAG or PAG. The answer has the `optimal`, a `minimal` and the `canonical` set,
        `is_valid` for any, and gives every minimal one when it is iterated over. The criterion finds an
        adjustment wherever there is one; an effect may be known in other ways, as by a front door.

        Examples
        --------
        >>> import structlearn as sl
        >>> graph = sl.Graph("xyzu", directed=["zx", "zy", "xy", "uy"])
        >>> found = graph.adjustment_sets("x", "y")
        >>> print(found)
        Adjusting for 'z', 'u' gives the effect of 'x' on 'y'.
        >>> list(found), found.is_valid(["u"])
        ([('z',)], False)
        """
        from structlearn.graphs.adjustment_sets import adjustment_sets  # noqa: PLC0415, it needs the graph

        return adjustment_sets(self._graph(), x, y)

    def summary(self) -> "Graph":
        """The graph of the variables, of one in time: an edge wherever there is one at some lag.

        Examples
        --------
        >>> import structlearn as sl
        >>> facts = {"x[t-1]": {"variable": "x", "lag": 1}, "y[t]": {"variable": "y", "lag": 0}}
        >>> print(sl.Graph(list(facts), directed=[("x[t-1]", "y[t]")], facts=facts).summary())
        Graph with 2 nodes and 1 edge
          x → y
        """
        from structlearn.graphs.lags import summary_of  # noqa: PLC0415, it needs the graph

        return summary_of(self._graph())

    def plot(
        self,
        path: str | Path | None = None,
        *,
        truth: "Graph | None" = None,
        **options: "Unpack[PlotOptions]",
    ) -> "Picture":
        """Draw the graph, and save it where a path is given: .svg, .png or .pdf.

        The options are layout, direction, size, highlight, groups, labels and threshold; see
        `structlearn.plots.plot_graph`.
        """
        from structlearn.plots import plot_graph  # noqa: PLC0415, a door to a later layer

        return plot_graph(self._graph(), path, truth=truth, **options)

    def save(self, path: str | Path) -> None:
        """Write the graph to a file whose ending says the format, such as .json, .graphml or .dot."""
        from structlearn.formats import save  # noqa: PLC0415, a door to a later layer

        save(self._graph(), path)

    def _repr_svg_(self) -> str:
        from structlearn.plots import svg  # noqa: PLC0415, a door to a later layer

        return svg(self._graph())

    def _graph(self) -> "Graph":
        return cast("Graph", self)  # there are no others
