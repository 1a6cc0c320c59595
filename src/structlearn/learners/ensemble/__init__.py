"""Learners around a learner: what it finds again in resampled rows."""
