"""Rows that a model predicts or completes: the doors to the inference layer."""

from collections.abc import Iterable
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from structlearn.data import Dataset
from structlearn.models.drawn import Drawn


class Imputing(Drawn):
    """A model that fills gaps."""

    def impute(
        self,
        data: Any,
        *,
        how: Literal["most probable", "drawn"] = "most probable",
        random_state: int | np.random.Generator | None = None,
    ) -> Dataset:
        """Fill every gap by what the model says given the rest of its row.

        Parameters
        ----------
        data : anything `Dataset` takes
            Missing values are the gaps. A node without a column gets one; columns that are no nodes stay as
            they are.
        how : {"most probable", "drawn"}, default "most probable"
            Fill the gaps of a row together, by their most probable joint state (continuous nodes by their
            means given it), or by a draw from their joint distribution, as for multiple imputation. A
            dependency network fills each gap by what is most probable of it alone.
        random_state : int, Generator or None, default None
            The seed of the draws.

        Examples
        --------
        >>> import structlearn as sl
        >>> asia = sl.example("asia")
        >>> gaps = {"smoke": ["yes", None], "lung": [None, "yes"]}
        >>> filled = asia.impute(gaps).to_dict()
        >>> filled["smoke"].tolist(), filled["lung"].tolist()
        (['yes', 'yes'], ['no', 'yes'])
        """
        from structlearn.inference import imputed  # noqa: PLC0415, a door to a later layer

        return imputed(self, data, how=how, random_state=random_state)


class Predicted(Imputing):
    """A model that says what is expected of nodes, row by row."""

    def predict(self, data: Any, names: str | Iterable[str] | None = None) -> dict[str, NDArray[Any]]:
        """Give the most probable state, or the mean, of nodes given all that is known of others in each row.

        Parameters
        ----------
        data : anything `Dataset` takes
            What is known. Values may be missing, and columns too: the model averages over what is not known.
            A node's own column is not used for it, and may hold anything where no other is predicted; nor are
            columns that are no nodes. Where there is no exact answer (a discrete node depends on a number
            that is missing) it is that of 10,000 weighted rows.
        names : str or iterable of str, optional
            The nodes; by default all, each given the others.

        Returns
        -------
        dict of str to array
            A value for each row. Ties go to the state that comes first in `labels`.

        Examples
        --------
        >>> import structlearn as sl
        >>> new = {"xray": ["yes", "no"], "dysp": ["yes", None]}
        >>> sl.example("asia").predict(new, "lung")["lung"].tolist()
        ['yes', 'no']
        """
        from structlearn.inference import predicted  # noqa: PLC0415, a door to a later layer

        return predicted(self, data, names)

    def predict_proba(
        self, data: Any, names: str | Iterable[str] | None = None
    ) -> dict[str, NDArray[np.float64]]:
        """Give the probability of each state of discrete nodes, given what is known of others in each row.

        Parameters
        ----------
        data : anything `Dataset` takes
            As for `predict`.
        names : str or iterable of str, optional
            The nodes; by default all that are discrete.

        Returns
        -------
        dict of str to array of shape (rows, states)
            States in the order of `labels`.

        Examples
        --------
        >>> import structlearn as sl
        >>> new = {"xray": ["yes"], "dysp": ["yes"]}
        >>> sl.example("asia").predict_proba(new, "lung")["lung"].round(4)
        array([[0.6213, 0.3787]])
        """
        from structlearn.inference import predicted_shares  # noqa: PLC0415, a door to a later layer

        return predicted_shares(self, data, names)
