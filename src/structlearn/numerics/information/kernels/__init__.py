"""Compiled loops over pairs of columns."""
