"""The small tables whose statistics are worked out by hand in the method descriptions."""

import numpy as np

import structlearn as sl

T1_COUNTS = {"000": 6, "001": 2, "010": 1, "011": 2, "100": 1, "101": 1, "110": 2, "111": 5}
XOR_COUNTS = {"000": 5, "011": 5, "101": 5, "110": 5}


def from_counts(counts):
    """A data set of three binary columns A, B, C with these counts of joint states."""
    rows = [tuple(int(bit) for bit in state) for state, n in counts.items() for _ in range(n)]
    a, b, c = (np.array(column) for column in zip(*rows, strict=True))
    return sl.Dataset({"A": a, "B": b, "C": c})


T1 = from_counts(T1_COUNTS)
XOR = from_counts(XOR_COUNTS)
T3 = sl.Dataset(
    {
        "x": np.array([1.0, 2.0, 3.0, 4.0, 5.0, 6.0]),
        "y": np.array([2.0, 1.0, 4.0, 3.0, 6.0, 5.0]),
        "z": np.array([1.0, 3.0, 2.0, 5.0, 4.0, 7.0]),
    },
    kinds={"x": "continuous", "y": "continuous", "z": "continuous"},
)
