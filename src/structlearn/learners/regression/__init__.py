"""Methods that find edges by regression, node by node or all at once."""
