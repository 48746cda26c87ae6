"""Coefficients of a regression's response, in the names that statsmodels has for them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import scipy

from privacy.arrays import Array
from privacy.levels import normal_quantile
from privacy.library.frames import data_frame
from privacy.library.shown import Shown

if TYPE_CHECKING:
    from privacy.library.frames import DataFrame, Series

__all__ = ["Coefficients"]


class Coefficients(Shown):
    """Base of regressions: their coefficients with errors, tests and intervals."""

    def _of_response(self) -> tuple[list[str], Array, Array]:
        """Return the terms of the response's equation, their coefficients and errors."""
        raise NotImplementedError

    @property
    def params(self) -> Series:
        """The coefficients, differences in log odds."""
        terms, values, _ = self._of_response()
        return _series(terms, values)

    @property
    def bse(self) -> Series:
        """Their standard errors."""
        terms, _, errors = self._of_response()
        return _series(terms, errors)

    @property
    def pvalues(self) -> Series:
        """Two-sided p-values of coefficients of 0, by Wald's test."""
        terms, values, errors = self._of_response()
        return _series(terms, 2 * scipy.special.ndtr(-np.abs(values / errors)))

    def conf_int(self, alpha: float = 0.05) -> DataFrame:
        """Return the intervals of the coefficients, columns 0 and 1, of level 1 - alpha."""
        terms, values, errors = self._of_response()
        half = normal_quantile(1 - alpha) * errors
        return data_frame({0: values - half, 1: values + half}, index=terms)


def _series(terms: list[str], values: Array) -> Series:
    return data_frame({"value": values}, index=terms)["value"]
