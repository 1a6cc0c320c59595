"""Optimisers, likelihoods and exact sums over graphs that learners, models and inference share."""
