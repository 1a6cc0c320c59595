"""Orders from which all parents grow, improved one node at a time."""
