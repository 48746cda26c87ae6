"""Subtract a release from published totals (Sweeney 2002)."""

from __future__ import annotations

from privacy.errors import PrivacyError


def differencing(
    counts: dict[str, int], totals: dict[str, int], *, k: int, l_value: int = 1
) -> tuple[tuple[str, int], ...]:
    """Subtract a release from published totals; the remainder belongs to the suppressed records.

    Parameters
    ----------
    counts : dict of str to int
        Number of records with each sensitive value in the release, within the cell of `totals`.
    totals : dict of str to int
        Published totals of a cell, by sensitive value.
    k, l_value : int
        The remainder must be empty, or hold k people with l values.

    Returns
    -------
    tuple of (str, int)
        The remainder by value if it leaks, otherwise empty.

    Raises
    ------
    PrivacyError
        If the release contains more records of a value than the total.

    Examples
    --------
    >>> differencing({"flu": 9, "cold": 5}, {"flu": 10, "cold": 5}, k=3)
    (('flu', 1),)
    >>> differencing({"flu": 9, "cold": 5}, {"flu": 9, "cold": 5}, k=3)
    ()
    """
    rest = {}
    for value in sorted({*counts, *totals}):
        remainder = totals.get(value, 0) - counts.get(value, 0)
        if remainder < 0:
            raise PrivacyError("totals", value, released=counts[value], totals=totals.get(value, 0))
        if remainder:
            rest[value] = remainder
    people = sum(rest.values())
    if people and (people < k or len(rest) < l_value):
        return tuple(rest.items())
    return ()
