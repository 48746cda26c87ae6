"""Disguise on the server what devices sent undisguised, with words drawn from the installation's key."""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Iterable, Iterator
from dataclasses import replace
from functools import lru_cache
from typing import Final

import numpy as np
from cryptography.hazmat.primitives.ciphers import Cipher
from cryptography.hazmat.primitives.ciphers.algorithms import ChaCha20
from numpy.typing import NDArray

from mining.columns.disguised_bodies import disguise_bodies, lay_out
from privacy.planning.light_strengths import proposed_light
from privacy.scales.row_coins import Words
from privacy.survey.design import Design
from privacy.survey.group_policy import GroupPolicy
from privacy.survey.layout import Layout
from surveys.errors.error import SurveyError
from surveys.models import Batch, DrawingKey, Version
from surveys.runs.batch_rows import rows_of

DRAWING: Final = "chacha20, batch by batch"
"""How the server disguises rows; `drawing_name` adds the key."""

_DIRECT_BIT: Final = 0x80
_ROWS_AT_A_TIME: Final = 65_536
"""Limits memory. It also divides the stream of words, so change `DRAWING` whenever you change it."""


@lru_cache(maxsize=16)
def disguised_design(design: Design) -> Design:
    """Return the design that rows follow once the server has disguised the direct ones.

    Examples
    --------
    The light strength is `privacy.planning.light_strengths.proposed_light`; five such blocks have none:

    >>> from privacy.survey.design import Block, GroupPolicy, Question
    >>> def ask(count):
    ...     return Design(group=GroupPolicy(policy="choice"), use="live", blocks=tuple(
    ...         Block(key=f"b{n}", protected=True, truth_probability=5000,
    ...               questions=(Question(key=f"q{n}", kind="yes_no", options=(), unrelated=(5000,)),))
    ...         for n in range(count)))
    >>> disguised_design(ask(1)).blocks[0].light, disguised_design(ask(5)).group.policy
    (8000, 'protected')
    """
    proposed = proposed_light(design)
    if proposed is None:
        return replace(design, group=GroupPolicy())
    lights = zip(design.blocks, proposed, strict=True)
    # The draws of questions and blocks stay the same; only the mechanism's number depends on the blocks.
    return replace(design, blocks=tuple(replace(block, light=light) for block, light in lights), mechanism=0)


def disguise_batches(design: Design, batches: Iterable[Batch]) -> Iterator[bytes]:
    """Yield the packed rows of each batch in the layout of `disguised_design`; disguise the direct ones.

    The random words of a batch come from a key of the batch and the design, so every reading disguises its
    rows in the same way. Different disguises of a row would together reveal its answers.

    Raises
    ------
    SurveyError
        ``damaged_batch``: the rows of a batch do not have its digest. ``drawing_key``: the key is missing.
    """
    key = _drawing_key()
    target = disguised_design(design)
    layout, new_layout = Layout(design), Layout(target)
    target_id = target.design_id
    for batch in batches:
        (data,) = rows_of([batch])
        rows = np.frombuffer(data, dtype=np.uint8).reshape(-1, layout.n_bytes)
        direct = (rows[:, 0] & _DIRECT_BIT) != 0
        words = _stream(_batch_key(key, batch, target_id))
        parts = [lay_out(rows[~direct], layout, new_layout)]
        true = rows[direct]
        for start in range(0, len(true), _ROWS_AT_A_TIME):
            some = true[start : start + _ROWS_AT_A_TIME]
            parts.append(
                disguise_bodies(
                    some, sent_under=design, target=target, direct=target.has_two_strengths, words=words
                )
            )
        yield np.concatenate(parts).tobytes()


def drawing_name() -> str:
    """Name the method and the key that disguise rows here. Each result stores the name it was made under.

    Raises
    ------
    SurveyError
        ``drawing_key``: the key is missing.
    """
    return f"{DRAWING}, key {_drawing_key().mark}"


def drawing_of(version: Version) -> str:
    """Return `drawing_name` for a version whose rows are disguised here; empty for other versions."""
    return drawing_name() if version.holds_undisguised else ""


def _drawing_key() -> DrawingKey:
    key = DrawingKey.objects.first()
    if key is None:
        # Do not create a new key: it would disguise the same answers a second time.
        raise SurveyError("drawing_key")
    return key


def _batch_key(key: DrawingKey, batch: Batch, target_id: str) -> bytes:
    """Return the key of one batch under one design: HMAC-SHA-256 of the batch's identity.

    Two batches may hold equal rows. With equal words, one draw would be counted twice.
    """
    seed = f"{target_id} {batch.digest} {batch.pk}"
    return hmac.new(bytes(key.key), seed.encode(), hashlib.sha256).digest()


def _stream(key: bytes) -> Words:
    """Return words of the keystream of ChaCha20 (RFC 8439) under a key that encrypts nothing else."""
    cipher = Cipher(ChaCha20(key, bytes(16)), mode=None).encryptor()

    def words(rows: NDArray[np.intp]) -> NDArray[np.uint32]:
        # `astype` copies the array, because numpy arrays over bytes are read-only.
        return np.frombuffer(cipher.update(bytes(4 * len(rows))), dtype="<u4").astype(np.uint32)

    return words
