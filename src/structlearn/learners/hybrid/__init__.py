"""Learners that first restrict the graph by tests or regressions, and then search for the best score."""
