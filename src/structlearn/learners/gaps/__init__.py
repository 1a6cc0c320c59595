"""Learning from rows that miss values, by estimating what is missing."""
