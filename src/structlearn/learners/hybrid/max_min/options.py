"""The options of searches for parents and children by tests."""

from structlearn.learners.hybrid.max_min.reliable_asker import Reliability
from structlearn.learners.option_groups import Conditioned, Tested
from structlearn.options import Above, one_of, option, result


class MaxMin(Tested, Conditioned):
    """Which tests are made, and which are left out for want of rows."""

    reliability: Reliability = option(
        one_of(Reliability),
        "What becomes of a test with too few rows. It is not made, so that the set in question decides "
        "nothing; it counts as independence; or it is made all the same. Columns that cannot even be tested "
        "alone are not joined.",
        default="skip",
    )
    n_skipped_: int = result()
    min_rows_per_cell: float = option(
        Above(0), "How many rows a test needs for each joint state of its discrete columns.", default=5.0
    )
