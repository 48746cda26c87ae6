"""A few direct rows, disguised here as their devices would have: nothing that is computed tells them apart.

Below `disclosure.LEAST_DIRECT` direct rows neither their number nor what they say may be told. Hiding columns
is not enough for that: the error of an estimate grows with the share of rows that are disguised, and so tells
it. So these rows are disguised before anything is computed, and count as protected ones. Estimates stay
unbiased, and every figure is one that a survey without a direct group could have given.
"""

from __future__ import annotations

import hmac
import itertools
import struct
from collections.abc import Iterator
from functools import lru_cache
from typing import Any, Final

import numpy as np
from django.db.models import QuerySet
from django.utils.crypto import salted_hmac

from mining.columns.bitmatrix import BitMatrix, Group
from mining.columns.joined import joined
from mining.columns.precomputed_counts import PrecomputedCounts, added, precomputed_counts
from mining.columns.transposition import words_for
from privacy.coins import Coins
from privacy.survey.block import SKIPPED
from privacy.survey.design import Design
from privacy.survey.grouping import disguise
from privacy.survey.layout import Layout, Record
from surveys.models import Batch, Version

__all__ = ["direct_rows_of", "disguised_here", "without_direct"]

_DIRECT_BIT: Final = 0x80


def without_direct(
    matrix: BitMatrix, kept: PrecomputedCounts | None, disguised: bytes
) -> tuple[BitMatrix, PrecomputedCounts | None]:
    """Return the rows, and counts known of them, with the direct ones replaced by disguised ones.

    Parameters
    ----------
    matrix : BitMatrix
    kept : Kept or None
    disguised : bytes
        Packed rows that stand for the direct ones.
    """
    design, directs = matrix.design, matrix.direct
    nobody = Group(words=directs.words[:, : words_for(0)], n=0)
    others = BitMatrix(design=design, direct=nobody, protected=matrix.protected, stored_at=matrix.stored_at)
    few = BitMatrix.from_rows(design, disguised)
    if kept is not None:
        told = PrecomputedCounts(requests=kept.requests, counts=kept.counts * np.array((0, 1)))
        kept = added([told, precomputed_counts(few, kept.requests)])
    return joined([others, few]), kept


def disguised_here(design: Design, batches: QuerySet[Batch]) -> bytes:
    """Return the direct rows of these batches, disguised.

    Notes
    -----
    The coins of a row come from a keyed digest of its batch and its place there: whatever else is read with
    it, and however often, it is disguised once. Several draws would give it away.
    """
    rows: list[bytes] = []
    name = design.design_id
    for pk, digest in batches.values_list("pk", "digest"):
        rows += _disguised(name, pk, digest)
    return b"".join(rows)


@lru_cache(maxsize=65_536)
def _disguised(design_id: str, batch_id: int, digest: str) -> tuple[bytes, ...]:
    """Disguise the direct rows of a batch; what a digest names never changes, so once a process is enough."""
    packed = bytes(Batch.objects.values_list("packed", flat=True).get(pk=batch_id))
    design = _design(design_id)
    layout = Layout(design)
    return tuple(
        layout.pack(
            disguise(
                design,
                _answers(design, layout.unpack(row)),
                direct=False,
                coins=Coins(_words(salted_hmac(__name__, f"{digest} {place}", algorithm="sha256").digest())),
            )
        )
        for place, row in direct_rows_of(packed, layout.n_bytes)
    )


@lru_cache(maxsize=64)
def _design(design_id: str) -> Design:
    # A digest is hashed in no time, a design of sixty questions is not.
    return Version.objects.filter(design_id=design_id)[0].to_design()


def direct_rows_of(packed: bytes, n_bytes: int) -> Iterator[tuple[int, bytes]]:
    """Yield place and bytes of each direct row of a batch."""
    flags = np.frombuffer(packed, dtype=np.uint8)[::n_bytes]
    for place in np.flatnonzero(flags & _DIRECT_BIT).tolist():
        yield place, packed[place * n_bytes : (place + 1) * n_bytes]


def _answers(design: Design, record: Record) -> dict[str, Any]:
    """Return what a row that was sent as it is says, as a questionnaire gathers it."""
    answers: dict[str, Any] = {}
    for block, values, refused in zip(design.blocks, record.answers, record.refused, strict=True):
        given = {
            question.key: list(value) if isinstance(value, tuple) else value
            for question, value in zip(block.questions, values, strict=True)
            if value is not None
        }
        if refused:
            answers[block.key] = SKIPPED
        elif given:
            answers[block.key] = given
    return answers


def _words(key: bytes) -> Iterator[int]:
    """Yield 32-bit words without end: SHA-256 of a counter under the key."""
    for number in itertools.count():
        yield from struct.unpack(">8I", hmac.digest(key, number.to_bytes(8, "big"), "sha256"))
