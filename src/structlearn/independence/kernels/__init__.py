"""Compiled loops of this layer."""
