"""Penalised regressions of each column on all others."""
