"""Cross-validation is the loop that one would write by hand, with the same folds for all."""

import numpy as np
import pytest

import structlearn as sl
from structlearn.errors import DataError, OptionError
from structlearn.models import LinearGaussianCPD
from tests.oracles.models import asia, network


@pytest.fixture(scope="module")
def rows():
    return asia().sample(300, random_state=0)


def by_hand(make, data, folds, measure):
    """Fit on the other rows, and measure."""
    found = []
    for held_out in folds:
        others = np.setdiff1d(np.arange(data.n_rows), held_out)
        found.append(measure(make(data.take(others)), data.take(held_out)))
    return found


def tree_model(training):
    return sl.BayesianNetwork(sl.ChowLiu().fit(training).graph_).fit(training, smoothing=1.0)


def test_it_is_the_loop_that_one_would_write(rows):
    found = sl.cross_validate(sl.ChowLiu(), rows, cv=4, target="dysp", random_state=3)

    def likelihood(model, held_out):
        return np.mean(model.log_likelihood_rows(held_out))

    def wrong(model, held_out):
        truth, table = held_out.to_dict(), []
        for i in range(held_out.n_rows):
            evidence = {name: truth[name][i] for name in truth if name != "dysp"}
            answer = model.query("dysp", evidence).to_dict()
            table.append(max(answer, key=answer.get) != truth["dysp"][i])
        return np.mean(table)

    measures = found.measures["ChowLiu"]
    assert measures["log-likelihood"] == pytest.approx(by_hand(tree_model, rows, found.folds, likelihood))
    assert measures["wrong"] == pytest.approx(by_hand(tree_model, rows, found.folds, wrong))


def test_every_row_is_held_out_once_and_the_seed_decides_when(rows):
    graph = sl.Graph(rows.names)
    one, two, other = (sl.cross_validate(graph, rows, cv=7, random_state=seed) for seed in (1, 1, 2))

    assert sorted(np.concatenate(one.folds).tolist()) == list(range(300))
    assert {len(fold) for fold in one.folds} == {42, 43}
    assert all(np.array_equal(a, b) for a, b in zip(one.folds, two.folds, strict=True))
    assert not all(np.array_equal(a, b) for a, b in zip(one.folds, other.folds, strict=True))


def test_several_learners_see_the_same_folds(rows):
    both = sl.cross_validate({"tree": sl.ChowLiu(), "nothing": sl.Graph(rows.names)}, rows, cv=3)
    alone = sl.cross_validate("chow-liu", rows, cv=3)

    assert (
        both.measures["tree"]["log-likelihood"].tolist()
        == alone.measures["chow-liu"]["log-likelihood"].tolist()
    )
    apart = both.measures["tree"]["log-likelihood"] - both.measures["nothing"]["log-likelihood"]
    mean, error = both.difference("tree", "nothing", "log-likelihood")
    assert (mean, error) == pytest.approx((apart.mean(), apart.std(ddof=1) / np.sqrt(3)))
    assert mean == pytest.approx(both.mean("tree", "log-likelihood") - both.mean("nothing", "log-likelihood"))


def test_it_prints_a_table_with_folds_means_and_differences(rows):
    found = sl.cross_validate([sl.Graph(rows.names), "chow-liu"], rows, cv=3, target="lung")

    lines = str(found).splitlines()

    assert " ".join(lines[0].split()) == "learner measure fold 1 fold 2 fold 3 mean ± error above Graph"
    measures = ["log-likelihood", "wrong", "log"]
    expected = [[name, measure] for measure in measures for name in ("Graph", "chow-liu")]
    assert [line.split()[:2] for line in lines[1:]] == expected
    values = found.measures["chow-liu"]["wrong"]
    assert f"{values.mean():.4f} ± {found.standard_error('chow-liu', 'wrong'):.4f}" in lines[4]
    assert repr(found).startswith("<CrossValidation: 3 folds>\n")
    alone = sl.cross_validate(sl.Graph(rows.names), rows, cv=8)
    assert "fold 1" not in str(alone)
    assert "above" not in str(alone)


def test_without_a_seed_the_folds_are_those_of_seed_0(rows):
    usual, zero = (
        sl.cross_validate(sl.Graph(rows.names), rows, cv=3, **how) for how in ({}, {"random_state": 0})
    )

    assert all(np.array_equal(a, b) for a, b in zip(usual.folds, zero.folds, strict=True))


def test_two_of_a_kind_have_names_of_their_own(rows):
    found = sl.cross_validate([sl.Graph(rows.names), sl.Graph(rows.names)], rows, cv=2)

    assert list(found.measures) == ["Graph", "Graph (2)"]


def test_a_state_that_the_training_rows_lack_has_what_smoothing_gives_it():
    data = {"a": ["x"] * 19 + ["rare"]}
    graph = sl.Graph(["a"])

    smooth, rough = (sl.cross_validate(graph, data, cv=4, smoothing=s) for s in (1.0, 0.0))

    fold = next(k for k, held_out in enumerate(smooth.folds) if 19 in held_out)
    share = 0.5 / 16
    expected = (4 * np.log(1 - share) + np.log(share)) / 5
    assert smooth.measures["Graph"]["log-likelihood"][fold] == pytest.approx(expected)
    assert rough.measures["Graph"]["log-likelihood"][fold] == -np.inf


def test_numbers_have_a_squared_error():
    model = network(
        {
            "x": LinearGaussianCPD(1.0, {}, variance=1.0),
            "y": LinearGaussianCPD(0.0, {"x": 2.0}, variance=0.25),
        }
    )
    data = model.sample(400, random_state=0)

    found = sl.cross_validate({"arrow": model.graph, "line": model.graph.skeleton()}, data, target="y")

    def squares(fitted, held_out):
        return np.mean((held_out.to_dict()["y"] - fitted.predict(held_out, "y")["y"]) ** 2)

    folds = by_hand(lambda rows: sl.BayesianNetwork(model.graph).fit(rows), data, found.folds, squares)
    assert found.measures["arrow"]["squared error"] == pytest.approx(folds)
    assert found.mean("line", "squared error") == pytest.approx(0.25, rel=0.3)


def test_graphs_of_lines_and_dependency_networks_are_measured_too():
    ring = sl.Graph("abcd", undirected=["ab", "bc", "cd", "ad"])
    pulls = dict.fromkeys(ring.undirected, 0.4)
    data = sl.IsingModel(ring, dict.fromkeys("abcd", 0.1), pulls).sample(200, random_state=0)

    lines = sl.cross_validate(ring, data, cv=2, target="a")
    dependencies = sl.cross_validate("dependency-network", data, cv=2, target="a")

    assert list(lines.measures["Graph"]) == ["log-likelihood", "wrong", "log loss"]
    assert next(iter(dependencies.measures["dependency-network"])) == "pseudo-log-likelihood"


def test_case_weights_count(rows):
    weights = np.random.default_rng(0).integers(1, 4, rows.n_rows).astype(float)
    heavy = sl.Dataset(rows, weights=weights)
    graph = asia().graph

    found = sl.cross_validate(graph, heavy, cv=3)

    def likelihood(model, held_out):
        return np.average(model.log_likelihood_rows(held_out), weights=held_out.weights)

    def model(training):
        return sl.BayesianNetwork(graph).fit(training, smoothing=1.0)

    assert found.measures["Graph"]["log-likelihood"] == pytest.approx(
        by_hand(model, heavy, found.folds, likelihood)
    )


def test_what_cannot_be_done_is_refused_in_words(rows):
    graph = sl.Graph(rows.names)
    for options, word in (({"cv": 1}, "cv"), ({"cv": 301}, "300 rows"), ({"target": "lnug"}, "'lung'")):
        with pytest.raises(OptionError, match=word):
            sl.cross_validate(graph, rows, **options)
    with pytest.raises(OptionError, match="learners, names of methods and graphs"):
        sl.cross_validate(7, rows)
    with pytest.raises(OptionError, match="at least one"):
        sl.cross_validate([], rows)
    with pytest.raises(OptionError, match="no method 'chowliu2'"):
        sl.cross_validate("chowliu2", rows)
    with pytest.raises(DataError, match="cross_validate needs complete data"):
        sl.cross_validate(sl.Graph("a"), {"a": ["x", None, "y", "x"]}, cv=2)


def with_gaps(data, share=0.1, seed=0):
    rng = np.random.default_rng(seed)
    return sl.Dataset(
        {
            name: [None if rng.random() < share else value for value in values.tolist()]
            for name, values in data.to_dict().items()
        },
        kinds=data.kinds,
    )


@pytest.mark.parametrize("missing", ["drop", "em"])
def test_rows_with_gaps_are_judged_by_what_they_have(rows, missing):
    gaps = with_gaps(rows.select(["smoke", "lung", "bronc"]))

    found = sl.cross_validate(sl.K2(missing=missing), gaps, cv=2, target="lung").measures["K2"]

    def known(row):
        return {name: values[row] for name, values in held_out.to_dict().items() if values[row] is not None}

    for place, fold in enumerate(sl.cross_validate(sl.K2(missing=missing), gaps, cv=2).folds):
        training, held_out = gaps.take(np.setdiff1d(np.arange(300), fold)), gaps.take(fold)
        graph = sl.K2(missing=missing).fit(training).graph_
        if missing == "em":
            model = sl.BayesianNetwork(graph).fit(training, smoothing=1.0, missing="em")
        else:
            full = [all(x is not None for x in row) for row in zip(*training.to_dict().values(), strict=True)]
            model = sl.BayesianNetwork(graph).fit(training.take(np.array(full)), smoothing=1.0)
        logs = [model.query((), known(row)).log_evidence for row in range(150)]
        wrong = [
            model.predict({name: [value] for name, value in known(row).items()}, "lung")["lung"][0] != truth
            for row in range(150)
            if (truth := known(row).get("lung"))
        ]
        assert found["log-likelihood"][place] == pytest.approx(np.mean(logs))
        assert found["wrong"][place] == pytest.approx(np.mean(wrong))


def test_gaps_that_nobody_can_judge_are_refused_with_the_way_out(rows):
    gaps = with_gaps(rows.select(["smoke", "lung"]))
    with pytest.raises(DataError, match=r"PC needs complete data.*missing='drop' leaves those rows out"):
        sl.cross_validate("pc", gaps)
    with pytest.raises(DataError, match="Give learners with missing='drop' or missing='em' in place of gra"):
        sl.cross_validate(sl.Graph(gaps.names), gaps)
    with pytest.raises(DataError, match="DependencyModel of these columns cannot judge rows with gaps"):
        sl.cross_validate(sl.DependencyNetwork(missing="drop"), gaps)
    few = sl.Dataset({"a": [*"xyxyxyx", None], "b": list("uvvvuvuv")})
    with pytest.raises(DataError, match="no row of some fold has a value of 'a'"):
        sl.cross_validate(sl.K2(missing="em"), few, target="a", cv=8)


def test_rows_of_weight_0_are_in_no_fold():
    numbers, weights = np.random.default_rng(0).normal(size=(18, 2)), np.r_[np.ones(10), np.zeros(8)]
    graph = sl.Graph(["x0", "x1"])

    found = sl.cross_validate(graph, sl.Dataset(numbers, weights=weights))

    counted = sl.cross_validate(graph, numbers[:10])
    assert [fold.tolist() for fold in found.folds] == [fold.tolist() for fold in counted.folds]
    np.testing.assert_allclose(*(each.measures["Graph"]["log-likelihood"] for each in (found, counted)))


def test_a_model_that_takes_whole_numbers_for_measurements_is_judged_by_its_error():
    table = {"a": [0, 1] * 20, "b": [0, 0, 1, 1] * 10, "c": [0, 1, 1, 0, 1] * 8}

    assert set(sl.cross_validate("module-network", table, target="a").measures["module-network"]) == {
        "log-likelihood",
        "squared error",
    }


def ring_with_chords(n_nodes):
    """Lines so many that no junction tree holds them."""
    names = [f"x{i:02}" for i in range(n_nodes)]
    lines = {tuple(sorted((i, (i + step) % n_nodes))) for i in range(n_nodes) for step in (1, 7, 11, 17, 23)}
    return sl.Graph(names, undirected=[(names[i], names[j]) for i, j in sorted(lines)])


def test_lines_that_are_too_many_are_judged_by_each_column_given_the_others():
    """With a ridge for the pseudo-rows, of which there would be too many."""
    graph = ring_with_chords(60)
    spins = np.random.default_rng(0).integers(0, 2, size=(80, 60))
    data = sl.Dataset({name: spins[:, i].tolist() for i, name in enumerate(graph.nodes)})

    found = sl.cross_validate(graph, data, cv=2, smoothing=2.0)

    def fitted(training):
        return sl.MarkovNetwork(graph).fit(training, ridge=2.0)

    def measured(model, held_out):
        return model.pseudo_log_likelihood(held_out) / held_out.n_rows

    expected = by_hand(fitted, data, found.folds, measured)
    assert found.measures["Graph"]["pseudo-log-likelihood"] == pytest.approx(expected)


def test_folds_are_measured_alike_where_one_has_no_likelihood(rows, monkeypatch):
    def likelihood(model, held_out, known=sl.MarkovNetwork.log_likelihood):
        if held_out.n_rows == 150:
            raise DataError("Too wide.")
        return known(model, held_out)

    monkeypatch.setattr(sl.MarkovNetwork, "log_likelihood", likelihood)
    others = (*rows.names[1:], rows.names[0])
    ring = sl.Graph(rows.names, undirected=list(zip(rows.names, others, strict=True)))

    found = sl.cross_validate(ring, rows.take(range(299)), cv=2).measures["Graph"]

    assert list(found) == ["pseudo-log-likelihood"]
    assert np.isfinite(found["pseudo-log-likelihood"]).all()


def test_every_measure_of_every_learner_is_printed(rows):
    learners = {"tree": "chow-liu", "local": sl.DependencyNetwork()}
    found = sl.cross_validate(learners, rows.select(["smoke", "bronc", "dysp"]), cv=2)

    assert [line.split()[:2] for line in str(found).splitlines()[1:]] == [
        ["tree", "log-likelihood"],
        ["local", "pseudo-log-likelihood"],
    ]
