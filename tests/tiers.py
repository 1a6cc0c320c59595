"""The second tier of a kernel, whatever runs in its first."""


def loops_of(kernel):
    """The function that is compiled."""
    return getattr(kernel, "py_func", kernel)
