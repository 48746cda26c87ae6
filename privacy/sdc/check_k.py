"""Reject a k or l that no grouping of the records can satisfy."""

from __future__ import annotations

from typing import Final

from privacy import validation
from privacy.errors import PrivacyError

_LARGEST_K: Final = 2**18


def check_k(k: int, n: int, l_value: int = 1) -> None:
    """Reject a k or l that is impossible for n records.

    Parameters
    ----------
    k : int
        Smallest class size, in people.
    n : int
        Number of records.
    l_value : int
        Distinct sensitive values in each class.

    Raises
    ------
    PrivacyError
        If k or l is not a whole number of 1 or more, exceeds n, or is too large for exact costs.
    """
    for name, value in (("k", k), ("l", l_value)):
        validation.whole_number(value, name, low=1, high=_LARGEST_K, code=name)
        if value > n:
            raise PrivacyError("k.records", value, code=name, name=name, n=n)
