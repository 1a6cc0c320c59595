"""By what candidate parents are chosen."""
