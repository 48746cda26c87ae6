"""The random order in which records are published."""

from __future__ import annotations

import secrets


def shuffled_order(n: int) -> list[int]:
    """Draw a random order from the system's generator, because a seed that can be guessed would undo it."""
    order = list(range(n))
    secrets.SystemRandom().shuffle(order)
    return order
