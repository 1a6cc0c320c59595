"""What dynamic networks are made of: the best parents in the past and within a step, and how they begin."""
