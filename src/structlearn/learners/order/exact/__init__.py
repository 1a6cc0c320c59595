"""What finds the best of all DAGs, or sums over all orders."""
