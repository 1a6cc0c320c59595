"""The curves of score per second are drawn from what was measured, the best so far at each time."""

import pytest
from matplotlib.figure import Figure

import structlearn as sl
from benchmarks import score_curves
from benchmarks.score_curves import ENDLESS, LEAST, LONGEST_S, SHORTEST_S, STYLES, Point
from structlearn.run import Status

POINTS = [
    Point("alarm", "BOSS", 0.5, -130.0),
    Point("alarm", "BOSS", 1.0, -140.0),
    Point("alarm", "BOSS", 2.0, -100.0),
    Point("alarm", "pyagrum: tabu list", 0.7, -110.0),
    Point("insurance", "BOSS", 0.1, -7.0),
]


class Slow:
    """A search that never ends, and uses half of the time that it has."""

    score_, status_ = -1.0, Status.OUT_OF_TIME.value

    def __init__(self, limit, clock):
        self.limit, self.clock = limit, clock

    def fit(self, data):
        assert data == "rows"
        self.clock.append(self.clock[-1] + self.limit / 2)
        return self


def test_limits_double_until_a_run_has_used_enough(monkeypatch):
    clock, limits = [0.0], []
    monkeypatch.setattr(score_curves, "cpu_seconds", lambda: clock[-1])

    def search(limit):
        limits.append(limit)
        return Slow(limit, clock)

    seconds = [spent for spent, _ in score_curves.curve("rows", search)]

    assert limits == [SHORTEST_S * 2**k for k in range(len(limits))]
    assert seconds == pytest.approx([limit / 2 for limit in limits])
    assert seconds[-2] < LONGEST_S <= seconds[-1]


def test_a_search_that_ends_by_itself_is_run_once():
    data = sl.example("asia").sample(200, random_state=0)
    points = list(score_curves.curve(data, lambda limit: sl.GreedyEquivalence(time_limit=1000 * limit)))

    assert [score for _, score in points] == [sl.GreedyEquivalence().fit(data).score_]


def test_every_search_of_ours_is_drawn_and_takes_a_limit():
    searches = score_curves.searches(3.0)

    assert set(searches) < set(STYLES)
    assert {search.time_limit for search in searches.values()} == {3.0}


def test_what_would_go_on_forever_is_compiled_with_little_patience():
    search = score_curves.searches(1e-9)["HillClimbing, restarts"]

    score_curves.compile_kernels(search, sl.example("asia").sample(100, random_state=0))

    assert search.status_ == Status.COMPLETE.value
    assert ENDLESS not in search.get_params().values()


def test_a_line_is_the_best_so_far_below_the_best_of_all():
    panel = Figure().subplots()

    score_curves.draw_panel(panel, [point for point in POINTS if point.network == "alarm"])

    lines = {line.get_label(): line.get_xydata().tolist() for line in panel.get_lines()}
    assert lines["BOSS"] == [[0.5, 30.0], [1.0, 30.0], [2.0, LEAST]]
    assert lines["pyagrum: tabu list"] == [[0.7, 10.0]]
    assert set(lines) == {"BOSS", "pyagrum: tabu list"}


def test_there_is_a_panel_for_each_network():
    panels = score_curves.picture(POINTS).axes

    assert [panel.get_title() for panel in panels] == ["alarm", "insurance"]


def test_points_come_back_from_their_file(tmp_path, monkeypatch):
    monkeypatch.setattr(score_curves, "NUMBERS", tmp_path / "points.csv")

    score_curves.write(POINTS)

    assert score_curves.read() == POINTS


def test_the_points_of_networks_that_were_not_run_stay(tmp_path, monkeypatch):
    fresh = Point("insurance", "BOSS", 0.2, -6.0)
    monkeypatch.setattr(score_curves, "NUMBERS", tmp_path / "points.csv")
    monkeypatch.setattr(score_curves, "PICTURE", tmp_path / "points.svg")
    monkeypatch.setattr(score_curves, "measured", lambda *_: [fresh])
    monkeypatch.setattr("sys.argv", ["score_curves", "insurance"])
    score_curves.write(POINTS)

    score_curves.main()

    assert score_curves.read() == [*POINTS[:4], fresh]
    assert (tmp_path / "points.svg").read_text().count("pyagrum: tabu list") == 1
