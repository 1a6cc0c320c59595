"""Saving and loading choose the format by the ending, and never leave half a file."""

import gzip
import os

import pytest

from structlearn.errors import DataError, OptionError
from structlearn.formats import files, load, save
from structlearn.graphs import Graph
from structlearn.models import TableCPD
from tests.oracles import models as oracle


@pytest.mark.parametrize("ending", [".json", ".bif", ".bif.gz", ".BIF"])
def test_a_network_is_saved_and_loaded(tmp_path, ending):
    path = tmp_path / f"asia{ending}"

    oracle.asia().save(path)

    assert load(str(path)) == oracle.asia()
    assert [file.name for file in tmp_path.iterdir()] == [path.name]


def test_a_graph_is_saved_and_loaded(tmp_path):
    graph = Graph(["a", "b"], undirected=[("a", "b")])

    save(graph, tmp_path / "graph.json")

    assert load(tmp_path / "graph.json") == graph


def test_a_zipped_file_is_one(tmp_path):
    save(oracle.asia(), tmp_path / "asia.bif.gz")
    save(oracle.asia(), tmp_path / "asia.bif")

    unzipped = gzip.decompress((tmp_path / "asia.bif.gz").read_bytes())
    assert unzipped == (tmp_path / "asia.bif").read_bytes()


@pytest.mark.parametrize("use", [load, lambda path: save(Graph("a"), path)])
@pytest.mark.parametrize("name", ["net.xyz", "net", ".gz", "json"])
def test_an_unknown_ending_lists_the_known_ones(tmp_path, use, name):
    with pytest.raises(OptionError, match=r"one of \.json, \.bif, .*, \.knowledge; \.gz may follow"):
        use(tmp_path / name)


def test_a_path_that_cannot_be_read_or_written_is_named(tmp_path):
    (tmp_path / "folder.bif").mkdir()

    with pytest.raises(DataError, match=r"none\.bif cannot be read: No such file"):
        load(tmp_path / "none.bif")
    with pytest.raises(DataError, match=r"folder\.bif cannot be read"):
        load(tmp_path / "folder.bif")
    with pytest.raises(DataError, match=r"net\.json cannot be written: No such file"):
        save(Graph("a"), tmp_path / "nowhere" / "net.json")
    with pytest.raises(DataError, match=r"folder\.bif cannot be written"):
        save(oracle.asia(), tmp_path / "folder.bif")
    assert [file.name for file in tmp_path.iterdir()] == ["folder.bif"]


@pytest.mark.parametrize(
    ("name", "content", "reason"),
    [
        ("a.bif", b"variable \xff", "not text in UTF-8: byte 9 is 0xff"),
        (
            "a.xdsl",
            b'<?xml version="1.0" encoding="windows-1252"?>\x81',
            "not text in CP1252: byte 45 is 0x81",
        ),
        ("a.bif.gz", b"variable", "cannot be read"),
        ("a.bif.gz", gzip.compress(b"network a { }", mtime=0)[:-4], "gzip"),
        ("a.bif", b"\nnonsense", r"a\.bif: line 2: expected"),
        ("a.json", b"{", r"a\.json: line 1: this is not JSON"),
    ],
)
def test_a_file_that_is_not_what_it_says_is_refused_by_name(tmp_path, name, content, reason):
    (tmp_path / name).write_bytes(content)

    with pytest.raises(DataError, match=reason):
        load(tmp_path / name)


def test_a_byte_order_mark_is_read_over(tmp_path):
    save(oracle.asia(), tmp_path / "asia.bif")
    plain = (tmp_path / "asia.bif").read_bytes()
    (tmp_path / "asia.bif").write_bytes(b"\xef\xbb\xbf" + plain.replace(b"\n", b"\r\n"))

    assert load(tmp_path / "asia.bif") == oracle.asia()


@pytest.mark.parametrize("encoding", ["ISO-8859-1", "windows-1252", "UTF-8", "US-ASCII"])
def test_an_xml_file_is_read_in_the_encoding_it_declares(tmp_path, encoding):
    model = oracle.network({"é" if encoding != "US-ASCII" else "e": TableCPD([1.0], labels=["a"])})
    save(model, tmp_path / "net.xmlbif")
    text = (tmp_path / "net.xmlbif").read_text().replace("UTF-8", encoding)
    (tmp_path / "net.xmlbif").write_bytes(text.encode(encoding))

    assert load(tmp_path / "net.xmlbif") == model


def test_a_zipped_file_that_grows_without_end_is_refused(tmp_path, monkeypatch):
    monkeypatch.setattr(files, "LARGEST_UNZIPPED", 1000)
    (tmp_path / "net.bif.gz").write_bytes(gzip.compress(b" " * 1001))

    with pytest.raises(DataError, match="unzips to more than 1,000 bytes"):
        load(tmp_path / "net.bif.gz")


def test_a_failed_save_leaves_the_earlier_file(tmp_path, monkeypatch):
    path = tmp_path / "net.json"
    save(Graph("a"), path)

    def fail(*_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "replace", fail)
    with pytest.raises(DataError, match="No space left"):
        save(Graph("ab"), path)

    assert load(path) == Graph("a")
    assert [file.name for file in tmp_path.iterdir()] == ["net.json"]


def test_half_a_character_in_a_name_is_refused(tmp_path):
    with pytest.raises(DataError, match=r"\\ud800"):
        save(Graph(["a\ud800"]), tmp_path / "net.json")


def test_only_graphs_and_networks_are_saved(tmp_path):
    with pytest.raises(OptionError, match="not a dict"):
        save({}, tmp_path / "net.json")
