"""The graphs one move away from others, and those that wait to be expanded."""
