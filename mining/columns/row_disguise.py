"""The disguise of packed rows that hold true answers: whole columns of them at a time.

Devices use `privacy.survey.grouping.disguise`; this gives the same bodies for the same words, which the tests
hold it to word by word.
"""

from __future__ import annotations

from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from mining.columns.row_reader import sent_values
from privacy.arrays import Flags, Whole
from privacy.row_coins import RowCoins, Words, whole_numbers
from privacy.scales.sent_rows import SKIP, rows_sent
from privacy.survey.block import Block
from privacy.survey.design import Design
from privacy.survey.layout import Layout
from privacy.survey.question import Question

__all__ = ["disguise_bodies", "lay_out"]

Bodies: TypeAlias = NDArray[np.uint8]
"""Packed rows, shape (n, bytes)."""


def disguise_bodies(
    bodies: Bodies, *, sent_under: Design, target: Design, direct: bool, words: Words
) -> Bodies:
    """Disguise rows that hold true answers.

    Parameters
    ----------
    bodies : ndarray of uint8, shape (n, bytes of `sent_under`)
        Rows of the direct group of a design that disguises nothing in it, as ``Layout.unpack`` lets them in.
    sent_under : Design
        What they were sent under.
    target : Design
        The same questions with the disguises they get.
    direct : bool
        Which group's strength of `target` they get; they are of that group afterwards.
    words : callable
        As `privacy.row_coins.RowCoins` takes them.

    Returns
    -------
    ndarray of uint8, shape (n, bytes of `target`)

    Notes
    -----
    For each row the body is that of `privacy.survey.grouping.disguise` for its answers and its words. Which
    questions a row was asked stays as it is: presence bits are neither drawn nor changed.

    Examples
    --------
    One question, p = .6, theta = .5, both people say yes: a draw of 5999 sends the truth, 6000 the decoy.

    >>> from dataclasses import replace
    >>> from privacy.survey.design import Block, GroupPolicy
    >>> ask = Question(key="affair", kind="yes_no", options=(), unrelated=(5000,))
    >>> choice = Design(blocks=(Block(key="marriage", protected=True, truth_probability=6000, refusal=None,
    ...     asked_if=None, questions=(ask,)),), group=GroupPolicy(policy="choice"), use="live")
    >>> draws = iter([[5999, 6000], [5000, 5000]])
    >>> sent = disguise_bodies(np.array([[0b1110_0000]] * 2, dtype=np.uint8), sent_under=choice,
    ...     target=replace(choice, group=GroupPolicy()), direct=False,
    ...     words=lambda rows: np.array(next(draws), dtype=np.uint32))
    >>> [bin(byte) for byte in sent[:, 0]]
    ['0b1100000', '0b1000000']
    """
    own, layout = Layout(sent_under), Layout(target)
    planes = _planes(lay_out(bodies, own, layout))
    planes[0] = direct
    coins = RowCoins(len(bodies), words)
    for number, block in enumerate(target.blocks):
        mine = block.in_group(direct=direct)
        if mine is None:
            continue
        questions = range(
            target.first_questions[number], target.first_questions[number] + len(block.questions)
        )
        is_asked = np.logical_or.reduce([planes[layout.presence_bit(question)] for question in questions])
        if block.is_scale:
            truth = sent_values(bodies, *own.value_bits(questions[0]))
            _disguise_scale(planes, layout, number, is_asked, truth, coins, mine=mine)
        else:
            _disguise_block(planes, layout, number, is_asked, coins, mine=mine)
    return _bodies(planes)


def _disguise_block(
    planes: Flags, layout: Layout, number: int, is_asked: Flags, coins: RowCoins, *, mine: Block
) -> None:
    block = layout.design.blocks[number]
    decoyed = (coins.draw() >= mine.truth_probability) & is_asked
    refusal_bit = layout.refusal_bit(number)
    answered = np.ones_like(is_asked)
    if refusal_bit is not None:
        # Draws of everyone, in the order of devices; whose coin says the truth has no use for them.
        planes[refusal_bit] = np.where(decoyed, coins.draw() < (block.refusal or 0), planes[refusal_bit])
        answered = ~planes[refusal_bit]
    for question_number, question in enumerate(block.questions, start=layout.design.first_questions[number]):
        start, width = layout.value_bits(question_number)
        here = planes[layout.presence_bit(question_number)] & answered
        values = planes[start : start + width]
        values[:] = np.where(decoyed, _decoys(question, width, coins), values) & here


def _decoys(question: Question, width: int, coins: RowCoins) -> Flags:
    """Draw one decoy for each row, as the value bits of a question."""
    if question.kind != "single":
        return np.stack([coins.draw() < share for share in question.unrelated])
    option = np.searchsorted(question.cumulative, coins.draw(), side="right")
    return (option >> np.arange(width - 1, -1, -1)[:, None] & 1).astype(bool)


def _disguise_scale(
    planes: Flags,
    layout: Layout,
    number: int,
    is_asked: Flags,
    truth: Whole,
    coins: RowCoins,
    *,
    mine: Block,
) -> None:
    block = layout.design.blocks[number]
    start, width = layout.value_bits(layout.design.first_questions[number])
    refusal_bit = layout.refusal_bit(number)
    answers = truth if refusal_bit is None else np.where(planes[refusal_bit], SKIP, truth)
    sent = _scale_sent(mine, answers, coins, total=block.scale_total)
    if refusal_bit is not None:
        planes[refusal_bit] = is_asked & (sent == SKIP)
    shifts = np.arange(width - 1, -1, -1)[:, None]
    planes[start : start + width] = (np.maximum(sent, 0) >> shifts & 1).astype(bool) & is_asked


def _scale_sent(mine: Block, answers: Whole, coins: RowCoins, *, total: int) -> Whole:
    """Return what a group sends for a number or a place, as `Block.scale_sent` under draws below `total`."""
    draws = coins.below(total) // (total // mine.scale_total)
    disguise = mine.disguise if mine.skipping is None else mine.skipping
    return rows_sent(disguise, answers, whole_numbers(draws, below=mine.scale_total))


def lay_out(bodies: Bodies, own: Layout, wanted: Layout) -> Bodies:
    """Move the bits of rows to where the layout of the same questions under another strength has them.

    Numbers keep their last bits: what other groups can send decides how many there are.

    Parameters
    ----------
    bodies : ndarray of uint8
        Packed rows.
    own, wanted : Layout
        Where the bits are, and where they are to be.
    """
    moved = {0: 0}
    for question in range(len(own.design.questions)):
        moved[wanted.presence_bit(question)] = own.presence_bit(question)
        (start, width), (first, room) = own.value_bits(question), wanted.value_bits(question)
        moved |= {first + room - bit: start + width - bit for bit in range(1, min(width, room) + 1)}
    for block in range(len(own.design.blocks)):
        before, after = own.refusal_bit(block), wanted.refusal_bit(block)
        if before is not None and after is not None:
            moved[after] = before
    if own.n_bytes == wanted.n_bytes and all(index == bit for index, bit in moved.items()):
        return bodies
    planes = np.zeros((8 * wanted.n_bytes, len(bodies)), dtype=bool)
    planes[list(moved)] = _planes(bodies)[list(moved.values())]
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
