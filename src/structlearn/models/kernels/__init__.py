"""Compiled loops of the models."""
