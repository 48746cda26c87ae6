"""Refuse a regression with too few rows or events for its coefficients."""

from __future__ import annotations

import numpy as np

from privacy.arrays import Array, Whole
from privacy.errors import PrivacyError
from privacy.policy import LEAST_EVENTS_PER_COEFFICIENT


def check_rows(channels: Array, group: Whole, sums: Array, squares: Array, *, number: int) -> None:
    """Refuse a response with too few rows for its coefficients, by the design alone, not by answers.

    A row that reports through a channel counts as the square of the channel's smallest eigenvalue, its p. For
    a disguised predictor, that is the product of both questions' p.

    Parameters
    ----------
    channels : float array, shape (groups, reports, reports)
        Square channels: without a report that nobody's true answer is.
    group : int array, shape (rows,)
        The channel of each kind of row.
    sums, squares : float array, shape (rows, reports)
        Sums of the weights of rows and of their squares, by report.
    number : int
        Number of coefficients of the response; 0 refuses nothing.

    Raises
    ------
    PrivacyError
        ``regression``.
    """
    retention = np.array([np.abs(np.linalg.eigvals(channel)).min() for channel in channels])
    rows = sums.sum(axis=1) * sums.sum() / squares.sum()
    worth = float(np.bincount(group, weights=rows, minlength=len(retention)) @ retention**2)
    least = LEAST_EVENTS_PER_COEFFICIENT * number
    if number and round(worth, 6) < least:
        raise PrivacyError("regression.few_rows", worth, number=number, least=least)


def check_events(expected: float, equation: str, number: int) -> None:
    """Refuse an equation with too few events for its coefficients.

    Parameters
    ----------
    expected : float
        Expected number of true events or failures, whichever is smaller, after the loss of information due to
        the disguise.
    equation : str
    number : int
        Number of coefficients.

    Raises
    ------
    PrivacyError
        ``regression``.

    References
    ----------
    Peduzzi et al. 1996.
    """
    least = LEAST_EVENTS_PER_COEFFICIENT * number
    if round(expected, 6) < least:
        raise PrivacyError("regression.few_events", expected, equation=equation, number=number, least=least)
