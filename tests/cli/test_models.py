"""structlearn fit, sample, query, compare and convert."""

import numpy as np
import pytest
from typer.testing import CliRunner

import structlearn as sl
from structlearn.cli import app
from structlearn.models import GaussianTreeCPD, Split, TableCPD
from structlearn.models.module_network import ModuleNetworkModel

runner = CliRunner()


def run(*arguments, code=0):
    result = runner.invoke(app, [str(argument) for argument in arguments])
    assert result.exit_code == code, result.output
    return result


@pytest.fixture
def rows(tmp_path):
    path = tmp_path / "asia.csv"
    run("sample", "example:asia", "-n", 3000, "--seed", 1, "-o", path)
    return path


@pytest.fixture
def graph(tmp_path):
    path = tmp_path / "graph.json"
    run("convert", "example:asia", tmp_path / "asia.bif")
    sl.load(tmp_path / "asia.bif").graph.save(path)
    return path


def test_a_sample_is_the_library_s_own(rows):
    drawn = sl.Dataset(rows).align(sl.example("asia").labels)

    assert drawn == sl.example("asia").sample(3000, random_state=1)


def test_a_sample_without_a_file_is_printed_as_csv():
    printed = run("sample", "example:cancer", "-n", 2, "--seed", 0).stdout.splitlines()

    assert printed[0] == "Pollution,Smoker,Cancer,Xray,Dyspnoea"
    assert len(printed) == 3


def test_a_sample_under_an_intervention_has_the_state_that_was_set(tmp_path):
    run("sample", "example:asia", "-n", 50, "--do", "smoke=yes", "-o", tmp_path / "s.csv")

    assert sl.Dataset(tmp_path / "s.csv").labels["smoke"] == ("yes",)


def test_a_graph_is_fitted_as_the_library_fits_it(graph, rows, tmp_path):
    printed = run("fit", graph, rows, "--smoothing", 2, "-o", tmp_path / "model.json").stdout

    model = sl.BayesianNetwork(sl.load(graph)).fit(rows, smoothing=2.0)
    assert sl.load(tmp_path / "model.json") == model
    assert "8 nodes, 8 edges, 18 parameters" in printed
    assert "Log-likelihood" in printed


def test_a_row_of_a_fit_is_one_by_the_weights(tmp_path):
    states, weights = ["u", "v", "u", "u"], [3, 2, 0, 4]
    sl.Graph(["a"]).save(tmp_path / "one.json")
    sl.Dataset({"a": states, "n": weights}, kinds={"n": "discrete"}).save(tmp_path / "some.csv")
    sl.Dataset({"a": np.repeat(states, weights)}).save(tmp_path / "all.csv")

    weighted = run("fit", tmp_path / "one.json", tmp_path / "some.csv", "--weights", "n").stdout
    repeated = run("fit", tmp_path / "one.json", tmp_path / "all.csv").stdout

    assert repeated.splitlines()[-1].removesuffix(".") in weighted
    assert "are 9." in weighted


def test_the_kind_of_a_distribution_can_be_asked_for(graph, rows, tmp_path):
    run("fit", graph, rows, "--cpd", "dysp=tree", "-o", tmp_path / "model.json")

    assert sl.load(tmp_path / "model.json").cpds["dysp"].form == "tree"


def test_a_model_keeps_its_states_when_it_is_fitted_again(rows, tmp_path):
    few = tmp_path / "few.csv"
    few.write_text("\n".join(rows.read_text().splitlines()[:20]))

    run("fit", "example:asia", few, "-o", tmp_path / "model.json")

    assert sl.load(tmp_path / "model.json").labels == sl.example("asia").labels


def test_lines_without_a_dag_become_a_markov_network_or_a_gaussian_one(tmp_path):
    square = sl.Graph("abcd", undirected=["ab", "bc", "cd", "da"])
    square.save(tmp_path / "square.json")
    rng = np.random.default_rng(0)
    sl.Dataset({name: rng.choice(["x", "y"], 500) for name in "abcd"}).save(tmp_path / "words.csv")
    sl.Dataset({name: rng.normal(size=500) for name in "abcd"}).save(tmp_path / "numbers.csv")

    assert "MarkovNetwork" in run("fit", tmp_path / "square.json", tmp_path / "words.csv").stdout
    assert "GaussianGraphicalModel" in run("fit", tmp_path / "square.json", tmp_path / "numbers.csv").stdout


def test_missing_values_are_refused_or_estimated(graph, rows, tmp_path):
    lines = rows.read_text().splitlines()
    gone = tmp_path / "gone.csv"
    gone.write_text("\n".join([*lines[:200], "," + lines[200].partition(",")[2], *lines[201:400]]))

    assert "missing" in run("fit", graph, gone, code=1).stderr
    run("fit", graph, gone, "--missing", "em", "-o", tmp_path / "model.json")
    assert sl.load(tmp_path / "model.json").n_parameters == 18


def test_columns_that_are_no_nodes_are_left_out_and_said(graph, rows, tmp_path):
    lines = rows.read_text().splitlines()
    wide = tmp_path / "wide.csv"
    wide.write_text("\n".join([lines[0] + ",more", *(f"{line},{i % 3}" for i, line in enumerate(lines[1:]))]))

    assert "left out: more" in run("fit", graph, wide).stderr


def test_a_query_has_the_published_posterior():
    printed = run("query", "example:asia", "lung", "--given", "xray=yes", "--given", "dysp=yes").stdout

    (line,) = [line for line in printed.splitlines() if "yes" in line and "xray" not in line]
    assert "0.6213" in line


def test_without_names_every_other_node_is_answered():
    printed = run("query", "example:cancer", "--given", "Xray=positive").stdout

    assert all(name in printed for name in ("Pollution", "Smoker", "Cancer", "Dyspnoea"))


def test_the_most_probable_explanation_is_the_published_one():
    printed = run("query", "example:asia", "--map", "-g", "xray=yes", "-g", "dysp=yes").stdout

    states = sl.example("asia").map(evidence={"xray": "yes", "dysp": "yes"}).states
    assert {node for node, state in states.items() if state == "yes"} >= {"smoke", "lung", "bronc", "either"}
    assert all(f"{node}" in printed for node in states)


def gaussian_file(folder):
    path = folder / "pair.json"
    sl.GaussianGraphicalModel(sl.Graph("ab", undirected=["ab"]), [[1.0, -0.5], [-0.5, 1.0]]).save(path)
    return path


def test_a_gaussian_graphical_model_answers_what_networks_do(tmp_path):
    path = gaussian_file(tmp_path)

    # Given b = 3 the mean of a is 0.5 · 3, and its variance 1.
    assert "1.5" in run("query", path, "a", "--given", "b=3").stdout
    printed = run("query", path, "--map", "--given", "b=3").stdout
    assert "1.5" in printed
    assert "of density" in printed


@pytest.mark.parametrize(
    ("words", "reason"),
    [
        (["a", "--do", "b=3"], "--do takes a directed network"),
        (["a", "--given", "b=x"], "a number"),
        (["a", "--method", "gibbs"], "exact"),
        (["a", "--seed", "1"], "random_state"),
    ],
)
def test_what_a_gaussian_graphical_model_does_not_answer_is_bad_usage(tmp_path, words, reason):
    assert reason in run("query", gaussian_file(tmp_path), *words, code=2).stderr


def module_file(folder):
    tree = GaussianTreeCPD(Split("r", [(-1.0, 0.25), (1.0, 0.25)], at=0.0), parents={"r": []})
    alone = GaussianTreeCPD((0.0, 1.0), parents={})
    units = {"a": (10.0, 2.0), "r": (0.0, 1.0)}
    path = folder / "modules.json"
    ModuleNetworkModel({"m": ["a"], "n": ["r"]}, {"m": tree, "n": alone}, units).save(path)
    return path


def test_a_module_network_is_drawn_from_and_predicts(tmp_path):
    path, table = module_file(tmp_path), tmp_path / "rows.csv"
    table.write_text("r\n-0.5\n0.7\n")

    assert len(run("sample", path, "-n", "5").stdout.splitlines()) == 6
    # Two deviations of 1 below and above the mean of 10.
    assert run("predict", path, table, "--target", "a").stdout.split() == ["a", "8.0", "12.0"]


@pytest.mark.parametrize(
    ("words", "what"),
    [(["query"], "query"), (["query", "--map"], "map"), (["sample", "--do", "a=1"], "do")],
)
def test_what_a_module_network_has_not_is_bad_usage(tmp_path, words, what):
    command, *flags = words

    assert f"has no {what}." in run(command, module_file(tmp_path), *flags, code=2).stderr


@pytest.mark.parametrize(
    ("flag", "reason"),
    [("lung", "NODE=STATE"), ("liver=yes", "NODE=STATE"), ("xray=perhaps", "the states are yes, no")],
)
def test_a_state_that_is_not_one_is_bad_usage(flag, reason):
    assert reason in run("query", "example:asia", "lung", "--given", flag, code=2).stderr


@pytest.mark.parametrize("ending", ["json", "bif"])
@pytest.mark.parametrize("written", ["1000", "1e3", "1000.0"])
def test_a_state_that_is_a_number_may_be_written_as_the_table_had_it(ending, written, tmp_path):
    (tmp_path / "rows.csv").write_text("a,b\n" + "1e3,x\n1e4,y\n" * 20)
    run("learn", tmp_path / "rows.csv", "-o", tmp_path / f"model.{ending}")
    run("fit", tmp_path / f"model.{ending}", tmp_path / "rows.csv", "-o", tmp_path / f"fitted.{ending}")

    printed = run("query", tmp_path / f"fitted.{ending}", "b", "--given", f"a={written}").stdout

    assert [line.split()[-1] for line in printed.splitlines()[1:]] == ["1.0000", "0.0000"]


def test_what_is_known_beside_the_nodes_is_sent_to_its_flag():
    said = run("query", "example:asia", "lung", "xray=yes", code=2).stderr

    assert "'xray=yes' is no node. Say what is known by --given xray=yes." in said


@pytest.mark.parametrize("ending", [".json", ".bif", ".xmlbif", ".net", ".xdsl", ".bif.gz"])
def test_a_model_survives_a_conversion(ending, tmp_path):
    run("convert", "example:asia", tmp_path / f"asia{ending}")

    assert sl.load(tmp_path / f"asia{ending}") == sl.example("asia")


def test_a_model_converts_to_a_picture_and_with_numbers_to_uai(tmp_path):
    run("convert", "example:asia", tmp_path / "asia.svg")
    run("convert", "example:asia", tmp_path / "asia.uai", "--numbered")

    assert "<svg" in (tmp_path / "asia.svg").read_text()
    assert (tmp_path / "asia.uai").read_text().startswith("BAYES")


def test_how_numbers_take_the_place_of_names_is_said_in_flags(graph, tmp_path):
    said = run("convert", "example:asia", tmp_path / "asia.uai", code=1).stderr
    assert "node 0 is called 'asia'; use structlearn convert --numbered, whose nodes are '0', '1', …" in said
    said = run("convert", graph, tmp_path / "graph.dot", "--numbered", code=2).stderr
    assert "--numbered: it is for networks with tables" in said


def test_graphs_are_compared_and_the_differences_drawn(graph, tmp_path):
    printed = run("compare", graph, "example:asia", "-o", tmp_path / "both.svg").stdout

    assert "distance 0" in printed
    assert "SID 0" in printed
    assert "<svg" in (tmp_path / "both.svg").read_text()


def test_a_bare_graph_has_nothing_to_sample_or_ask(graph):
    assert "structlearn fit" in run("sample", graph, code=1).stderr
    assert "structlearn fit" in run("query", graph, "lung", code=1).stderr


def test_a_file_that_is_not_there_is_bad_input(tmp_path):
    assert "cannot be read" in run("sample", tmp_path / "none.bif", code=1).stderr


@pytest.fixture
def gaps(tmp_path):
    path = tmp_path / "gaps.csv"
    path.write_text("smoke,xray,lung\nyes,yes,no\nno,,yes\nyes,no,\n")
    return path


def test_predictions_are_those_of_the_library(gaps, tmp_path):
    printed = run(
        "predict", "example:asia", gaps, "--target", "lung", "--target", "bronc", "-o", tmp_path / "p.csv"
    )

    expected = sl.example("asia").predict(gaps, ["lung", "bronc"])
    found = sl.Dataset(tmp_path / "p.csv").to_dict()
    assert {name: values.tolist() for name, values in found.items()} == {
        name: values.tolist() for name, values in expected.items()
    }
    assert "3 rows, 2 columns" in printed.stdout


def test_probabilities_have_a_column_for_each_state(gaps):
    printed = run("predict", "example:asia", gaps, "--target", "lung", "--probabilities").stdout.splitlines()

    assert printed[0] == "lung=yes,lung=no"
    shares = sl.example("asia").predict_proba(gaps, "lung")["lung"]
    assert [[float(word) for word in line.split(",")] for line in printed[1:]] == shares.tolist()


@pytest.mark.parametrize(("flags", "how"), [([], "most probable"), (["--drawn", "--seed", "3"], "drawn")])
def test_gaps_are_filled_as_the_library_fills_them(gaps, tmp_path, flags, how):
    run("impute", "example:asia", gaps, *flags, "-o", tmp_path / "full.csv")

    model = sl.example("asia")
    filled = sl.Dataset(tmp_path / "full.csv").align(model.labels)
    expected = model.impute(gaps, how=how, random_state=3).align(model.labels)
    assert filled == expected


def test_a_target_that_is_no_node_is_refused(gaps):
    assert "no node 'lnug' (did you mean 'lung'?)" in run(
        "predict", "example:asia", gaps, "--target", "lnug", code=1
    ).output.replace("\n", " ")


@pytest.mark.parametrize("states", [["1", "2", "NA"], ["1.0", "2.0", "3.0"]])
def test_drawn_rows_are_read_by_the_states_of_the_model_that_drew_them(states, tmp_path):
    table = [[0.9, 0.1], [0.5, 0.5], [0.2, 0.8]]
    graph = sl.Graph(["x", "y"], directed=[("x", "y")])
    x = TableCPD([0.4, 0.4, 0.2], labels=states)
    model = sl.BayesianNetwork(graph, {"x": x, "y": TableCPD(table, labels=["a", "b"], parents=["x"])})
    model.save(tmp_path / "m.bif")
    run("sample", tmp_path / "m.bif", "-n", 50, "--seed", 1, "-o", tmp_path / "rows.csv")
    drawn = model.sample(50, random_state=1)

    flags = ("--target", "y", "--probabilities", "-o", tmp_path / "p.csv")
    run("predict", tmp_path / "m.bif", tmp_path / "rows.csv", *flags)
    run("fit", tmp_path / "m.bif", tmp_path / "rows.csv", "-o", tmp_path / "again.json")

    found = sl.Dataset(tmp_path / "p.csv").to_dict()["y=a"]
    np.testing.assert_allclose(found, np.array(table)[drawn.column("x").codes, 0])
    counts = np.bincount(drawn.column("x").codes, minlength=3)
    np.testing.assert_allclose(sl.load(tmp_path / "again.json").cpds["x"].probabilities, counts / 50)


def test_states_that_look_like_options_keep_their_names(tmp_path):
    states = TableCPD([0.5, 0.5], labels=["time=5", "alpha=2"])
    sl.BayesianNetwork(sl.Graph(["x"]), {"x": states}).save(tmp_path / "odd.json")

    result = run("query", tmp_path / "odd.json", "--given", "x=nobody", code=2)

    assert "--given x=nobody: the states are time=5, alpha=2." in result.stderr
