"""Loops over regulators and thresholds, and over columns and modules."""
