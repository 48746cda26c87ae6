"""The channel of a disguised block: from its true rows to the rows that devices send."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from typing import Final

from privacy.channels import Channel, Retention
from privacy.errors import PrivacyError
from privacy.survey.answer_probabilities import check_protected, unrelated_probability
from privacy.survey.block import SKIPPED, Block, BlockAnswers

MOST_PATTERNS: Final = 1_024
"""Largest number of rows of a channel, whose size grows with the square of the number of rows."""


def _check_not_rotating(block: Block) -> None:
    if block.is_rotating:
        raise PrivacyError("rotating", block.key)


def block_rows(block: Block) -> Iterator[BlockAnswers]:
    """Yield every complete row of answers to a block, the last question varying fastest; "skipped" is last.

    Parameters
    ----------
    block : Block
        A block that does not rotate.

    Raises
    ------
    PrivacyError
        ``rotating``: no device sends a complete row; see `privacy.survey.block.Block.of_booklet`.
    """
    _check_not_rotating(block)
    yield from itertools.product(*(question.answers for question in block.questions))
    if block.refusal is not None:
        yield SKIPPED


def block_channel(block: Block, *, direct: bool = False) -> Channel:
    """Return the channel of a protected block in one group; true rows are in the order of `block_rows`.

    Parameters
    ----------
    block : Block
        A protected block that does not rotate.
    direct : bool, optional
        Whether to return the channel of the direct (undisguised or lightly disguised) group.

    Notes
    -----
    channel[y, x] = p [x = y] + (1 - p) q(y), the same for every respondent of the group who is asked. It is
    the identity if the group sends its answers undisguised. At most `MOST_PATTERNS` rows are
    allowed.

    Raises
    ------
    PrivacyError
        ``open_block``, ``rotating`` or ``too_large``.
    """
    check_protected(block)
    _check_not_rotating(block)
    strength = block.in_group(direct=direct)
    if block.patterns > MOST_PATTERNS and (strength is None or not strength.is_scale):
        raise PrivacyError("too_large.patterns", block.patterns, block=block.key)
    if strength is None:
        return Retention.truthful(block.patterns + (block.refusal is not None)).matrix
    if strength.is_scale:
        return strength.disguise.channel if strength.skipping is None else strength.skipping.channel
    return Retention(
        retention_probability=strength.truth,
        unrelated=tuple(unrelated_probability(strength, row) for row in block_rows(strength)),
    ).matrix
