"""Tree CPDs: the worked example, context-specific independence, and agreement with tables."""

import functools
import json

import numpy as np
import pytest
from hypothesis import given, settings

import structlearn as sl
from structlearn.errors import DataError, OptionError
from structlearn.models import Split, TableCPD
from structlearn.models.cpds import Family
from structlearn.models.cpds.tree import TreeCPD
from structlearn.statistics import from_dataset
from tests.oracles import scores as oracle
from tests.scores.test_tree_growth import WORKED_ROWS
from tests.statistics.test_counting import coded_tables, dataset_of

BOTH = {"A": ["no", "yes"], "B": ["no", "yes"]}
TREE = Split("A", [[0.75, 0.25], Split("B", [[0.2, 0.8], [0.9, 0.1]])])


@pytest.fixture(scope="module")
def worked():
    """The table of docs/references/models.md#trees, with words for states."""
    words = np.array(["no", "yes"])[WORKED_ROWS]
    return sl.Dataset(dict(zip("ABY", words.T, strict=True)))


def family_of(dataset, child, parents):
    labels = [dataset.labels.get(name, ()) for name in (child, *parents)]
    columns = tuple(dataset.names.index(name) for name in parents)
    return Family(from_dataset(dataset), dataset.names.index(child), columns, labels[0], tuple(labels[1:]))


def test_the_worked_example_grows_and_knows_its_contexts(worked):
    cpd = TreeCPD.fit(family_of(worked, "Y", ("A", "B")), score="mdl")

    assert str(cpd).splitlines() == [
        "P(no, yes)",
        "├─ A = no: 0.729, 0.271",
        "└─ A = yes",
        "   ├─ B = no: 0.208, 0.792",
        "   └─ B = yes: 0.917, 0.0833",
    ]
    assert (cpd.n_leaves, cpd.n_parameters) == (3, 3)
    assert cpd.is_independent_of("B", {"A": "no"})
    assert not cpd.is_independent_of("B", {"A": "yes"})
    assert not cpd.is_independent_of("B")
    assert not cpd.is_independent_of("A", {"B": "no"})
    assert cpd.probabilities[0] == pytest.approx([35 / 48, 13 / 48])


def test_without_looking_ahead_the_worked_example_grows_another_way(worked):
    cpd = TreeCPD.fit(family_of(worked, "Y", ("A", "B")), score="mdl", lookahead=False)

    assert cpd.tree.parent == "B"
    assert cpd.is_independent_of("A", {"B": "yes"})
    assert not cpd.is_independent_of("A", {"B": "no"})


def test_parents_that_are_never_tested_stay(worked):
    cpd = TreeCPD.fit(family_of(worked, "Y", ("A", "B")), score="k2", kappa=0.01, lookahead=False)

    assert (cpd.parents, cpd.tested_parents, cpd.n_leaves) == (("A", "B"), (), 1)
    assert cpd.is_independent_of("A")
    assert cpd.as_table().shape == (2, 2, 2)
    assert "always: 0.646, 0.354" in str(cpd)


@settings(deadline=None, max_examples=30)
@given(coded=coded_tables(max_levels=3))
def test_a_tree_of_greatest_likelihood_is_the_table(coded):
    codes, levels = coded
    every_state = np.indices(levels[:3]).reshape(3, -1).T
    family = three_columns(np.vstack([[row[:3] for row in codes], every_state]), levels)

    tree, table = TreeCPD.fit(family, score="loglik"), TableCPD.fit(family)

    assert tree.as_table() == pytest.approx(table.probabilities, abs=1e-4)
    assert tree.n_parameters <= table.n_parameters


def three_columns(codes, levels):
    """The last of three columns with the first two as parents."""
    dataset = dataset_of(codes, levels[:3])
    return Family(from_dataset(dataset), 2, (0, 1), tuple(range(levels[2])))


@pytest.mark.parametrize("smoothing", [0.0, 1.0, 7.5])
def test_a_complete_tree_is_smoothed_as_the_table_is(smoothing):
    family = three_columns(WORKED_ROWS, [2, 2, 2])

    tree, table = (
        TreeCPD.fit(family, score="loglik", smoothing=smoothing),
        TableCPD.fit(family, smoothing=smoothing),
    )

    assert tree.n_leaves == 4
    assert tree.n_parameters == table.n_parameters
    assert tree.as_table() == pytest.approx(table.probabilities)


def test_a_network_of_trees_has_the_likelihood_of_its_tables(worked):
    graph = sl.Graph("ABY", directed=[("A", "Y"), ("B", "Y")])

    model = sl.BayesianNetwork(graph, {"Y": functools.partial(TreeCPD.fit, score="k2", lookahead=False)}).fit(
        worked
    )

    assert model.cpds["Y"].n_leaves == 4
    expected = sum(oracle.log_likelihood(WORKED_ROWS, c, p) for c, p in [(0, []), (1, []), (2, [0, 1])])
    assert model.log_likelihood(worked) == pytest.approx(expected)


def test_rows_go_to_their_leaves_by_each_kind_of_test():
    tree = Split(
        "age",
        [[1, 0, 0], Split("job", [[0, 1, 0], Split("A", [[0, 0, 1], [0.5, 0.5, 0]])], at="none")],
        at=40.5,
    )
    cpd = TreeCPD(
        tree, labels=list("xyz"), parents={"A": ["no", "yes"], "age": [], "job": ["full", "half", "none"]}
    )
    flag, age, job = np.array([0, 0, 1, 0, 1]), np.array([40.5, 41, 41, 41, 99]), np.array([2, 2, 2, 0, 1])

    found = np.exp([cpd.log_probability(np.full(5, state), [flag, age, job]) for state in range(3)])

    expected = np.array([[1, 0, 0], [0, 1, 0], [0, 1, 0], [0, 0, 1], [0.5, 0.5, 0]])
    np.testing.assert_allclose(found.T, expected)
    assert cpd.as_table() is None
    assert "age ≤ 40.5: 1, 0, 0" in str(cpd)
    assert "job ≠ none" in str(cpd)
    assert cpd.is_independent_of("A", {"job": "none"})
    assert not cpd.is_independent_of("A", {"job": "half", "age": 60})
    assert cpd.is_independent_of("A", {"age": 3})


def test_samples_have_the_probabilities_of_their_leaves():
    cpd = TreeCPD(TREE, labels=["no", "yes"], parents=BOTH)
    rng = np.random.default_rng(0)
    parents = [rng.integers(0, 2, 40_000), rng.integers(0, 2, 40_000)]

    drawn = cpd.sample(parents, 40_000, rng)

    for a, b in np.ndindex(2, 2):
        share = drawn[(parents[0] == a) & (parents[1] == b)].mean()
        assert share == pytest.approx(
            cpd.as_table()[a, b, 1], abs=5 * 0.5 / 100
        )  # five standard errors of 10,000


def test_a_threshold_is_found_between_the_values_around_it():
    rng = np.random.default_rng(4)
    age, smoker = rng.uniform(20, 80, 3_000), rng.integers(0, 2, 3_000)
    chance = np.where(age < 50, 0.1, np.where(smoker == 1, 0.8, 0.3))
    data = sl.Dataset(
        {
            "age": age,
            "smoker": np.array(["no", "yes"])[smoker],
            "ill": np.array(["no", "yes"])[(rng.random(3_000) < chance) * 1],
        }
    )

    cpd = TreeCPD.fit(family_of(data, "ill", ("age", "smoker")))

    assert cpd.tree.at == pytest.approx(50, abs=1)
    assert cpd.is_independent_of("smoker", {"age": 30.0})
    assert cpd.n_leaves == 3
    assert cpd.probabilities[:, 1] == pytest.approx([0.1, 0.3, 0.8], abs=0.06)


def test_one_value_splits_join_the_states_that_are_alike():
    rng = np.random.default_rng(6)
    month = rng.integers(0, 6, 4_000)
    snow = (rng.random(4_000) < np.where(month == 4, 0.7, 0.05)).astype(int)
    data = sl.Dataset({"month": month, "snow": snow}, kinds={"month": "discrete", "snow": "discrete"})

    family = family_of(data, "snow", ("month",))

    assert TreeCPD.fit(family, splits="one-value").n_leaves == 2
    assert TreeCPD.fit(family).n_leaves == 6


@pytest.mark.parametrize(
    "cpd",
    [
        TreeCPD(TREE, labels=["no", "yes"], parents=BOTH),
        TreeCPD([0.1, 0.9], labels=[0, 1]),
        TreeCPD(Split("x", [[1, 0], TREE], at=0.5), labels=[True, False], parents={**BOTH, "x": ()}),
        TreeCPD(Split("s", [[1, 0], [0.5, 0.5]], at=2), labels=["a", "b"], parents={"s": [1, 2, 3]}),
    ],
    ids=repr,
)
def test_a_tree_comes_back_from_a_file(cpd):
    back = TreeCPD.from_dict(json.loads(json.dumps(cpd.to_dict())))

    assert back == cpd
    assert hash(back) == hash(cpd)
    assert str(back) == str(cpd)
    assert back != TreeCPD([1.0, 0.0], labels=cpd.labels)


@pytest.mark.parametrize(
    ("tree", "parents", "message"),
    [
        (Split("C", [[1, 0], [0, 1]]), BOTH, "tests 'C', which is none"),
        (Split("A", [[1, 0]]), BOTH, "'A' needs 2 branches, not 1"),
        (Split("A", [[1, 0], [0, 1]], at="maybe"), BOTH, "'A' is one of 'no', 'yes'"),
        (Split("x", [[1, 0], [0, 1]]), {"x": []}, "'x' is a finite number, not None"),
        (Split("A", [[1, 0], TREE]), BOTH, "tests 'A' again"),
        ([0.5, 0.6], {}, "sum to 1"),
        ([0.5, 0.25, 0.25], {}, "for each of the 2 states"),
        ([1.5, -0.5], {}, "for each of the 2 states"),
        ([0.5, 0.5], ["A"], "parents are a mapping"),
    ],
)
def test_a_tree_that_makes_no_sense_is_refused(tree, parents, message):
    with pytest.raises(DataError, match=message):
        TreeCPD(tree, labels=["no", "yes"], parents=parents)


def test_questions_that_make_no_sense_are_refused():
    cpd = TreeCPD(TREE, labels=["no", "yes"], parents=BOTH)

    with pytest.raises(DataError, match="'A' has to be a parent without a value"):
        cpd.is_independent_of("A", {"A": "no"})
    with pytest.raises(DataError, match="'C' is no parent"):
        cpd.is_independent_of("A", {"C": "no"})
    with pytest.raises(DataError, match="'B' is one of 'no', 'yes', not 'perhaps'"):
        cpd.is_independent_of("A", {"B": "perhaps"})
    with pytest.raises(DataError, match="takes 'B' as a node of 2 states"):
        cpd.check("Y", {"A": 2, "B": 3})


def test_options_are_checked(worked):
    family = family_of(worked, "Y", ("A",))

    with pytest.raises(OptionError, match=r"TreeCPD.fit\(score='bge'\)"):
        TreeCPD.fit(family, score="bge")
    with pytest.raises(OptionError, match="max_depth"):
        TreeCPD.fit(family, max_depth=-1)
    assert TreeCPD.fit(family, max_depth=0).n_leaves == 1


def test_a_single_leaf_without_parents_is_a_table_too():
    assert TreeCPD([0.25, 0.75], labels=[0, 1]).as_table().tolist() == [0.25, 0.75]


@pytest.mark.parametrize(("form", "child"), [("tree", "c"), ("gaussian-tree", "y")])
def test_a_state_without_rows_does_not_keep_a_tree_from_testing_its_parent(form, child):
    rng = np.random.default_rng(0)
    a = rng.integers(0, 2, 200)
    rows = {"a": a.astype(str), "c": (a ^ (rng.random(200) < 0.1)).astype(str), "y": rng.normal(4.0 * a)}
    known = TableCPD([0.3, 0.3, 0.4], labels=["0", "1", "2"])  # the state 2 has no rows
    graph = sl.Graph(["a", child], directed=[("a", child)])
    data = {"a": rows["a"], child: rows[child]}

    found = sl.BayesianNetwork(graph, {"a": known, child: form}).fit(data).cpds[child]
    without = sl.BayesianNetwork(graph, {child: form}).fit(data).cpds[child]
    pooled = sl.BayesianNetwork(sl.Graph([child]), {child: form}).fit({child: rows[child]}).cpds[child]

    values = np.arange(2) if form == "tree" else np.array([0.0, 4.0])
    seen = [np.array([0, 1])]
    np.testing.assert_array_equal(found.log_probability(values, seen), without.log_probability(values, seen))
    unseen = [np.array([2, 2])]
    np.testing.assert_allclose(found.log_probability(values, unseen), pooled.log_probability(values, []))
