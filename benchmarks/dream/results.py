"""What was measured, kept in a file, so that a run can go on where another ended."""

import csv
import multiprocessing
import resource
import signal
import time
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import asdict, dataclass, fields
from multiprocessing.connection import Connection
from pathlib import Path

from benchmarks.dream.contestants import SEARCH_S, Contestant, contestants
from benchmarks.dream.networks import Network
from structlearn.errors import DataError, OptionError

FILE = Path(__file__).parents[1] / "results" / "dream.csv"
FORK = multiprocessing.get_context("fork")  # what is measured are functions made on the spot
SLOW = "more than"


@dataclass(frozen=True)
class Row:
    """One method on one network; `note` says why there are no figures."""

    kind: str
    network: str
    method: str
    auroc: str = ""
    aupr: str = ""
    chance: str = ""
    seconds: str = ""
    note: str = ""


def measured(network: Network, name: str, contestant: Contestant, *, limit_s: int) -> Row:
    """Run a method in a process of its own, and hold its order of the pairs against the truth."""
    here, there = FORK.Pipe(duplex=False)
    worker = FORK.Process(target=_measure, args=(network, name, contestant, there, limit_s))
    worker.start()
    there.close()  # so that an end of the worker without an answer is seen
    try:
        row: Row = here.recv()
    except EOFError:
        worker.join()
        is_slow = worker.exitcode == -signal.SIGKILL
        note = f"{SLOW} {limit_s} s" if is_slow else f"fails: ended with {worker.exitcode}"
        row = Row(network.kind, network.name, name, note=note)
    worker.kill()
    worker.join()
    return row


def _measure(network: Network, name: str, contestant: Contestant, answer: Connection, limit_s: int) -> None:
    # The kernel ends what uses more, on a busy machine as on a quiet one.
    resource.setrlimit(resource.RLIMIT_CPU, (limit_s, limit_s))
    started = time.process_time()
    try:
        found = contestant(network).compare_ranking(network.truth)
    except (DataError, OptionError) as error:
        answer.send(Row(network.kind, network.name, name, note=f"refuses: {str(error).splitlines()[0]}"))
        return
    figures = (f"{value:.4f}" for value in (found.auroc, found.aupr, found.chance_aupr))
    seconds = f"{time.process_time() - started:.2f}"
    answer.send(Row(network.kind, network.name, name, *figures, seconds=seconds))


def race(
    all_networks: Iterable[Network], *, limit_s: int, search_s: float = SEARCH_S, file: Path = FILE
) -> list[Row]:
    """Measure what the file has not, and write each row as soon as it is there."""
    rows = kept(file)
    done = {(row.kind, row.network, row.method) for row in rows}
    slow = {(row.kind, row.method) for row in rows if row.note.startswith(SLOW)}
    for network in all_networks:
        for name, contestant in contestants(network, search_s):
            if (network.kind, network.name, name) in done or (network.kind, name) in slow:
                continue
            row = measured(network, name, contestant, limit_s=limit_s)
            slow |= {(row.kind, row.method)} if row.note.startswith(SLOW) else set()
            rows.append(row)
            write(rows, file)
            print(*asdict(row).values(), sep="  ", flush=True)
    return rows


def kept(file: Path = FILE) -> list[Row]:
    """The rows of earlier runs."""
    with suppress(FileNotFoundError), file.open(newline="", encoding="utf-8") as lines:
        return [Row(**row) for row in csv.DictReader(lines)]
    return []


def write(rows: Iterable[Row], file: Path) -> None:
    """Write the file anew."""
    with file.open("w", newline="", encoding="utf-8") as lines:
        writer = csv.DictWriter(lines, [field.name for field in fields(Row)], lineterminator="\n")
        writer.writeheader()
        writer.writerows(asdict(row) for row in rows)
