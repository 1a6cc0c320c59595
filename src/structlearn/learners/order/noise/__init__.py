"""Orders that the shape of the noise tells, and what may be wrong with them."""
