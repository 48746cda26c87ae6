"""Counts by number, as a list, a mapping or the output of ``value_counts()``, in the order of the numbers."""

from __future__ import annotations

from typing import Any, Final

from privacy.errors import PrivacyError, plain

_MOST_COUNTS: Final = 1000


def counts_in_order(counts: Any, name: str) -> list[Any]:
    """Return counts in the order of the numbers 0, 1, 2, ... that they belong to.

    Parameters
    ----------
    counts : sequence, or mapping or Series of number to count
        A number without a count, as in the output of ``value_counts()``, has the count 0.
    name : str
        Name of the counts in error messages.

    Raises
    ------
    PrivacyError
        ``paper``: labels that are not whole numbers below 1,000, or a table.

    Examples
    --------
    >>> counts_in_order({2: 5, 0: 3}, "control"), counts_in_order([3, 0, 5], "control")
    ([3, 0, 5], [3, 0, 5])
    """
    if getattr(counts, "ndim", 1) != 1 or isinstance(counts, str):
        counted = f"the counts of {name}"
        raise PrivacyError("paper.table", type(counts).__name__, name=counted)
    if not hasattr(counts, "keys"):
        return list(counts)
    by_number = {}
    for label, count in zip(map(plain, counts.keys()), map(counts.get, counts.keys()), strict=True):
        is_number = isinstance(label, int | float) and not isinstance(label, bool)
        if not is_number or not 0 <= label < _MOST_COUNTS or label != int(label) or int(label) in by_number:
            raise PrivacyError("paper.labels", label, name=name)
        by_number[int(label)] = plain(count)
    return [by_number.get(number, 0) for number in range(max(by_number, default=-1) + 1)]
