"""Solvers of the penalised likelihood of a precision matrix."""
