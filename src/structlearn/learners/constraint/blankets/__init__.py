"""Markov blankets, and what is found within them."""
