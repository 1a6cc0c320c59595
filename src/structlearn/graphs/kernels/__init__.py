"""Compiled steps of graph algorithms."""
