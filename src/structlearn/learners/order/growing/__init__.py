"""Orders whose nodes take the best known parents, improved one node at a time."""
