"""Learners whose result others can check."""

from collections.abc import Callable, Mapping
from typing import Any

from structlearn.certificates import Certificate
from structlearn.errors import DataError


class Certified:
    """A learner whose outcomes have `claims`; no Learner itself, whose options would hide those of others."""

    _claims: Callable[[], Mapping[str, Any]] | None

    def certificate(self) -> Certificate:
        """What the fit claims, in a form that others can check; `save` writes it to a file.

        `structlearn check FILE TABLE` computes everything from the table again and says in words what holds.

        Returns
        -------
        Certificate
        """
        name = type(self).__name__
        if not hasattr(self, "graph_"):
            raise DataError(f"{name}.certificate(): there is nothing to certify before fit.")
        if self._claims is None:
            raise DataError(
                f"{name}.certificate(): this fit left nothing that others could check. A certificate "
                "takes a table (no oracle, no given scores, no targets), time to score "
                "families, and of BOSS prove=True."
            )
        return Certificate.of(name, self._claims())
