"""A certificate: what a fit claims, and enough to check it from the data."""

import json
import math
from collections.abc import Mapping
from dataclasses import dataclass
from os import PathLike
from typing import Any

from structlearn.certificates import best_dag, separations, sparse_precision
from structlearn.certificates.files import FORMAT, VERSION, read_content
from structlearn.certificates.findings import Verdict
from structlearn.certificates.table import same_table, statistics_again
from structlearn.errors import DataError
from structlearn.whole_files import path_of, write_whole

KINDS = (best_dag.KIND, separations.KIND, sparse_precision.KIND)

AGAIN = "Write it again with learner.certificate().save(…)."


@dataclass(frozen=True, slots=True)
class Certificate:
    """What a fit claims, as plain numbers and names, enough for others to check it.

    Attributes
    ----------
    content : dict
        What `save` writes; docs/guide/certificates.md says what each kind has.
    """

    content: Mapping[str, Any]

    @classmethod
    def of(cls, method: str, claims: Mapping[str, Any]) -> "Certificate":
        """The claims of a method."""
        return cls({"format": FORMAT, "version": VERSION, "method": method, **claims})

    @classmethod
    def load(cls, path: str | PathLike[str]) -> "Certificate":
        """Read what `save` wrote."""
        return cls(read_content(path, KINDS))

    def save(self, path: str | PathLike[str]) -> None:
        """Write the certificate as JSON, whole or not at all."""
        try:
            text = json.dumps(self.content, ensure_ascii=False, allow_nan=False)
            write_whole(path_of(path), f"{text}\n".encode())
        except UnicodeEncodeError:
            raise DataError(f"{path}: a name has half a character, which no text file holds.") from None

    def check(self, data: Any, judge: Any = None) -> Verdict:
        """Compute from the data what the certificate claims.

        Parameters
        ----------
        data : data frame, array, dict of columns, path or Dataset
            The table of the fit.
        judge : Score or IndependenceTest, optional
            The score or test of the fit, where it is none that has a name.

        Returns
        -------
        Verdict
            Its `findings` are claims in words, each with whether it `holds`; None is what was not checked.
        """
        try:
            return self._checked(data, judge)
        except DataError:
            raise
        except KeyError as error:
            raise DataError(f"The certificate is not whole: it has no {error}. {AGAIN}") from None
        except (ArithmeticError, AttributeError, LookupError, RecursionError, TypeError, ValueError) as error:
            reason = f"a part of it is of another form ({type(error).__name__}: {error})"
            raise DataError(f"The certificate is not whole: {reason}. {AGAIN}") from None

    def _checked(self, data: Any, judge: Any) -> Verdict:
        known, table = self.content, self.content["table"]
        if not _has_finite_numbers(known):
            raise DataError("The certificate is not whole: a number in it is infinite, or is none.")
        is_precision = known["kind"] == sparse_precision.KIND
        statistics = statistics_again(data, table, "continuous" if is_precision else None)
        if is_precision:
            found = sparse_precision.check(known, statistics)
        elif known["kind"] == separations.KIND:
            found = separations.check(known, statistics, judge)
        else:
            found = best_dag.check(known, statistics, judge)
        return Verdict([same_table(statistics, table), *found])


def _has_finite_numbers(content: Any) -> bool:
    if isinstance(content, Mapping):
        return all(map(_has_finite_numbers, content.values()))
    if isinstance(content, list):
        return all(map(_has_finite_numbers, content))
    return not isinstance(content, float) or math.isfinite(content)
