"""Streams of 32-bit words that are the same on every machine and in every version of Python."""

import hashlib
import struct
from collections.abc import Iterator


def stream(label: str) -> Iterator[int]:
    """Yield the words of SHA-256 over the label and a counter, highest byte first."""
    counter = 0
    while True:
        yield from struct.unpack(">8I", hashlib.sha256(f"{label}/{counter}".encode("ascii")).digest())
        counter += 1


def word_of(draw: int, label: str) -> int:
    """Return a word that gives this draw, from anywhere in the range of accepted words.

    More than half of these words exceed 2^31, where signed arithmetic would fail.
    """
    return draw + 10_000 * (next(stream(label)) % 429_496)
