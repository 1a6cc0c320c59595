"""Regressions of each column on those before it in an order."""
