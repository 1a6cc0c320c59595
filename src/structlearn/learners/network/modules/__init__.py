"""Module networks: columns in modules, and a regression tree over regulators for each of them."""
