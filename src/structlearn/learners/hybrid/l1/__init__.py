"""Regressions with a penalty, and the families that they propose."""
