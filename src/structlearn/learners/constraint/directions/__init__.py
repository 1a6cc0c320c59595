"""Which way the edges of a skeleton point."""
