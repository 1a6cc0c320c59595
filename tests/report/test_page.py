"""The page: one file, nothing from elsewhere, everything that was learned."""

import base64
import copy
import hashlib
import re
import shlex
import warnings

import numpy as np
import pytest
from typer.testing import CliRunner

import structlearn as sl
from structlearn.cli import app
from structlearn.data.describe import describe
from structlearn.graphs.generators import random_dag
from structlearn.independence import Chi2
from structlearn.report import Source, page, write_report
from structlearn.report.sections.reproduce import FLAGS, python_lines, shell_line
from structlearn.report.subject import Subject
from structlearn.report.wording import number
from structlearn.scores import BIC, BDeu, Extended
from tests.report.test_markup import Reader

HOSTILE = (
    "<script>alert(1)</script>",
    "a&b",
    '"><img src=x onerror=alert(2)>',
    "</title></style></script>",
    "$title",
)


@pytest.fixture(scope="module")
def asia():
    return sl.example("asia").sample(5000, random_state=0)


@pytest.fixture(scope="module")
def climbed(asia):
    return sl.HillClimbing().fit(asia)


@pytest.fixture(scope="module")
def tested(asia):
    return sl.PC().fit(asia)


def written(tmp_path, *arguments, **options):
    return write_report(tmp_path / "report.html", *arguments, **options).read_text(encoding="utf-8")


def section(html, name):
    found = re.search(rf'<section id="{name}".*?</section>', html, flags=re.DOTALL)
    return None if found is None else found[0]


def edge_rows(html):
    return [seen for seen in Reader(html).attributes if "data-edge" in seen]


def test_every_edge_has_a_row_with_its_evidence_the_strongest_first(tmp_path, asia, climbed):
    rows = edge_rows(written(tmp_path, climbed, asia))

    gains = {str(edge): edge.weight for edge in climbed.graph_.edges}
    assert [row["data-name"] for row in rows] == sorted(gains, key=gains.get, reverse=True)
    assert [row["data-evidence"] for row in rows] == [
        f"score gain {number(gains[row['data-name']])}" for row in rows
    ]
    places = [climbed.graph_.edges[int(row["data-edge"])] for row in rows]
    assert [str(edge) for edge in places] == [row["data-name"] for row in rows]


def test_another_table_and_what_is_no_learner_are_refused(tmp_path, asia, climbed):
    with pytest.raises(sl.DataError, match="not the table that was learned from: it has no column 'lung'"):
        written(tmp_path, climbed, asia.select([name for name in asia.names if name != "lung"]))
    with pytest.raises(sl.DataError, match="a report is about a fitted learner, not a Graph"):
        written(tmp_path, climbed.graph_, asia)


def test_any_table_that_was_learned_from_has_the_page_of_its_data_set(tmp_path, asia, climbed):
    expected = written(tmp_path, climbed, sl.Dataset(asia.to_dict()))
    asia.save(tmp_path / "asia.csv")
    assert written(tmp_path, climbed, asia.to_dict()) == expected
    assert written(tmp_path, climbed, tmp_path / "asia.csv") == expected
    elsewhere = sl.source(tmp_path / "asia.csv", where="engine")
    assert written(tmp_path, climbed, elsewhere) == written(tmp_path, climbed)


def test_columns_that_were_set_aside_may_be_in_the_table_of_a_page(tmp_path):
    numbers = np.random.default_rng(0).normal(size=(2, 60)).tolist()
    days = np.arange("2020-01-01", "2020-03-01", dtype="datetime64[D]")
    table = {"day": days, "x": numbers[0], "y": numbers[1]}
    learner = sl.PCMCI(time="day").fit(table)
    assert "60 rows" in section(written(tmp_path, learner, table), "data")


def test_the_share_of_resamples_stands_at_each_edge_of_the_picture(tmp_path, climbed):
    learner = copy.copy(climbed)
    learner.graph_ = sl.Graph.from_edges("ab", [sl.Edge("a", "b", confidence=0.75)])

    assert re.search(r"<text[^>]*>\s?75%\s?</text>", section(written(tmp_path, learner), "graph"))
    assert not re.search(r"%\s?</text>", section(written(tmp_path, climbed), "graph"))


def test_the_page_names_nothing_outside_itself(tmp_path, asia, climbed):
    html = written(tmp_path, climbed, asia, truth=sl.example("asia").graph)

    without_namespaces = re.sub(r'xmlns(:\w+)?="[^"]*"', "", html)
    assert "//" not in re.sub(r"<script>.*?</script>", "", without_namespaces, flags=re.DOTALL)
    seen = Reader(html)
    sources = [a[key] for a in seen.attributes for key in ("src", "href", "xlink:href", "action") if key in a]
    assert all(source.startswith("#") or source == "data:," for source in sources)
    assert not {"iframe", "object", "embed", "form", "img", "base"} & set(seen.tags)


def test_the_security_policy_lets_only_the_page_s_own_script_run(tmp_path, asia, climbed):
    html = written(tmp_path, climbed, asia)

    (script,) = re.findall(r"<script>(.*?)</script>", html, flags=re.DOTALL)
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    assert f"script-src 'sha256-{digest}'" in html
    assert "default-src 'none'" in html


def test_ids_are_unique_and_links_lead_somewhere(tmp_path, asia, climbed):
    seen = Reader(written(tmp_path, climbed, asia)).attributes

    ids = [a["id"] for a in seen if "id" in a]
    assert len(ids) == len(set(ids))
    assert {a["href"][1:] for a in seen if a.get("href", "").startswith("#")} <= set(ids)


def test_hostile_names_stay_text_everywhere(tmp_path):
    rows = {name: [str(i >> j & 1) for i in range(64)] for j, name in enumerate(HOSTILE)}
    rows["</textarea>"] = rows[HOSTILE[0]]
    plain = {f"n{j}": column for j, column in enumerate(rows.values())}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # two columns say the same, so that there is an edge
        hostile = written(tmp_path, sl.PC().fit(rows), sl.Dataset(rows), title=HOSTILE[0], warnings=HOSTILE)
        harmless = written(tmp_path, sl.PC().fit(plain), sl.Dataset(plain), title="t", warnings=list("abcde"))

    seen = Reader(hostile)
    assert sorted(seen.tags) == sorted(Reader(harmless).tags)
    assert not any(key.startswith("on") for a in seen.attributes for key in a)
    assert seen.texts.count(HOSTILE[0]) >= 3


def test_a_table_of_hidden_characters_can_still_be_written(tmp_path):
    rows = {"bell\x07": [0, 1] * 20, "half\ud800": [0, 0, 1, 1] * 10}

    html = written(tmp_path, sl.HillClimbing().fit(rows), sl.Dataset(rows))

    assert "bell�" in html
    assert "half�" in html


def test_the_data_are_summarised_with_what_was_inferred(tmp_path):
    data = sl.Dataset({"u": [0, 1] * 20, "v": [0, 0, 1, 1] * 10}, kinds={"v": "discrete"})

    summary = section(written(tmp_path, sl.HillClimbing().fit(data), data), "data")

    assert [(c.name, c.inferred) for c in describe(data).columns] == [("u", True), ("v", False)]
    assert summary.count("discrete*") == 1
    assert "1 kind inferred" in summary


def test_every_option_is_listed_with_its_meaning_and_changes_stand_out(tmp_path, asia):
    listing = section(written(tmp_path, sl.PC(alpha=0.01).fit(asia), asia), "options")

    for name in sl.PC().get_params():
        assert f"<code>{name}</code>" in listing
    assert re.findall(r"<strong><code>(.*?)</code>", listing) == ["0.01"]
    assert "the significance level of each test" in listing


def test_separations_are_counted_and_the_closest_to_an_edge_come_first(tmp_path, asia, tested):
    listing = section(written(tmp_path, tested, asia), "separations")

    assert f"{len(tested.separating_sets_)} pairs" in listing
    pair, closest = min(tested.separating_sets_.items(), key=lambda item: item[1].p_value)
    first = re.search(r"<tbody><tr>(.*?)</tr>", listing)[1]
    assert all(f"<td>{name}</td>" in first for name in pair)
    assert ", ".join(closest.given) in first


def test_sections_without_content_are_left_out(tmp_path, asia, climbed, tested):
    html = written(tmp_path, climbed, asia)

    assert section(html, "separations") is None
    assert section(html, "comparison") is None
    assert section(html, "model") is None
    assert section(written(tmp_path, tested), "data") is None


@pytest.mark.parametrize("n_columns", [2, 3])
def test_a_search_for_hidden_sets_is_said_where_there_are_any(tmp_path, asia, n_columns):
    data = asia.select(["asia", "lung", "smoke"][:n_columns])

    html = written(tmp_path, sl.BOSS().fit(data), data)

    assert ("searched for hidden joint dependence" in html) == (n_columns > 2)


def test_conflicts_are_listed(tmp_path, asia, tested):
    learner = sl.PC().fit(asia)
    learner.conflicts_ = ("a → b ← c", "d → b ← c")

    listing = section(written(tmp_path, learner, asia), "conflicts")

    assert re.findall(r"<li>(.*?)</li>", listing) == ["a → b ← c", "d → b ← c"]
    assert (section(written(tmp_path, tested, asia), "conflicts") is None) == (not tested.conflicts_)


def test_the_truth_judges_every_edge(tmp_path, asia, climbed):
    truth = sl.example("asia").graph
    html = written(tmp_path, climbed, asia, truth=truth)

    verdicts = re.findall(r'<td class="verdict (\w+)">', html)
    counted = climbed.graph_.compare(truth)
    assert verdicts.count("right") == counted.agreed
    assert verdicts.count("extra") == counted.extra
    assert verdicts.count("misdirected") == counted.misdirected


def test_a_model_is_summarised(tmp_path, asia, climbed):
    model = sl.BayesianNetwork(climbed.graph_).fit(asia)

    summary = section(written(tmp_path, climbed, asia, model=model), "model")

    assert f"{model.n_parameters} parameters" in summary
    assert number(model.log_likelihood(asia)) in summary


def test_the_score_is_drawn_step_by_step(tmp_path, asia, climbed):
    steps = section(written(tmp_path, climbed, asia), "trace")

    (points,) = re.findall(r'<polyline points="(.*?)"', steps)
    heights = [float(point.split(",")[1]) for point in points.split()]
    scores = climbed.trace_["score"].tolist()
    assert len(heights) == len(scores)
    assert heights.index(min(heights)) == scores.index(max(scores))
    assert heights.index(max(heights)) == scores.index(min(scores))


def test_a_partial_result_says_so(tmp_path, asia):
    learner = sl.HillClimbing(time_limit=1e-9).fit(asia)

    assert f'<p class="ended partial">{learner.status_}</p>' in written(tmp_path, learner, asia)


@pytest.mark.parametrize("names", [["only"], ["one", "two", "three"]])
def test_a_graph_without_edges_gives_a_page(tmp_path, names):
    data = sl.Dataset({name: [str(i >> j & 1) for i in range(8)] for j, name in enumerate(names)})

    html = written(tmp_path, sl.HillClimbing().fit(data), data)

    assert "No edges" in section(html, "graph")
    assert section(html, "edges") is None


def test_a_large_graph_gives_a_page_that_says_how_to_read_it(tmp_path, asia):
    learner = sl.PC().fit(asia)
    learner.graph_ = random_dag(400, expected_degree=3, random_state=0)

    html = written(tmp_path, learner)

    assert len(edge_rows(html)) == len(learner.graph_.edges)
    assert "With 400 nodes" in html
    assert "Find a node" in html


def test_a_learner_before_fit_is_refused_and_an_earlier_page_stays(tmp_path, asia, climbed):
    before = written(tmp_path, climbed, asia)

    with pytest.raises(sl.DataError, match="call fit first"):
        write_report(tmp_path / "report.html", sl.HillClimbing())

    assert (tmp_path / "report.html").read_text(encoding="utf-8") == before


def test_a_page_appears_whole_or_not_at_all(tmp_path, asia, climbed, monkeypatch):
    def fail(*_arguments):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("os.replace", fail)

    with pytest.raises(sl.DataError, match="No space left"):
        write_report(tmp_path / "report.html", climbed, asia)
    assert list(tmp_path.iterdir()) == []


LEARNERS = [
    sl.HillClimbing(),
    sl.HillClimbing(score="bdeu", tabu=5, restarts=2, random_state=1, max_parents=2, patience=4),
    sl.HillClimbing(knowledge=sl.Knowledge([("asia", "xray")], [("bronc", "dysp")], [["smoke"], ["lung"]])),
    sl.PC(alpha=0.01, test="chi2", max_conditioning=1, n_jobs=2),
    sl.PC(alpha=np.float64(0.01)),
    sl.EdgeConfidence(sl.HillClimbing(score="bdeu"), n_resamples=4, random_state=1),
    sl.EdgeConfidence(sl.PC(alpha=0.01), random_state=1, n_resamples=3, n_jobs=2),
]


@pytest.mark.parametrize("learner", LEARNERS, ids=repr)
@pytest.mark.parametrize("columns", [None, ("asia", "xray", "bronc", "dysp", "smoke", "lung", "either")])
def test_the_lines_that_repeat_the_run_do(asia, learner, columns):
    data = asia if columns is None else asia.select(columns)
    subject = Subject(learner.fit(data), data, "t", source=Source("example:asia", columns=columns))

    space = {}
    exec(python_lines(subject).replace("print(learner.graph_)", ""), space)  # noqa: S102, the page's own lines
    assert space["learner"].graph_ == learner.graph_

    line = shell_line(subject)
    assert line.startswith("structlearn learn example:asia --method ")
    again = CliRunner().invoke(app, shlex.split(line)[1:])
    assert again.exit_code == 0, again.stderr
    assert all(f"  {edge} " in again.stdout for edge in learner.graph_.edges)
    assert f", {len(learner.graph_.edges)} edge" in again.stdout


ONLY_IN_PYTHON = [
    sl.EdgeConfidence(sl.HillClimbing(score=BDeu(ess=2.0)), n_resamples=3, threshold=0.7, random_state=0),
    sl.StabilitySelection(sl.PC(test=Chi2()), n_resamples=4, random_state=0),
    sl.HillClimbing(score=Extended(BIC(), risk=0.5), time_limit=float("inf")),
    sl.HillClimbing(initial=sl.Graph(["asia", "lung", "smoke"], directed=[("asia", "lung")])),
    sl.HillClimbing(candidates={"lung": ["smoke", "asia"], "dysp": ("bronc",)}, max_parents=np.int64(2)),
    sl.K2(order=np.array(["smoke", "lung", "asia"]).tolist()),
    sl.HillClimbing(targets={"lung": np.arange(5)}),
]


@pytest.mark.parametrize("learner", ONLY_IN_PYTHON, ids=repr)
def test_the_program_runs_whatever_the_options_are(asia, learner):
    few = {"initial", "order"} & {name for name, value in learner.get_params().items() if value is not None}
    data = asia.select(["asia", "lung", "smoke"] if few else asia.names)
    source = Source("example:asia", columns=data.names)
    subject = Subject(learner.fit(data), data, "t", source=source)

    space = {}
    exec(python_lines(subject), space)  # noqa: S102, the page's own lines
    assert space["learner"].graph_ == learner.graph_
    assert shell_line(subject) is None


def test_what_no_program_can_write_is_left_open(asia):
    class Mine:
        def local(self, statistics, families):
            return BIC().local(statistics, families)

    learner = sl.HillClimbing(score=Mine()).fit(asia)
    lines = python_lines(Subject(learner, asia, "t")).splitlines()

    assert "score = ...  # the same Mine" in lines
    assert "learner = sl.HillClimbing(score=score).fit(data)" in lines


def test_a_run_that_a_shell_cannot_say_has_no_shell_line(asia, climbed):
    assert shell_line(Subject(climbed, asia, "t")) is None
    odd = Source("t.csv", columns=("a,b", "c"))
    assert shell_line(Subject(climbed, asia, "t", source=odd)) is None


def test_every_flag_of_the_shell_line_is_a_flag_of_the_command():
    help_text = CliRunner().invoke(app, ["learn", "--help"], env={"COLUMNS": "200", "NO_COLOR": "1"}).stdout

    assert all(flag in help_text for flag in FLAGS.values())


def test_sections_come_in_reading_order():
    assert [make.__module__.rpartition(".")[2] for make in page.SECTIONS][:2] == ["graph", "edges"]
