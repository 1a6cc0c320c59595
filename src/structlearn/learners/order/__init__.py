"""Methods that search over orders of the nodes."""
