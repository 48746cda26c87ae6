"""Disguise direct rows, which were sent undisguised, before any computation.

The difference of two shares can come down to one person, and no limit on single shares prevents that. So no
figure is computed from undisguised answers: the direct rows of live surveys are disguised once, lightly if a
light strength can be proposed and otherwise as strongly as all others. The figures computed from them then
reveal no more about anyone's protected answers than that person's new row does. Only
`surveys.rows.releasable_rows` uses this module.
"""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import Final

import numpy as np
from cryptography.hazmat.primitives.ciphers import Cipher
from cryptography.hazmat.primitives.ciphers.algorithms import ChaCha20
from numpy.typing import NDArray

from mining.columns.row_disguise import disguise_bodies, lay_out
from privacy.planning.light_strength import proposed_light
from privacy.row_coins import Words
from privacy.survey.condition import GroupPolicy
from privacy.survey.design import Design
from privacy.survey.layout import Layout
from surveys.errors.error import SurveyError
from surveys.models import Batch, DrawingKey
from surveys.rows.columns import rows_of

__all__ = ["DRAWING", "disguised_design", "drawing_name", "rows_disguised"]

DRAWING: Final = "chacha20, batch by batch"
"""How rows are drawn; `drawing_name` adds the key."""

_DIRECT_BIT: Final = 0x80
_ROWS_AT_A_TIME: Final = 65_536
"""Limits memory. It also divides the stream of words, so another number needs another `DRAWING`."""


def disguised_design(design: Design) -> Design:
    """Return the design that rows follow once the direct ones are disguised here.

    Examples
    --------
    The light strength is that of `privacy.planning.light_strength.proposed_light`; five such parts have none:

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
    lights = zip(design.blocks, light.lights, strict=True)
    # The draws for questions and parts stay the same; only the number of the mechanism depends on the blocks.
    return replace(design, blocks=tuple(replace(block, light=own) for block, own in lights), mechanism=0)


def rows_disguised(design: Design, batches: Iterable[Batch]) -> Iterator[bytes]:
    """Yield the packed rows of each batch in the layout of `disguised_design`, the direct ones disguised.

    The words of a batch come from a key of the batch and the design, so its rows are always disguised the
    same way, whatever else is read and however often. Several draws would reveal them.

    Raises
    ------
    SurveyError
        ``damaged_batch``: the rows of a batch do not have its digest. ``drawing_key``: the key is missing.
    """
    key = _drawing_key()
    target = disguised_design(design)
    own, wanted = Layout(design), Layout(target)
    law_id = target.design_id
    for batch in batches:
        (packed,) = rows_of([batch])
        rows = np.frombuffer(packed, dtype=np.uint8).reshape(-1, own.n_bytes)
        direct = (rows[:, 0] & _DIRECT_BIT) != 0
        words = _stream(_batch_key(key, batch, law_id))
        drawn = [lay_out(rows[~direct], own, wanted)]
        true = rows[direct]
        for start in range(0, len(true), _ROWS_AT_A_TIME):
            some = true[start : start + _ROWS_AT_A_TIME]
            drawn.append(
                disguise_bodies(
                    some, sent_under=design, target=target, direct=target.has_two_strengths, words=words
                )
            )
        yield np.concatenate(drawn).tobytes()


def drawing_name() -> str:
    """Return how and under which key rows are drawn; stored with each result, and shown only if it matches.

    Raises
    ------
    SurveyError
        ``drawing_key``: the key is missing.
    """
    mark = _drawing_key().mark
    return f"{DRAWING}, key {mark}" if mark else DRAWING


def _drawing_key() -> DrawingKey:
    key = DrawingKey.objects.first()
    if key is None:
        # A new one made here would disguise the same answers a second time.
        raise SurveyError("drawing_key")
    return key


def _batch_key(key: DrawingKey, batch: Batch, law_id: str) -> bytes:
    """Return the key of one batch under one law: HMAC-SHA-256 of the batch's identity."""
    seed = f"{law_id} {batch.digest}"
    if batch.pk > key.by_digest_to:
        # Two batches may hold equal rows; with equal words they would be one draw counted twice.
        seed = f"{seed} {batch.pk}"
    return hmac.new(bytes(key.key), seed.encode(), hashlib.sha256).digest()


def _stream(key: bytes) -> Words:
    """Return words of the keystream of ChaCha20 (RFC 8439) under a key that encrypts nothing else."""
    cipher = Cipher(ChaCha20(key, bytes(16)), mode=None).encryptor()

    def words(rows: NDArray[np.intp]) -> NDArray[np.uint32]:
        # A copy, because numpy arrays over bytes are read-only.
        return np.frombuffer(cipher.update(bytes(4 * len(rows))), dtype="<u4").astype(np.uint32)

    return words
