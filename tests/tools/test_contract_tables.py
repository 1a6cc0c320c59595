"""The table of contracts says what the tests say."""

from tools.contract_tables import contract_files, promises, subject

CONTRACT = '''"""What every toy promises.

More of it.
"""

import pytest
from hypothesis import given

from tests.contracts.conftest import have_option, take


@pytest.fixture
def asked(source, kind):
    return source


@take("discrete")
def test_a_toy_s_states_do_not_matter(learner, kind):
    pass


@pytest.mark.slow
@have_option("n_jobs")
@pytest.mark.parametrize(("ending", "size"), [(".bif", 1)])
def test_threads(table, ending, size):
    pass


@pytest.mark.parametrize("x, y", [])
@given(z=1)
def test_pairs(asked, x, y, z):
    pass


@pytest.mark.of_reading
def test_frames(learner):
    pass


def test_lone():
    pass


def rows():
    pass
'''


def test_a_line_is_the_name_of_a_test_and_what_its_arguments_stand_for(tmp_path):
    path = tmp_path / "test_toy.py"
    path.write_text(CONTRACT)

    assert subject(path) == "What every toy promises."
    assert list(promises(path)) == [
        ("A toy's states do not matter", "every method that takes discrete columns, each kind of column"),
        (
            "Threads",
            "every method (by `pytest -m slow`) with the option `n_jobs`, each kind of column, every format, "
            "each `size`",
        ),
        ("Pairs", "every source, each kind of column, each `x`, each `y`, random ones"),
        ("Frames", "every method (by `pytest -m slow`, but for one of each way of reading)"),
        ("Lone", "as it says"),
    ]


def test_contracts_come_first_and_those_elsewhere_are_not_forgotten():
    names = [path.name for path in contract_files()]

    assert names.index("test_every_learner.py") < names.index("test_every_format.py")
    assert "test_rounding.py" not in names
