"""What a coefficient of an ordered regression costs."""

from structlearn.numerics.extended_bic import price_for_few_rows, price_of_one
from structlearn.run import Run
from structlearn.scores import is_wide
from structlearn.search.chance_price import price_of_tails
from structlearn.statistics import Statistics
from structlearn.statistics.varying import n_varying


def price_of_coefficient(statistics: Statistics, gamma: float, run: Run, *, chooses: bool) -> float:
    """That of the extended BIC.

    With no more rows than columns a coefficient is one of all pairs of the order, and costs what chance
    brings as seldom as theory has it. Where the criterion chooses and tails are long, it costs what chance
    brings to shuffled columns.
    """
    size, n_columns = statistics.size, n_varying(statistics)
    has_few_rows = size <= n_columns
    price = price_of_one(size, n_columns**2 if has_few_rows else n_columns - 1, gamma)
    usual = price_for_few_rows(price, size) if has_few_rows else price
    by_tails = chooses and is_wide(statistics)
    return max(usual, price_of_tails(statistics, price, run)) if by_tails else usual
