"""One module per method; families are folders."""
