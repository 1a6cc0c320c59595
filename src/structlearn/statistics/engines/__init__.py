"""Statistics of tables that stay where they are: in files, databases and clusters."""
