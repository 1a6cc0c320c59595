"""States are matched by label wherever a model meets data: their names and their order change nothing.

A kind of distribution joins by its line in EXAMPLES of `test_cpds.py`, an undirected model by one in
UNDIRECTED, and a score by its line in the registry.
"""

import json
from copy import deepcopy

import numpy as np
import pytest

import structlearn as sl
from structlearn.data import DiscreteColumn
from structlearn.formats import ENDINGS, load, save
from structlearn.formats.structlearn_json import read, write
from structlearn.graphs import Edge
from structlearn.models.cpds import CPDS
from structlearn.scores import BDe, JointTable
from structlearn.scores.registry import BY_NAME
from tests.contracts.conftest import chain_table
from tests.contracts.test_cpds import EXAMPLES
from tests.oracles import predictions as oracle

RING = sl.Graph("abcd", undirected=["ab", "bc", "cd", "ad"])
FIELDS, PULLS = dict.fromkeys("abcd", 0.3), dict.fromkeys(RING.undirected, 0.4)
WORDS, LEVELS = dict.fromkeys("abcd", ("on", "off")), dict.fromkeys("abcd", ("low", "middle", "high"))
TABLES = np.random.default_rng(0).uniform(1, 4, size=(4, 3, 3))
UNDIRECTED = {
    "ising": sl.IsingModel(RING, FIELDS, PULLS, labels=WORDS),
    "ising of 0 and 1": sl.IsingModel(RING, FIELDS, PULLS, labels=WORDS, coding="zero-one"),
    "factors": sl.MarkovNetwork(RING, map(sl.Factor, RING.undirected, TABLES), labels=LEVELS),
    "features": sl.MarkovNetwork(
        RING,
        features=[sl.Feature({"a": "on", "b": "off"}, 0.8), sl.Feature({"c": "on"}, -0.4)],
        labels=WORDS,
    ),
    "features and factors": sl.MarkovNetwork(
        RING,
        [sl.Factor("ad", [[3, 1], [1, 2]])],
        features=[sl.Feature({"b": "on", "c": "off"}, 0.8)],
        labels=WORDS,
    ),
}
MODELS = {name: example.network() for name, example in EXAMPLES.items()} | UNDIRECTED
OF_STATES = {name: model for name, model in MODELS.items() if len(model.labels) == len(model.nodes)}
PRIORS = OF_STATES | {
    "joint table": JointTable(
        "abcd", np.random.default_rng(1).dirichlet(np.ones(16)).reshape([2] * 4), labels=WORDS
    )
}


def every(models):
    return pytest.mark.parametrize("model", models.values(), ids=models.keys())


def turned(dataset, *more):
    """The same rows, the states of each column declared in the other order, behind more that never occur."""
    columns = [
        DiscreteColumn(
            column.name,
            len(more) + len(column.labels) - 1 - column.codes,
            (*more, *column.labels[::-1]),
            column.missing,
        )
        if isinstance(column, DiscreteColumn)
        else column
        for column in dataset.columns
    ]
    return sl.Dataset.from_columns(columns)


def renamed(known):
    """The same content with other words for all states, which sort the other way round."""
    if isinstance(known, dict):
        return {key: renamed(value) for key, value in known.items()}
    if isinstance(known, list):
        return [renamed(value) for value in known]
    return f"{chr(ord('z') - ord(known[0]))}{known}" if known in STATES else known


STATES = {state for model in MODELS.values() for states in model.labels.values() for state in states} - {
    False,
    True,
}


def renamed_model(model):
    return read(json.dumps(renamed(json.loads(write(model)))))


def renamed_rows(dataset):
    return sl.Dataset(renamed({name: column.tolist() for name, column in dataset.to_dict().items()}))


def rows_of(model, n=200):
    return model.sample(n, random_state=0)


def with_gaps(dataset):
    rng = np.random.default_rng(0)
    return {
        name: [None if rng.random() < 0.1 else value for value in column.tolist()]
        for name, column in dataset.to_dict().items()
    }


def test_every_kind_of_distribution_is_tried():
    tried = {cpd.form for model in MODELS.values() for cpd in getattr(model, "cpds", {}).values()}

    assert tried == set(CPDS) - {"point"}  # of a node that is set, and continuous


@every(MODELS)
def test_the_order_of_states_does_not_change_a_likelihood(model):
    rows = rows_of(model)

    expected = model.log_likelihood_rows(rows)
    np.testing.assert_array_equal(model.log_likelihood_rows(turned(rows, "never")), expected)


@every(MODELS)
def test_the_order_of_states_does_not_change_a_fit(model):
    rows = rows_of(model)

    one, other = (deepcopy(model).fit(data) for data in (rows, turned(rows, "never")))

    assert one == other
    assert one.labels == model.labels


@every(MODELS)
def test_the_names_of_states_do_not_change_a_likelihood_or_a_fit(model):
    rows, other = rows_of(model), renamed_model(model)
    other_rows = renamed_rows(rows)

    expected = model.log_likelihood_rows(rows)
    np.testing.assert_allclose(other.log_likelihood_rows(other_rows), expected, rtol=1e-12)
    assert renamed_model(deepcopy(model).fit(rows)) == deepcopy(other).fit(other_rows)


@every(MODELS)
def test_a_model_that_takes_its_states_from_the_data_does_not_mind_their_order(model):
    rows = rows_of(model)
    bare = type(model)(model.graph)

    one, other = (deepcopy(bare).fit(data).log_likelihood_rows(rows) for data in (rows, turned(rows)))

    # The penalty of a softmax, a millionth of the rows, is on the distance from the first state.
    np.testing.assert_allclose(one, other, atol=1e-3)


@every(MODELS | {"gaussian": sl.GaussianGraphicalModel(RING, np.eye(4) + 0.2 * RING.adjacency())})
def test_a_gap_in_a_row_of_weight_0_is_none(model):
    rows = rows_of(model)
    gap = {name: [*column.tolist(), None] for name, column in rows.to_dict().items()}
    weighted = sl.Dataset(gap, kinds=rows.kinds, weights=[1.0] * rows.n_rows + [0.0])

    assert model.log_likelihood(weighted) == pytest.approx(model.log_likelihood(rows), rel=1e-12)
    fitted = deepcopy(model).fit(weighted)
    assert fitted.log_likelihood(rows) == pytest.approx(deepcopy(model).fit(rows).log_likelihood(rows))


@every({name: model for name, model in OF_STATES.items() if name not in UNDIRECTED})
def test_the_order_of_states_does_not_change_a_fit_with_missing_values(model):
    gaps = sl.Dataset(with_gaps(rows_of(model)))
    network = sl.BayesianNetwork(model.graph, dict.fromkeys(model.nodes, "table"))

    one, other = (deepcopy(network).fit(data, missing="em") for data in (gaps, turned(gaps)))

    assert one.em_.log_likelihoods[-1] == pytest.approx(other.em_.log_likelihoods[-1], rel=1e-6)


@every(OF_STATES)
def test_neither_names_nor_order_of_states_change_an_answer(model):
    *_, asked, known = model.nodes
    for method, options in (("exact", {}), ("loopy", {})):
        for state in model.labels[known]:
            answer = model.query(asked, {known: state}, method=method, **options)
            other = renamed_model(model).query(asked, {known: renamed(state)}, method=method, **options)
            soft = model.query(asked, {known: {state: 1.0}}, method=method, **options)

            for label in model.labels[asked]:
                assert other[renamed(label)] == pytest.approx(answer[label], abs=1e-9)
                assert soft[label] == pytest.approx(answer[label], abs=1e-9)


MODELS_TOO = {"graphs and models", "networks of tables"}


@pytest.mark.parametrize(
    "ending", [e for e, form in ENDINGS.items() if form.holds in MODELS_TOO and e[:4] != ".uai"]
)
def test_a_file_keeps_the_states_by_their_labels(ending, tmp_path):
    model = MODELS["table"]
    rows = rows_of(model)
    save(model, tmp_path / f"model{ending}")

    again = load(tmp_path / f"model{ending}")

    assert again.labels == model.labels
    np.testing.assert_allclose(again.log_likelihood_rows(turned(rows)), model.log_likelihood_rows(rows))


@every(PRIORS)
def test_neither_names_nor_order_of_states_change_a_score_with_a_prior(model):
    rng = np.random.default_rng(2)
    rows = sl.Dataset(
        {name: [states[i] for i in rng.integers(0, len(states), 60)] for name, states in model.labels.items()}
    )
    first, *others = model.labels
    graph = sl.Graph(model.labels, directed=[(first, other) for other in others])

    expected = sl.score(graph, rows, BDe(prior=model, ess=8))
    assert np.isfinite(expected)
    assert sl.score(graph, turned(rows, "never"), BDe(prior=model, ess=8)) == pytest.approx(expected)
    assert sl.score(graph, turned(turned(rows)), BDe(prior=model, ess=8)) == expected


@pytest.mark.parametrize("name", BY_NAME)
def test_neither_names_nor_order_of_states_change_a_score(name):
    rows = sl.Dataset({key: [f"s{x}" for x in column] for key, column in chain_table("discrete").items()})
    graph = sl.Graph("dbac", directed=["db", "ba", "bc", "ac"])
    if "discrete" in BY_NAME[name]:
        assert sl.score(graph, turned(rows), name) == pytest.approx(sl.score(graph, rows, name), rel=1e-12)
    if "mixed" in BY_NAME[name]:
        numbers = chain_table("continuous")
        mixed = sl.Dataset({**rows.to_dict(), "a": numbers["a"], "c": numbers["c"]})
        assert sl.score(graph, turned(mixed), name) == pytest.approx(sl.score(graph, mixed, name), rel=1e-12)


@every({name: model for name, model in MODELS.items() if model.labels})
def test_a_state_that_a_model_does_not_know_is_refused_by_name(model):
    rows = {name: column.tolist() for name, column in rows_of(model, 30).to_dict().items()}
    node = next(iter(model.labels))
    rows[node][3] = "stranger"

    for ask in (model.log_likelihood, model.log_likelihood_rows, deepcopy(model).fit):
        with pytest.raises(sl.DataError, match=f"'{node}' has the value 'stranger' in row 3"):
            ask(rows)
    with pytest.raises(sl.DataError, match="stranger"):
        model.log_evidence({node: "stranger"})


@every(PRIORS)
def test_a_state_that_a_prior_does_not_know_is_refused_by_name(model):
    node, *_ = model.labels
    rows = {name: list(states[:2]) * 5 for name, states in model.labels.items()}
    rows[node][3] = "stranger"

    with pytest.raises(sl.OptionError, match=f"column '{node}' has the state 'stranger'"):
        sl.score(sl.Graph(model.labels), rows, BDe(prior=model))


def test_tables_that_stay_keep_their_own_states():
    graph = sl.Graph("ab", undirected=["ab"])
    model = sl.MarkovNetwork(graph, [sl.Factor("a", [1, 3])], features=[sl.Feature({"a": 1, "b": "on"})])
    rows = {"a": [1, 0, 1, 0, 1, 1], "b": ["on", "off", "off", "on", "on", "on"]}

    one, other = (deepcopy(model).fit(data) for data in (sl.Dataset(rows), turned(sl.Dataset(rows))))

    assert one.labels["a"] == other.labels["a"] == (0, 1)
    assert one.log_likelihood(rows) == pytest.approx(other.log_likelihood(rows))
    with pytest.raises(sl.DataError, match="'a' has the value 'no'"):
        deepcopy(model).fit(rows | {"a": ["no", "yes"] * 3})


def test_weights_of_edges_are_about_the_larger_number_or_as_labels_say():
    edge = sl.Graph.from_edges("ab", [Edge("a", "b", "undirected", weight=0.5)])
    rows = sl.Dataset({"a": [0, 1, 1, 1, 0, 1], "b": [0, 1, 0, 1, 1, 1]})
    words = sl.Dataset({name: ["xy"[i] for i in column] for name, column in rows.to_dict().items()})

    one, other = (sl.IsingModel(edge).fit(data, refit=False) for data in (rows, turned(rows)))
    assert one == other
    with pytest.raises(sl.DataError, match="Which of 'x', 'y' is that of 'a'"):
        sl.IsingModel(edge).fit(words, refit=False)
    said = sl.IsingModel(edge, labels=dict.fromkeys("ab", ("x", "y")))
    assert deepcopy(said).fit(words, refit=False) == deepcopy(said).fit(turned(words), refit=False)
    assert said.fit(words, refit=False).fields == pytest.approx(one.fields)


@every(MODELS)
def test_predictions_and_filled_gaps_do_not_depend_on_the_order_of_columns_and_states(model):
    data = oracle.with_gaps(model.sample(12, random_state=0), 0.2, 1)

    expected = said_of(model, data)

    assert said_of(model, turned(data)) == said_of(model, data.select(data.names[::-1])) == expected


def said_of(model, data):
    """What is predicted of each node, and what is filled into each gap."""
    filled = {name: values.tolist() for name, values in model.impute(data).to_dict().items()}
    return {name: values.tolist() for name, values in model.predict(data).items()}, filled
