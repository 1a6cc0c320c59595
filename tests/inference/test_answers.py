"""What comes back reads well, and what cannot be asked is refused in words."""

import math
import pickle

import numpy as np
import pytest

import structlearn as sl
from structlearn.errors import DataError, OptionError
from structlearn.inference import query
from structlearn.inference.answers import Answer
from structlearn.models import LinearGaussianCPD, TableCPD
from tests.oracles import inference as oracle
from tests.oracles.models import asia, network


def test_an_answer_is_read_by_states():
    answer = asia().query(["smoke", "lung"])

    assert answer["yes", "no"] == pytest.approx(0.45)
    assert answer.to_dict() == pytest.approx(
        {("yes", "yes"): 0.05, ("yes", "no"): 0.45, ("no", "yes"): 0.005, ("no", "no"): 0.495}
    )
    assert asia().query("smoke").to_dict() == {"yes": 0.5, "no": 0.5}
    assert answer.labels == {"smoke": ("yes", "no"), "lung": ("yes", "no")}
    assert answer.method == "exact"


def test_an_answer_prints_as_a_table():
    answer = asia().query(["smoke", "lung"])

    assert str(answer).splitlines() == [
        "smoke  lung  probability",
        "yes    yes        0.0500",
        "yes    no         0.4500",
        "no     yes        0.0050",
        "no     no         0.4950",
    ]
    assert repr(answer).startswith("<Answer: exact>\nsmoke  lung")


def test_a_long_answer_is_cut():
    labels = list(range(30))
    model = network({"x": TableCPD(np.full(30, 1 / 30), labels=labels)})

    lines = str(model.query("x")).splitlines()

    assert len(lines) == 22
    assert lines[-1] == "… and 10 more"


def test_normal_distributions_and_states_print_too():
    model = network({"x": LinearGaussianCPD(1.0, {}, variance=4.0)})

    assert str(model.query("x")).splitlines() == ["node  mean  deviation", "x        1          2"]
    assert str(asia().map(["smoke"])).splitlines() == ["node   state", "smoke  yes"]
    assert "log probability -0.693147" in repr(asia().map(["smoke"]))


def test_a_number_and_its_text_are_the_same_state():
    model = network({"x": TableCPD([0.2, 0.8], labels=[0, 1]), "y": TableCPD([0.3, 0.7], labels=["0", "1"])})

    assert model.query("x", {"y": 1})["1"] == pytest.approx(0.8)
    assert model.query("y", {"x": "1"})[1] == pytest.approx(0.7)
    assert model.query("x", {"x": np.int64(1)})[1] == 1.0


def test_a_label_goes_before_a_text_that_reads_like_another():
    model = network({"x": TableCPD([0.2, 0.8], labels=["1", 1])})

    assert model.query("x")["1"] == pytest.approx(0.2)
    assert model.query("x")[1] == pytest.approx(0.8)
    assert model.query([], {"x": 1}).log_evidence == pytest.approx(math.log(0.8))


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda m: m.query("weather"), "no node 'weather' .*; the nodes are 'asia', 'tub'"),
        (lambda m: m.query("lung", {"rain": "yes"}), "no node 'rain'"),
        (
            lambda m: m.query("lung", {"smoke": "maybe"}),
            "'smoke' has no state 'maybe'; its states are 'yes', 'no'",
        ),
        (lambda m: m.query(["lung", "lung"]), "asked for twice"),
        (lambda m: m.query("lung", "smoke"), "evidence is a mapping"),
        (lambda m: m.query("lung", {"smoke": [1.0, 2.0, 3.0]}), "3 likelihoods, and the node has 2 states"),
        (lambda m: m.query("lung", {"smoke": [-1.0, 2.0]}), "none below 0"),
        (lambda m: m.query("lung", {"smoke": [0.0, 0.0]}), "not all 0"),
        (lambda m: m.query("lung", {"smoke": [math.nan, 1.0]}), "finite"),
        (lambda m: m.query("lung", {"smoke": {"yes": "often"}}), "'often' where a likelihood belongs"),
        (lambda m: m.query("lung", {"smoke": "yes"}, do={"smoke": "no"}), "in the evidence and in do"),
        (lambda m: m.query("lung", do={"smoke": "maybe"}), "'smoke' has no state 'maybe'"),
        (
            lambda m: m.query("lung", {"tub": "yes", "either": "no"}),
            "tub = 'yes', either = 'no' has probability 0",
        ),
        (lambda m: m.query("lung")["perhaps"], "'lung' has no state 'perhaps'"),
        (lambda m: m.query(["lung", "smoke"])["yes"], "a state of each of lung, smoke"),
    ],
)
def test_what_cannot_be_asked_is_refused(call, message):
    with pytest.raises(DataError, match=message):
        call(asia())


def test_an_unknown_method_or_option_is_refused_with_those_that_there_are():
    with pytest.raises(OptionError, match=r"query\(method='magic'\): .* the methods are 'exact'"):
        asia().query("lung", method="magic")
    with pytest.raises(OptionError, match="no option 'luck'; its options are 'cell_limit'"):
        asia().query("lung", luck=1)
    with pytest.raises(OptionError, match=r"query\(cell_limit=0\)"):
        asia().query("lung", cell_limit=0)


def test_nothing_can_be_set_in_an_undirected_model():
    model = oracle.FactorsOnly([(("a", "b"), np.ones((2, 2)))])

    with pytest.raises(DataError, match="do takes a directed model"):
        query(model, "a", do={"b": 1})
    with pytest.raises(DataError, match="A float has no factors"):
        query(1.5, "a")


def test_a_number_for_a_discrete_node_and_a_word_for_a_continuous_one_are_refused():
    model = network({"x": LinearGaussianCPD(0.0, {}, variance=1.0)})

    with pytest.raises(DataError, match="'x' is continuous: its evidence is a finite number, not 'tall'"):
        model.query("x", {"x": "tall"})
    with pytest.raises(DataError, match="'x' is continuous: its evidence is a number"):
        model.query("x", {"x": [0.5, 0.5]})


def test_a_network_that_is_fitted_again_answers_anew():
    model = sl.BayesianNetwork(sl.Graph("a"))
    model.fit({"a": ["x", "y"]})
    assert model.query("a")["x"] == 0.5

    model.fit({"a": ["x", "y", "y", "y"]})

    assert model.query("a")["x"] == 0.25


def test_a_network_that_was_asked_and_its_answer_can_be_pickled():
    model = asia()
    answer = model.query("lung", {"smoke": "yes"})

    again, also = pickle.loads(pickle.dumps((model, answer)))  # noqa: S301, our own bytes

    assert again == model
    assert again.query("lung", {"smoke": "yes"})["yes"] == also["yes"]
    assert also.log_evidence == pytest.approx(math.log(0.5))


def test_an_approximate_answer_need_not_know_the_evidence():
    answer = Answer(("x",), {"x": (0, 1)}, np.array([0.5, 0.5]), method="gibbs")

    assert answer.log_evidence is None
