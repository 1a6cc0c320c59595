"""What learns linear lagged networks: groups of lags, their tests, and the graph of what is left."""
