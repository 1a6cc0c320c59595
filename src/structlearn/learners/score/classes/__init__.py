"""Greedy search among equivalence classes of DAGs."""
