"""Texts are read word by word, comments become blanks, and every complaint has its line."""

import re
from typing import ClassVar

import pytest

from structlearn.errors import DataError
from structlearn.formats.numbers import read_numbers, written
from structlearn.formats.scanner import LONGEST_SHOWN, Scanner, shortened


class Plain(Scanner):
    """Words, or names in quotes; comments as in C."""

    name_pattern: ClassVar = re.compile(r'"([^"]*)"|\w+')
    comment_pattern: ClassVar = re.compile(r'"[^"]*"|//[^\n]*|/\*.*?(?:\*/|\Z)', re.DOTALL)
    comment_marks: ClassVar = ("//", "/*")


def test_words_names_and_marks_are_read_in_turn():
    text = Plain('  node "a b" { x, y z }  ')

    assert text.word("node", "edge") == "node"
    assert text.name("a name") == "a b"
    text.expect("{")
    assert text.names("a state", "}") == ["x", "y", "z"]
    assert text.at_end


def test_a_mark_is_read_only_if_it_comes_next():
    text = Plain("| a")

    assert not text.accept(",")
    assert text.accept("|")
    assert text.place == 2
    assert not text.at_end


@pytest.mark.parametrize(
    ("text", "read", "message"),
    [
        ("a\nb", lambda s: (s.name("x"), s.expect("{")), "line 2: expected '{', found 'b'."),
        ("node", lambda s: s.word("edge", "graph"), "line 1: expected 'edge' or 'graph', found 'node'."),
        ("\n\n;", lambda s: s.name("a name"), "line 3: expected a name, found ';'."),
        (
            "a,",
            lambda s: s.names("a state", "}"),
            "line 1: expected a state or '}', found the end of the file.",
        ),
        ("/* no end\n", lambda _: None, "line 1: the comment that begins here has no end"),
    ],
)
def test_what_is_not_expected_is_refused_with_its_line(text, read, message):
    with pytest.raises(DataError, match=re.escape(message)):
        read(Plain(text))


def test_comments_are_blanks_and_lines_keep_their_numbers():
    text = Plain('a // one\n/* two\nlines */ "b // no comment" !')

    assert (text.name("x"), text.name("x")) == ("a", "b // no comment")
    with pytest.raises(DataError, match="line 3: expected '}'"):
        text.expect("}")


def test_an_error_can_be_about_an_earlier_place():
    text = Plain("a\nb\nc")
    text.name("x")
    here = text.place
    text.name("x")

    assert str(text.error("odd.", place=here)) == "line 2: odd."
    assert str(text.error("odd.")) == "line 3: odd."


def test_long_words_are_cut_in_messages():
    assert shortened("x" * LONGEST_SHOWN) == "x" * LONGEST_SHOWN
    assert shortened("x" * (LONGEST_SHOWN + 1)) == "x" * LONGEST_SHOWN + "…"
    assert Plain("y" * 100).ahead() == repr("y" * LONGEST_SHOWN + "…")


@pytest.mark.parametrize(
    ("text", "between", "numbers"),
    [
        ("1 2.5\n-3e2", None, [1.0, 2.5, -300.0]),
        ("1, 2", ",", [1.0, 2.0]),
        ("", None, []),
        ("1 two", None, None),
        ("1_000", None, None),
        ("１", None, None),
        ("inf", None, [float("inf")]),
    ],
)
def test_lists_of_numbers_are_read_or_refused_whole(text, between, numbers):
    assert read_numbers(text, between) == numbers


def test_numbers_are_written_so_that_they_come_back():
    numbers = [0.1, 1 / 3, 1e-300, -2.0]

    assert read_numbers(written(numbers)) == numbers
    assert written([0.1, 2.0]) == "0.1 2.0"
