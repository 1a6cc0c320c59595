"""The steps of networks by factors: the table, its factors by each method, and the edges read from them."""
