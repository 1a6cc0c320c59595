"""Learners that search for the graph with the best score."""
