"""Compiled steps of system identification."""
