"""Two records of the same results differ in nothing; a digit, an edge or a case that differs is found."""

import copy
import json

import numpy as np
import pytest

import structlearn as sl
from benchmarks.same_results.__main__ import main
from benchmarks.same_results.case import Case
from benchmarks.same_results.comparing import differences, time_ratios
from benchmarks.same_results.recording import all_cases, record
from benchmarks.same_results.seen import seen

ROWS = {"a": [0.0, 1.0, 2.0, 3.0, 5.0], "b": [0.0, 1.5, 2.0, 2.5, 5.5]}
GRAPH = sl.Graph(["a", "b"], directed=[sl.Edge("a", "b", weight=0.1)])


def _refused():
    raise sl.DataError("too few rows")


CASES = (
    Case("scores", "score", lambda: lambda: sl.score(GRAPH, ROWS, "bic")),
    Case("graphs", "graph", lambda: lambda: {"graph": GRAPH, "numbers": np.arange(100.0)}),
    Case("graphs", "refused", lambda: _refused),
)


@pytest.fixture
def files(tmp_path):
    """Two records of the same cases."""
    paths = tmp_path / "before.json", tmp_path / "after.json"
    for path in paths:
        record(CASES, path, runs=0)
    return paths


def changed(files, change):
    """The exit code of a comparison after a change to the second record."""
    found = json.loads(files[1].read_text())
    change({name: entry["seen"] for name, entry in found.items()}, found)
    files[1].write_text(json.dumps(found))
    return main(["compare", *map(str, files)])


def test_the_same_results_differ_in_nothing(files, capsys):
    assert main(["compare", *map(str, files)]) == 0
    assert capsys.readouterr().out == "0 of 3 cases differ; 1 end in an error before\n\n"


def test_the_last_digit_of_a_score_is_found(files, capsys):
    score = sl.score(GRAPH, ROWS, "bic")
    next_number = float(np.nextafter(score, 0.0))

    code = changed(files, lambda seen, _: seen["score"].update(result=next_number.hex()))

    assert code == 1
    shown = capsys.readouterr().out
    assert f"result: {score!r} ({score.hex()}) → {next_number!r} ({next_number.hex()})" in shown
    assert "1 of 3 cases differ" in shown


def test_a_turned_edge_is_found(files):
    def turn(seen, _):
        edges = seen["graph"]["result"]["graph"]["edges"]
        edges["b directed a"] = edges.pop("a directed b")

    assert changed(files, turn) == 1


def test_a_case_that_was_not_run_again_is_found(files):
    assert changed(files, lambda _, found: found.pop("score")) == 1


def test_what_only_the_later_version_tells_is_no_difference(files, capsys):
    assert changed(files, lambda seen, _: seen["graph"]["result"].update(more=1)) == 0
    assert "graph\n    1 fields that only the later version has\n" in capsys.readouterr().out


def test_an_error_is_a_result():
    before = {"case": {"seen": {"raised": "DataError: too few rows"}}}
    after = {"case": {"seen": {"result": 1}}}

    assert {found.field for found in differences(before, after)} == {"raised", "result"}


def test_one_number_of_a_large_array_changes_its_digest():
    numbers = np.linspace(0.0, 1.0, 1_000)
    other = numbers.copy()
    other[500] = np.nextafter(other[500], 1.0)

    assert seen(numbers) == seen(numbers.copy())
    assert seen(numbers) != seen(other)


def test_integers_are_the_same_in_every_width():
    assert seen(np.arange(50, dtype=np.int16)) == seen(np.arange(50, dtype=np.int64))


def test_what_a_learner_found_is_seen_and_its_clock_is_not():
    found = seen(sl.ChowLiu(progress=False).fit(ROWS))

    assert found["graph_"]["edges"].keys() == {"a directed b"}
    assert float.fromhex(found["score_"]) == sl.score(GRAPH, ROWS, "loglik")
    assert "seconds_" not in found


def test_only_long_work_is_timed(tmp_path):
    work = {"idle": lambda: None, "busy": lambda: [np.sort(np.arange(1e6)[::-1]) for _ in range(10)]}
    cases = [Case("work", name, lambda do=do: do) for name, do in work.items()]

    found = record(cases, tmp_path / "times.json", runs=2)

    assert [name for name, entry in found.items() if "seconds" in entry] == ["busy"]


def test_the_largest_ratio_of_times_comes_first():
    before = {name: {"seconds": 1.0} for name in "abc"} | {"d": {}}
    after = copy.deepcopy(before) | {"b": {"seconds": 3.0}, "c": {"seconds": 2.0}}

    assert [(ratio, case) for ratio, _, _, case in time_ratios(before, after)] == [
        (3, "b"),
        (2, "c"),
        (1, "a"),
    ]


def test_every_method_has_a_case():
    names = [case.name for case in all_cases()]

    of_tables = [name for name, method in sl.methods().items() if method.takes != ("database",)]
    assert all(any(name.startswith(f"{method} of ") for name in names) for method in of_tables)


def test_what_has_a_length_but_no_items_is_seen():
    learner = sl.BooleanNetwork().fit({"a": [0, 1, 0, 1, 1, 0], "b": [1, 1, 0, 1, 0, 0]})

    assert seen(learner)
