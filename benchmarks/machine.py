"""Where and with what a table was made."""

import os
import platform
from collections.abc import Iterable
from datetime import UTC, datetime
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

import structlearn as sl

DISTRIBUTIONS = {"causallearn": "causal-learn", "sklearn": "scikit-learn"}


def described(libraries: Iterable[str], command: str) -> str:
    """The machine, the versions, the date and the command, as lines of a list."""
    versions = [f"{library} {version_of(library)}" for library in [*libraries, "numba", "numpy"]]
    return "\n".join(
        [
            f"- Machine: {processor()}, {os.cpu_count()} cores with a load of {os.getloadavg()[0]:.1f} "
            f"at the start, {platform.system()}; one thread each",
            f"- Python {platform.python_version()}; {', '.join(versions)}",
            f"- {datetime.now(tz=UTC):%Y-%m-%d}, `{command}`",
        ]
    )


def processor() -> str:
    """The model of the CPU, where the system tells."""
    told = Path("/proc/cpuinfo")
    lines = told.read_text(encoding="utf-8").splitlines() if told.exists() else []
    models = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    return models[0] if models else platform.processor() or platform.machine()


def version_of(library: str) -> str:
    """The installed version; packages of other languages do not say theirs."""
    if library == "structlearn":
        return sl.__version__
    try:
        return version(DISTRIBUTIONS.get(library, library))
    except PackageNotFoundError:
        return "(R)"
