"""Mutants of a tiny module, and the tests that notice them or do not."""

import ast

import pytest

from tools import trial
from tools.mutants import mutants_of
from tools.mutate import Project, main

SOURCE = '''"""A toy: how steep a hill is."""

LIMIT = 10


def steepness(height: float | None, width: float) -> float:
    """Give height by width."""
    if width < 0:
        raise ValueError("2 words + 3")
    found = (
        height  # an ü
        / width
    )
    return min(found, LIMIT) if height else 0.0
'''
GOOD = """
import pytest
from tiny.hills import steepness

def test_every_side():
    assert steepness(6, 3) == 2
    assert steepness(60, 3) == 10
    assert steepness(0, 2) == 0
    assert steepness(1e-9, 0.5) == 2e-9
    with pytest.raises(ZeroDivisionError):
        steepness(1, 0)
    with pytest.raises(ValueError):
        steepness(1, -1e-9)
"""
POOR = """
import tiny.hills

def test_one_side():
    assert tiny.hills.steepness(6, 3) == 2
"""


def texts(source):
    return {(mutant.line, mutant.before, mutant.after) for mutant in mutants_of(source)}


def test_every_operator_constant_call_and_statement_has_its_wrongs():
    assert texts(SOURCE) == {
        (3, "10", "11"),
        (8, "width < 0", "(width <= 0)"),
        (8, "width < 0", "(width >= 0)"),
        (8, "0", "1"),
        (9, 'raise ValueError("2 words + 3")', "pass"),
        (11, "height  # an ü\n        / width", "(height * width)"),
        (14, "min(found, LIMIT)", "(max(found, LIMIT))"),
        (14, "min(found, LIMIT) if height else 0.0", "(0.0 if height else min(found, LIMIT))"),
        (14, "0.0", "1.0"),
    }


def test_a_condition_alone_and_what_a_call_makes_of_its_argument_have_wrongs_too():
    assert texts("while going:\n    x = np.clip(y, 0, z)") == {
        (1, "going", "(not going)"),
        (2, "np.clip(y, 0, z)", "(y)"),
        (2, "0", "1"),
    }


def test_a_mutant_is_a_module_that_differs_in_one_place():
    for mutant in mutants_of(SOURCE):
        ast.parse(mutant.source)
        assert mutant.source != SOURCE
        assert mutant.source.replace(mutant.after, mutant.before, 1) == SOURCE or mutant.after in {"11", "1"}


@pytest.fixture
def project(tmp_path, monkeypatch):
    monkeypatch.setenv("PYTEST_DISABLE_PLUGIN_AUTOLOAD", "1")  # they take longer to load than the toy's tests
    monkeypatch.setattr(trial, "LOADED", ["pytest"])
    for name, text in {"src/tiny/__init__.py": "", "src/tiny/hills.py": SOURCE, "pytest.ini": ""}.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text, encoding="utf-8")
    (tmp_path / "tests").mkdir()
    return Project(tmp_path)


def test_good_tests_notice_every_mutant_and_the_sources_stay_as_they_are(project, capsys):
    (project.root / "tests" / "test_hills.py").write_text(GOOD)

    main(["tiny.hills", "--sample", "2", "--seed", "1"], project)

    assert capsys.readouterr().out.splitlines()[-1] == "noticed 2 of 2 (100%)"
    assert project.file_of("tiny.hills").read_text(encoding="utf-8") == SOURCE
    assert not list(project.root.joinpath("src").rglob("*.pyc"))


def test_a_mutant_that_survives_is_shown_as_a_difference(project, capsys):
    (project.root / "tests" / "test_elsewhere.py").write_text(POOR)

    main(["tiny.hills", "--sample", "1", "--seed", "2"], project)

    said = capsys.readouterr().out
    assert "survived  line 3: 10 → 11" in said
    assert "    -LIMIT = 10\n    +LIMIT = 11" in said
    assert said.endswith("noticed 0 of 1 (0%)\n")


def test_what_no_test_passes_through_is_told_apart(project, capsys):
    (project.root / "tests" / "test_elsewhere.py").write_text("import tiny.hills\ndef test(): pass")

    main(["tiny.hills", "--lines", "9"], project)

    said = capsys.readouterr().out
    assert "unreached line 9: raise" in said
    assert said.endswith("noticed 0 of 1 (0%)\n")


def test_a_mutant_that_is_known_to_change_nothing_is_not_drawn_and_stale_ones_are_named(project, capsys):
    (project.root / "tests" / "test_elsewhere.py").write_text(POOR)
    (project.root / "tools").mkdir()
    (project.root / "tools" / "equivalent_mutants.txt").write_text(
        "tiny.hills ¦ LIMIT = 10 ¦ 10 → 11 ¦ no hill is so steep\n"
        "tiny.hills ¦ LIMIT = 12 ¦ 12 → 13 ¦ gone\n"
        "tiny.valleys ¦ DEPTH = 3 ¦ 3 → 4 ¦ of another module\n",
        encoding="utf-8",
    )

    main(["tiny.hills", "--lines", "3"], project)

    assert capsys.readouterr().out.splitlines() == [
        "no longer there, take it out of equivalent_mutants.txt: tiny.hills ¦ LIMIT = 12 ¦ 12 → 13",
        "tiny.hills: 0 of 9 mutants; 2 are known to change nothing",
        "noticed 0 of 0 (0%)",
    ]


def test_tests_that_are_named_stand_in_for_the_close_ones(project, capsys):
    (project.root / "tests" / "test_hills.py").write_text(GOOD)
    elsewhere = project.root / "tests" / "test_elsewhere.py"
    elsewhere.write_text(POOR)

    main(["tiny.hills", "--lines", "3", "--tests", str(elsewhere)], project)

    assert capsys.readouterr().out.splitlines()[-1] == "noticed 0 of 1 (0%)"


def test_endless_mutants_are_stopped(project, capsys, monkeypatch):
    monkeypatch.setattr(trial, "START_S", 1.0)
    source = "def down(n):\n    while n > 0:\n        n -= 1\n    return n\n"
    project.file_of("tiny.hills").write_text(source)
    (project.root / "tests" / "test_hills.py").write_text(
        "from tiny.hills import down\ndef test(): assert down(3) == 0"
    )

    main(["tiny.hills", "--lines", "3"], project)

    said = capsys.readouterr().out
    assert "endless   line 3: n -= 1 → pass" in said
    assert said.endswith("noticed 2 of 2 (100%)\n")


def test_the_statement_around_a_mutant_says_which_tests_meet_it():
    source = (
        "import functools\n"
        "LIMIT = 1\n"
        "@functools.cache\n"
        "def f(x,\n"
        "      y=2):\n"
        "    if (x\n"
        "            > 3):\n"
        "        return [4\n"
        "                for _ in x]\n"
    )
    found = {mutant.before: (mutant.statement, mutant.is_on_import) for mutant in mutants_of(source)}

    assert found["1"] == (range(2, 3), True)
    assert found["2"] == (range(3, 6), False)
    assert found["3"] == (range(6, 8), False)
    assert found["4"] == (range(8, 10), False)


def test_mutants_can_meet_the_other_tests_of_the_folder(project, capsys):
    (project.root / "tests" / "test_elsewhere.py").write_text(POOR)
    hidden = GOOD.replace(
        "from tiny.hills import", 'steepness = __import__("importlib").import_module("tiny.hills").'
    )
    (project.root / "tests" / "test_hidden.py").write_text(hidden)

    main(["tiny.hills", "--sample", "1", "--seed", "2", "--folder"], project)

    assert capsys.readouterr().out.splitlines()[-1] == "noticed 1 of 1 (100%)"


def test_tests_that_fail_by_themselves_are_said_to(project):
    (project.root / "tests" / "test_hills.py").write_text("import tiny.hills\nassert False")

    with pytest.raises(SystemExit, match="without any mutant"):
        main(["tiny.hills"], project)


def test_close_tests_are_those_in_the_mirrored_place_and_those_that_import_it(project):
    tests = project.root / "tests"
    (tests / "test_hills.py").write_text("")
    (tests / "test_door.py").write_text("from tiny import steepness")
    (tests / "test_short.py").write_text("import tiny as t\nt.steepness")
    (tests / "test_other.py").write_text("import tiny as t\nt.slope")
    (tests / "far").mkdir()
    (tests / "far" / "test_afar.py").write_text("from tiny.hills import steepness")

    assert [path.stem for path in project.close_tests("tiny.hills")] == [
        "test_door",
        "test_hills",
        "test_short",
        "test_afar",
    ]
    with pytest.raises(SystemExit, match="no module 'tiny"):
        project.file_of("tiny.valleys")
