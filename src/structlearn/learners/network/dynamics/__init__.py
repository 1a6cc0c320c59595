"""What identifies a linear dynamic system: rates of change, sparse rows, perturbed steady states."""
