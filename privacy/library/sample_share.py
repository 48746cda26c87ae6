"""The share of "yes" in a sample, and the error of a function of several such shares."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from privacy import validation


def sample_share(yes: object, n: object, name: str) -> tuple[float, float]:
    """Return the share of "yes" in a sample and its variance l (1 - l) / (n - 1).

    Parameters
    ----------
    yes, n : int
        Rows that say "yes", and all rows, at least two.
    name : str
        What the sample is called in an error.

    Raises
    ------
    PrivacyError
        ``paper``: not whole numbers, more "yes" than rows, or fewer than two rows.

    Examples
    --------
    >>> sample_share(2, 5, "sample 1")
    (0.4, 0.06)
    """
    rows = validation.number_of_rows(n, f"rows of {name}", low=2, code="paper")
    reports = validation.whole_number(yes, f'"yes" of {name}', low=0, high=rows, code="paper")
    share = reports / rows
    return share, share * (1 - share) / (rows - 1)


def error(gradient: Sequence[float], variances: Sequence[float]) -> float:
    """Return the delta-method error of a function of independent quantities.

    Parameters
    ----------
    gradient, variances : sequence of float, of one length

    Examples
    --------
    >>> error([3, 4], [1, 1])
    5.0
    """
    return float(np.sqrt(np.square(np.asarray(gradient)) @ np.asarray(variances)))
