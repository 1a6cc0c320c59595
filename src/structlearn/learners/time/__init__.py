"""Learners of networks in time: what depends on what happened some steps ago."""
