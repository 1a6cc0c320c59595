"""Mutual information of every two columns: one module for each way to estimate it."""
