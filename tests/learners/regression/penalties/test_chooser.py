"""Choosers take the penalty that their rule names, by hand."""

import numpy as np
import pytest

from structlearn.learners.regression.penalties.chooser import (
    LeastLoss,
    MostStable,
    stable_choice,
    within_one_standard_error,
)

# Means 6, 3.55, 3.3 and 4 of two parts; the standard error of the third is 0.3.
LOSSES = np.array([[5.0, 3.2, 3.0, 4.0], [7.0, 3.9, 3.6, 4.0]])


def least_loss_of(losses, **options):
    """A chooser that has seen losses of shape (parts, penalties)."""
    chooser = LeastLoss(losses.shape[1], n_parts=len(losses), **options)
    for (part, place), loss in np.ndenumerate(losses):
        chooser.note(place, loss, part=part)
    return chooser


def test_prediction_takes_the_least_loss_or_the_largest_penalty_near_it():
    assert within_one_standard_error(LOSSES) == 1
    assert least_loss_of(LOSSES).choice().places.tolist() == [2]
    assert least_loss_of(LOSSES, one_standard_error=True).choice().places.tolist() == [1]
    assert least_loss_of(LOSSES).choice().criterion == pytest.approx([6, 3.55, 3.3, 4])


def test_one_part_has_no_standard_error_and_takes_the_least():
    assert least_loss_of(LOSSES[:1], one_standard_error=True).choice().places.tolist() == [2]


def test_each_node_knows_how_long_ago_it_was_best():
    chooser = LeastLoss(4, n_nodes=3)
    for place, losses in enumerate([[1.0, 9.0, 4.0], [2.0, 3.0, 5.0], [3.0, 0.0, 3.0]]):
        chooser.note(place, np.array(losses))

    assert chooser.n_idle().tolist() == [2, 0, 0]


def test_nodes_choose_for_themselves_or_share_what_is_best_for_their_sum():
    per_node = np.array([[1.0, 9.0], [2.0, 3.0], [3.0, 0.0]])  # sums 10, 5 and 3
    alone, together = LeastLoss(3, n_nodes=2), LeastLoss(3, n_nodes=2, is_shared=True)
    for place, losses in enumerate(per_node):
        alone.note(place, losses)
        together.note(place, losses)

    assert alone.choice().places.tolist() == [0, 2]
    assert together.choice().places.tolist() == [2, 2]
    assert together.choice().criterion.tolist() == [10, 5, 3]


def test_of_equals_the_first_is_taken_or_the_last_where_asked():
    equal = np.array([[2.0, 1.0, 1.0, 3.0]])

    assert least_loss_of(equal).choice().places.tolist() == [1]
    assert least_loss_of(equal, last_of_equals=True).choice().places.tolist() == [2]


def test_what_was_not_seen_is_not_taken():
    chooser = LeastLoss(5, last_of_equals=True)
    chooser.note(0, np.inf)

    assert chooser.choice().places.tolist() == [0]
    assert LeastLoss(3, n_nodes=2).choice().places.tolist() == [0, 0]


def test_a_part_that_time_cut_short_does_not_count():
    chooser = LeastLoss(2, n_parts=2)
    chooser.note(0, 5.0, part=0)
    chooser.note(1, 4.0, part=0)
    chooser.note(0, 1.0, part=1)

    assert chooser.choice().places.tolist() == [1]
    assert chooser.choice().criterion.tolist() == [5, 4]


def test_five_penalties_without_improvement_are_enough():
    chooser = LeastLoss(10)
    seen = []
    for place, loss in enumerate([3.0, 1.0, 2.0, 2.0, 2.0, 2.0, 2.0]):
        chooser.note(place, loss)
        seen.append(chooser.has_seen_enough())

    assert seen == [False] * 6 + [True]


def test_the_stable_choice_stops_at_the_first_unstable_penalty():
    assert stable_choice(np.array([0.0, 0.01, 0.2, 0.01])) == 1
    assert stable_choice(np.array([0.0, 0.01, 0.02])) == 2
    assert stable_choice(np.array([0.3, 0.0])) == 0


def test_subsamples_that_disagree_end_the_path_before():
    chooser = MostStable(3, n_nodes=3)
    for pairs in ([1], [1]):
        chooser.note(0, np.array(pairs))
    assert not chooser.has_seen_enough()
    for pairs in ([1, 2], [1]):
        chooser.note(1, np.array(pairs))

    # Of three pairs one is in half of the subsamples: 2·½·½ / 3. The third penalty was not seen.
    assert chooser.has_seen_enough()
    assert chooser.choice().criterion == pytest.approx([0, 1 / 6, 1])
    assert chooser.choice().places.tolist() == [0, 0, 0]
