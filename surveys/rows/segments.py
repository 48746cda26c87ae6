"""Segments: the bit columns of many batches in one file, with digests that verify its contents.

Batches are the source of truth. A segment is computed from them and can be deleted at any time; one that does
not match its digests counts as absent and is made again. Its name reveals no order and its modification time
is set to 1970, because the time at which a batch was made must not be revealed. Files are written under
another name and renamed into place, and the same batches always give the same bytes, so if several workers
make one segment at once, it does not matter who comes last.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import re
import secrets
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from mining.columns.bitmatrix import BitMatrix, Group
from mining.columns.precomputed_counts import PrecomputedCounts
from mining.columns.transposition import words_for
from privacy.arrays import Whole
from privacy.survey.design import Design

__all__ = [
    "Segment",
    "batches_said",
    "is_of_another_release",
    "read_segment",
    "segment_name",
    "write_segment",
]

_FORMAT: Final = b"sotto columns 3\n"
_LENGTH_BYTES: Final = 8
_LINE: Final = 64
_HASHED_AT_A_TIME: Final = 1 << 20


@dataclass(frozen=True, kw_only=True, eq=False)
class Segment:
    """Rows of consecutive batches, as columns.

    Attributes
    ----------
    first, last : int
        Numbers of the first and of the last of them.
    batches_digest : str
        SHA-256 over the digests of the batches, in order.
    matrix : BitMatrix
    precomputed : PrecomputedCounts or None
        None for a design with too many itemsets.
    """

    first: int
    last: int
    batches_digest: str
    matrix: BitMatrix
    precomputed: PrecomputedCounts | None


def write_segment(path: Path, segment: Segment) -> None:
    """Write a segment and rename it into place; readers see all of it or nothing."""
    matrix, precomputed = segment.matrix, segment.precomputed
    arrays = [
        np.ascontiguousarray(matrix.stored_at, dtype="<i8"),
        np.ascontiguousarray(matrix.direct.words, dtype="<u8"),
        np.ascontiguousarray(matrix.protected.words, dtype="<u8"),
    ]
    if precomputed is not None:
        arrays.append(np.ascontiguousarray(precomputed.counts, dtype="<i8"))
    facts = {
        "batches": segment.batches_digest,
        "first": segment.first,
        "last": segment.last,
        "design": matrix.design.design_id,
        "direct": matrix.n_direct,
        "protected": matrix.n_protected,
        "columns": len(matrix.direct.words),
        "kept": None if precomputed is None else len(precomputed.counts),
    }
    digest = hashlib.sha256(_canonical(facts))
    for array in arrays:
        digest.update(_padded(array))
    header = _canonical(facts | {"digest": digest.hexdigest()})
    lead = _FORMAT + len(header).to_bytes(_LENGTH_BYTES, "big") + header
    draft = path.with_name(f".{path.name}.{secrets.token_hex(8)}")
    try:
        with open(draft, "xb", opener=_owners_only) as file:
            file.write(lead.ljust(_rounded(len(lead)), b"\0"))
            for array in arrays:
                file.write(_padded(array))
        os.utime(draft, (0, 0))
        draft.replace(path)
        os.utime(path.parent, (0, 0))
    finally:
        with contextlib.suppress(OSError):
            draft.unlink(missing_ok=True)


def read_segment(path: Path, design: Design, batches_digest: str, requests: Whole | None) -> Segment | None:
    """Map a segment into memory.

    Parameters
    ----------
    path : Path
    design : Design
    batches_digest : str
        Digest of the batches it is wanted for.
    requests : ndarray or None
        Precomputed counts kept for the design.

    Returns
    -------
    Segment or None
        None if the file does not exist, or does not hold, byte for byte, what was written for these batches.
    """
    try:
        data = np.memmap(path, dtype=np.uint8, mode="r")
    except (OSError, ValueError):  # no file, or an empty one
        return None
    header, start = _header(data)
    if header is None:
        return None
    stated = header.pop("digest", None)
    digest = hashlib.sha256(_canonical(header))
    for first in range(start, len(data), _HASHED_AT_A_TIME):
        digest.update(data[first : first + _HASHED_AT_A_TIME].data)
    if digest.hexdigest() != stated:
        return None
    if (header["batches"], header["design"]) != (batches_digest, design.design_id):
        return None
    if header["kept"] != (None if requests is None else len(requests)):
        return None

    def take(shape: tuple[int, ...], kind: str) -> NDArray[Any]:
        nonlocal start
        n_bytes = 8 * int(np.prod(shape))
        array = data[start : start + n_bytes].view(kind).reshape(shape)
        start += _rounded(n_bytes)
        return array

    stored_at = take((design.n_columns,), "<i8")
    direct, protected = (
        Group(words=take((header["columns"], words_for(header[name])), "<u8"), n=header[name])
        for name in ("direct", "protected")
    )
    matrix = BitMatrix(design=design, direct=direct, protected=protected, stored_at=np.array(stored_at))
    precomputed = (
        None
        if requests is None
        else PrecomputedCounts(requests=requests, counts=take((len(requests), 2), "<i8"))
    )
    return Segment(
        first=header["first"],
        last=header["last"],
        batches_digest=batches_digest,
        matrix=matrix,
        precomputed=precomputed,
    )


def segment_name(batches_digest: str) -> str:
    """Return the file name of a segment: half of the digest over its batches."""
    return batches_digest[:32]


def batches_said(path: Path) -> tuple[int, int] | None:
    """Return the numbers of the first and last batch of a file; None if it is not a segment."""
    try:
        header, _ = _header(np.memmap(path, dtype=np.uint8, mode="r"))
        return None if header is None else (int(header["first"]), int(header["last"]))
    except (OSError, ValueError, KeyError, TypeError):
        return None


def is_of_another_release(path: Path, requests: Whole | None) -> bool:
    """Return whether a file has another format, or keeps other counts, so that it will be made again."""
    try:
        data = np.memmap(path, dtype=np.uint8, mode="r")
    except (OSError, ValueError):
        return False
    lead = data[: len(_FORMAT)].tobytes()
    if lead != _FORMAT:
        return re.fullmatch(rb"sotto columns [0-9]\n", lead) is not None
    header, _ = _header(data)
    return header is not None and header.get("kept") != (None if requests is None else len(requests))


def _header(data: NDArray[np.uint8]) -> tuple[dict[str, Any] | None, int]:
    """Return the header and the offset of the payload; None without a complete header of ours."""
    fixed = len(_FORMAT) + _LENGTH_BYTES
    lead = data[:fixed].tobytes()
    if not lead.startswith(_FORMAT):
        return None, 0
    end = fixed + int.from_bytes(lead[len(_FORMAT) :], "big")
    try:
        header = json.loads(data[fixed:end].tobytes())
    except (ValueError, RecursionError):
        return None, 0
    return (header, _rounded(end)) if isinstance(header, dict) else (None, 0)


def _canonical(facts: dict[str, Any]) -> bytes:
    return json.dumps(facts, sort_keys=True).encode("ascii")


def _padded(array: NDArray[Any]) -> bytes:
    return array.tobytes() + bytes(-array.nbytes % _LINE)


def _rounded(n_bytes: int) -> int:
    return -(-n_bytes // _LINE) * _LINE


def _owners_only(path: str, flags: int) -> int:
    return os.open(path, flags, 0o600)
