"""DAGs by smooth optimisation of all effects at once."""
