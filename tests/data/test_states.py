"""States of a table are found among those of a model: as they stand, as they read, or as numbers."""

import pytest

from structlearn.data.states import NOWHERE, marks_beside, places_of


@pytest.mark.parametrize(
    ("label", "among", "place"),
    [
        ("1", (1, "1"), 1),
        (1, ("1", 1), 1),
        (2, ("1", "2"), 1),
        (1, ("0.5", "1.0"), 1),
        (0.5, ("1.0", "0.50"), 1),
        (1.5, ("1,5", "2,5"), 0),
        ("1.0", (1, 2), 0),
        (" 2", ("1", "2"), 1),
        (1, ("1.0", "1.00"), NOWHERE),  # which of the two, nobody knows
        (1, ("1", "1.0"), 0),
        (7, ("007", "008"), NOWHERE),  # a code is no number
        (1234, ("1,234", "x"), NOWHERE),  # it may be 1.234
        (1, ("1 %", "2 %"), NOWHERE),
        (True, ("1", "0"), NOWHERE),
        ("nan", ("1.0", "2.0"), NOWHERE),
        ("maybe", ("no", "yes"), NOWHERE),
    ],
)
def test_a_label_is_found_as_it_stands_or_as_the_only_state_that_is_its_number(label, among, place):
    assert places_of([label], among) == [place]


def test_marks_are_no_states_beside_numbers_unless_they_are_states():
    assert marks_beside(("1", "?", "NA"), (1, 2)) == ["?", "NA"]
    assert marks_beside(("1", "?", "NA"), ("1", "2", "NA")) == ["?"]
    assert marks_beside(("no", "?"), ("no", "yes")) == []
    assert marks_beside(("?",), ("NA", "n/a")) == []
