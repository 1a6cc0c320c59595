"""`sl.mutual_information`: published numbers, units, names, gaps and what is refused."""

import numpy as np
import pytest

import structlearn as sl
from structlearn.numerics.information.columns import pairs_with_gaps
from structlearn.statistics import opened, statistics_of
from tests.oracles import information as oracle

# The table [[30, 10], [15, 45]]; docs/references/networks.md#information has its numbers.
ROWS = np.repeat([[0, 0], [0, 1], [1, 0], [1, 1]], [30, 10, 15, 45], axis=0)
TABLE = {"a": np.array(["no", "yes"])[ROWS[:, 0]], "b": np.array(["no", "yes"])[ROWS[:, 1]]}


def five(x, y):
    return sl.Dataset({"x": x, "y": y}, kinds={"x": "continuous", "y": "continuous"})


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        ({}, 0.1258036691),
        ({"base": 2}, 0.1814963295),
        ({"estimator": "miller-madow"}, 0.1208036691),
        ({"estimator": "shrinkage"}, 0.1031010845),
    ],
)
def test_a_table_of_counts_has_the_numbers_of_its_formulas(options, expected):
    assert sl.mutual_information(TABLE, **options)["a", "b"] == pytest.approx(expected, abs=1e-10)


def test_g_squared_is_twice_the_rows_times_the_information():
    g = sl.test_independence(TABLE, "a", "b", test="g2").statistic

    assert g == pytest.approx(25.1607338190, abs=1e-9)
    assert 2 * 100 * sl.mutual_information(TABLE)["a", "b"] == pytest.approx(g, abs=1e-9)


# docs/references/networks.md#information derives these.
@pytest.mark.parametrize(
    ("x", "y", "bandwidth", "expected"),
    [
        ([1, 3, 2, 4, 5], [1, 2, 3, 4, 5], 0.3, 0.1586260833),
        ([1, 3, 2, 4, 5], [1, 2, 3, 4, 5], 0.1, 0.9889506872),
        ([1, 3, 2, 4, 5], [2, 1, 3, 5, 4], 0.3, 0.0919954455),
    ],
)
def test_kernels_of_five_ranks_have_the_numbers_of_their_formula(x, y, bandwidth, expected):
    found = sl.mutual_information(five(x, y), "kernel", bandwidth=bandwidth)

    assert found["x", "y"] == pytest.approx(expected, abs=1e-10)


def test_the_result_has_names_and_is_an_array_to_numpy():
    found = sl.mutual_information(TABLE | {"c": ["u", "v"] * 50})

    assert found.names == ("a", "b", "c")
    assert np.asarray(found).shape == (3, 3)
    assert len(found) == 3
    assert found.strongest(1) == [("a", "b", found["b", "a"])]
    assert found.to_dict()["b"][0] == found["a", "b"]
    assert repr(found) == "Mutual information of 3 columns in nats, by 'plug-in'"
    with pytest.raises(sl.DataError, match="no column 'z'"):
        found["a", "z"]


def test_the_unit_is_that_of_the_base():
    found = {base: repr(sl.mutual_information(TABLE, base=base)) for base in (2, 10)}

    assert found[2] == "Mutual information of 2 columns in bits, by 'plug-in'"
    assert found[10] == "Mutual information of 2 columns in base 10, by 'plug-in'"


def test_a_column_has_its_shrunken_entropy_with_itself():
    # Of 40 and 60 rows, shrunk by (1 - 0.4² - 0.6²) / (99 · (0.1² + 0.1²)) = 8/33 towards a half each.
    share = 8 / 33 * 0.5 + 25 / 33 * 0.4
    expected = -share * np.log(share) - (1 - share) * np.log(1 - share)

    assert sl.mutual_information(TABLE, "shrinkage")["a", "a"] == pytest.approx(expected, abs=1e-12)


def test_a_column_with_gaps_has_the_entropy_of_what_is_there():
    with_gaps = {"a": [*TABLE["a"], *[None] * 20], "b": [*TABLE["b"], *["no", "yes"] * 10]}
    found = sl.mutual_information(with_gaps, "miller-madow", missing="testwise")

    assert found["a", "a"] == sl.mutual_information(TABLE, "miller-madow")["a", "a"]
    assert found["a", "b"] == sl.mutual_information(TABLE, "miller-madow")["a", "b"]


def test_pairs_that_time_does_not_allow_for_have_nothing():
    found, fewest = pairs_with_gaps(
        "test", statistics_of(opened(TABLE), ["a", "b"], owner="test"), None, must_stop=lambda: True
    )

    assert (found.tolist(), fewest) == ([[0.0, 0.0], [0.0, 0.0]], 100)


def test_normalised_information_is_1_for_a_column_with_itself_and_between():
    found = sl.mutual_information(TABLE, normalised="min")
    plain = sl.mutual_information(TABLE)

    assert np.diag(found.values).tolist() == [1.0, 1.0]
    assert found["a", "b"] == pytest.approx(plain["a", "b"] / min(plain["a", "a"], plain["b", "b"]))
    by_mean = sl.mutual_information(TABLE, normalised="sqrt")["a", "b"]
    assert by_mean == pytest.approx(plain["a", "b"] / np.sqrt(plain["a", "a"] * plain["b", "b"]))


def test_columns_of_both_kinds_are_taken_with_bins():
    rng = np.random.default_rng(0)
    d = rng.integers(0, 2, 300)
    found = sl.mutual_information({"d": np.array(["l", "h"])[d], "x": d + rng.normal(size=300)})

    assert found.estimator == "plug-in"
    assert found["d", "x"] > 0.05
    with pytest.raises(sl.DataError, match=r"estimator='kernel'\) takes continuous columns only, and 'd' is"):
        sl.mutual_information({"d": np.array(["l", "h"])[d], "x": d + rng.normal(size=300)}, "kernel")


def test_each_pair_uses_the_rows_that_have_both_and_few_of_them_say_nothing():
    rng = np.random.default_rng(1)
    x, y, z = rng.normal(size=(3, 60))
    y += x
    x[:10], z[:52] = np.nan, np.nan
    table = {"x": x, "y": y, "z": z}

    with pytest.raises(sl.DataError, match="'x'"):
        sl.mutual_information(table)
    found = sl.mutual_information(table, "kernel", missing="testwise", bandwidth=0.2)

    assert found["x", "y"] == pytest.approx(oracle.kernel(x[10:].tolist(), y[10:].tolist(), 0.2), abs=1e-12)
    assert found["y", "z"] == 0.0  # eight rows
    dropped = sl.mutual_information(table, "rank", missing="drop")
    assert dropped["x", "y"] != found["x", "y"]


def test_what_cannot_be_is_refused_with_what_can():
    with pytest.raises(sl.OptionError, match=r"estimator='magic'\): .*one of 'plug-in', 'miller-madow'"):
        sl.mutual_information(TABLE, "magic")
    with pytest.raises(sl.OptionError, match="base is the base of the logarithm, a number larger than 1"):
        sl.mutual_information(TABLE, base=1)
    with pytest.raises(sl.DataError, match="'rank' has no entropies"):
        sl.mutual_information(np.random.default_rng(0).normal(size=(20, 2)), "rank", normalised="min")
    with pytest.raises(sl.DataError, match=r"n_neighbors=3\): a row of 3 has no more than 2 neighbours"):
        sl.mutual_information(np.random.default_rng(0).normal(size=(3, 2)), "kraskov")
    with pytest.raises(sl.DataError, match="takes no case weights"):
        sl.mutual_information(sl.Dataset(TABLE, weights=np.full(100, 2.0)))


def test_one_row_has_no_information_and_one_column_only_its_own():
    assert sl.mutual_information({"a": ["x"], "b": ["y"]}).values.tolist() == [[0.0, 0.0], [0.0, 0.0]]
    assert sl.mutual_information({"a": ["x", "y"]})["a", "a"] == pytest.approx(np.log(2))


@pytest.mark.parametrize("normalised", ["min", "sqrt"])
def test_with_gaps_information_is_a_share_of_what_its_own_rows_have(normalised):
    """In the rows that have both, one column tells the other."""
    table = {"a": ["0"] * 100 + ["1"] * 10, "b": [None] * 90 + ["x"] * 10 + ["y"] * 10}

    found = sl.mutual_information(table, missing="testwise", normalised=normalised)

    assert found["a", "b"] == pytest.approx(1.0)
