"""What is free is read where the system says it, and what does not fit is refused with the estimate."""

import pytest

import structlearn as sl
from structlearn.learners import free_memory


@pytest.fixture
def system(tmp_path, monkeypatch):
    """A system with 3 GiB free, in a group that may take 2 GiB and has taken half of one."""
    (tmp_path / "meminfo").write_text("MemTotal: 8388608 kB\nMemFree: 5 kB\nMemAvailable: 3145728 kB\n")
    (tmp_path / "memory.max").write_text(f"{2 * 2**30}\n")
    (tmp_path / "memory.current").write_text(f"{2**29}\n")
    monkeypatch.setattr(free_memory, "MEMINFO", tmp_path / "meminfo")
    monkeypatch.setattr(free_memory, "GROUP", tmp_path)
    return tmp_path


@pytest.mark.usefixtures("system")
def test_the_group_of_processes_may_have_less_than_the_machine():
    assert free_memory.free_bytes() == 3 * 2**29


@pytest.mark.parametrize("content", ["max\n", None])
def test_without_a_limit_of_the_group_all_of_the_machine_is_free(system, content):
    if content is None:
        (system / "memory.max").unlink()
    else:
        (system / "memory.max").write_text(content)

    assert free_memory.free_bytes() == 3 * 2**30


def test_where_the_system_tells_nothing_of_use_the_size_of_the_machine_serves(system):
    (system / "meminfo").unlink()
    (system / "memory.max").unlink()

    assert free_memory.free_bytes() > 2**20


@pytest.mark.usefixtures("system")
def test_what_does_not_fit_is_refused_with_both_figures():
    free_memory.refuse_beyond_memory("The tables", 2**30, "use fewer")
    with pytest.raises(
        sl.OptionError, match=r"The tables need about 2\.5 GiB of memory, and 1\.5 GiB are free; use fewer\."
    ):
        free_memory.refuse_beyond_memory("The tables", 5 * 2**29, "use fewer")
