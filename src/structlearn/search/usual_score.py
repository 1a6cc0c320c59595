"""The score that a search takes where nobody names one."""

from structlearn.run import Run
from structlearn.scores import Extended, LongTailed, Penalised, Score, arc_prices, is_wide, variance_prices
from structlearn.scores.mixed_likelihoods import Mixtures
from structlearn.statistics import Statistics
from structlearn.statistics.varying import n_varying


def usual_score(score: Score, statistics: Statistics, run: Run) -> Score:
    """The score in the form for long tails and for many columns, where there are such; the run says so."""
    return _for_many_columns(_for_long_tails(score, statistics, run), statistics, run)


def _for_long_tails(score: Score, statistics: Statistics, run: Run) -> Score:
    """The score or, where tails are long and states are compared by variances, the one that minds these."""
    has_states = isinstance(score, Penalised) and isinstance(score.likelihood, Mixtures)
    if not has_states or not statistics.levels.any() or not variance_prices(statistics).any():
        return score
    run.note(
        "Variances of columns with long tails differ between any states, so that arcs to such columns cost "
        "more; ranks in place of numbers may let the method find more. Name a score, such as "
        'score="bic", for its own price.'
    )
    return LongTailed(score)


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
