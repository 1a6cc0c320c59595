"""How much memory a method may still take, and the refusal of what needs more."""

import os
from pathlib import Path

from structlearn.errors import OptionError

MEMINFO = Path("/proc/meminfo")
GROUP = Path("/sys/fs/cgroup")
UNKNOWN = 2**63  # more than any machine has: nothing is refused


def free_bytes() -> int:
    """The memory that is free, of the machine or of the group of processes that this one is in."""
    return min(_free_of_machine(), _free_of_group())


def refuse_beyond_memory(problem: str, n_bytes: int, advice: str) -> None:
    """Refuse what does not fit into the free memory; the message has the estimate."""
    free = free_bytes()
    if n_bytes > free:
        raise OptionError(
            f"{problem} need about {in_gib(n_bytes)} of memory, and {in_gib(free)} are free; {advice}."
        )


def in_gib(n_bytes: int) -> str:
    """Bytes in words."""
    if n_bytes >= 2**60:
        return "more than a billion GiB"
    return f"{n_bytes / 2**30:,.1f} GiB"


def _free_of_machine() -> int:
    if MEMINFO.exists():
        for line in MEMINFO.read_text().splitlines():
            if line.startswith("MemAvailable:"):
                return int(line.split()[1]) * 1024
    if hasattr(os, "sysconf"):
        return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    return UNKNOWN


def _free_of_group() -> int:
    try:
        most = int((GROUP / "memory.max").read_text())
        return max(most - int((GROUP / "memory.current").read_text()), 0)
    except (OSError, ValueError):  # no such group, or "max": no limit
        return UNKNOWN
