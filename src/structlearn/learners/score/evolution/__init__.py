"""Populations of DAGs, and how they breed."""
