"""Kernels of tests agree with their definitions: subsets in order, tables cell by cell, inverse matrices."""

import itertools
import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from structlearn.graphs.links import Links
from structlearn.independence.kernels import by_arrays
from structlearn.independence.kernels.correlations import own_correlations, partial_correlations
from structlearn.independence.kernels.first_separators import first_separators
from structlearn.independence.kernels.fixed_margins import fixed_margin_moments
from structlearn.independence.kernels.subsets import advance, fill_choices, next_questions
from structlearn.independence.kernels.tables import likelihood_ratio, pearson, table_statistics
from structlearn.independence.sparse_tables import LOGS
from structlearn.learners.constraint.kernels.first_order import smallest_first_order

LINES = st.sets(st.sampled_from(list(itertools.combinations(range(6), 2))))
TOLERANCE = 1e-10


def rows_of(lines, n_nodes=6):
    return Links(n_nodes, lines=np.array(sorted(lines), dtype=np.int64).reshape(-1, 2)).neighbor_rows


def beside(lines, node):
    return sorted({a + b - node for a, b in lines if node in (a, b)})


@pytest.mark.parametrize(("n_choices", "size"), [(5, 1), (5, 3), (5, 5), (2, 3)])
def test_subsets_come_in_lexicographic_order(n_choices, size):
    places, found = np.full(size, -1, dtype=np.int64), []

    while advance(places, n_choices):
        found.append(tuple(places.tolist()))

    assert found == list(itertools.combinations(range(n_choices), size))


@settings(deadline=None)
@given(LINES, st.permutations(range(6)))
def test_choices_are_the_neighbours_but_two(lines, nodes):
    starts, neighbors = rows_of(lines)
    pair, always = np.array(nodes[:2]), nodes[2]
    choices, is_shared = np.empty(6, dtype=np.int64), np.empty(6, dtype=np.bool_)

    for side, (end, other) in enumerate([nodes[:2], nodes[1::-1]]):
        wanted = [v for v in beside(lines, end) if v not in (other, always)]
        n_choices = fill_choices(pair, side, always, starts, neighbors, choices, is_shared)
        assert choices[:n_choices].tolist() == wanted
        shared = [side == 1 and v in beside(lines, other) for v in wanted]
        assert is_shared[:n_choices].tolist() == shared


def by_definition(lines, pair, size, n_sides, always):
    """Subsets of the neighbours of the first end, then those of the second that are not of the first."""
    first, second = ([v for v in beside(lines, end) if v not in (*pair, always)] for end in pair)
    subsets = list(itertools.combinations(first, size))
    if n_sides == 2:
        subsets += [
            s for s in itertools.combinations(second, size) if not set(s) <= set(beside(lines, pair[0]))
        ]
    last = () if always < 0 else (always,)
    return [(*pair, *subset, *last) for subset in subsets]


@settings(deadline=None)
@given(
    LINES,
    st.integers(1, 3),
    st.integers(1, 2),
    st.integers(1, 4),
    st.sampled_from([-1, 5]),
)
def test_questions_of_all_pairs_come_whole_whatever_the_portions(lines, size, n_sides, most, always):
    pairs = np.array(list(itertools.combinations(range(5), 2)), dtype=np.int64)
    starts, neighbors = rows_of(lines)
    side, places = np.zeros(len(pairs), dtype=np.int64), np.full((len(pairs), size), -1, dtype=np.int64)
    found = {i: [] for i in range(len(pairs))}

    while True:
        questions = np.empty((len(pairs) * most, 2 + size + (always >= 0)), dtype=np.int64)
        owners = np.empty(len(questions), dtype=np.int64)
        n_asked = next_questions(
            pairs,
            np.full(len(pairs), always, dtype=np.int64),
            np.arange(len(pairs)),
            starts,
            neighbors,
            n_sides,
            most,
            side,
            places,
            questions,
            owners,
        )
        for question, owner in zip(questions[:n_asked].tolist(), owners[:n_asked].tolist(), strict=True):
            found[owner].append(tuple(question))
        if n_asked == 0:
            break

    for i, pair in enumerate(pairs.tolist()):
        assert found[i] == by_definition(lines, tuple(pair), size, n_sides, always)
    assert (side >= n_sides).all()


@settings(deadline=None)
@given(LINES, st.integers(0, 1000), st.integers(1, 3), st.integers(1, 5), st.floats(0.0, 0.6))
def test_the_first_set_within_the_limit_is_found_whatever_the_pieces(lines, seed, size, n_tests, limit):
    pairs = np.array(list(itertools.combinations(range(6), 2)), dtype=np.int64)
    correlation, n = random_correlations(seed), len(pairs)
    given, rho, least = np.full((n, size), -1), np.full(n, np.nan), np.full(n, np.inf)
    room = np.zeros(n, dtype=np.int64), np.full((n, size), -1), np.ones((n, 2), dtype=np.int64)

    at = n_made = 0
    while at < n:
        at, made = first_separators(
            correlation, TOLERANCE, limit, pairs, *rows_of(lines), 4, at, n_tests, room, given, rho, least
        )
        n_made += made

    n_wanted = 0
    for i, pair in enumerate(pairs.tolist()):
        sets = [question[2:] for question in by_definition(lines, tuple(pair), size, 2, -1)]
        sizes = [abs(partial(correlation, *pair, each)) for each in sets]
        first = next((k for k, rho in enumerate(sizes) if rho <= limit), len(sets))
        ends = [k for k in (1, 3, 7, 11, 15, 19, 23) if k > first]
        n_asked = min(ends[0], len(sets))
        n_wanted += n_asked
        assert least[i] == pytest.approx(min(sizes[:n_asked], default=np.inf), abs=1e-9)
        if first < len(sets):
            assert tuple(given[i].tolist()) == sets[first]
            assert abs(rho[i]) == pytest.approx(sizes[first], abs=1e-9)
        else:
            assert np.isnan(rho[i])
    assert n_made == n_wanted


def statistics_by_definition(table, *, is_pearson):
    """Statistic, degrees of freedom, cells with an expectation and rows of a table (stratum, x, y)."""
    statistic = dof = cells = 0.0
    for stratum in table:
        total = stratum.sum()
        of_x, of_y = stratum.sum(axis=1), stratum.sum(axis=0)
        if total == 0:
            continue
        dof += ((of_x > 0).sum() - 1) * ((of_y > 0).sum() - 1)
        for x, y in itertools.product(range(len(of_x)), range(len(of_y))):
            expected = of_x[x] * of_y[y] / total
            cells += expected > 0
            if is_pearson and expected > 0:
                statistic += (stratum[x, y] - expected) ** 2 / expected
            elif stratum[x, y] > 0:
                statistic += 2 * stratum[x, y] * math.log(stratum[x, y] / expected)
    return statistic, dof, cells, table.sum()


@settings(deadline=None)
@given(
    st.lists(st.tuples(st.integers(1, 4), st.integers(1, 4), st.integers(1, 3)), min_size=1, max_size=4),
    st.booleans(),
    st.booleans(),
    st.integers(0, 2**32 - 1),
)
def test_statistics_of_a_batch_of_tables_are_added_up_cell_by_cell(shapes, is_pearson, is_weighted, seed):
    rng = np.random.default_rng(seed)
    tables = [rng.poisson(1.5, (strata, n_x, n_y)) for n_x, n_y, strata in shapes]
    tables = [table * 0.5 for table in tables] if is_weighted else tables
    counts = np.concatenate([table.ravel() for table in tables])
    starts = np.cumsum([0, *(table.size for table in tables)])[:-1]
    statistic, size = np.empty(len(tables)), np.empty(len(tables))
    adjusted, seen = np.empty(len(tables), dtype=np.int64), np.empty(len(tables), dtype=np.int64)
    x_levels, y_levels, strata = (np.array(column) for column in zip(*shapes, strict=True))
    found, excess = (statistic, adjusted, seen, size), np.empty(len(tables))

    table_statistics(counts, starts, strata, x_levels, y_levels, is_pearson, *found, excess)

    for i, table in enumerate(tables):
        wanted = statistics_by_definition(table, is_pearson=is_pearson)
        assert tuple(numbers[i] for numbers in found) == pytest.approx(wanted, abs=1e-9)
        assert excess[i] == pytest.approx(sum(williams(stratum) for stratum in table), abs=1e-9)


def williams(stratum):
    """By how much the mean of G² exceeds its degrees of freedom: (N Σ 1/n - 1)(N Σ 1/m - 1) / 6N."""
    total = stratum.sum()
    margins = [margin[margin > 0] for margin in (stratum.sum(axis=1), stratum.sum(axis=0))]
    if total == 0 or min(map(len, margins)) == 1:
        return 0.0
    return math.prod(total * (1 / margin).sum() - 1 for margin in margins) / (6 * total)


def random_correlations(seed, n_columns=6):
    rows = np.random.default_rng(seed).normal(size=(40, n_columns))
    rows[:, 1:] += rows[:, :-1]
    return np.corrcoef(rows, rowvar=False)


def partial(correlation, x, y, known):
    """From the inverse of the correlations of all that is named."""
    named = [x, y, *known]
    inverse = np.linalg.inv(correlation[np.ix_(named, named)])
    return -inverse[0, 1] / math.sqrt(inverse[0, 0] * inverse[1, 1])


@settings(deadline=None)
@given(st.integers(0, 1000), st.integers(0, 4), st.data())
def test_partial_correlations_are_those_of_the_inverse(seed, n_given, data):
    correlation = random_correlations(seed)
    rows = data.draw(st.lists(st.permutations(range(6)), min_size=1, max_size=6))
    questions = np.array([row[: n_given + 2] for row in rows], dtype=np.int64)
    out = np.empty(len(questions))

    partial_correlations(correlation, questions, TOLERANCE, out)

    wanted = [partial(correlation, x, y, known) for x, y, *known in questions.tolist()]
    assert out == pytest.approx(np.array(wanted), abs=1e-9)


def test_what_the_conditions_determine_has_no_correlation_left():
    rng = np.random.default_rng(0)
    a, b, c = rng.normal(size=(3, 50))
    correlation = np.corrcoef([a, b, a, c])  # the first and the third are the same
    questions = np.array([[0, 1, 2], [1, 0, 2], [1, 3, 2]])
    out = np.empty(3)

    partial_correlations(correlation, questions, TOLERANCE, out)

    assert out[:2].tolist() == [0.0, 0.0]
    assert out[2] == pytest.approx(partial(correlation, 1, 3, [2]), abs=1e-12)


def test_a_condition_that_the_others_determine_makes_no_difference():
    rng = np.random.default_rng(1)
    a, b, c = rng.normal(size=(3, 50))
    correlation = np.corrcoef([a + b, b + c, c, c])
    out = np.empty(2)

    partial_correlations(correlation, np.array([[0, 1, 2, 3], [0, 1, 3, 2]]), TOLERANCE, out)

    assert out == pytest.approx([partial(correlation, 0, 1, [2])] * 2, abs=1e-9)


@pytest.mark.parametrize("n_columns", [2, 3, 5])
def test_matrices_of_their_own_are_taken_one_by_one(n_columns):
    rng = np.random.default_rng(n_columns)
    rows = rng.normal(size=(4, 30, n_columns)) @ rng.normal(size=(n_columns, n_columns))
    apart = rows - rows.mean(axis=1, keepdims=True)
    products = np.einsum("qna,qnb->qab", apart, apart)
    out = np.empty(4)

    own_correlations(products, TOLERANCE, out)

    wanted = [partial(np.corrcoef(one, rowvar=False), 0, 1, range(2, n_columns)) for one in rows]
    assert out == pytest.approx(np.array(wanted), abs=1e-9)


@settings(deadline=None)
@given(st.integers(0, 1000), st.integers(0, 4))
def test_the_smallest_correlation_given_one_column_is_the_smallest_of_all(seed, first):
    correlation, out = random_correlations(seed), np.zeros((6, 6))

    smallest_first_order(correlation, first, first + 1, TOLERANCE, out)

    for j in range(first + 1, 6):
        others = set(range(6)) - {first, j}
        assert out[first, j] == pytest.approx(
            min(abs(partial(correlation, first, j, [k])) for k in others), abs=1e-9
        )
        assert out[j, first] == out[first, j]


def test_each_of_two_columns_is_determined_by_itself():
    # Given the third, 1e-7 of each of the first two is left: more than nothing, their product less.
    near = math.sqrt(1.0 - 1e-7)
    correlation = np.array([[1.0, 1.0 - 5e-8, near], [1.0 - 5e-8, 1.0, near], [near, near, 1.0]])
    out = np.zeros((3, 3))

    smallest_first_order(correlation, 0, 1, TOLERANCE, out)

    assert out[0, 1] == pytest.approx(abs(partial(correlation, 0, 1, [2])), rel=1e-6)


def test_the_statistics_of_one_stratum_are_those_of_its_table():
    table = np.array([[12, 3], [4, 9]])
    of_x, of_y, total = table.sum(axis=1), table.sum(axis=0), table.sum()
    expected = np.outer(of_x, of_y) / total

    g2 = 2.0 * float((table * np.log(table / expected)).sum())
    assert likelihood_ratio(table.ravel(), 0, of_x, of_y, total) == pytest.approx(g2)
    assert pearson(table.ravel(), 0, of_x, of_y, total) == pytest.approx(
        float(((table - expected) ** 2 / expected).sum())
    )


@pytest.mark.parametrize("kind", ["whole", "weighted"])
@pytest.mark.parametrize("is_pearson", [False, True])
@pytest.mark.parametrize("seed", range(8))
def test_arrays_say_of_tables_what_loops_say_to_the_bit(kind, is_pearson, seed):
    rng = np.random.default_rng(seed)
    x_levels, y_levels = rng.integers(1, 5, size=(2, 40))
    strata = rng.integers(1, 12, size=40)
    cells = x_levels * y_levels * strata
    starts = np.cumsum(cells) - cells
    counts = rng.poisson(rng.exponential([[0.3], [2.0], [30.0]][seed % 3], size=cells.sum()))
    counts = counts if kind == "whole" else counts * rng.random(cells.sum())
    tables = counts, starts, strata, x_levels, y_levels, is_pearson

    found = np.full((2, 40, 5), np.nan)
    by_loops(table_statistics)(*tables, *found[0].T)
    by_arrays.table_statistics(*tables, *found[1].T)
    assert (found[0] == found[1]).all()

    moments = np.full((2, 40, 7), np.nan)
    by_loops(fixed_margin_moments)(*tables, LOGS, moments[0])
    by_arrays.fixed_margin_moments(*tables, LOGS, moments[1])
    assert (moments[0] == moments[1]).all()


def by_loops(tiers):
    """The function itself; without a compiler a kernel is that."""
    return getattr(tiers, "py_func", tiers)
