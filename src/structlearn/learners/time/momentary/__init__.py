"""What PCMCI is made of: parents by few tests, then a test of each link given the parents of both ends."""
