"""Likelihoods of log-linear models whose features are indicators of joint states."""
