"""Sensitive answers that people sent as they are, disguised here before anything is computed.

One share less another can come down to one person, and no limit on single shares holds against that. So no
figure is computed from such an answer: of live surveys the direct rows are disguised once, lightly where a
light strength can be proposed and else as strongly as all others. What is then computed says no more of
anybody's protected answers than that person's new row does. Only `surveys.disclosure.releasable_rows` uses
this module.
"""

from __future__ import annotations

import hmac
import itertools
import struct
from collections.abc import Iterable, Iterator
from dataclasses import replace
from functools import lru_cache
from typing import Any, Final

import numpy as np
from django.utils.crypto import salted_hmac
from numpy.typing import NDArray

from privacy.coins import Coins
from privacy.risk.light_strength import proposed_light
from privacy.survey.block import SKIPPED
from privacy.survey.design import Design
from privacy.survey.group_policy import GroupPolicy
from privacy.survey.grouping import disguise
from privacy.survey.layout import Layout, Record
from surveys.models import Batch, Version
from surveys.snapshots.columns import rows_of

__all__ = ["disguised_design", "rows_disguised"]

_DIRECT_BIT: Final = 0x80


def disguised_design(design: Design) -> Design:
    """Return the design that rows follow once the direct ones are disguised here.

    Examples
    --------
    The light strength is that of `privacy.risk.light_strength.proposed_light`; five such parts have none:

    >>> from privacy.survey import Block, GroupPolicy, Question
    >>> def ask(count):
    ...     return Design(group=GroupPolicy(policy="choice"), use="live", blocks=tuple(
    ...         Block(key=f"b{n}", protected=True, truth_probability=5000, refusal=None, asked_if=None,
    ...               questions=(Question(key=f"q{n}", kind="yes_no", options=(), unrelated=(5000,)),))
    ...         for n in range(count)))
    >>> disguised_design(ask(1)).blocks[0].light, disguised_design(ask(5)).group.policy
    (8000, 'protected')
    """
    light = proposed_light(design)
    if light is None:
        return replace(design, group=GroupPolicy())
    blocks = zip(design.blocks, light.lights, strict=True)
    return Design(
        blocks=tuple(replace(block, light=own) for block, own in blocks), group=design.group, use=design.use
    )


def rows_disguised(design: Design, batches: Iterable[Batch]) -> Iterator[bytes]:
    """Yield the packed rows of each batch in the layout of `disguised_design`, the direct ones disguised."""
    own, wanted = Layout(design), Layout(disguised_design(design))
    for batch in batches:
        (packed,) = rows_of([batch])
        table = np.frombuffer(packed, dtype=np.uint8).reshape(-1, own.n_bytes)
        others = _laid_out(table[(table[:, 0] & _DIRECT_BIT) == 0], own, wanted)
        yield others.tobytes() + _disguised(design.design_id, batch.pk, batch.digest)


def _laid_out(rows: NDArray[np.uint8], own: Layout, wanted: Layout) -> NDArray[np.uint8]:
    """Move the bits of rows to where another strength's values leave them; numbers keep their last bits."""
    old, design = np.unpackbits(rows, axis=1), own.design
    new = np.zeros((len(rows), 8 * wanted.n_bytes), dtype=np.uint8)
    new[:, 0] = old[:, 0]
    for question in range(len(design.questions)):
        new[:, wanted.presence_bit(question)] = old[:, own.presence_bit(question)]
        (start, width), (place, room) = own.value_bits(question), wanted.value_bits(question)
        held = min(width, room)
        new[:, place + room - held : place + room] = old[:, start + width - held : start + width]
    for block in range(len(design.blocks)):
        before, after = own.refusal_bit(block), wanted.refusal_bit(block)
        if before is not None and after is not None:
            new[:, after] = old[:, before]
    return np.packbits(new, axis=1)


@lru_cache(maxsize=65_536)
def _disguised(design_id: str, batch_id: int, digest: str) -> bytes:
    """Disguise the direct rows of a batch; what a digest names never changes, so once a process is enough.

    The coins of a row come from a keyed digest of its batch, its place there and the law: whatever else is
    read with it, and however often, it is disguised once. Several draws would give it away.
    """
    packed = bytes(Batch.objects.values_list("packed", flat=True).get(pk=batch_id))
    design, disguised, law = _designs(design_id)
    own, wanted = Layout(design), Layout(disguised)
    lightly = disguised.has_two_strengths
    flags = np.frombuffer(packed, dtype=np.uint8)[:: own.n_bytes]
    rows = []
    for place in np.flatnonzero(flags & _DIRECT_BIT).tolist():
        answers = _answers(design, own.unpack(packed[place * own.n_bytes : (place + 1) * own.n_bytes]))
        key = salted_hmac(__name__, f"{law} {digest} {place}", algorithm="sha256").digest()
        rows.append(wanted.pack(disguise(disguised, answers, direct=lightly, coins=Coins(_words(key)))))
    return b"".join(rows)


@lru_cache(maxsize=64)
def _designs(design_id: str) -> tuple[Design, Design, str]:
    # A digest is hashed in no time, a design of sixty questions is not.
    design = Version.objects.filter(design_id=design_id)[0].to_design()
    disguised = disguised_design(design)
    return design, disguised, disguised.design_id


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
