"""Adjustment sets beside their definition: coefficients of regressions, path by path, member by member.

The numbers are in docs/references/graphs-with-marks.md#effects.
"""

from itertools import chain, combinations, permutations

import numpy as np
import pytest

import structlearn as sl
from tests.graphs.test_mags import graph_of
from tests.oracles import graphs as dag_oracle
from tests.oracles import interventions, mag_classes, mixed_graphs

NAMES = "abcd"


def subsets(items):
    items = list(items)
    return chain.from_iterable(combinations(items, size) for size in range(len(items) + 1))


def triples(n_nodes):
    for x, y in permutations(range(n_nodes), 2):
        for given in subsets(set(range(n_nodes)) - {x, y}):
            yield x, y, given


def named(arrows):
    return sl.Graph(NAMES, directed=[(NAMES[a], NAMES[b]) for a, b in arrows])


def letters(positions):
    return [NAMES[i] for i in positions]


def linear_model(arrows, rng):
    """Total effects and covariance of a random linear model."""
    weights = np.zeros((4, 4))
    for a, b in arrows:
        weights[b, a] = rng.uniform(0.5, 1.5) * rng.choice([-1, 1])
    total = np.linalg.inv(np.eye(4) - weights)
    return total, total @ np.diag(rng.uniform(0.5, 2.0, 4)) @ total.T


def coefficient(covariance, x, y, given):
    columns = [x, *given]
    return np.linalg.solve(covariance[np.ix_(columns, columns)], covariance[columns, y])[0]


def back_door(arrows, x, y, given):
    """No descendant of x, and x, y separated without the arrows out of x."""
    if dag_oracle.descendants(arrows, x) & set(given):
        return False
    return dag_oracle.d_separated({(a, b) for a, b in arrows if a != x}, x, y, set(given))


@pytest.mark.parametrize("each", [29, pytest.param(1, marks=pytest.mark.slow)])
def test_valid_sets_of_dags_are_those_whose_coefficient_is_the_effect(each):
    rng, n_triples, n_valid, n_back_door = np.random.default_rng(0), 0, 0, 0
    for arrows in list(dag_oracle.all_dags(4))[::each]:
        graph = named(arrows)
        total, covariance = linear_model(arrows, rng)
        for x, y, given in triples(4):
            is_valid = graph.adjustment_sets(NAMES[x], NAMES[y]).is_valid(letters(given))
            is_effect = abs(coefficient(covariance, x, y, given) - total[y, x]) < 1e-9
            assert is_valid == is_effect == interventions.is_adjustment_set(arrows, x, y, set(given))
            is_back_door = back_door(arrows, x, y, given)
            assert is_valid or not is_back_door
            n_triples, n_valid, n_back_door = n_triples + 1, n_valid + is_valid, n_back_door + is_back_door
    if each == 1:
        assert (n_triples, n_valid, n_back_door) == (26_064, 10_104, 8_760)


def variance_factor(covariance, x, y, given):
    """The variance of a coefficient in large tables, but for the number of rows."""
    columns = [x, *given]
    inverse = np.linalg.inv(covariance[np.ix_(columns, columns)])
    left = covariance[y, y] - covariance[y, columns] @ inverse @ covariance[columns, y]
    return left * inverse[0, 0]


@pytest.mark.parametrize("each", [17, pytest.param(1, marks=pytest.mark.slow)])
def test_the_optimal_set_is_valid_and_has_the_least_variance(each):
    rng, n_pairs = np.random.default_rng(1), 0
    for arrows in list(dag_oracle.all_dags(4))[::each]:
        graph, (_, covariance) = named(arrows), linear_model(arrows, rng)
        for x, y in permutations(range(4), 2):
            if y not in dag_oracle.descendants(arrows, x):
                assert not graph.adjustment_sets(NAMES[x], NAMES[y]).is_possible
                continue
            found = graph.adjustment_sets(NAMES[x], NAMES[y])
            best = [NAMES.index(name) for name in found.optimal]
            others = [z for z in subsets(set(range(4)) - {x, y}) if found.is_valid(letters(z))]
            factors = [variance_factor(covariance, x, y, given) for given in others]
            assert variance_factor(covariance, x, y, best) <= min(factors) + 1e-9
            n_pairs += 1
    if each == 1:
        assert n_pairs == 2_484


@pytest.mark.parametrize("each", [9, pytest.param(1, marks=pytest.mark.slow)])
def test_valid_sets_of_cpdags_are_those_of_every_member(each):
    n_triples = n_valid = n_pairs = n_with = 0
    for members in dag_oracle.equivalence_classes(4)[::each]:
        graph = named(members[0]).to_cpdag()
        for x, y in permutations(range(4), 2):
            found = graph.adjustment_sets(NAMES[x], NAMES[y])
            sets = [set(given) for given in subsets(set(range(4)) - {x, y})]
            valid = [z for z in sets if all(interventions.is_adjustment_set(m, x, y, z) for m in members)]
            assert [z for z in sets if found.is_valid(letters(z))] == valid
            assert (found.canonical is not None) == bool(valid)
            minimal = [z for z in valid if not any(other < z for other in valid)]
            assert sorted(map(sorted, found)) == sorted(sorted(letters(z)) for z in minimal)
            assert found.minimal is None or set(found.minimal) in [set(letters(z)) for z in minimal]
            n_triples, n_valid = n_triples + len(sets), n_valid + len(valid)
            n_pairs, n_with = n_pairs + 1, n_with + bool(valid)
    if each == 1:
        assert (n_triples, n_valid, n_pairs, n_with) == (8_880, 2_616, 2_220, 972)


def dags_of_mag(mag):
    """The canonical DAG of a MAG, and others with a hidden cause beside any of its arrows."""
    edges = mixed_graphs.canonical(mag)
    arcs = [(a, b) for a, m, n, b in edges if (m, n) == (">", ">")]
    arrows = sorted(mixed_graphs.arrows(edges))
    for extra in subsets(arrows):
        dag, fresh = set(arrows), 4
        for a, b in [*arcs, *extra]:
            dag |= {(fresh, a), (fresh, b)}
            fresh += 1
        if mixed_graphs.canonical(mixed_graphs.mag_of_dag(dag, range(4))) == edges:
            yield dag


@pytest.mark.parametrize("each", [11, pytest.param(1, marks=pytest.mark.slow)])
def test_valid_sets_of_pags_are_those_of_every_dag_that_they_stand_for(each):
    """Of the DAGs with a hidden cause or none beside each arrow of each member."""
    classes = mag_classes.all_classes(4, with_lines=False)
    for which in range(0, len(classes.pags), each):
        pag = graph_of(4, mag_classes.edges_of(classes.pags[which]), "PAG")
        members = classes.marks[classes.of == which]
        step = max(len(members) // 12, 1)
        dags = [dag for bits in members[::step] for dag in dags_of_mag(mag_classes.edges_of(bits))]
        for x, y, given in triples(4):
            is_valid = pag.adjustment_sets(f"n{x}", f"n{y}").is_valid([f"n{z}" for z in given])
            if is_valid:
                assert all(interventions.is_adjustment_set(dag, x, y, set(given)) for dag in dags)
            elif len(members) <= 12:
                assert not all(interventions.is_adjustment_set(dag, x, y, set(given)) for dag in dags)


def test_sets_of_causes_are_adjusted_for_together():
    graph = sl.Graph("abyzw", directed=["ab", "ay", "by", "zb", "zy", "wz"])

    together = graph.adjustment_sets(["a", "b"], "y")

    assert together.is_valid(["z"])
    assert not together.is_valid([])
    assert together.optimal == ("z",)
    assert not graph.adjustment_sets("a", "y").is_valid(["b"])


@pytest.mark.parametrize(
    ("graph", "said"),
    [
        (sl.Graph("xyz", directed=["xy", "zx", "zy"]), "Adjusting for 'z' gives the effect of 'x' on 'y'."),
        (sl.Graph("xy", directed=["xy"]), "Adjusting for nothing gives the effect of 'x' on 'y'."),
        (sl.Graph("xy", directed=["yx"]), "There is no effect of 'x' on 'y'."),
        (
            sl.Graph("xyz", undirected=["xy", "yz"], kind="CPDAG"),
            "No adjustment gives the effect of 'x' on 'y': x — y may be an effect of x or not.",
        ),
        (
            sl.Graph("xyz", edges=["x o-> y", "z o-> y"]),
            "No adjustment gives the effect of 'x' on 'y': x o→ y may be an effect of x or not.",
        ),
        (
            sl.Graph("xy", directed=["xy"], kind="MAG"),
            "No adjustment gives the effect of 'x' on 'y': x → y may have a hidden common cause besides.",
        ),
    ],
)
def test_the_answer_is_said_in_a_sentence(graph, said):
    assert str(graph.adjustment_sets("x", "y")) == said


@pytest.mark.parametrize(
    ("graph", "x", "message"),
    [
        (sl.Graph("xy", directed=["xy"]), "y", "are different nodes"),
        (sl.Graph("xy", directed=["xy"]), [], "at least one of each"),
        (sl.Graph("xy", directed=["xy"]), "q", "no node 'q'"),
        (sl.Graph("xyz", directed=["xy"], undirected=["yz"]), "x", r"take its to_cpdag\(\)"),
        (sl.Graph("xy", directed=["xy", "yx"]), "x", "cyclic graph is none"),
        (sl.Graph("xyz", edges=["x --> y", "x <-> y"]), "x", r"take its to_mag\(\)"),
        (sl.Graph("xyz", edges=["x --- y"], kind="MAG"), "x", "where rows were selected, and x — y"),
        (sl.Graph("xyz", edges=["x --o y"], kind="PAG"), "x", "Learn with selection=False"),
    ],
)
def test_what_makes_no_sense_is_refused(graph, x, message):
    with pytest.raises((sl.DataError, sl.OptionError), match=message):
        graph.adjustment_sets(x, "y")
