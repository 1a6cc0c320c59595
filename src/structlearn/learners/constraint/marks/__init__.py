"""Graphs with circles: the marks that tests settle, and the rules by which others follow."""
