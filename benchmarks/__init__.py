"""How fast and how right structlearn is, beside other libraries on the same data."""
