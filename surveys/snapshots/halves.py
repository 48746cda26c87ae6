"""The two halves of a snapshot: one finds rules, the other alone tests them."""

from __future__ import annotations

import hashlib

import numpy as np

from mining.columns.bitmatrix import BitMatrix
from mining.halves import halved


def halves_seed(snapshot_digest: str) -> int:
    """Return the seed that parts a snapshot: whoever has the snapshot can part it again, and nobody chose it.

    >>> halves_seed("00" * 32)
    6966676562261486124
    """
    return int.from_bytes(hashlib.sha256(b"halves\0" + bytes.fromhex(snapshot_digest)).digest()[:8]) >> 1


def halves_of(matrix: BitMatrix, snapshot_digest: str) -> tuple[BitMatrix, BitMatrix]:
    """Return the half of a snapshot's rows that finds rules, and the one that tests them."""
    return halved(matrix, np.random.default_rng(halves_seed(snapshot_digest)))
