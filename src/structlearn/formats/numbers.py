"""Lists of numbers in a text."""


def read_numbers(text: str, between: str | None = None) -> list[float] | None:
    """Give the numbers of a text, with blanks or another mark between them; None if it has other words."""
    # Which Python would allow inside a number.
    if "_" in text or not text.isascii():
        return None
    try:
        return [float(part) for part in text.split(between)]
    except ValueError:
        return None


def written(numbers: list[float]) -> str:
    """Give numbers with blanks between them, with as many digits as it takes to read them back."""
    return " ".join(map(repr, numbers))
