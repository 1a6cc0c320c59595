"""Whatever writes a file writes it whole: one file wins, links and modes stay, a full disk leaves nothing."""

import ast
import os
import re
import resource
import threading
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest
from typer.testing import CliRunner

import structlearn
import structlearn as sl
from structlearn.cli import app
from structlearn.data import writers
from structlearn.errors import DataError, OptionError
from structlearn.formats import ENDINGS, load
from structlearn.plots import destination
from structlearn.report import write_report

ROOT = Path(structlearn.__file__).parent
FULL = Path("/dev/full")
TABLE = {"a": ["no", "yes", "yes", "no"] * 5, "b": ["no", "yes", "no", "no"] * 5}
DATA = sl.Dataset(TABLE)
NETWORK = sl.BayesianNetwork(sl.Graph("ab", directed=["ab"])).fit(DATA)
EXACT = sl.ExactSearch().fit(DATA)


def save_network(path):
    (NETWORK.numbered() if ".uai" in path.name else NETWORK).save(path)


def keep_resamples(path):
    sl.EdgeConfidence(sl.HillClimbing(), n_resamples=1, checkpoint=path, random_state=0).fit(TABLE)


LIBRARY = {
    **{f"net{ending}": save_network for ending, form in ENDINGS.items() if form.holds != "knowledge"},
    "what.knowledge": sl.Knowledge([("a", "b")]).save,
    **{f"table{ending}": DATA.save for ending in writers.ENDINGS},
    **{f"picture.{ending}": NETWORK.graph.plot for ending in destination.ENDINGS},
    "report.html": lambda path: write_report(path, EXACT, DATA),
    "scores.jkl": lambda path: sl.save_local_scores(EXACT.local_scores_, path),
    "resamples.npz": keep_resamples,
}
COMMANDS = {
    "learned.json": "learn {inputs}/table.csv -o {path}",
    "learned.svg": "learn {inputs}/table.csv -o {path}",
    "learned.html": "learn {inputs}/table.csv --report {path}",
    "fitted.bif": "fit {inputs}/net.json {inputs}/table.csv -o {path}",
    "converted.graphml": "convert {inputs}/net.json {path}",
    "sampled.csv": "sample {inputs}/net.json -o {path}",
}


@pytest.fixture(scope="module")
def inputs(tmp_path_factory):
    folder = tmp_path_factory.mktemp("inputs")
    DATA.save(folder / "table.csv")
    NETWORK.save(folder / "net.json")
    return folder


@pytest.fixture(params=[*LIBRARY, *COMMANDS])
def writer(request, inputs):
    """The name of a file, and what writes it: each call returns the error that it meets, in words."""
    if request.param in LIBRARY:
        return request.param, in_words(LIBRARY[request.param])
    return request.param, lambda path: said(COMMANDS[request.param].format(inputs=inputs, path=path).split())


def in_words(write):
    def call(path):
        try:
            write(path)
        except DataError as error:
            return str(error)
        return ""

    return call


def said(words):
    result = CliRunner().invoke(app, words)
    assert (result.exit_code == 0) == (not result.stderr), result
    return result.stderr


@contextmanager
def files_no_larger_than(n_bytes):
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (n_bytes, hard))
    yield
    resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))


def test_a_file_keeps_its_mode_and_a_link_what_it_leads_to(writer, tmp_path):
    name, write = writer
    (tmp_path / "elsewhere").mkdir()
    true, link = tmp_path / "elsewhere" / "target", tmp_path / name
    link.symlink_to(true)
    umask = os.umask(0o027)

    assert write(link) == ""
    os.umask(umask)
    new, content = true.stat().st_mode, true.read_bytes()
    true.chmod(0o604)
    assert write(link) == ""

    assert link.is_symlink()
    assert new & 0o777 == 0o640
    assert true.stat().st_mode & 0o777 == 0o604
    assert len(content) > 10
    assert sorted(file.name for file in tmp_path.rglob("*")) == sorted(["elsewhere", "target", name])


@pytest.mark.parametrize("name", LIBRARY)
def test_of_two_that_write_at_once_one_wins_with_a_whole_file(name, tmp_path, monkeypatch):
    both_are_ready, found = threading.Barrier(2), []
    replace = os.replace

    def replace_at_once(source, target):
        with suppress(threading.BrokenBarrierError):
            both_are_ready.wait(timeout=2)
        replace(source, target)

    LIBRARY[name](tmp_path / name)
    content = (tmp_path / name).read_bytes()
    if name != "resamples.npz":  # it goes on where it was
        (tmp_path / name).unlink()
    monkeypatch.setattr(os, "replace", replace_at_once)
    threads = [
        threading.Thread(target=lambda: found.append(in_words(LIBRARY[name])(tmp_path / name)))
        for _ in range(2)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert found == ["", ""]
    assert len((tmp_path / name).read_bytes()) == len(content)
    assert [file.name for file in tmp_path.iterdir()] == [name]


def test_a_disk_that_fills_up_leaves_the_earlier_file_and_one_sentence(writer, tmp_path):
    name, write = writer
    assert write(tmp_path / name) == ""
    before = (tmp_path / name).read_bytes()

    with files_no_larger_than(10):
        message = write(tmp_path / name)

    place = f"{re.escape(str(tmp_path / name))}|a temporary file in .*"  # Graphviz reads from such a one
    assert re.search(rf"({place}) cannot be written: File too large\.", message)
    assert (tmp_path / name).read_bytes() == before
    assert [file.name for file in tmp_path.iterdir()] == [name]


@pytest.mark.skipif(not FULL.exists(), reason="needs a device that is always full")
def test_a_device_is_written_to_and_not_replaced(writer, tmp_path):
    name, write = writer
    if name == "resamples.npz":
        return  # they are read before they are written, and a device has no end
    (tmp_path / name).symlink_to(FULL)

    assert "cannot be written: No space left on device." in write(tmp_path / name)
    assert FULL.is_char_device()
    assert [file.name for file in tmp_path.iterdir()] == [name]


def test_a_pipe_gets_the_content(tmp_path):
    path, found = tmp_path / "net.json", []
    os.mkfifo(path)
    reader = threading.Thread(target=lambda: found.append(path.read_bytes()))
    reader.start()

    NETWORK.save(path)
    reader.join()
    (tmp_path / "kept.json").write_bytes(found[0])

    assert load(tmp_path / "kept.json") == NETWORK
    assert path.is_fifo()


def test_a_name_as_long_as_names_may_be_is_written(tmp_path):
    path = tmp_path / f"{'n' * 250}.json"

    NETWORK.save(path)

    assert load(path) == NETWORK


@pytest.mark.parametrize(
    "use", [NETWORK.save, DATA.save, load, NETWORK.graph.plot], ids=["net", "table", "load", "plot"]
)
@pytest.mark.parametrize("ending", [".json", ".csv", ".svg"])
def test_a_null_in_a_name_is_refused(use, ending):
    with pytest.raises((DataError, OptionError)):
        use(f"net\0{ending}")


def opens_for_writing(call):
    if not isinstance(call, ast.Call):
        return False
    words = [
        part.value
        for part in [*call.args, *(word.value for word in call.keywords)]
        if isinstance(part, ast.Constant)
    ]
    name = call.func.attr if isinstance(call.func, ast.Attribute) else getattr(call.func, "id", "")
    modes = [word for word in words if isinstance(word, str) and re.fullmatch("[rwax][bt+]{0,2}", word)]
    return name == "write_bytes" or (name == "open" and any(set("wax+") & set(mode) for mode in modes))


def test_files_are_opened_for_writing_in_one_place():
    texts = {path: path.read_text() for path in ROOT.rglob("*.py")}
    found = {
        str(path.relative_to(ROOT))
        for path, text in texts.items()
        if ("open" in text or "write_bytes" in text)
        and any(map(opens_for_writing, ast.walk(ast.parse(text))))
    }

    assert found == {"whole_files.py", "data/writers.py"}  # a table goes to the path that is handed out
