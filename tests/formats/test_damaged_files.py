"""A damaged file of any format is read or refused with a DataError: no other error, no hang, no flood."""

import gzip
import random
import re
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from structlearn.data import Knowledge
from structlearn.errors import DataError, OptionError
from structlearn.formats import ENDINGS, load
from structlearn.graphs import Graph
from structlearn.models import BayesianNetwork, TableCPD
from structlearn.models.markov_network import MarkovNetwork
from tests.oracles import models as oracle

pytestmark = pytest.mark.filterwarnings("ignore:the columns .* say nothing that a graph holds")

PLAIN = [ending for ending in ENDINGS if not ending.endswith(".gz") and ending != ".xml"]
RUBBISH = [
    *[
        "",
        " ",
        "\n",
        '"',
        "\\",
        "/*",
        "//",
        "%",
        "#",
        "{",
        "}",
        "(",
        ")",
        "[",
        "]",
        "<",
        ">",
        "&",
        "&#0;",
        "&x;",
    ],
    *[
        "=",
        ";",
        ":",
        ",",
        "|",
        "->",
        "--",
        "+",
        "<!--",
        "-->",
        "<![CDATA[",
        "<a>",
        "</a>",
        "<a/>",
        "é",
        "\x00",
        "\ufeff",
    ],
    *[
        "-",
        "nan",
        "inf",
        "1e999",
        "9" * 400,
        "0",
        "null",
        "true",
        "[[",
        "{}",
        "subgraph",
        "edge [dir=both]",
        "xml:",
    ],
]
NUMBER = re.compile(r"(?<![\w.])[0-9]+(?:\.[0-9]+)?(?![\w.])")
NUMBERS = ["1e999", "-1", "nan", "1e9", "1000000000", "9" * 5000, "0", "0.0", "2", "1_0", "٣", ""]


PLAINER = {"a": "x", "b": "y"}
ODDEST = {"a b": " <&>", "it's; {x}": "%é", "|": "\\"}
ODD = {".bif": {"a b": "<&>", "{;}": "//"}, **dict.fromkeys([".net", ".xdsl", ".uai", ".txt"], PLAINER)}
KNOWN = [
    Knowledge([("a b", "c")], [("c", '"d"'), ("#", "c")], [["a b"], ["c", ","]]),
    Knowledge(tiers=["a", "b"]),
]
"""Nodes, and a state of each, as odd as the format holds them."""


def seeds(ending):
    """The text of a well-known network, of one with odd names and, where it can be, of a Markov network."""
    if ending == ".knowledge":
        return [ENDINGS[ending].write(known) for known in KNOWN]
    cpds = {}
    for name, state in ODD.get(ending, ODDEST).items():
        table = [[0.25, 0.75], [1.0, 0.0]] if cpds else [0.5, 0.5]
        cpds[name] = TableCPD(table, labels=[state, "z"], parents=list(cpds)[:1])
    models = [oracle.asia(), oracle.network(cpds)]
    if ending in {".json", ".uai"}:
        models.append(MarkovNetwork.from_bayesian(models[1]))
    return [ENDINGS[ending].write(model.numbered() if ending == ".uai" else model) for model in models]


def check(ending, text):
    """Read a text, which must end in a graph, a sound model or an error with a reason."""
    try:
        thing = ENDINGS[ending].read(text)
    except (DataError, OptionError) as error:  # knowledge that contradicts itself is the latter
        assert len(str(error)) > 10  # noqa: PT017, either end will do
        return False
    if isinstance(thing, BayesianNetwork):
        tables = [cpd.probabilities for cpd in thing.cpds.values()]
        assert all(np.allclose(table.sum(axis=-1), 1) for table in tables)
    elif isinstance(thing, MarkovNetwork):
        assert all(np.isfinite(table).all() and (table >= 0).all() for _, table in thing.factors())
    else:
        assert isinstance(thing, Graph | Knowledge)
    return True


@pytest.mark.parametrize("ending", PLAIN)
def test_a_file_that_ends_anywhere_is_read_or_refused(ending):
    for text in seeds(ending):
        step = max(1, len(text) // 200)
        results = {check(ending, text[:end]) for end in range(0, len(text), step)}
        assert False in results
        assert check(ending, text)


@pytest.mark.parametrize("ending", PLAIN)
def test_a_file_with_pieces_changed_is_read_or_refused(ending):
    rng = random.Random(ending)  # noqa: S311, no secrets here
    texts = seeds(ending)
    for _ in range(500):
        text = rng.choice(texts)
        for _ in range(rng.randint(1, 3)):
            text = damaged(text, rng)
        check(ending, text)


def damaged(text, rng):
    start = rng.randrange(len(text) + 1)
    end = min(len(text), start + rng.choice([1, 1, 5, 40]))
    rubbish = rng.choice(RUBBISH)
    return rng.choice(
        [
            text[:start] + text[end:],
            text[:start] + rubbish + text[start:],
            text[:start] + rubbish + text[end:],
            text[:end] + text[start:],
            text[:start] + text[start:end].swapcase() + text[end:],
            text[:start] + chr(rng.randrange(0xD800)) + text[start + 1 :],
        ]
    )


@pytest.mark.parametrize("ending", PLAIN)
def test_a_file_with_a_number_exchanged_is_read_or_refused(ending):
    for text in seeds(ending)[1:]:
        for found in NUMBER.finditer(text):
            for number in NUMBERS:
                check(ending, text[: found.start()] + number + text[found.end() :])


@pytest.mark.parametrize("ending", PLAIN)
def test_bytes_that_changed_on_the_way_are_read_or_refused(tmp_path, ending):
    rng = random.Random(ending)  # noqa: S311, no secrets here
    path = tmp_path / f"net{ending}.gz"
    content = seeds(ending)[1].encode()
    zipped = gzip.compress(content, mtime=0)
    for trial in range(100):
        whole = bytearray(zipped if trial % 2 else content)
        whole[rng.randrange(len(whole))] ^= 1 << rng.randrange(8)
        path.write_bytes(whole if trial % 2 else gzip.compress(whole, mtime=0))
        try:
            load(path)
        except DataError as error:
            assert str(path) in str(error)  # noqa: PT017, either end will do


@pytest.mark.parametrize("ending", PLAIN)
def test_a_long_run_of_one_mistake_is_refused_at_once(ending):
    small = seeds(ending)[1]
    for rubbish in RUBBISH:
        check(ending, rubbish * 2000)
        check(ending, small[: len(small) // 2] + rubbish * 2000)
        check(ending, small + rubbish * 2000)


def many_parents(ending, n_parents=20_000):
    """A file in which one node of two states has more parents than any table can have."""
    names = [f"v{i}" for i in range(n_parents)]
    if ending == ".bif":
        nodes = "".join(f"variable {name} {{ type discrete [ 2 ] {{ a, b }}; }}\n" for name in names)
        others = "".join(f"probability ( {name} ) {{ table 1, 0; }}\n" for name in names[1:])
        return f"{nodes}{others}probability ( v0 | {', '.join(names[1:])} ) {{ default 0.5, 0.5; }}"
    if ending == ".net":
        nodes = "".join(f"node {name} {{ states = (a b); }}\n" for name in names)
        return f"{nodes}potential (v0 | {' '.join(names[1:])}) {{ }}"
    if ending == ".xdsl":
        states = '<state id="a"/><state id="b"/>'
        cpts = [f'<cpt id="{name}">{states}<probabilities>1 0</probabilities></cpt>' for name in names[1:]]
        parents = f"<parents>{' '.join(names[1:])}</parents>"
        last = f'<deterministic id="v0">{states}{parents}<resultingstates>a</resultingstates></deterministic>'
        return f"<smile><nodes>{''.join(cpts)}{last}</nodes></smile>"
    if ending == ".uai":
        scopes = " ".join(f"1 {i}" for i in range(1, n_parents))
        last = " ".join(map(str, range(n_parents - 1, -1, -1)))
        return f"BAYES {n_parents} {'2 ' * n_parents} {n_parents} {n_parents} {last} {scopes} 2 1 0"
    nodes = "".join(
        f"<VARIABLE><NAME>{n}</NAME><OUTCOME>a</OUTCOME><OUTCOME>b</OUTCOME></VARIABLE>" for n in names
    )
    given = "".join(f"<GIVEN>{name}</GIVEN>" for name in names[1:])
    table = f"<DEFINITION><FOR>v0</FOR>{given}<TABLE>1 0</TABLE></DEFINITION>"
    return f"<BIF><NETWORK>{nodes}{table}</NETWORK></BIF>"


@pytest.mark.parametrize("ending", [ending for ending in PLAIN if ENDINGS[ending].needs_tables])
def test_a_table_with_thousands_of_parents_is_refused_with_their_number(ending):
    with pytest.raises(DataError, match="would have 19999 parents"):
        ENDINGS[ending].read(many_parents(ending))


FLOOD = """
import resource, sys
from structlearn.errors import DataError
from structlearn.formats import ENDINGS

small, used = sys.argv[2], int(open("/proc/self/statm").read().split()[0]) * resource.getpagesize()
resource.setrlimit(resource.RLIMIT_AS, (used + 3 * 2**30,) * 2)
form, n_characters = ENDINGS[sys.argv[1]], 5_000_000
for piece in sys.argv[3:]:
    resource.setrlimit(resource.RLIMIT_CPU, (int(sum(resource.getrusage(0)[:2])) + 60, -1))
    try:
        form.read(small[: len(small) // 2] + piece * (n_characters // len(piece)))
    except DataError:
        pass
"""
"""Every text gets a minute of work and 3 GiB of memory; a flood ends the process."""


@pytest.mark.slow
@pytest.mark.skipif(not Path("/proc/self/statm").exists(), reason="needs limits as Linux has them")
@pytest.mark.parametrize("ending", PLAIN)
def test_megabytes_of_one_mistake_neither_hang_nor_flood(ending):
    pieces = [piece for piece in RUBBISH if piece and "\x00" not in piece]
    pieces += [
        '\\"',
        "a ",
        "a -> ",
        "a--b;",
        "{a b}->",
        '"a"+',
        "1 ",
        '<b c="d">',
        "(a",
        "node a {",
        "states = (",
        "&a",
    ]
    done = subprocess.run(
        [sys.executable, "-c", FLOOD, ending, seeds(ending)[1], *pieces],
        capture_output=True,
        text=True,
        check=False,
    )

    assert done.returncode == 0, done.stderr[-2000:]
