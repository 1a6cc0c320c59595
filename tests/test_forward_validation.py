"""Methods in time are measured on what came after the rows that they learned from."""

import numpy as np
import pytest

import structlearn as sl
from structlearn.graphs.lags import lag_facts
from tests.learners.time.series import D, autoregressive, named

PUSH = [np.array([[0.5, 0.0], [0.8, 0.2]])]


def pushed(n_rows=120, seed=0):
    return named(autoregressive(PUSH, n_rows, np.random.default_rng(seed)))


def graph_of_lags(*arrows, lags=(0, 1), variables=("v0", "v1")):
    facts = lag_facts(variables, lags)
    return sl.Graph(facts, directed=arrows, facts=facts)


NOTHING = graph_of_lags()
PUSHES = graph_of_lags(("v0[t-1]", "v1[t]"), ("v0[t-1]", "v0[t]"))


def normal(error, variance):
    return -0.5 * (np.log(2 * np.pi * variance) + error**2 / variance)


def by_hand(table, begin, end, lag):
    """Both regressed on v0 a step ago, in the steps before `begin`; errors from `begin` + lag to `end`."""
    v0, logs, errors = table["v0"], 0.0, {}
    for name, values in table.items():
        design = np.column_stack([np.ones(begin - lag), v0[lag - 1 : begin - 1]])
        found = np.linalg.lstsq(design, values[lag:begin])[0]
        variance = np.mean((values[lag:begin] - design @ found) ** 2)
        errors[name] = values[begin + lag : end] - found[0] - found[1] * v0[begin + lag - 1 : end - 1]
        logs += normal(errors[name], variance).mean()
    return logs, np.mean(errors["v1"] ** 2)


@pytest.mark.parametrize("lag", [1, 2])
def test_it_is_the_loop_that_one_would_write(lag):
    table, beside = pushed(), sl.SparseVAR(lags=lag)

    found = sl.cross_validate({"pushes": PUSHES, "beside": beside}, table, cv=3, target="v1")

    logs, squares = zip(*[by_hand(table, at, at + 30, lag) for at in (30, 60, 90)], strict=True)
    assert found.measures["pushes"]["log-likelihood"] == pytest.approx(logs)
    assert found.measures["pushes"]["squared error"] == pytest.approx(squares)
    assert [fold.tolist() for fold in found.folds] == [
        list(range(at + lag, at + 30)) for at in (30, 60, 90)
    ]  # the first of a part are the past of others alone


@pytest.mark.parametrize(
    "learner",
    [
        sl.SparseVAR(),
        sl.PCMCI(contemporaneous=True),
        sl.VARLiNGAM(),
        sl.DynamicNetwork(lags="bic", max_lags=2),
    ],
    ids=str,
)
@pytest.mark.filterwarnings("ignore:.*may be Gaussian")
def test_every_method_in_time_predicts_better_than_no_arrows(learner):
    found = sl.cross_validate({"nothing": NOTHING, "it": learner}, pushed(), cv=2, target="v1")

    assert found.mean("it", "log-likelihood") > found.mean("nothing", "log-likelihood") + 0.2
    assert found.mean("it", "squared error") < 0.8 * found.mean("nothing", "squared error")
    assert not hasattr(learner, "graph_")


def test_a_method_is_named_and_states_have_shares():
    rng = np.random.default_rng(0)
    u = rng.integers(0, 2, 200)
    table = {"u": u, "v": np.concatenate([[0], u[:-1]])}

    found = sl.cross_validate("dynamic-network", table, cv=3, target="v")

    assert found.mean("dynamic-network", "wrong") == 0.0
    assert found.mean("dynamic-network", "log loss") < 0.05


def test_the_order_of_rows_does_not_matter_and_series_are_cut_at_the_same_time():
    rng = np.random.default_rng(0)
    parts = [autoregressive(PUSH, 40, rng) for _ in range(3)]
    table = named(np.concatenate(parts)) | {"t": np.tile(np.arange(40.0), 3), "id": np.repeat([1, 2, 3], 40)}
    order = rng.permutation(120)
    shuffled = {name: values[order] for name, values in table.items()}
    learner = sl.SparseVAR(time="t", series="id")

    one, other = (sl.cross_validate(learner, each, cv=3) for each in (table, shuffled))

    assert one.measures["SparseVAR"]["log-likelihood"] == pytest.approx(
        other.measures["SparseVAR"]["log-likelihood"]
    )
    assert [sorted(set(table["t"][fold])) for fold in one.folds] == [
        list(range(11 + 10 * k, 20 + 10 * k)) for k in range(3)
    ]
    assert [sorted(order[fold]) for fold in other.folds] == [sorted(fold) for fold in one.folds]


def test_of_changes_the_rows_are_those_that_end_them():
    found = sl.cross_validate(sl.SparseVAR(difference=True), pushed(), cv=3)

    # Of 119 changes, in parts of 30, 30, 30 and 29, the first is that from row 0 to row 1.
    ends = [(31, 60), (61, 90), (91, 119)]
    assert [fold.tolist() for fold in found.folds] == [list(range(a + 1, b + 1)) for a, b in ends]


def test_rows_that_miss_a_value_are_gaps():
    table = pushed() | {"t": np.arange(120.0)}
    table["v0"][100] = np.nan

    found = sl.cross_validate(sl.SparseVAR(time="t", missing="drop"), table, cv=3)

    held_out = found.folds[-1]
    assert len(held_out) == 30 - 1 - 2  # the first, the one that is missing, and the one behind it
    assert held_out.tolist() == [row for row in range(91, 120) if row not in (100, 101)]
    with pytest.raises(sl.DataError, match="missing"):
        sl.cross_validate(sl.SparseVAR(time="t"), table, cv=3)


@pytest.mark.parametrize(
    ("learners", "options", "said"),
    [
        ([sl.SparseVAR(), sl.PC()], {}, "Others take rows for samples"),
        ([sl.SparseVAR(), sl.Graph(["v0", "v1"])], {}, "graphs whose nodes have lags"),
        ([sl.SparseVAR(), sl.PCMCI(step=2.0)], {}, "have to name the same time, series, step and mask"),
        (
            [sl.SparseVAR(lags=12)],
            {"cv": 9},
            "no row of some part has its 12 lags within it. Use fewer folds",
        ),
        ([sl.SparseVAR()], {"target": "v7"}, "there is no column 'v7'"),
    ],
)
def test_what_cannot_be_compared_is_refused(learners, options, said):
    with pytest.raises(sl.OptionError, match=said):
        sl.cross_validate(learners, pushed(), **options)


def test_what_says_when_rows_were_is_no_target():
    with pytest.raises(sl.OptionError, match="it says when rows were, and is not predicted"):
        sl.cross_validate(sl.DynamicNetwork(time="t", series="id"), D, cv=2, target="t")


def test_one_time_is_never_cut_in_two():
    found = sl.cross_validate(sl.DynamicNetwork(time="t", series="id"), D, cv=2)

    assert [sorted({D["t"][row] for row in fold}) for fold in found.folds] == [[4], [6, 7, 8, 9]]
