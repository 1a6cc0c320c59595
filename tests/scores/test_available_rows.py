"""The node-average likelihood: each family on the rows that have all of it.

The numbers are in docs/references/scores.md#rows-that-miss-values.
"""

import math
from itertools import permutations

import numpy as np
import pytest

import structlearn as sl
from structlearn.scores import PNAL, FamilyScores
from structlearn.statistics.source import from_dataset
from tests.learners.gaps.test_worked_gaps import TABLE

FAMILIES = {("B", "A"): -0.5928501, ("B",): -0.6927390, ("A",): -0.6918967, ("A", "B"): -0.5864330}


@pytest.mark.parametrize(("family", "mean"), FAMILIES.items(), ids=["".join(each) for each in FAMILIES])
def test_the_worked_table_has_the_known_means(family, mean):
    statistics = from_dataset(sl.Dataset(TABLE), missing="testwise")
    columns = np.array([["AB".index(name) for name in family]])

    price = 50**-0.4 * (1 if len(family) == 1 else 2)
    assert PNAL().local(statistics, columns)[0] + price == pytest.approx(mean, abs=1e-7)


def test_with_gaps_the_two_directions_of_an_arc_are_two_models():
    forth, back = (sl.Graph("AB", directed=[arc]) for arc in ("AB", "BA"))
    by_arc = [sl.score(graph, TABLE, "pnal", missing="familywise") for graph in (forth, back)]

    means = [-0.5928501 - 0.6918967, -0.5864330 - 0.6927390]
    assert by_arc == pytest.approx([mean - 3 * 50**-0.4 for mean in means], abs=2e-7)


def random_rows(kind, seed, share, weights=False):
    """Five columns of 60 rows, one of them with a single value, with None for a share of the values."""
    rng = np.random.default_rng(seed)
    if kind == "discrete":
        values = np.column_stack([rng.integers(0, n, 60) for n in (1, 2, 2, 3, 4)]).astype(object)
        values[:, 2] = np.where(rng.random(60) < 0.8, values[:, 1], values[:, 2])
        values = np.vectorize("abcd".__getitem__, otypes=[object])(values)
    else:
        values = (rng.normal(size=(60, 5)) @ rng.normal(size=(5, 5))).astype(object)
        values[:, 0] = 2.5
    values[rng.random(values.shape) < share] = None
    table = {name: values[:, j] for j, name in enumerate("ABCDE")}
    kinds = dict.fromkeys(table, kind)
    return sl.Dataset(table, kinds=kinds, weights=rng.integers(1, 4, 60) if weights else None), values


def slow_score(values, weights, family, rate):
    """Row by row: for tables the shares of the rows with the same parents, for numbers least squares."""
    is_whole = np.array([all(row[j] is not None for j in family) for row in values])
    rows, counted = values[is_whole][:, family], weights[is_whole]
    price = weights.sum() ** -rate
    if len(family) > 1 and counted.sum() < price**-2:
        return -math.inf
    if isinstance(rows[0, 0], str):
        total = 0.0
        for row, n in zip(rows, counted, strict=True):
            like = np.array([tuple(other[1:]) == tuple(row[1:]) for other in rows])
            same = like & (rows[:, 0] == row[0])
            total += n * math.log(counted[same].sum() / counted[like].sum())
        levels = [len(set(values[:, j]) - {None}) for j in family]
        return total / counted.sum() - price * (levels[0] - 1) * math.prod(levels[1:])
    rows = rows.astype(float)
    design = np.column_stack([np.ones(len(rows)), rows[:, 1:]]) * np.sqrt(counted)[:, None]
    target = rows[:, 0] * np.sqrt(counted)
    if 0 in family:
        return 0.0 if family == (0,) else -math.inf  # the constant column
    left = target - design @ np.linalg.lstsq(design, target, rcond=None)[0]
    variance = (left**2).sum() / counted.sum()
    return -0.5 * (math.log(2 * math.pi * variance) + 1) - price * (len(family) + 1)


@pytest.mark.parametrize("kind", ["discrete", "continuous"])
@pytest.mark.parametrize("weights", [False, True], ids=["plain", "weighted"])
@pytest.mark.parametrize("share", [0.0, 0.3])
def test_families_score_what_a_slow_count_says(kind, weights, share):
    data, values = random_rows(kind, 1, share, weights)
    statistics = from_dataset(data, missing="testwise")
    counted = np.ones(60) if data.weights is None else np.asarray(data.weights)

    for size in (1, 2, 3):
        families = np.array(list(permutations(range(5), size)))[::size]
        expected = [slow_score(values, counted, tuple(family), 0.45) for family in families.tolist()]
        found = PNAL(rate=0.45).local(statistics, families)
        assert found == pytest.approx(expected, abs=1e-9)


@pytest.mark.parametrize("kind", ["discrete", "continuous"])
def test_without_gaps_it_is_the_mean_log_likelihood_less_the_price(kind):
    data, _ = random_rows(kind, 2, 0.0)
    data = data.select("BCDE")
    graph = sl.Graph("BCDE", directed=["BC", "BD", "CD", "DE"])
    n_free = {"discrete": 1 + 2 + 2 * 2 * 2 + 3 * 3, "continuous": 2 + 3 + 4 + 3}[kind]

    expected = sl.score(graph, data, "loglik") / 60 - n_free * 60**-0.3
    assert sl.score(graph, data, PNAL(rate=0.3)) == pytest.approx(expected, abs=1e-9)


def test_families_that_share_few_rows_are_impossible_and_never_certain():
    """A and B are seen together in three rows only, in which they agree; C and A in none."""
    a, b, c = (np.full(1000, None, dtype=object) for _ in range(3))
    rng = np.random.default_rng(3)
    a[:503], b[500:] = rng.choice(list("xy"), 503), rng.choice(list("uv"), 500)
    a[500:503], b[500:503] = list("xyx"), list("uvu")
    c[503:] = rng.choice(list("st"), 497)

    found = sl.ExactSearch(score="pnal", missing="familywise").fit({"a": a, "b": b, "c": c})

    assert not found.graph_.edges
    assert math.isfinite(found.score_)


def test_only_scores_that_compare_different_rows_take_them():
    with pytest.raises(sl.OptionError, match=r"HillClimbing.*score=BIC\(\).*score='pnal' takes means"):
        sl.HillClimbing(missing="familywise").fit(TABLE)
    with pytest.raises(sl.OptionError, match=r"score\(missing='familywise', score=BIC\(\)\)"):
        sl.score(sl.Graph("AB"), TABLE, missing="familywise")
    with pytest.raises(sl.DataError, match="missing='familywise' with score='pnal'"):
        sl.HillClimbing(score="pnal").fit(TABLE)
    with pytest.raises(sl.DataError, match="several DAGs, whose scores by it differ"):
        sl.score(sl.Graph("AB", undirected=["AB"]), TABLE, "pnal", missing="familywise")


def test_classes_are_searched_where_their_members_score_the_same():
    data = sl.example("asia").sample(3000, random_state=4)

    found = sl.GreedyEquivalence(score="pnal", missing="familywise").fit(data)

    assert found.score_ == pytest.approx(sl.ExactSearch(score="pnal").fit(data).score_, abs=1e-9)
    with pytest.raises(sl.OptionError, match=r"missing='familywise'\): the DAGs of a class must have"):
        sl.GreedyEquivalence(score="pnal", missing="familywise").fit(TABLE)


@pytest.mark.parametrize("rate", [-0.1, 0.51, "fast", None])
def test_a_price_that_chance_outruns_is_refused(rate):
    with pytest.raises(sl.OptionError, match=r"PNAL\(rate="):
        PNAL(rate=rate)


def test_the_best_dag_of_a_table_with_gaps_is_certified():
    found = sl.ExactSearch(score="pnal", missing="familywise").fit(TABLE)

    findings = found.certificate().check(TABLE)

    assert findings.holds


def arcs_found(n_rows, n_runs, given, prices):
    """The share of tables in which A → B gains at each price; `given` has P(B = 1) where A is 0 and 1."""
    rng = np.random.default_rng(n_rows)
    n_found = np.zeros(len(prices))
    for _ in range(n_runs):
        a = rng.integers(0, 2, n_rows)
        columns = np.column_stack([a, rng.random(n_rows) < np.array(given)[a]]).astype(object)
        columns = np.where(rng.random(columns.shape) < 0.3, None, columns)
        data = sl.Dataset(dict(zip("AB", columns.T, strict=True)), kinds=dict.fromkeys("AB", "discrete"))
        scores = FamilyScores(PNAL(), from_dataset(data, missing="testwise"))
        gain = scores.local(1, [0]) - scores.local(1, []) + n_rows**-0.4
        n_found += gain > np.array(prices)
    return n_found / n_runs


def prices(n_rows):
    return math.log(n_rows) / (2 * n_rows), n_rows**-0.4, n_rows**-0.25


def test_the_price_of_bic_lets_chance_make_arcs_and_that_of_the_score_does_not():
    by_bic, by_default, _ = arcs_found(500, 100, (0.1, 0.1), prices(500))
    _, of_some, of_none = arcs_found(2000, 60, (0.35, 0.65), prices(2000))

    assert 0.2 < by_bic < 0.6  # .40 of many; four deviations of a hundred
    assert by_default <= 0.02
    assert 0.16 < of_some < 0.68  # .42 of many
    assert of_none == 0.0


@pytest.mark.slow
@pytest.mark.parametrize(
    ("n_rows", "false_by_bic", "false", "true"),
    [(500, 0.40, 0.002, 0.04), (2000, 0.46, 0.002, 0.42), (10_000, 0.47, 0.0, 1.0)],
)
def test_500_tables_show_as_many_arcs_as_measured(n_rows, false_by_bic, false, true):
    """Measured shares of 500 runs by another program; four deviations of the difference of two."""
    chance = arcs_found(n_rows, 500, (0.1, 0.1), prices(n_rows))
    found = arcs_found(n_rows, 500, (0.35, 0.65), prices(n_rows))

    assert chance[0] == pytest.approx(false_by_bic, abs=0.126)
    assert chance[1] == pytest.approx(false, abs=0.012)
    assert found[1] == pytest.approx(true, abs=0.126 if n_rows < 10_000 else 0.0)
    assert found[2] == 0.0


def test_rows_without_any_value_change_no_score():
    more = {name: [None, *column, None] for name, column in TABLE.items()}

    found = sl.ExactSearch(score="pnal", missing="familywise").fit(more)

    scores = [sl.score(found.graph_, table, "pnal", missing="familywise") for table in (TABLE, more)]
    assert scores == pytest.approx([found.score_] * 2)
