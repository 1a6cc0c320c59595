"""Addresses of databases as they may be shown: without the password."""

from urllib.parse import SplitResult, parse_qsl, unquote, urlencode, urlsplit

SECRETS = ("password", "passwd", "pwd", "token", "access_token", "secret", "sslpassword", "key")
SHORT = 4  # hiding fewer letters wherever they stand in a sentence would show which they are


def is_address(text: str) -> bool:
    """Whether a text is the address of a database."""
    return "://" in text


def shown(address: str) -> str:
    """An address without what is secret in it; any other text as it is.

    Examples
    --------
    >>> shown("postgresql://ann:secret@host:5432/db?sslmode=require")
    'postgresql://ann@host:5432/db?sslmode=require'
    """
    if not is_address(address):
        return address
    parts = _split(address)
    if parts is None:
        return f"{address.partition(':')[0]}://…"
    user, at, host = parts.netloc.rpartition("@")
    open_options = [(name, value) for name, value in parse_qsl(parts.query) if name.lower() not in SECRETS]
    netloc = f"{user.partition(':')[0]}{at}{host}"
    # Without a host, urlunsplit would leave out the two strokes that make it an address.
    rest = f"?{urlencode(open_options)}" if open_options else ""
    return f"{parts.scheme}://{netloc}{parts.path}{rest}"


def hidden(words: object, address: str) -> str:
    """What a driver says, without the address's secrets."""
    said = " ".join(str(words).split())
    for secret in sorted(_secrets(address), key=len, reverse=True):
        if secret in said and len(secret) < SHORT:
            return "(the driver's words may hold the password, and are not shown)"
        said = said.replace(secret, "***")
    return said


def _secrets(address: str) -> set[str]:
    parts = _split(address)
    if parts is None:
        return {address.partition("://")[2]}
    written = parts.netloc.rpartition("@")[0].partition(":")[2]
    asked = {value for name, value in parse_qsl(parts.query) if name.lower() in SECRETS}
    return {each for each in ({written, unquote(written)} | asked) if each}


def _split(address: str) -> SplitResult | None:
    try:
        return urlsplit(address)
    except ValueError:  # such as a bracket that is not closed
        return None
