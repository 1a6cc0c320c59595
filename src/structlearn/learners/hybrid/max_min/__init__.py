"""The search for parents and children by tests."""
