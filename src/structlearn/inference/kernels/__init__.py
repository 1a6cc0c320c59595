"""Compiled loops of inference."""
