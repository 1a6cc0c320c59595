"""The command line from outside: exit codes, streams, signals, start-up."""

import os
import signal
import subprocess
import sys
import threading
from contextlib import contextmanager

import pytest

import structlearn as sl

RUN = [sys.executable, "-m", "structlearn"]
HEAVY = ("numpy", "numba", "scipy", "sklearn", "duckdb", "matplotlib", "pandas", "networkx", "pygraphviz")

# Says on stderr when the search listens to Ctrl-C, so that no test has to guess when to send one. A shell
# that starts the tests in the background has Ctrl-C ignored, and every process that they start inherits this.
ANNOUNCED = """
import signal, sys, threading, time
from structlearn.cli import main

signal.signal(signal.SIGINT, signal.default_int_handler)

def announce():
    while signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        time.sleep(0.005)
    print("searching", file=sys.stderr, flush=True)

threading.Thread(target=announce, daemon=True).start()
main()
"""


def run(*arguments, **options):
    return subprocess.run(
        [*RUN, *map(str, arguments)], capture_output=True, text=True, check=False, **options
    )


@pytest.mark.parametrize("arguments", [["--help"], ["--version"], ["learn", "--help"]])
def test_help_and_version_load_nothing_heavy(arguments):
    code = (
        "import sys, atexit\n"
        f"atexit.register(lambda: print('LOADED', *[name for name in {HEAVY!r} if name in sys.modules]))\n"
        "from structlearn.cli import main\n"
        "main()"
    )

    done = subprocess.run(
        [sys.executable, "-c", code, *arguments], capture_output=True, text=True, check=True
    )

    assert done.stdout.splitlines()[-1] == "LOADED"


def test_the_version_is_the_package_s():
    assert run("--version").stdout == f"structlearn {sl.__version__}\n"


def test_bad_input_is_one_line_on_stderr_and_exit_code_1(tmp_path):
    path = tmp_path / "gap.csv"
    path.write_text("a,b\n0,1\n1,\n0,0\n1,1\n")

    done = run("learn", path, "-o", tmp_path / "g.json")

    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr.startswith("structlearn: BOSS needs complete data")
    assert "--missing drop leaves those rows out" in done.stderr
    assert "'b' (1)" in done.stderr
    assert done.stderr.count("\n") == 1
    assert not (tmp_path / "g.json").exists()


def test_unknown_flags_are_bad_usage():
    assert run("learn", "example:asia", "--nonsense").returncode == 2
    assert run("nonsense").returncode == 2


@contextmanager
def started(*arguments, limit_s=120.0):
    """A program that announces its search; it is killed where it does not end in time."""
    command = [sys.executable, "-c", ANNOUNCED, *map(str, arguments)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        deadline = threading.Timer(limit_s, process.kill)
        deadline.start()
        try:
            yield process
        finally:
            deadline.cancel()
            process.kill()


def test_a_program_that_does_not_end_is_killed():
    with started("learn", "example:breast_cancer", "--set", "patience=100000000", limit_s=0.5) as process:
        process.communicate()

    assert process.returncode == -signal.SIGKILL


@pytest.mark.parametrize(
    ("example", "search", "nodes"),
    [
        ("asia", ["-m", "hill-climbing", "--restarts", 10**8], sl.example("asia").graph.nodes),
        ("breast_cancer", ["--set", f"patience={10**8}"], sl.example("breast_cancer").names),
    ],
    ids=["hill-climbing", "BOSS"],
)
def test_ctrl_c_keeps_the_best_graph_so_far(example, search, nodes, tmp_path):
    output, page = tmp_path / "g.json", tmp_path / "r.html"

    with started("learn", f"example:{example}", *search, "-o", output, "--report", page) as process:
        announced = process.stderr.readline()
        process.send_signal(signal.SIGINT)
        printed, complaints = process.communicate()

    assert announced == "searching\n"
    assert process.returncode == 0, f"{printed}\n{complaints}"
    assert "Interrupted: this is the best graph found so far." in printed
    assert "Traceback" not in complaints
    assert sl.load(output).nodes == nodes
    assert "Interrupted" in page.read_text(encoding="utf-8")
    assert {file.name for file in tmp_path.iterdir()} == {"g.json", "r.html"}


@pytest.mark.parametrize("arguments", [["methods"], ["learn", "--help"]])
def test_nobody_reading_the_output_is_no_traceback(arguments):
    reader, writer = os.pipe()
    os.close(reader)

    done = subprocess.run([*RUN, *arguments], stdout=writer, stderr=subprocess.PIPE, text=True, check=False)
    os.close(writer)

    assert done.stderr == ""


def test_a_terminal_without_arrows_gets_question_marks():
    done = run("learn", "example:cancer", env={**os.environ, "PYTHONIOENCODING": "latin-1"})

    assert done.returncode == 0
    assert " ? Dyspnoea" in done.stdout
