"""Tables with fewer dimensions than columns: taken, or refused with a whole set of columns to drop."""

import re

import numpy as np
import pytest

import structlearn as sl
from tests.contracts.conftest import chain_table, n_columns_of, take

SUMS, MIXTURES, REPEATED = "six sums", "mixtures of 44", "six sums and two repeated columns"


def dependent_table(how):
    """100 × 50 of rank 44, or 42 where two columns are repeated too."""
    rng = np.random.default_rng(5)
    rows = rng.normal(size=(100, 50))
    rows[:, 1:44:3] += rows[:, 0:43:3]
    if how == REPEATED:
        rows[:, 30:32] = 3.0 - 2.0 * rows[:, 20:22]
    rows[:, 44:] = rows[:, 0:6] - rows[:, 10:16]
    if how == MIXTURES:
        rows = rows[:, :44] @ rng.normal(size=(44, 50))
    return {f"c{j:02}": rows[:, j] for j in range(50)}


@pytest.fixture
def hurried(learner):
    """Ends at once: what it learns is not asked here."""
    at_once = {"time_limit": 0.02, "n_penalties": 2}
    return learner.set_params(**{name: at_once[name] for name in at_once if name in learner.get_params()})


def without_what_is_named(table, learner):
    """The table without the columns that the learner says to drop."""
    with pytest.raises(sl.DataError, match="columns are determined by the others") as error:
        learner.fit(table)
    named = set(re.findall(r"'(c\d\d)'", str(error.value).rsplit("Drop ", 1)[1]))
    return {name: column for name, column in table.items() if name not in named}


@pytest.mark.filterwarnings("ignore:.*rows are few:structlearn.DataWarning")
@pytest.mark.parametrize("how", [SUMS, MIXTURES, REPEATED])
@take("continuous")
def test_a_table_of_low_rank_is_taken_or_refused_with_a_whole_set_to_drop(hurried, how):
    table = dependent_table(how)

    if hurried.needs_full_rank or how == REPEATED:
        table = without_what_is_named(table, hurried)
    n_left = 50 - 6 * hurried.needs_full_rank - 2 * (how == REPEATED)
    try:
        assert n_columns_of(hurried.fit(table).graph_) == n_left
    except sl.OptionError as error:
        assert f"subsets of {n_left} columns" in str(error)  # noqa: PT017, an exact method, whatever the rank


@pytest.mark.parametrize("how", [SUMS, MIXTURES])
def test_what_is_left_has_full_rank_and_what_was_named_adds_nothing(how):
    table = dependent_table(how)

    left = without_what_is_named(table, sl.PC())

    assert np.linalg.matrix_rank(np.column_stack(list(left.values()))) == len(left) == 44


def test_conditioning_on_two_columns_needs_full_rank():
    table = chain_table("continuous")
    table["total"] = table["a"] + table["d"]

    assert sl.LowOrderGraph(order=1).fit(table).graph_.adjacent("total")
    with pytest.raises(sl.DataError, match="is a linear combination of columns"):
        sl.LowOrderGraph(order=2).fit(table)


def test_partial_correlations_without_shrinkage_need_full_rank_and_more_rows_than_columns():
    table = chain_table("continuous")
    few = {name: column[:4] for name, column in table.items()}

    with pytest.raises(sl.DataError, match="is a linear combination of columns"):
        sl.ShrinkagePartialCorrelation(shrinkage=0).fit(table | {"total": table["a"] + table["d"]})
    with pytest.raises(sl.DataError, match="must have more different rows than columns, not 4 and 4"):
        sl.ShrinkagePartialCorrelation(shrinkage=0).fit(few)


@pytest.mark.filterwarnings("ignore:.*pairs of columns are few")
def test_a_learner_in_an_ensemble_takes_what_it_takes_alone():
    table = dependent_table(SUMS)
    of_lasso = sl.StabilitySelection(sl.GraphicalLasso(penalty=0.5), n_resamples=2, random_state=0)

    assert len(of_lasso.fit(table).graph_) == 50
    with pytest.raises(sl.DataError, match="6 columns are determined by the others"):
        sl.StabilitySelection(sl.PC(), n_resamples=2).fit(table)


def few_rows_twice():
    """As many rows as determine the columns, though half of them are copies, as in a resample."""
    rows = np.random.default_rng(3).normal(size=(12, 14))
    return {f"c{j:02}": np.tile(rows[:, j], 2) for j in range(14)}


@pytest.mark.filterwarnings("ignore::structlearn.DataWarning")
@pytest.mark.methods_that(lambda method: method.rows == "samples")
@take("continuous")
def test_copies_of_few_rows_are_no_fault_of_the_columns(hurried):
    if hurried.needs_more_rows:
        with pytest.raises(sl.DataError, match="more different rows than columns, not 12 rows and 14"):
            hurried.fit(few_rows_twice())
    else:
        assert n_columns_of(hurried.fit(few_rows_twice()).graph_) == 14


def test_without_shrinkage_copies_are_not_counted():
    with pytest.raises(sl.DataError, match="must have more different rows than columns, not 12 and 14"):
        sl.ShrinkagePartialCorrelation(shrinkage=0).fit(few_rows_twice())


def test_resamples_with_fewer_different_rows_than_columns_are_learnt_from():
    rows = np.random.default_rng(0).normal(size=(60, 45))
    rows[:, 1] += 3.0 * rows[:, 0]
    table = {f"c{j:02}": rows[:, j] for j in range(45)}

    found = sl.EdgeConfidence(sl.PC(), n_resamples=3, random_state=0).fit(table)

    assert found.confidence_["c00", "c01"].edge == 1.0
