"""Compiled steps of the searches."""
