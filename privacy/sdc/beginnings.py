"""Group values by their beginnings, such as the letters of codes."""

from __future__ import annotations

from collections.abc import Sequence

_FEWEST_FOR_A_GROUP = 6


def beginnings(values: Sequence[str]) -> dict[str, str] | None:
    """Return a group for each value, by its beginning; None if no beginnings fit.

    A beginning ends at a sign such as "-", or has two characters of a code.

    Parameters
    ----------
    values : sequence of str
        Distinct values.

    Examples
    --------
    >>> beginnings(["a-1", "a-2", "a-3", "b-1", "b-2", "b-3"])["b-2"]
    'b …'
    >>> beginnings(["flu", "cold"])
    """
    if len(values) >= _FEWEST_FOR_A_GROUP:
        for beginning in (_prefix_before_sign, _first_characters):
            groups = {value: beginning(value) for value in values}
            parents = set(groups.values())
            if all(groups.values()) and 1 < len(parents) <= len(values) / 2 and not parents & set(values):
                return {value: f"{group} …" for value, group in groups.items()}
    return None


def _prefix_before_sign(value: str) -> str:
    for sign in ("-", "/", ":", ".", ","):
        before, sign_found, _after = value.partition(sign)
        if sign_found:
            return before.strip()
    return ""


def _first_characters(value: str) -> str:
    """Return the first two characters of a code (four or more characters with a digit), otherwise ""."""
    return value[:2] if len(value) >= 4 and any(sign.isdigit() for sign in value) else ""
