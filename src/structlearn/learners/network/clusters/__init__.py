"""Networks between clusters of columns: the clusters, their profiles, and edges that go one by one."""
