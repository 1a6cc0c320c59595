"""Files of local scores are read as solvers write them, refused with the line, and written to be read."""

import gzip

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import structlearn as sl
from structlearn.formats.local_scores import load_local_scores, read, save_local_scores, write
from structlearn.learners.order.exact_search import ExactSearch
from structlearn.scores import BDeu
from structlearn.scores.families import FamilyScores
from structlearn.search.local_scores import LocalScores
from structlearn.search.parent_sets import ScoredSets
from structlearn.statistics import from_dataset
from tests.data_files import data_file, published_optima

TWO_NODES = """\
META scoretype = BDeu
# from somewhere
2
a 2
-3.5 0
-1.25 1 b

b 1
-2e0 0
"""


def families(scores):
    """The lists as (child, parents, score), by names."""
    return {
        (name, tuple(scores.names[u] for u in of_node.parents(row)), score)
        for name, of_node in zip(scores.names, scores.sets, strict=True)
        for row, score in enumerate(of_node.scores.tolist())
    }


def test_nodes_parents_and_scores_are_read():
    found = read(TWO_NODES)

    assert found.names == ("a", "b")
    assert families(found) == {("a", (), -3.5), ("a", ("b",), -1.25), ("b", (), -2.0)}
    assert found.sets[0].scores.tolist() == [-1.25, -3.5]  # the best first
    assert found.sets[0].members.tolist() == [[1], [-1]]


def test_the_families_of_gobnilp_have_the_published_optimum():
    scores = load_local_scores(data_file("reference/asia_10000.dat.3.jkl"))
    entries = published_optima()
    (best,) = (e["optimal_score"] for e in entries if e["name"] == "asia_10000")

    assert len(scores.names) == 8
    assert scores.n_families == 8 * 64  # every set of at most three of seven others
    assert ExactSearch().fit_scores(scores).score_ == pytest.approx(best, abs=1e-6)


def test_the_families_of_gobnilp_have_the_scores_it_printed():
    printed = load_local_scores(data_file("reference/asia_10000.dat.3.jkl"))
    with gzip.open(data_file("tables/asia_10000.dat.gz"), "rt") as lines:
        names, _levels, *rows = (line.split() for line in lines)
    data = sl.Dataset(
        dict(zip(names, map(list, zip(*rows, strict=True)), strict=True)),
        kinds=dict.fromkeys(names, "discrete"),
    )

    scores = FamilyScores(BDeu(), from_dataset(data))
    for child, parents, score in families(printed):
        found = scores.local(names.index(child), map(names.index, parents))
        assert found == pytest.approx(score, abs=1e-7)


@pytest.mark.parametrize("ending", [".jkl", ".jkl.gz"])
def test_what_is_saved_is_loaded_again(tmp_path, ending):
    data = sl.example("asia").sample(300, random_state=0)
    path = tmp_path / f"asia{ending}"
    found = ExactSearch(max_parents=2).fit(data)

    save_local_scores(found.local_scores_, path)

    assert families(load_local_scores(path)) == families(found.local_scores_)
    assert ExactSearch().fit_scores(load_local_scores(path)).score_ == pytest.approx(found.score_)


def test_the_file_is_plain_text_that_other_solvers_read(tmp_path):
    sets = ScoredSets.of(np.array([[-1, -1], [2, 0]]), np.array([-2.0, -1.5]))
    alone = ScoredSets.of(np.array([[-1]]), np.array([-1 / 3]))
    path = tmp_path / "three.jkl"

    save_local_scores(LocalScores(("x", "y", "z"), (alone, sets, alone)), path)

    assert path.read_text().splitlines() == [
        "3",
        "x 1",
        "-0.3333333333333333 0",
        "y 2",
        "-1.5 2 x z",
        "-2.0 0",
        "z 1",
        "-0.3333333333333333 0",
    ]


@settings(deadline=None)
@given(
    names=st.lists(
        st.text(min_size=1, max_size=5).filter(lambda name: name.split() == [name]),
        min_size=2,
        max_size=4,
        unique=True,
    ),
    scores=st.lists(st.floats(-1e9, 1e9), min_size=2, max_size=2, unique=True),
)
def test_any_name_without_blanks_comes_back(names, scores):
    with_parent = ScoredSets.of(np.array([[-1], [1]]), np.array(scores))
    alone = ScoredSets.of(np.array([[-1]]), np.array([0.5]))
    lists = LocalScores(tuple(names), (with_parent, *[alone] * (len(names) - 1)))

    assert families(read(write(lists))) == families(lists)
    assert read(write(lists)).names == tuple(names)


@pytest.mark.parametrize(
    ("name", "fault"), [("a b", "has a blank"), ("", "is empty"), ("a\u2003b", "has a blank")]
)
def test_names_that_the_format_cannot_hold_are_refused(tmp_path, name, fault):
    alone = ScoredSets.of(np.array([[-1]]), np.array([0.0]))
    path = tmp_path / "names.jkl"

    with pytest.raises(sl.DataError, match=f"{fault}.*rename the column"):
        save_local_scores(LocalScores((name,), (alone,)), path)
    assert not path.exists()


@pytest.mark.parametrize(
    ("before", "after", "message"),
    [
        ("2\n", "two\n", r"line 3: the number of nodes should be here, not 'two'"),
        ("2\n", "3\n", r"line 9: the file ends where node 3 of 3 should be"),
        (
            "a 2",
            "a",
            r"line 4: the name of node 1 of 2 and the number of its families should be here, not 'a'",
        ),
        ("a 2", "a 0", r"line 4: the name of node 1 of 2"),
        ("a 2", "a 1", r"line 6: the name of node 2 of 2"),
        ("b 1", "b 2", r"line 9: the file ends where family 2 of 2 of 'b' should be"),
        ("b 1", "a 1", r"line 8: node 'a' is there a second time"),
        ("1 b", "2 b", r"line 6: a family is a score, the number of parents and as many names"),
        ("1 b", "", r"line 6: a family is a score"),
        ("1 b", "1 c", r"line 6: there is no node 'c'"),
        ("1 b", "1 a", r"line 6: a node is twice in the family of 'a'"),
        ("1 b", "2 b b", r"line 6: a node is twice in the family of 'a'"),
        ("1 b", "0", r"line 6: 'a' has this parent set a second time"),
        ("-1.25", "minus", r"line 6: 'minus' is not a score, a finite number"),
        ("-1.25", "-inf", r"line 6: '-inf' is not a score"),
        ("-1.25", "nan", r"line 6: 'nan' is not a score"),
        ("-2e0 0\n", "-2e0 0\nc 1\n", r"line 10: the families of the last node ended before this line"),
    ],
)
def test_a_broken_file_is_refused_with_the_line_and_the_reason(tmp_path, before, after, message):
    path = tmp_path / "broken.jkl"
    assert before in TWO_NODES
    path.write_text(TWO_NODES.replace(before, after, 1))

    with pytest.raises(sl.DataError, match=message) as refusal:
        load_local_scores(path)
    assert str(refusal.value).startswith(str(path))


@pytest.mark.parametrize("text", ["", "\n\n", "# nothing\n"])
def test_an_empty_file_is_refused(tmp_path, text):
    path = tmp_path / "empty.jkl"
    path.write_text(text)

    with pytest.raises(sl.DataError, match="the file ends where the number of nodes should be"):
        load_local_scores(path)


def test_a_zipped_file_is_read(tmp_path):
    path = tmp_path / "two.jkl.gz"
    path.write_bytes(gzip.compress(TWO_NODES.encode()))

    assert families(load_local_scores(path)) == families(read(TWO_NODES))
