"""Compiled loops of this family."""
