"""Linear combinations of coefficients, as a person writes them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from privacy.arrays import Array
from privacy.errors import PrivacyError


def read_combinations(combinations: Any, terms: Sequence[str]) -> Array:
    """Return the factors of linear combinations, shape (tests, coefficients).

    Parameters
    ----------
    combinations : mapping or Series of term to factor, DataFrame, or array
        A mapping, Series or DataFrame names its terms, so their order does not matter; other terms count 0
        times. An array has the shape (coefficients,) or (tests, coefficients).
    terms : sequence of str
        Names of the coefficients.

    Raises
    ------
    PrivacyError
        ``regression``: an unknown term, the wrong number of factors, or factors that are not numbers.

    Examples
    --------
    >>> read_combinations({"age": 10}, ["Intercept", "age"]).tolist()
    [[0.0, 10.0]]
    """
    given = combinations
    if hasattr(combinations, "keys"):
        for term in combinations.keys():  # noqa: SIM118 - iterating over a Series gives its values
            if term not in terms:
                raise PrivacyError("regression.predictor", term, names=", ".join(terms))
        by_term = [combinations.get(term, 0.0) for term in terms]
        combinations = np.stack(np.broadcast_arrays(*by_term), axis=-1)
    try:
        factors = np.atleast_2d(np.asarray(combinations, dtype=np.float64))
    except (TypeError, ValueError) as wrong:
        raise PrivacyError("regression.combination", given, names=", ".join(terms)) from wrong
    if factors.shape[1] != len(terms):
        raise PrivacyError("regression.factors", factors.shape[1], names=", ".join(terms))
    return factors
