"""The score that a search takes where nobody names one."""

from structlearn.run import Run
from structlearn.scores import (
    Extended,
    Penalised,
    Score,
    VariancesByChance,
    arc_prices,
    is_wide,
    prices_of_rare_states,
    prices_of_tails,
)
from structlearn.scores.mixed_likelihoods import Mixtures
from structlearn.statistics import Statistics
from structlearn.statistics.varying import n_varying


def usual_score(score: Score, statistics: Statistics, run: Run) -> Score:
    """The score in the form for long tails, rare states and many columns, if there are; the run says so."""
    return _for_many_columns(_for_both_kinds(score, statistics, run), statistics, run)


def _for_both_kinds(score: Score, statistics: Statistics, run: Run) -> Score:
    """The score or, where chance makes much of variances within states, the form that minds it."""
    has_variances = isinstance(score, Penalised) and isinstance(score.likelihood, Mixtures)
    if not (has_variances and statistics.levels.any() and not statistics.levels.all()):
        return score
    has_tails, has_rare = prices_of_tails(statistics).any(), prices_of_rare_states(statistics, 1).any()
    if has_tails:
        run.note(
            "Variances of columns with long tails differ between any states, so that arcs to such columns "
            "cost more; ranks in place of numbers may let the method find more. Name a score, such as "
            'score="bic", for its own price.'
        )
    if has_rare:
        run.note(
            "The few rows of a rare state may differ little by chance, so that arcs from such columns cost "
            "more."
        )
    return VariancesByChance(score) if has_tails or has_rare else score


def _for_many_columns(score: Score, statistics: Statistics, run: Run) -> Score:
    """The score or, where columns are many for the rows, its extended form."""
    if not is_wide(statistics) or not arc_prices(statistics).by_sorts.any():
        return score
    from structlearn.search.chance_arcs import arcs_to_risk  # noqa: PLC0415, tests, which few searches need

    risk = arcs_to_risk(statistics, run)
    shape = f"{n_varying(statistics):,} columns for {statistics.size:,.0f} rows"
    by_chance = "one at most" if risk <= 1.0 else f"about {risk:,.0f}"
    run.note(
        f"With {shape} arcs cost more than usual, so that chance makes {by_chance} on average; name a score, "
        'such as score="bic", for its own price.'
    )
    if risk < 1.0:
        run.note(
            "Long tails or rare states look like dependence here, and arcs cost more still; ranks in place "
            "of numbers, or `sl.discretize`, may let the method find more."
        )
    return Extended(score, risk)
