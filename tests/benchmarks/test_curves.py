"""The page on scale: tables have the effects of their graphs, and rows the numbers that they say."""

import numpy as np
import pytest

from benchmarks import curves


@pytest.mark.parametrize("kind", curves.GRAPHS)
def test_a_simulated_table_follows_its_graph(kind):
    table, graph, sorting = curves.simulated(kind, "Gumbel", 0)

    assert list(table) == list(graph.nodes)
    assert 0.0 <= sorting <= 1.0
    for node in graph.nodes:
        parents = list(graph.parents(node))
        design = np.column_stack([np.ones(curves.N_ROWS), *(table[parent] for parent in parents)])
        slopes, squares, *_ = np.linalg.lstsq(design, table[node], rcond=None)
        assert squares[0] / curves.N_ROWS == pytest.approx(np.pi**2 / 6, rel=0.25)  # the variance of Gumbel
        assert all(0.3 <= abs(slope) <= 2.2 for slope in slopes[1:])


def test_a_method_is_measured_by_arrows_edges_and_wrong_arcs():
    table = curves.simulated("SF2", "exponential", 0)

    [[arrows, edges, n_wrong, _, seconds]] = curves.measured("DirectLiNGAM", [table], standardise=False)

    assert 0.0 <= arrows <= edges <= 1.0
    assert (n_wrong == 0.0) == (arrows == 1.0)
    assert seconds > 0.0


def test_shares_of_right_arcs_by_hand():
    assert curves.f1({("a", "b"), ("b", "c")}, {("a", "b"), ("c", "b")}) == 0.5
    assert curves.f1(set(), set()) == 0.0


def test_sorting_by_variance_reads_units_and_nothing_else():
    rng = np.random.default_rng(0)
    x = rng.normal(size=500)
    table = {"x": x, "y": 2 * x + rng.normal(size=500)}

    arrow = curves.sorted_by_variance(table, standardise=False).graph_.directed
    turned = curves.sorted_by_variance(table | {"y": table["y"] / 10}, standardise=False).graph_.directed

    assert (arrow, turned) == ((("x", "y"),), (("y", "x"),))
