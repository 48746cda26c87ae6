"""Streams of 32-bit words that are the same on every machine and in every version of Python."""

import hashlib
from collections.abc import Iterator


def stream(label: str) -> Iterator[int]:
    """Yield the words of SHA-256 over the label and a counter, highest byte first."""
    counter = 0
    while True:
        block = hashlib.sha256(f"{label}/{counter}".encode("ascii")).digest()
        for start in range(0, len(block), 4):
            yield int.from_bytes(block[start : start + 4], "big")
        counter += 1


def word_of(draw: int, label: str) -> int:
    """Return a word that gives this draw, from anywhere in the range of accepted words.

    More than half of these words exceed 2^31, where signed arithmetic would fail.
    """
    return draw + 10_000 * (next(stream(label)) % 429_496)
