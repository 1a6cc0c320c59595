"""Latent classes: worked tables, a slow climb beside the quick one, and tables that would break it.

The numbers are in docs/references/models.md#gaps.
"""

import math
from itertools import product

import numpy as np
import pytest

import structlearn as sl
from structlearn.numerics import hidden_classes
from tests.learners.gaps.test_worked_gaps import OF_ITEMS

T1 = {"000": 6, "001": 2, "010": 1, "011": 2, "100": 1, "101": 1, "110": 2, "111": 5}
OF_T1 = {name: [cell[j] for cell, n in T1.items() for _ in range(n)] for j, name in enumerate("ABC")}


def gapped(n_rows=200, share=0.25, seed=0):
    """Two classes of three items with two, three and two states, and gaps; a row in a hundred is empty."""
    rng = np.random.default_rng(seed)
    group = rng.integers(0, 2, n_rows)
    values = np.column_stack([(rng.random(n_rows) < 0.2 + 0.6 * group) * top for top in (1, 2, 1)])
    values[:, 1] += rng.integers(0, 2, n_rows) * (values[:, 1] == 0)
    words = np.vectorize("abc".__getitem__, otypes=[object])(values.astype(int))
    words[rng.random(words.shape) < share] = None
    words[::100] = None
    return {f"q{j}": words[:, j] for j in range(3)}


def observed(model, rows):
    """The log-likelihood of rows with gaps by summing over all classes and all ways to fill them in."""
    names = list(rows)
    sizes = model.cpds["class"].probabilities
    total = 0.0
    for row in zip(*rows.values(), strict=True):
        ways = [
            [i for i, label in enumerate(model.labels[n]) if v in (None, label)]
            for n, v in zip(names, row, strict=True)
        ]
        total += math.log(
            sum(
                size * math.prod(model.cpds[n].probabilities[k, i] for n, i in zip(names, way, strict=True))
                for k, size in enumerate(sizes)
                for way in product(*ways)
            )
        )
    return total


def slow_climb(rows, sizes, shares, n_steps):
    """Expectation-maximisation row by row; `shares` has a table [class][state] for each item."""
    path = []
    for _ in range(n_steps + 1):
        counts, of_states, total = [0.0] * len(sizes), [[{} for _ in sizes] for _ in shares], 0.0
        for row in rows:
            joint = [
                sizes[k] * math.prod(shares[j][k][v] for j, v in enumerate(row) if v is not None)
                for k in range(len(sizes))
            ]
            total += math.log(sum(joint))
            for k, each in enumerate(joint):
                counts[k] += each / sum(joint)
                for j, v in enumerate(row):
                    if v is not None:
                        of_states[j][k][v] = of_states[j][k].get(v, 0.0) + each / sum(joint)
        path.append(total)
        sizes = [n / len(rows) for n in counts]
        shares = [
            [{v: n / sum(of_class.values()) for v, n in of_class.items()} for of_class in of_item]
            for of_item in of_states
        ]
    return path


def test_bic_finds_two_classes_of_four_items_with_the_known_sizes_and_shares():
    found = sl.latent_classes(OF_ITEMS, random_state=4)

    by_number = {number: (tried.log_likelihood, tried.bic) for number, tried in found.tried.items()}
    assert by_number[1] == pytest.approx((-2702.665998, -2716.481509), abs=1e-6)
    assert by_number[2] == pytest.approx((-2360.393039, -2391.477938), abs=1e-6)
    assert by_number[3] == pytest.approx((-2360.375042, -2408.729), abs=4e-4)
    assert set(by_number) == {1, 2, 3}  # the 19 parameters of four would be more than 15 free cells
    assert found.n_classes == 2
    assert found.sizes == pytest.approx([0.6001, 0.3999], abs=1e-4)
    shares = np.array([found.model.cpds[name].probabilities[:, 1] for name in OF_ITEMS]).T
    assert shares[0] == pytest.approx([0.2012, 0.1506, 0.3007, 0.0989], abs=1e-4)
    assert shares[1] == pytest.approx([0.9009, 0.7993, 0.8490, 0.7017], abs=1e-4)


def test_two_classes_of_three_binary_columns_can_be_all_there_is_to_say():
    found = sl.latent_classes(OF_T1, 2)

    saturated = sum(n * math.log(n / 20) for n in T1.values())
    assert saturated == pytest.approx(-36.958016, abs=1e-6)
    assert found.log_likelihood == pytest.approx(saturated, abs=1e-6)
    assert found.tried[2].n_parameters == 7
    assert found.is_identified


def test_more_classes_than_a_table_tells_are_flagged_and_never_chosen():
    with pytest.warns(sl.DataWarning, match="11 parameters are more than the 7 free cells"):
        found = sl.latent_classes(OF_T1, 3)
    assert not found.is_identified
    assert max(sl.latent_classes(OF_T1).tried) == 2


def test_one_class_has_the_shares_of_the_columns():
    rows = gapped()
    found = sl.latent_classes(rows, 1)

    for name, column in rows.items():
        words, counts = np.unique([word for word in column if word is not None], return_counts=True)
        assert list(found.model.labels[name]) == words.tolist()
        assert found.model.cpds[name].probabilities[0] == pytest.approx(counts / counts.sum(), abs=1e-12)


@pytest.mark.parametrize("n_classes", [2, 3])
@pytest.mark.filterwarnings("ignore:.*free cells:structlearn.DataWarning")
def test_the_likelihood_is_that_of_all_ways_to_fill_the_gaps_in_and_never_falls(n_classes):
    rows = gapped()
    found = sl.latent_classes(rows, n_classes, n_starts=2)

    assert found.log_likelihood == pytest.approx(observed(found.model, rows), abs=1e-8)
    assert (np.diff(found.log_likelihoods) >= -1e-9).all()
    assert found.n_empty_rows == sum(row == (None,) * 3 for row in zip(*rows.values(), strict=True)) >= 2


def test_steps_are_those_of_a_climb_row_by_row():
    rows = [row for row in zip(*gapped(60).values(), strict=True) if row != (None,) * 3]
    codes = np.array([[-1 if v is None else "abc".index(v) for v in row] for row in rows])
    items = hidden_classes.Items.of(codes, np.array([2, 3, 2]), np.ones(len(rows)))
    sizes, shares = [0.3, 0.7], [[0.2, 0.8, 0.5, 0.3, 0.2, 0.6, 0.4], [0.7, 0.3, 0.1, 0.2, 0.7, 0.5, 0.5]]
    words = [["ab", 0], ["abc", 2], ["ab", 5]]
    tables = [
        [{word: of_class[first + i] for i, word in enumerate(each)} for of_class in shares]
        for each, first in words
    ]

    start = hidden_classes.Classes(np.array([sizes]), np.array([shares]))
    _, path = hidden_classes._climbed(items, start, 25)

    assert path[:, 0] == pytest.approx(slow_climb(rows, sizes, tables, 25), abs=1e-9)


def test_case_weights_count_as_rows():
    once = {name: [cell[j] for cell in T1] for j, name in enumerate("ABC")}

    weighted = sl.latent_classes(sl.Dataset(once, weights=list(T1.values())), 2)

    assert weighted.bic == pytest.approx(sl.latent_classes(OF_T1, 2).bic, abs=1e-9)


def test_the_class_of_a_row_comes_from_the_model_and_its_gaps_say_nothing():
    model = sl.latent_classes(OF_ITEMS, 2).model
    known = {"item0": ["1", "0"], "item1": ["1", None], "item2": ["1", "0"]}

    assert model.predict(known, "class")["class"].tolist() == ["2", "1"]
    high = 0.3999 * 0.9009 * 0.7993 * 0.8490
    low = 0.6001 * 0.2012 * 0.1506 * 0.3007
    assert model.predict_proba(known, "class")["class"][0, 1] == pytest.approx(high / (high + low), abs=1e-3)


def test_first_steps_on_drawn_rows_lead_to_the_same_classes(monkeypatch):
    whole = sl.latent_classes(OF_ITEMS, 2)
    monkeypatch.setattr(hidden_classes, "MOST_DRAWN", 8)

    assert sl.latent_classes(OF_ITEMS, 2).log_likelihood == pytest.approx(whole.log_likelihood, abs=1e-6)


def test_columns_of_one_level_and_of_hundreds_and_single_columns_are_taken():
    n = 300
    rows = {"one": ["x"] * n, "many": [f"v{i}" for i in range(n)], "two": ["a", "b"] * (n // 2)}
    found = sl.latent_classes(sl.Dataset(rows, kinds=dict.fromkeys(rows, "discrete")))

    assert found.n_classes == 1
    assert sl.latent_classes({"two": rows["two"]}).n_classes == 1
    assert sl.latent_classes({"two": ["a", "b", "a", "b", "a"]}, 1).sizes.tolist() == [1.0]


def test_what_it_cannot_use_is_refused_in_words():
    with pytest.raises(sl.DataError, match="discrete columns only, and 'x' is not"):
        sl.latent_classes({"x": [0.5, 1.25, 3.5], "y": list("aba")})
    with pytest.raises(sl.OptionError, match=r"name='A'\): the table has a column of that name"):
        sl.latent_classes(OF_T1, name="A")
    with pytest.raises(sl.DataError, match="'y' has no values"):
        sl.latent_classes({"x": list("aba"), "y": [None] * 3})
    for wrong in ({"n_classes": 0}, {"n_classes": "aic"}, {"n_starts": 0}, {"max_classes": 0}):
        with pytest.raises(sl.OptionError, match=rf"latent_classes\({next(iter(wrong))}="):
            sl.latent_classes(OF_T1, **wrong)


def test_weights_that_count_as_less_than_two_rows_are_refused():
    table = {name: ["y", "n"] * 20 for name in "abc"}

    with pytest.raises(sl.DataError, match=r"latent_classes: the weights sum to 0\.5 in 40 rows"):
        sl.latent_classes(sl.Dataset(table, weights=np.full(40, 1 / 80)))
