"""Parameters, parents and an order of columns in one convex programme."""
