"""The learner that the flags ask for."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from structlearn.errors import OptionError

if TYPE_CHECKING:
    from structlearn.learners.base import Learner

WORDS: Mapping[str, bool | None] = {"none": None, "true": True, "false": False}


AROUND = ("random_state", "n_jobs", "time_limit", "progress")  # of resampling, where there is any


def make_learner(
    method: str, flags: Mapping[str, Any], settings: Sequence[str], *, confidence: int | None = None
) -> "Learner":
    """Make the learner with every flag that was given, its values checked before any data are read."""
    if confidence is None:
        return _made(method, flags, settings)
    from structlearn import EdgeConfidence  # noqa: PLC0415, --help needs none of it

    inner = _made(method, {name: value for name, value in flags.items() if name not in AROUND}, settings)
    around = {name: flags[name] for name in AROUND if flags.get(name) is not None}
    made: Learner = EdgeConfidence(inner, n_resamples=confidence, **around)
    made.check_options()
    return made


def _made(method: str, flags: Mapping[str, Any], settings: Sequence[str]) -> "Learner":
    from structlearn.api import known_method, learner  # noqa: PLC0415, --help needs none of it

    options = {name: value for name, value in flags.items() if value is not None}
    if options.get("progress") is False and "progress" not in known_method(method).load().options:
        del options["progress"]  # a method without a bar has none to hide
    for text in settings:
        name, value = parsed_setting(text)
        if name in options:
            raise OptionError(f"--set {text}: {name} is given twice.")
        options[name] = value
    made = learner(method, **options)
    for text in settings:
        name, value = parsed_setting(text)
        rule, word = made.options[name], text.partition("=")[2].strip()
        readings = (value, word, _listed(word), _mapped(word))
        setattr(made, name, next((each for each in readings if rule.accepts(each)), value))
    made.check_options()
    return made


def parsed_setting(text: str) -> tuple[str, Any]:
    """Read NAME=VALUE: none, true, false, a number, or a word.

    Examples
    --------
    >>> parsed_setting("max_conditioning=3"), parsed_setting("test=none"), parsed_setting("score=bdeu")
    (('max_conditioning', 3), ('test', None), ('score', 'bdeu'))
    """
    name, equals, value = text.partition("=")
    if not equals or not name.strip():
        raise OptionError(f"--set {text}: write NAME=VALUE, such as --set patience=30.")
    return name.strip().replace("-", "_"), parsed_value(value.strip())


def _listed(text: str) -> list[Any]:
    """The values between commas, for options that take a list."""
    return [parsed_value(part.strip()) for part in text.split(",")]


def _mapped(text: str) -> dict[str, Any] | str:
    """The values by name between commas, A=1,B=2, for options that take a mapping; else the text."""
    pairs = [part.partition("=") for part in text.split(",")]
    if not all(equals for _, equals, _ in pairs):
        return text
    return {name.strip(): parsed_value(said.strip()) for name, _, said in pairs}


def parsed_lags(text: str | None) -> Any:
    """One number of steps, or a list of them, or numbers by column; None where nothing was said.

    Examples
    --------
    >>> parsed_lags("2"), parsed_lags("1,7"), parsed_lags("x=3,y=1")
    (2, [1, 7], {'x': 3, 'y': 1})
    """
    if text is not None and isinstance(by_column := _mapped(text), dict):
        return by_column
    each: list[Any] = [None] if text is None else _listed(text)
    return each[0] if len(each) == 1 else each


def parsed_value(text: str) -> Any:
    """The value that a word is: none, true, false, a number, or itself."""
    if text.lower() in WORDS:
        return WORDS[text.lower()]
    for number in (int, float):
        try:
            return number(text)
        except ValueError:
            continue
    return text
