"""Attack on boxes that are determined by their rows: reseal every row, and compare.

An attacker who reads the database has the public keys and knows the design. If sealing a row again gives the
same box, or if a one-time public key repeats, the attacker can read the box without a private key, however
random its bits look.
"""

import math
from collections import Counter
from collections.abc import Iterable
from itertools import product
from typing import Final

from privacy.errors import PrivacyError
from privacy.survey.block import Block
from privacy.survey.design import Design
from privacy.survey.layout import Layout
from surveys.intake import receive
from surveys.intake.sealed_boxes import PUBLIC_BYTES, PublicKey

__all__ = ["MOST_ROWS", "producible_rows", "same_boxes"]

MOST_ROWS: Final = 20_000
"""Designs with more possible rows are not enumerated: sealing this many takes two seconds for each key."""


def same_boxes(
    boxes: Iterable[bytes], rows: Iterable[bytes], publics: Iterable[bytes], *, design_id: str
) -> int:
    """Count the stored boxes that resealing a row reproduces, or that share a one-time key with another box.

    Parameters
    ----------
    boxes : iterable of bytes
    rows : iterable of bytes
        Rows to seal under every public key, as the intake does.
    publics : iterable of bytes
    design_id : str
    """
    stored = [box[:PUBLIC_BYTES] for box in boxes]
    keys = [PublicKey.of(public) for public in publics]
    again = {
        receive.seal(row, under=under, design_id=design_id)[:PUBLIC_BYTES] for row in rows for under in keys
    }
    times = Counter(stored)
    return sum(one_time in again or times[one_time] > 1 for one_time in stored)


def producible_rows(design: Design) -> list[bytes] | None:
    """Return every row that devices can send; None if there are more than `MOST_ROWS`.

    Examples
    --------
    >>> from privacy.survey.design import GroupPolicy, Question
    >>> drugs = Question(key="drugs", kind="yes_no", options=(), unrelated=(5000,))
    >>> block = Block(key="b", protected=True, truth_probability=5000, refusal=1000,
    ...               questions=(drugs,))
    >>> [row.hex() for row in producible_rows(Design(blocks=(block,), group=GroupPolicy(), use="live"))]
    ['40', '50', '60']
    """
    layout = Layout(design)
    choices = [[0, 1]]
    for block, first in zip(design.blocks, design.first_questions, strict=True):
        number = len(choices) - 1
        of_block = _patterns_within(layout, block, number, first)
        if of_block is None:
            return None
        choices.append(of_block)
    if math.prod(map(len, choices)) > MOST_ROWS:
        return None
    direct = 8 * layout.n_bytes - 1
    words = (sum(parts[1:], parts[0] << direct) for parts in product(*choices))
    return sorted(row for word in words if _is_sent(layout, row := word.to_bytes(layout.n_bytes, "big")))


def _patterns_within(layout: Layout, block: Block, number: int, first: int) -> list[int] | None:
    """Return a superset of the bit patterns of a block in a row; None if there are too many."""
    total = 8 * layout.n_bytes
    of_questions: list[list[int]] = []
    for question in range(first, first + len(block.questions)):
        present = 1 << (total - 1 - layout.presence_bit(question))
        at, width = layout.value_bits(question)
        if width >= MOST_ROWS.bit_length():
            return None
        of_questions.append([0, *(present | value << (total - at - width) for value in range(1 << width))])
    flag = layout.refusal_bit(number)
    skips = [0] if flag is None else [0, 1 << (total - 1 - flag)]
    if math.prod(map(len, [skips, *of_questions])) > 20 * MOST_ROWS:
        return None
    patterns = [sum(parts) for parts in product(skips, *of_questions)]
    if block.protected and not block.is_rotating:
        # A block is sent completely or not at all.
        patterns = [
            pattern for pattern in patterns if _is_whole(layout, pattern, first, len(block.questions))
        ]
    return patterns


def _is_whole(layout: Layout, pattern: int, first: int, count: int) -> bool:
    total = 8 * layout.n_bytes
    sent = {pattern >> (total - 1 - layout.presence_bit(first + at)) & 1 for at in range(count)}
    return len(sent) == 1


def _is_sent(layout: Layout, row: bytes) -> bool:
    try:
        layout.unpack(row)
    except PrivacyError:
        return False
    return True
