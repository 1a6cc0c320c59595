"""Which columns are joined, and what separates those that are not."""
