"""Local distributions of each column given the others."""
