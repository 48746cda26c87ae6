"""Open predictors of a regression: a column of numbers as it is, or each of its values beside the first."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from privacy.arrays import Array
from privacy.errors import PrivacyError
from privacy.library.frames import read_column

if TYPE_CHECKING:
    from privacy.library.frames import DataFrame

__all__ = ["Predictor"]


@dataclass(frozen=True, kw_only=True)
class Predictor:
    """An undisguised column, and its covariates.

    Parameters
    ----------
    name : hashable
        Of the column.
    values : tuple
        The values that it is compared at, the first with all others; empty where there are many numbers.
    is_numeric : bool
        Whether its numbers stand as they are.

    Examples
    --------
    >>> import pandas
    >>> people = pandas.DataFrame({"year": [2020.0, 2021.0, 2022.0, 2021.0]})
    >>> year = Predictor.of(people, "year", is_categorical=True)
    >>> year.terms, year.covariates([2021, 2020]).tolist()
    (['year=2021', 'year=2022'], [[1.0, 0.0], [0.0, 0.0]])
    """

    name: Hashable
    values: tuple[Any, ...]
    is_numeric: bool

    @classmethod
    def of(cls, frame: DataFrame, name: Hashable, *, is_categorical: bool) -> Predictor:
        """Read a predictor of these rows.

        Raises
        ------
        PrivacyError
            ``frame``; ``regression``: nothing but one value.
        """
        numeric, column = read_column(frame, name)
        values = tuple(sorted(set(column), key=lambda value: (str(type(value)), value)))
        if len(values) < 2:
            raise PrivacyError("regression.one_value", values[0], column=name)
        is_numeric = numeric and not is_categorical
        return cls(name=name, values=() if is_numeric and len(values) > 2 else values, is_numeric=is_numeric)

    @property
    def terms(self) -> list[str]:
        """Names of the covariates."""
        if self.is_numeric:
            return [str(self.name)]
        levels = (f"{value:g}" if isinstance(value, float) else str(value) for value in self.values[1:])
        return [f"{self.name}={level}" for level in levels]

    def covariates(self, column: Sequence[Any]) -> Array:
        """Return the covariates of some values, shape (values, terms).

        Raises
        ------
        PrivacyError
            ``regression``: a value that no row had, where each counts by itself.
        """
        if self.is_numeric:
            return np.array(column, dtype=np.float64)[:, None]
        for value in column:
            if value not in self.values:
                allowed = ", ".join(map(str, self.values))
                raise PrivacyError("regression.value", value, column=self.name, allowed=allowed)
        answers = np.array(column, dtype=object)
        return np.stack([answers == value for value in self.values[1:]], axis=1).astype(np.float64)
