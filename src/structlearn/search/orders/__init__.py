"""Orders of the nodes, each with the best known parents of those before it."""
