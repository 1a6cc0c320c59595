"""The score that a search takes where nobody names one."""

from structlearn.run import Run
from structlearn.scores import Extended, Score, arc_prices, is_wide
from structlearn.statistics import Statistics
from structlearn.statistics.varying import n_varying


def usual_score(score: Score, statistics: Statistics, run: Run) -> Score:
    """The score or, where columns are many for the rows, its extended form; the run says so."""
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
