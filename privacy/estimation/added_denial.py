"""The denial that a weaker protection adds, from two randomly drawn strengths."""

from __future__ import annotations

from dataclasses import replace

from privacy.printed import Measured


def added_denial(difference: Measured) -> Measured:
    """Return the denial that the weaker protection adds, from the shares at two randomly drawn strengths.

    Parameters
    ----------
    difference : Measured
        Share of people who say so with the weaker protection, minus the share with the stronger one.

    Returns
    -------
    Measured
        In [-1, 1]: points of all people who say so only with the stronger protection, minus those who say so
        only with the weaker one. It says nothing about denial that is common to both.

    Examples
    --------
    22 of 100 say so with a light disguise, and 30 of 100 with a strong one:

    >>> from privacy.printed import UNCHECKED
    >>> found = Measured(value=-.08, low=-.14, high=-.02, standard_error=.03, estimable=True, n=90,
    ...                  effective_n=90., level=.95, possible=(-1, 1), method="ratio", shift=0.,
    ...                  origin=UNCHECKED)
    >>> added = added_denial(found)
    >>> added.value, added.low, added.high, added.standard_error
    (0.08, 0.02, 0.14, 0.03)
    """
    low, high = difference.possible
    return replace(
        difference,
        value=-difference.value,
        low=-difference.high,
        high=-difference.low,
        possible=(-high, -low),
    )
