"""The file of a segment: bit columns and counts of some batches, mapped into memory when it is read."""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO, Final

import numpy as np
from numpy.typing import NDArray

from mining.columns.bitmatrix import BitMatrix, Group, words_for
from mining.columns.precomputed_counts import PrecomputedCounts
from privacy.arrays import Whole
from privacy.survey.design import Design
from surveys.jobs.home_files import keep_file

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
        Numbers of the first and of the last batch.
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
        digest.update(_pad_to_line(array))
    header = _canonical(facts | {"digest": digest.hexdigest()})
    lead = _FORMAT + len(header).to_bytes(_LENGTH_BYTES, "big") + header

    def write(file: BinaryIO) -> None:
        file.write(lead.ljust(_round_to_line(len(lead)), b"\0"))
        for array in arrays:
            file.write(_pad_to_line(array))
        file.flush()
        os.utime(file.fileno(), (0, 0))

    keep_file(path, write)
    with contextlib.suppress(OSError):
        os.utime(path.parent, (0, 0))


def read_segment(path: Path, design: Design, batches_digest: str, requests: Whole | None) -> Segment | None:
    """Map a segment into memory.

    Parameters
    ----------
    path : Path
    design : Design
    batches_digest : str
        Digest of the batches that the segment must cover.
    requests : ndarray or None
        Precomputed counts kept for the design.

    Returns
    -------
    Segment or None
        None if the file does not exist, or differs in any byte from what was written for these batches.
    """
    try:
        data = np.memmap(path, dtype=np.uint8, mode="r")
    except (OSError, ValueError):  # no file, or an empty one
        return None
    header, start = _header(data)
    if header is None:
        return None
    own_digest = header.pop("digest", None)
    digest = hashlib.sha256(_canonical(header))
    for first in range(start, len(data), _HASHED_AT_A_TIME):
        digest.update(data[first : first + _HASHED_AT_A_TIME].data)
    if digest.hexdigest() != own_digest:
        return None
    if (header["batches"], header["design"]) != (batches_digest, design.design_id):
        return None
    if header["kept"] != (None if requests is None else len(requests)):
        return None

    def take(shape: tuple[int, ...], kind: str) -> NDArray[Any]:
        nonlocal start
        n_bytes = 8 * int(np.prod(shape))
        array = data[start : start + n_bytes].view(kind).reshape(shape)
        start += _round_to_line(n_bytes)
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


def batch_range(path: Path) -> tuple[int, int] | None:
    """Return the numbers of the first and last batch of a file; None if it is not a segment."""
    try:
        header, _ = _header(np.memmap(path, dtype=np.uint8, mode="r"))
        return None if header is None else (int(header["first"]), int(header["last"]))
    except (OSError, ValueError, KeyError, TypeError):
        return None


def _header(data: NDArray[np.uint8]) -> tuple[dict[str, Any] | None, int]:
    """Return the header and the offset of the payload; None if the file has no valid header."""
    lead_size = len(_FORMAT) + _LENGTH_BYTES
    lead = data[:lead_size].tobytes()
    if not lead.startswith(_FORMAT):
        return None, 0
    end = lead_size + int.from_bytes(lead[len(_FORMAT) :], "big")
    try:
        header = json.loads(data[lead_size:end].tobytes())
    except (ValueError, RecursionError):
        return None, 0
    return (header, _round_to_line(end)) if isinstance(header, dict) else (None, 0)


def _canonical(facts: dict[str, Any]) -> bytes:
    return json.dumps(facts, sort_keys=True).encode("ascii")


def _pad_to_line(array: NDArray[Any]) -> bytes:
    return array.tobytes() + bytes(-array.nbytes % _LINE)


def _round_to_line(n_bytes: int) -> int:
    return -(-n_bytes // _LINE) * _LINE
