"""Markov chains over orders, and the DAGs drawn from them."""
