"""Search among DAGs: the space of one fit, the state of a graph, and steps that many methods share."""
