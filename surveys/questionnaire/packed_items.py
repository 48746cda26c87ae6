"""Encode itemsets as text for the database."""

from __future__ import annotations

from collections.abc import Iterable


def pack_items(items: Iterable[int]) -> str:
    """Encode an itemset for the database; commas on both sides let ``LIKE`` find an item.

    >>> pack_items((3, 17))
    ',3,17,'
    """
    return "," + "".join(f"{item}," for item in items)


def unpack_items(text: str) -> tuple[int, ...]:
    """Parse the output of `pack_items`.

    >>> unpack_items(",3,17,"), unpack_items(",")
    ((3, 17), ())
    """
    return tuple(int(item) for item in text.strip(",").split(",") if item)
