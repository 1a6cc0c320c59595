"""The steps of Boolean networks: states, the search for inputs, rules, and what they do in time."""
