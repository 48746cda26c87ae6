"""Disguise rows of true answers, as devices do, and lay rows out for another strength."""

from __future__ import annotations

from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from mining.columns.bitmatrix import sent_values
from privacy.arrays import Flags, Whole
from privacy.scales.row_coins import RowCoins, Words, whole_numbers
from privacy.scales.sent_rows import SKIP, rows_sent
from privacy.survey.design import Block, Design, Question
from privacy.survey.layout import Layout

Bodies: TypeAlias = NDArray[np.uint8]
"""Packed rows, shape (n, bytes)."""


def disguise_bodies(
    bodies: Bodies, *, sent_under: Design, target: Design, direct: bool, words: Words
) -> Bodies:
    """Disguise rows of true answers.

    Parameters
    ----------
    bodies : ndarray of uint8, shape (n, bytes of `sent_under`)
        Rows of the undisguised direct group of a design, valid under ``Layout.unpack``.
    sent_under : Design
        Design under which they were sent.
    target : Design
        The same questions with the disguises to apply.
    direct : bool
        Whether rows are disguised as strongly as the direct group of `target`, and then belong to it; if
        False, the protected group.
    words : callable
        As for `privacy.scales.row_coins.RowCoins`.

    Returns
    -------
    ndarray of uint8, shape (n, bytes of `target`)

    Notes
    -----
    Each body equals the output of `privacy.survey.disguise.disguise` for the row's answers and words.
    Presence bits are neither drawn nor changed, so each row keeps its asked questions.

    Examples
    --------
    One question, p = .6, theta = .5; both people say yes. A draw of 5999 sends the truth, 6000 the decoy.

    >>> from dataclasses import replace
    >>> from privacy.survey.design import Block, GroupPolicy
    >>> ask = Question(key="affair", kind="yes_no", options=(), unrelated=(5000,))
    >>> choice = Design(blocks=(Block(key="marriage", protected=True, truth_probability=6000,
    ...     questions=(ask,)),), group=GroupPolicy(policy="choice"), use="live")
    >>> draws = iter([[5999, 6000], [5000, 5000]])
    >>> sent = disguise_bodies(np.array([[0b1110_0000]] * 2, dtype=np.uint8), sent_under=choice,
    ...     target=replace(choice, group=GroupPolicy()), direct=False,
    ...     words=lambda rows: np.array(next(draws), dtype=np.uint32))
    >>> [bin(byte) for byte in sent[:, 0]]
    ['0b1100000', '0b1000000']
    """
    sent_layout, layout = Layout(sent_under), Layout(target)
    planes = _planes(lay_out(bodies, sent_layout, layout))
    planes[0] = direct
    coins = RowCoins(len(bodies), words)
    for number, block in enumerate(target.blocks):
        strength = block.in_group(direct=direct)
        if strength is None:
            continue
        questions = range(
            target.first_questions[number], target.first_questions[number] + len(block.questions)
        )
        is_asked = np.logical_or.reduce([planes[layout.presence_bit(question)] for question in questions])
        if block.is_scale:
            truth = sent_values(bodies, *sent_layout.value_bits(questions[0]))
            _disguise_scale(planes, layout, number, is_asked, truth, coins, mine=strength)
        else:
            _disguise_block(planes, layout, number, is_asked, coins, mine=strength)
    return _bodies(planes)


def _disguise_block(
    planes: Flags, layout: Layout, number: int, is_asked: Flags, coins: RowCoins, *, mine: Block
) -> None:
    block = layout.design.blocks[number]
    is_decoy = (coins.draw() >= mine.truth_probability) & is_asked
    refusal_bit = layout.refusal_bit(number)
    has_answer = np.ones_like(is_asked)
    if refusal_bit is not None:
        # Draw for every row, in the order that devices draw; rows that send the truth ignore the result.
        planes[refusal_bit] = np.where(is_decoy, coins.draw() < (block.refusal or 0), planes[refusal_bit])
        has_answer = ~planes[refusal_bit]
    for question_number, question in enumerate(block.questions, start=layout.design.first_questions[number]):
        start, width = layout.value_bits(question_number)
        is_shown = planes[layout.presence_bit(question_number)] & has_answer
        values = planes[start : start + width]
        values[:] = np.where(is_decoy, _decoys(question, width, coins), values) & is_shown


def _decoys(question: Question, width: int, coins: RowCoins) -> Flags:
    """Draw one decoy for each row, as the value bits of a question."""
    if not question.is_exhaustive:
        return np.stack([coins.draw() < share for share in question.unrelated])
    option = np.searchsorted(question.cumulative, coins.draw(), side="right")
    return (option >> np.arange(width - 1, -1, -1)[:, None] & 1).astype(bool)


def _disguise_scale(
    planes: Flags, layout: Layout, number: int, is_asked: Flags, truth: Whole, coins: RowCoins, *, mine: Block
) -> None:
    block = layout.design.blocks[number]
    start, width = layout.value_bits(layout.design.first_questions[number])
    refusal_bit = layout.refusal_bit(number)
    answers = truth if refusal_bit is None else np.where(planes[refusal_bit], SKIP, truth)
    outputs = _sent_scale_values(mine, answers, coins, total=block.scale_total)
    if refusal_bit is not None:
        planes[refusal_bit] = is_asked & (outputs == SKIP)
    shifts = np.arange(width - 1, -1, -1)[:, None]
    planes[start : start + width] = (np.maximum(outputs, 0) >> shifts & 1).astype(bool) & is_asked


def _sent_scale_values(strength: Block, answers: Whole, coins: RowCoins, *, total: int) -> Whole:
    """Return the sent values of a number or a place, as `Block.scale_sent` does, from draws below `total`."""
    draws = coins.below(total) // (total // strength.scale_total)
    disguise = strength.disguise if strength.skipping is None else strength.skipping
    return rows_sent(disguise, answers, whole_numbers(draws, below=strength.scale_total))


def lay_out(bodies: Bodies, source: Layout, other: Layout) -> Bodies:
    """Convert rows to the layout of the same questions under another strength.

    Numbers keep their low bits, because their width depends on the values that other groups can send.

    Parameters
    ----------
    bodies : ndarray of uint8
        Packed rows.
    source, other : Layout
        Old and new layout.
    """
    source_of = {0: 0}
    for question in range(len(source.design.questions)):
        source_of[other.presence_bit(question)] = source.presence_bit(question)
        (start, width), (first, room) = source.value_bits(question), other.value_bits(question)
        source_of |= {first + room - bit: start + width - bit for bit in range(1, min(width, room) + 1)}
    for block in range(len(source.design.blocks)):
        before, after = source.refusal_bit(block), other.refusal_bit(block)
        if before is not None and after is not None:
            source_of[after] = before
    if source.n_bytes == other.n_bytes and all(index == bit for index, bit in source_of.items()):
        return bodies
    planes = np.zeros((8 * other.n_bytes, len(bodies)), dtype=bool)
    planes[list(source_of)] = _planes(bodies)[list(source_of.values())]
    return _bodies(planes)


def _planes(bodies: Bodies) -> Flags:
    """Return one row per bit of the bodies, shape (8 bytes, n)."""
    octets = np.ascontiguousarray(bodies.T)
    planes = np.empty((len(octets), 8, len(bodies)), dtype=np.uint8)
    for bit in range(8):
        np.bitwise_and(octets >> np.uint8(7 - bit), 1, out=planes[:, bit])
    return planes.reshape(8 * len(octets), len(bodies)).view(np.bool_)


def _bodies(planes: Flags) -> Bodies:
    bits = planes.view(np.uint8).reshape(len(planes) // 8, 8, -1)
    octets = np.zeros((len(bits), bits.shape[2]), dtype=np.uint8)
    for bit in range(8):
        octets |= bits[:, bit] << np.uint8(7 - bit)
    return np.ascontiguousarray(octets.T)
