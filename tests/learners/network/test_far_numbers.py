"""Whole numbers beyond 2^53, as nanoseconds since 1970 are, come out as the table has them."""

import numpy as np
import pytest

import structlearn as sl

FAR = 2**60  # beside it 1024 is exact
STEP = 1024


def switches(by):
    """A count that is low or high, its own next value, and what follows it."""
    rng = np.random.default_rng(0)
    is_high = rng.random(60) < 0.5
    count = (is_high * 10**6 + rng.integers(0, 10**5, 60)) * STEP
    later = (~is_high * 10**6 + 10**5 + rng.integers(0, 10**5, 60)) * STEP
    return {"count": count + by, "later": later + by, "value": is_high + 0.01 * rng.normal(size=60)}


def dataset(columns):
    return sl.Dataset(columns, kinds=dict.fromkeys(columns, "continuous"), rows="independent")


@pytest.mark.parametrize("after", [None, {"count": "later"}], ids=["courses", "pairs"])
def test_a_boolean_network_says_above_which_numbers_of_the_table_a_node_is_on(after):
    near, far = ({name: switches(by)[name] for name in ("count", "later")} for by in (0, FAR))
    if after is None:
        near, far = {"count": near["count"]}, {"count": far["count"]}

    expected = sl.BooleanNetwork(after=after, max_inputs=1).fit(dataset(near))
    found = sl.BooleanNetwork(after=after, max_inputs=1).fit(dataset(far))

    assert found.graph_ == expected.graph_
    assert found.thresholds_ - FAR == pytest.approx(expected.thresholds_, abs=STEP)


@pytest.mark.parametrize("center", ["columns", "both"])
def test_a_filtered_table_has_the_numbers_of_the_table(center):
    learner = sl.FactorizationNetwork(rank=1, center=center)

    expected, found = (learner.fit(dataset(switches(by))).filtered_ for by in (0, FAR))

    assert found["count"] - FAR == pytest.approx(expected["count"], abs=STEP)
    assert found["value"] == pytest.approx(expected["value"], abs=1e-6)


def test_without_a_centre_numbers_are_as_they_are():
    columns = switches(FAR)
    rows = np.column_stack(list(columns.values())).astype(np.float64)
    scaled = rows / np.sqrt((rows**2).mean(axis=0))
    left, singular, right = np.linalg.svd(scaled, full_matrices=False)
    expected = np.outer(left[:, 0] * singular[0], right[0]) * np.sqrt((rows**2).mean(axis=0))

    found = sl.FactorizationNetwork(rank=1, center="none").fit(dataset(columns)).filtered_

    for j, name in enumerate(columns):
        assert found[name] == pytest.approx(expected[:, j], rel=1e-9)


@pytest.mark.parametrize("measure", ["cosine", "euclidean"])
@pytest.mark.parametrize("lacks", [False, True])
def test_measures_of_columns_as_they_are_see_where_0_is(measure, lacks):
    columns = switches(FAR)
    x, y = columns["count"].astype(np.float64), columns["value"].copy()
    expected = x @ y / np.sqrt((x @ x) * (y @ y)) if measure == "cosine" else np.sqrt(((x - y) ** 2).sum())
    table = {"count": columns["count"], "value": y}
    if lacks:  # one more row, in which a value is missing
        table = {"count": np.r_[columns["count"], FAR], "value": np.r_[y, np.nan]}

    learner = sl.SimilarityNetwork(measure=measure, threshold=0.5, missing="testwise").fit(dataset(table))

    assert learner.similarity_[0, 1] == pytest.approx(expected, rel=1e-9)


def components(by):
    """Two regulators behind three columns of whole numbers, and a column of samples that comes first."""
    rng = np.random.default_rng(1)
    one, two = rng.integers(0, 10**6, (2, 20))
    table = {"b": one * STEP + by, "c": (one + 2 * two) * STEP + by, "d": two * STEP + by}
    return {"a sample": np.arange(20.0) // 2} | table


REGULATED = {"one": ["b", "c"], "two": ["c", "d"]}


def analysed(table, **options):
    return sl.NetworkComponentAnalysis(regulators=REGULATED, **options).fit(dataset(table))


@pytest.mark.parametrize("replicates", [None, "a sample"])
def test_components_with_a_centre_are_the_same_wherever_columns_are_counted_from(replicates):
    tables = [components(by) for by in (0, FAR)]
    if replicates is None:
        tables = [{name: table[name] for name in "bcd"} for table in tables]

    near, far = (analysed(table, center=True, replicates=replicates) for table in tables)

    for name in REGULATED:
        assert far.strengths_[name] == pytest.approx(near.strengths_[name], rel=1e-6)
    assert {name: mean - FAR for name, mean in far.means_.items()} == pytest.approx(near.means_, abs=STEP)
    expected, found = near.predict_activities(tables[0]), far.predict_activities(tables[1])
    for name in REGULATED:
        assert found[name] == pytest.approx(expected[name], rel=1e-3, abs=10 * STEP)


def test_components_without_a_centre_are_of_the_numbers_as_they_are():
    columns = {name: values for name, values in components(FAR).items() if name != "a sample"}
    rounded = {name: values.astype(np.float64) for name, values in columns.items()}

    found, expected = (analysed(table, center=False) for table in (columns, rounded))

    for name in REGULATED:
        assert found.strengths_[name] == pytest.approx(expected.strengths_[name], rel=1e-9)
        assert found.activities_[name] == pytest.approx(expected.activities_[name], rel=1e-9)


def test_units_are_those_of_the_column_beside_a_column_of_replicates():
    near = components(0)
    far = {name: values if name == "a sample" else values * 1e-250 for name, values in near.items()}

    found, expected = (analysed(table, replicates="a sample") for table in (far, near))

    assert found.residual_ == pytest.approx(expected.residual_, abs=1e-9)
    for name in REGULATED:
        assert found.strengths_[name] == pytest.approx(expected.strengths_[name], rel=1e-6)
        assert found.activities_[name] * 1e250 == pytest.approx(expected.activities_[name], rel=1e-6)
