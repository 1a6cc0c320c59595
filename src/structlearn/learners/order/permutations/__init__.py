"""Orders of the nodes: where they start, and how they change."""
