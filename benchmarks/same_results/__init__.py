"""Whether two versions give the same results to the last digit, and how their times compare."""
