"""What rows send for a number or a place under their draws."""

from __future__ import annotations

from typing import Final

import numpy as np

from privacy.arrays import Whole
from privacy.coins import SCALE
from privacy.scales.row_coins import Draws, whole_numbers
from privacy.scales.skips import Disguise, Skipping

SKIP: Final = -1
"""Represents "skipped", in answers and in sent values."""


def rows_sent(disguise: Disguise | Skipping, answers: Whole, draws: Draws) -> Whole:
    """Return the value that each row sends for its answer under its draw.

    Parameters
    ----------
    disguise : WindowChannel, PlanarWindowChannel or Skipping
    answers : ndarray of int64, shape (n,)
        Bins or cells; also `SKIP` if the question may be skipped.
    draws : ndarray, shape (n,)
        Numbers from 0 to ``disguise.total`` - 1.

    Examples
    --------
    >>> from privacy.scales.window import NumberRange, WindowChannel
    >>> keep = WindowChannel(mechanism="keep", range=NumberRange(low=0, high=2), window=1, floor=1, peak=4)
    >>> rows_sent(keep, np.full(7, 2), np.arange(7)).tolist()
    [0, 1, 2, 2, 2, 2, 2]
    >>> skipping = Skipping(disguise=keep, refusal=2500)
    >>> rows_sent(skipping, np.array([0, SKIP, 0, SKIP]), np.array([0, 0, 59_999, 59_999])).tolist()
    [0, 0, -1, -1]
    """
    if isinstance(disguise, Skipping):
        return _sent_with_skips(disguise, answers, draws)
    return disguise.sent(answers, draws)


def row_sent(disguise: Disguise | Skipping, answer: int | None, draw: int) -> int | None:
    """Return the value that one row sends for its answer under a draw; None represents a skip in both.

    Parameters
    ----------
    disguise : WindowChannel, PlanarWindowChannel or Skipping
    answer : int or None
        A bin or a cell.
    draw : int
        From 0 to ``disguise.total`` - 1.
    """
    draws = whole_numbers(np.array([draw], dtype=object), below=disguise.total)
    output = int(rows_sent(disguise, np.array([SKIP if answer is None else answer]), draws)[0])
    return None if output == SKIP else output


def _sent_with_skips(skipping: Skipping, answers: Whole, draws: Draws) -> Whole:
    disguise = skipping.disguise
    inner = whole_numbers(draws // (SCALE - skipping.refusal), below=skipping.total)
    outputs = np.full(len(answers), SKIP, dtype=np.int64)
    # Under a decoy draw, a skip sends the same as any answer; under other draws, it sends "skipped".
    is_answer = (inner < disguise.total) & ((answers != SKIP) | disguise.are_decoys(inner))
    inner = whole_numbers(inner[is_answer], below=disguise.total)
    outputs[is_answer] = disguise.sent(np.where(answers == SKIP, 0, answers)[is_answer], inner)
    return outputs
