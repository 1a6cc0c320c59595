"""Options are declared once; the constructor, the checks and the help follow."""

import inspect
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import ClassVar

import pytest

from structlearn.errors import OptionError
from structlearn.options import Between, Configured, Instance, OrNone, Whole, copy_of, option, result

ROOT = Path(__file__).parents[2]


class Shared(Configured):
    """A group of options."""

    seed: int | None = option(OrNone(Whole(0), "a new one"), "Where chance begins.", default=None)
    depth: int = option(Whole(1), "How deep to look.", default=2)


class Kettle(Shared):
    """Boil water."""

    heat: float = option(Between(0, 100), "How hot the plate is. More is quicker.", default=20.0)
    depth = 5
    steam_: float = result()

    details: ClassVar[str] = """
    Attributes
    ----------
    steam_ : float
        How much there is.
    """


class Kitchen(Configured):
    """Something with a configured part."""

    kettle: Kettle = option(Instance(Kettle), "What boils.", kw_only=False)


def test_the_constructor_has_own_options_first_then_those_of_the_bases():
    parameters = inspect.signature(Kettle).parameters

    assert list(parameters) == ["heat", "seed", "depth"]
    assert all(p.kind is p.KEYWORD_ONLY for p in parameters.values())
    assert parameters["heat"].default == 20.0
    assert parameters["seed"].annotation == int | None


def test_a_class_changes_a_default_by_assigning_another():
    assert (Shared().depth, Kettle().depth, Kettle(depth=7).depth) == (2, 5, 7)


def test_values_are_stored_untouched_and_checked_later():
    kettle = Kettle(heat="very")

    with pytest.raises(OptionError, match=r"Kettle\(heat='very'\): heat is how hot the plate is, a number"):
        kettle.check_options()


def test_an_unknown_or_missing_argument_is_refused_by_name():
    with pytest.raises(TypeError, match="Kettle has no option 'colour'; its options are 'heat', 'seed'"):
        Kettle(colour="red")
    with pytest.raises(TypeError, match="Kitchen needs kettle=, "):
        Kitchen()
    with pytest.raises(OptionError, match="Kettle has no option 'colour'; its options are 'heat', 'seed'"):
        Kettle().set_params(colour="red")
    with pytest.raises(OptionError, match=r"Kettle\(seed=None\) has no options of its own, .* seed__colour"):
        Kettle().set_params(seed__colour="red")


def test_options_of_a_part_are_read_and_set_with_two_underscores():
    kitchen = Kitchen(Kettle(heat=1.0)).set_params(kettle__heat=3.0)

    assert kitchen.kettle.heat == 3.0
    assert kitchen.get_params()["kettle__heat"] == 3.0
    assert list(kitchen.get_params(deep=False)) == ["kettle"]


def test_a_copy_has_the_options_and_its_own_parts_and_nothing_fitted():
    kitchen = Kitchen(Kettle(heat=1.0))
    kitchen.kettle.steam_ = 4.0
    twin = copy_of(kitchen)

    assert twin.kettle.get_params() == kitchen.kettle.get_params()
    assert twin.kettle is not kitchen.kettle
    assert not hasattr(twin.kettle, "steam_")


def test_only_what_is_not_the_default_is_printed():
    assert repr(Kettle(heat=1.5)) == "Kettle(heat=1.5)"
    assert repr(Kitchen(Kettle())) == "Kitchen(kettle=Kettle())"


def test_help_lists_the_options_before_the_attributes():
    text = inspect.getdoc(Kettle)

    assert text.index("Parameters\n----------") < text.index("Attributes\n----------")
    entry = "heat : a number from 0 to 100, default 20.0\n    How hot the plate is. More is quicker.\n"
    assert entry in text
    assert "depth : a whole number, at least 1, default 5\n" in text


def test_the_first_sentence_is_the_meaning():
    assert Kettle.options["heat"].meaning == "how hot the plate is"


def python_files(path):
    """A file itself, or those in a folder, but not below it."""
    return map(str, sorted(path.glob("*.py")) if path.is_dir() else [path])


@pytest.mark.slow
def test_type_checkers_see_the_arguments_and_the_results_as_a_wheel_has_them(tmp_path):
    unread = shutil.ignore_patterns("__pycache__")
    shutil.copytree(ROOT / "src" / "structlearn", tmp_path / "structlearn", ignore=unread)
    shutil.copy(ROOT / "stubs" / "__init__.pyi", tmp_path / "structlearn")
    program = tmp_path / "program.py"
    program.write_text(
        "import structlearn as sl\n"
        "sl.PC(alpha=0.1, stable=False)\n"
        "sl.PC(alpha='0.1')\n"
        "sl.PC(colour=1)\n"
        "sl.PC().graph_.colour\n"
        "sl.PC(test=lambda x, y, given: 0.5).separating_sets_['a', 'b'].p_value\n"
        "sl.PC().conflicts_, sl.PC().n_tests_\n"
        "sl.Graph('abc', directed=['ab', ('b', 'c')])\n"
    )
    # What its arguments are made of; all the rest need not be read.
    read = ["__init__.pyi", "learners/constraint/pc.py", "learners/constraint/skeletons"]
    read += ["learners", "options", "graphs"]
    files = [path for name in read for path in python_files(tmp_path / "structlearn" / name)]
    command = [sys.executable, "-m", "mypy", "--strict", "--follow-imports=skip", *files, str(program)]
    said = subprocess.run(
        command,
        capture_output=True,
        text=True,
        check=False,
        cwd=tmp_path,
        env={**os.environ, "MYPYPATH": "."},
    ).stdout

    errors = [
        line.partition("program.py:")[2]
        for line in said.splitlines()
        if "program.py:" in line and ": error:" in line
    ]
    assert [error.partition("  [")[0] for error in errors] == [
        '3: error: Argument "alpha" to "PC" has incompatible type "str"; expected "float"',
        '4: error: Unexpected keyword argument "colour" for "PC"',
        '5: error: "Graph" has no attribute "colour"',
    ]
