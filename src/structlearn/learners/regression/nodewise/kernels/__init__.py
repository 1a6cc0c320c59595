"""Loops of the regression methods, compiled."""
