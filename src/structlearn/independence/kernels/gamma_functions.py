"""Derivatives of the logarithm of the gamma function."""

import math

from structlearn.compile import kernel

FAR = 8.0  # from here on the terms below are right to 13 digits; smaller arguments are moved there


@kernel
def digamma(x):
    """The first derivative at x > 0: Abramowitz and Stegun 6.3.5 and 6.3.18."""
    total = 0.0
    while x < FAR:
        total -= 1.0 / x
        x += 1.0
    f = 1.0 / (x * x)
    series = f * (1.0 / 12.0 - f * (1.0 / 120.0 - f * (1.0 / 252.0 - f * (1.0 / 240.0 - f / 132.0))))
    return total + math.log(x) - 0.5 / x - series


@kernel
def trigamma(x):
    """The second derivative at x > 0: Abramowitz and Stegun 6.4.6 and 6.4.12."""
    total = 0.0
    while x < FAR:
        total += 1.0 / (x * x)
        x += 1.0
    f = 1.0 / (x * x)
    series = f * (1.0 / 6.0 - f * (1.0 / 30.0 - f * (1.0 / 42.0 - f * (1.0 / 30.0 - 5.0 * f / 66.0))))
    return total + 1.0 / x + 0.5 * f + series / x
