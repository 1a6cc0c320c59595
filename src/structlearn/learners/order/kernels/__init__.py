"""Compiled steps of searches over orders."""
