"""structlearn learn: what it prints, what it writes, what it refuses."""

import gzip
import re

import numpy as np
import pandas as pd
import pytest
from typer.testing import CliRunner

import structlearn as sl
from structlearn.cli import app
from structlearn.cli.destinations import write_output
from structlearn.formats import ENDINGS
from structlearn.graphs import Edge

runner = CliRunner()
OF_GRAPHS = [ending for ending, form in ENDINGS.items() if form.holds != "knowledge"]
ASIA = ["learn", "example:asia"]


def edges_printed(text):
    return set(re.findall(r"^  (\S+) ([→—]) (\S+)", text, flags=re.MULTILINE))


def edges_of(graph):
    return {(e.source, "→" if e.kind == "directed" else "—", e.target) for e in graph.edges}


@pytest.fixture(scope="module")
def asia():
    return sl.example("asia").sample(5000, random_state=0)


@pytest.fixture
def table(tmp_path):
    """Two columns that always agree, one that says nothing, and one that is a measurement."""
    rows = [f"{i % 2},{i % 2},{(i // 2) % 2},{i * 0.5}" for i in range(200)]
    path = tmp_path / "table.csv"
    path.write_text("\n".join(["a,b,c,x", *rows]))
    return path


@pytest.mark.parametrize(
    ("flags", "method", "options"),
    [
        ([], "boss", {}),
        (["--score", "bdeu", "--max-parents", "1"], "boss", {"score": "bdeu", "max_parents": 1}),
        (
            ["-m", "hill-climbing", "--restarts", "2", "--seed", "3", "--tabu", "0"],
            "hill-climbing",
            {"restarts": 2, "random_state": 3, "tabu": 0},
        ),
        (["--set", "patience=2"], "boss", {"patience": 2}),
        (["-m", "pc", "--alpha", "0.01"], "pc", {"alpha": 0.01}),
        (
            ["-m", "pc", "--test", "chi2", "--set", "max-conditioning=1"],
            "pc",
            {"test": "chi2", "max_conditioning": 1},
        ),
    ],
)
def test_the_command_prints_the_graph_that_the_library_learns(asia, flags, method, options):
    result = runner.invoke(app, [*ASIA, *flags])

    assert result.exit_code == 0, result.stderr
    assert edges_printed(result.stdout) == edges_of(sl.learn(asia, method=method, **options))


def test_it_says_where_the_rows_of_an_example_come_from_and_how_the_run_ended():
    printed = runner.invoke(app, ASIA).stdout

    assert "5,000 rows drawn from the bundled network 'asia' with seed 0" in printed
    assert "The method ran to its end." in printed


def test_evidence_stands_in_one_column():
    lines = [line for line in runner.invoke(app, ASIA).stdout.splitlines() if "score gain" in line]

    assert len(lines) > 1
    assert len({line.index("score gain") for line in lines}) == 1


def test_edges_past_the_fortieth_are_counted(tmp_path):
    twins = [f"{first}{i}" for i in range(45) for first in "ab"]
    rows = [",".join(str((row >> (i % 9)) % 2) for i in range(45) for _ in "ab") for row in range(512)]
    path = tmp_path / "wide.csv"
    path.write_text("\n".join([",".join(twins), *rows]))

    result = runner.invoke(app, ["learn", str(path)])
    n_edges = int(re.search(r"90 nodes, (\d+) edges", result.stdout)[1])

    assert n_edges >= 45
    assert len(edges_printed(result.stdout)) == 40
    assert f"… and {n_edges - 40} more" in result.stdout


def test_kinds_that_were_inferred_are_shown_in_one_line(table):
    printed = runner.invoke(app, ["learn", str(table), "--drop", "x,b", "--kind", "a=discrete"]).stdout

    assert [line for line in printed.splitlines() if line.startswith("Kinds")] == [
        "Kinds inferred (--kind COLUMN=KIND to choose): discrete c"
    ]


def test_columns_can_be_chosen(table):
    printed = runner.invoke(app, ["learn", str(table), "--columns", "c, a"]).stdout

    assert "2 nodes" in printed


def test_what_is_known_is_honoured(asia):
    result = runner.invoke(
        app, [*ASIA, "--require", "asia->xray", "--forbid", "bronc->dysp", "--tiers", "smoke;lung,bronc"]
    )

    known = sl.Knowledge([("asia", "xray")], [("bronc", "dysp")], [["smoke"], ["lung", "bronc"]])
    assert edges_printed(result.stdout) == edges_of(sl.learn(asia, knowledge=known))
    assert ("asia", "→", "xray") in edges_printed(result.stdout)


def test_tiers_may_be_repeated_instead_of_separated():
    together = runner.invoke(app, [*ASIA, "--tiers", "dysp;bronc,lung"])
    apart = runner.invoke(app, [*ASIA, "--tiers", "dysp", "--tiers", "bronc,lung"])

    assert edges_printed(together.stdout) == edges_printed(apart.stdout)
    assert edges_printed(together.stdout) != edges_printed(runner.invoke(app, ASIA).stdout)


@pytest.mark.parametrize("ending", [*OF_GRAPHS, ".svg", ".png", ".pdf"])
def test_every_ending_is_written_and_an_earlier_file_replaced(tmp_path, ending):
    path = tmp_path / f"graph{ending}"
    path.write_text("old")

    result = runner.invoke(app, [*ASIA, "-o", str(path), "--quiet"])

    assert (result.exit_code, result.stdout, result.stderr) == (0, "", "")
    assert path.stat().st_size > 100
    assert [file.name for file in tmp_path.iterdir()] == [path.name]


def test_a_picture_has_the_layout_that_is_asked_for_and_the_confidence_of_edges(tmp_path, asia):
    round_, usual = tmp_path / "round.svg", tmp_path / "usual.svg"
    graph = sl.Graph.from_edges("abc", [Edge("a", "b", confidence=0.75), Edge("b", "c")])

    answer = runner.invoke(app, [*ASIA, "-o", str(round_), "--layout", "circo"])
    write_output(usual, graph, None)

    assert answer.exit_code == 0, answer.output
    assert round_.read_text() == sl.learn(asia).plot(layout="circo").svg()
    assert usual.read_text() == graph.plot(labels="confidence").svg()


@pytest.mark.parametrize(
    ("flags", "said"),
    [
        (["--layout", "dots", "-o", "g.svg"], "no layout 'dots' (did you mean 'dot'?)"),
        (["--layout", "dot", "-o", "g.json"], "--layout dot is for pictures"),
    ],
)
def test_a_layout_that_is_of_no_use_is_refused_before_the_work(flags, said):
    answer = runner.invoke(app, ["learn", "no-such-file.csv", *flags])

    assert answer.exit_code != 0
    assert said in answer.stderr


def test_a_graph_file_holds_the_graph_and_a_bif_file_the_model_fitted_to_the_table(tmp_path, asia):
    runner.invoke(app, [*ASIA, "-o", str(tmp_path / "g.json"), "-o", str(tmp_path / "g.bif")])

    graph = sl.learn(asia)
    assert sl.load(tmp_path / "g.json") == graph
    fitted = sl.BayesianNetwork(graph).fit(asia)
    assert sl.load(tmp_path / "g.bif").log_likelihood(asia) == pytest.approx(fitted.log_likelihood(asia))


def test_a_graph_that_stopped_at_the_time_limit_is_written_and_says_so(tmp_path):
    path = tmp_path / "g.json"

    result = runner.invoke(app, [*ASIA, "--time-limit", "1e-9", "-o", str(path)])

    assert result.exit_code == 0
    assert "Stopped at time_limit" in result.stdout
    assert sl.load(path).nodes == sl.example("asia").graph.nodes
    quiet = runner.invoke(app, [*ASIA, "--time-limit", "1e-9", "--quiet"])
    assert quiet.stderr.startswith("structlearn: warning: Stopped at time_limit")


def test_a_report_is_written_with_the_warnings_heard(tmp_path):
    data = tmp_path / "constant.csv"
    data.write_text("\n".join(["a,b,same", *(f"{i % 2},{i // 2 % 2},1" for i in range(40))]))
    page = tmp_path / "report.html"

    result = runner.invoke(app, ["learn", str(data), "--report", str(page)])

    assert result.exit_code == 0
    (line,) = result.stderr.splitlines()
    assert line.startswith("structlearn: warning: ")
    assert "'same' has a single value" in line
    assert "has a single value" in page.read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("flags", "said"),
    [
        (["-m", "nonsense"], "choose one of 'sgs', 'pc'"),
        (["-m", "pc", "--score", "bic"], "its options are 'stable', 'collider_rule', 'max_conditioning'"),
        (["-m", "pc", "--alpha", "5"], "a number from 0 to 1"),
        (["--set", "nothing=1"], "has no option 'nothing'"),
        (["--set", "patience"], "write NAME=VALUE"),
        (["--tabu", "3", "--set", "tabu=4"], "given twice"),
        (["--score", "nonsense"], "'bic', 'ebic', 'bdeu'"),
        (["--kind", "asia=round"], '"discrete" or "continuous"'),
        (["--kind", "asia"], "COLUMN=discrete"),
        (["--kind", "nobody=discrete"], "no column 'nobody'"),
        (["--columns", "asia,nobody"], "no column 'nobody'"),
        (["--drop", "nobody"], "no column 'nobody'"),
        (["--require", "asia"], 'write an arrow as "a->b"'),
        (["--require", "asia->nobody"], "no column 'nobody'"),
        (["--require", "a->b", "--forbid", "a->b"], "both required and forbidden"),
        (["--tiers", "asia;;tub"], "a tier is empty"),
        (["-o", "graph.xyz"], ".json"),
        (["-o", "graph.html"], "--report"),
        (["-o", "no/such/folder/graph.json"], "there is no folder"),
        (["-o", "."], "."),
        (["--report", "report.txt"], "must end in .html"),
    ],
)
def test_bad_usage_is_one_line_and_exit_code_2(flags, said):
    result = runner.invoke(app, [*ASIA, *flags])

    assert result.exit_code == 2
    assert result.stdout == ""
    assert said in result.stderr
    assert result.stderr.startswith("structlearn: ")
    assert result.stderr.count("\n") == 1


def test_destinations_are_checked_before_any_work(tmp_path):
    missing_table = str(tmp_path / "missing.csv")

    assert runner.invoke(app, ["learn", missing_table, "-o", "g.xyz"]).exit_code == 2
    assert runner.invoke(app, ["learn", missing_table, "-m", "pc", "--alpha", "7"]).exit_code == 2


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("missing.csv", None),
        ("empty.csv", b""),
        ("header.csv", b"a,b\n"),
        ("binary.csv", bytes(range(256)) * 8),
        ("binary.parquet", bytes(range(256)) * 8),
        ("cut.csv.gz", gzip.compress(b"a,b\n0,1\n" * 100, mtime=0)[:-12]),
        ("gap.csv", b"a,b\n0,1\n1,\n0,0\n1,1\n"),
        ("table.xlsx", b"PK"),
        ("ragged.csv", b"a,b\n0,1\n1\n0,0,0\n"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_a_table_that_cannot_be_used_is_one_line_and_exit_code_1(tmp_path, name, content):
    path = tmp_path / name
    if content is not None:
        path.write_bytes(content)

    result = runner.invoke(app, ["learn", str(path), "-o", str(tmp_path / "g.json")])

    assert result.exit_code == 1
    assert result.stdout == ""
    assert result.stderr.startswith("structlearn: ")
    assert result.stderr.count("\n") == 1
    assert not (tmp_path / "g.json").exists()


def test_a_bif_file_of_continuous_columns_is_refused_before_the_search(tmp_path):
    result = runner.invoke(app, ["learn", "example:linnerud", "-o", str(tmp_path / "g.bif")])

    assert result.exit_code == 1
    assert "BIF holds discrete columns only" in result.stderr
    assert result.stdout == ""


def test_no_column_left_is_bad_input(table):
    result = runner.invoke(app, ["learn", str(table), "--drop", "a,b,c,x"])

    assert result.exit_code == 1
    assert "keep at least one" in result.stderr


def test_names_cannot_steer_the_terminal(tmp_path):
    path = tmp_path / "odd.csv"
    path.write_text("\n".join(["a\x1b[31m,b", *(f"{i % 2},{i % 2}" for i in range(60))]))

    result = runner.invoke(app, ["learn", str(path)])

    assert result.exit_code == 0, result.stderr
    assert "\x1b" not in result.stdout + result.stderr


def test_a_second_ctrl_c_exits_with_130(monkeypatch):
    def interrupted(*_arguments):
        raise KeyboardInterrupt

    monkeypatch.setattr(sl.BOSS, "fit", interrupted)

    result = runner.invoke(app, ASIA)

    assert result.exit_code == 130
    assert "Traceback" not in result.output


def test_what_can_be_written_is_written_when_one_file_fails(tmp_path, monkeypatch):
    def refuse(*_arguments, **_options):
        raise sl.DataError("no model")

    monkeypatch.setattr(sl.BayesianNetwork, "fit", refuse)

    result = runner.invoke(app, [*ASIA, "-o", str(tmp_path / "g.bif"), "-o", str(tmp_path / "g.json")])

    assert result.exit_code == 1
    assert result.stderr == "structlearn: no model\n"
    assert [file.name for file in tmp_path.iterdir()] == ["g.json"]


def test_time_is_no_identifier_and_methods_with_a_method_of_their_own_take_it(tmp_path):
    rng, path = np.random.default_rng(0), tmp_path / "course.csv"
    pd.DataFrame({"hour": range(30), "a": rng.normal(size=30), "b": rng.normal(size=30)}).to_csv(
        path, index=False
    )
    flags = ["-m", "system-identification", "--set", "time=hour", "--set", "method=var-lasso"]
    result = runner.invoke(app, ["learn", str(path), *flags])

    assert result.exit_code == 0
    assert "2 nodes" in result.output
    assert "an identifier" not in result.output
    assert "an identifier" in runner.invoke(app, ["learn", str(path)]).output


def test_a_pag_is_printed_written_and_explained(tmp_path):
    rng = np.random.default_rng(0)
    hidden, a, d = rng.normal(size=(3, 1500))
    b, c = a + hidden + rng.normal(size=1500), d + hidden + rng.normal(size=1500)
    pd.DataFrame({"a": a, "b": b, "c": c, "d": d}).to_csv(tmp_path / "rows.csv", index=False)

    rows, found, page = (str(tmp_path / name) for name in ("rows.csv", "found.json", "page.html"))
    options = ["--method", "fci", "--alpha", "0.01", "--why", "b,c", "-o", found, "--report", page]
    said = runner.invoke(app, ["learn", rows, *options])

    assert said.exit_code == 0
    assert "b ↔ c" in said.output
    assert "they share a hidden common cause" in said.output
    assert sl.load(tmp_path / "found.json") == sl.Graph("abcd", edges=["a o-> b", "b <-> c", "d o-> c"])
    page = (tmp_path / "page.html").read_text(encoding="utf-8")
    assert "b is not a cause of c, and c is not a cause of b" in page
    assert "comes from R0" in page


@pytest.fixture
def experiments(tmp_path):
    """Rows of the cancer network, some with a node set, and the column that says so."""
    acted = [2000, sl.Experiment(500, do={"Smoker": "True"}), sl.Experiment(500, do={"Cancer": "True"})]
    path = tmp_path / "experiments.csv"
    sl.sample(sl.example("cancer"), acted, random_state=0).save(path)
    return path


def test_a_column_says_what_was_set_in_which_rows(experiments, tmp_path):
    page, network = tmp_path / "page.html", tmp_path / "network.bif"
    flags = ["--targets", "targets", "-m", "gies", "--report", str(page), "-o", str(network)]
    result = runner.invoke(app, ["learn", str(experiments), *flags])

    assert result.exit_code == 0, result.stderr
    expected = sl.learn(experiments, method="gies", targets="targets")
    assert edges_printed(result.stdout) == edges_of(expected)
    assert "targets" not in expected.nodes
    assert "In 1,000 of 3,000 rows something was set from outside" in page.read_text(encoding="utf-8")
    assert set(sl.load(network).nodes) == set(expected.nodes)


def test_edges_of_resampled_experiments_have_shares(experiments):
    result = runner.invoke(
        app, ["learn", str(experiments), "--targets", "targets", "-m", "hill-climbing", "--confidence", "3"]
    )

    assert result.exit_code == 0, result.stderr
    assert ("Cancer", "→", "Xray") in edges_printed(result.stdout)


def test_a_column_of_targets_that_is_not_there_is_bad_usage(experiments):
    result = runner.invoke(app, ["learn", str(experiments), "--targets", "target"])

    assert result.exit_code == 2
    assert "'target' (did you mean 'targets'?)" in result.stderr
