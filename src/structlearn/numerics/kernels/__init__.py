"""Compiled loops of the optimisers: plain arrays in, plain arrays out."""
