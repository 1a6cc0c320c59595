"""Sections of `benchmarks.gpu`: each module has the `HEAD` of its section and the `rows` of its table."""
