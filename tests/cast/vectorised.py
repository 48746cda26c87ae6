"""Disguise many whole rows at once, for tests that draw many thousands.

Devices use `privacy.survey.grouping.disguise`. For the same draws this gives the same rows, as
`tests/test_vectorised.py` proves draw by draw.
"""

from __future__ import annotations

import numpy as np

from privacy.arrays import Flags, Whole
from privacy.coins import SCALE
from privacy.survey.design import Design

__all__ = ["disguise_rows", "draw_coins"]


def draw_coins(design: Design, n: int, rng: np.random.Generator) -> Whole:
    """Draw all coins of `n` devices, shape (n, design.draws), each from 0 to 9,999."""
    return rng.integers(SCALE, size=(n, design.draws))


def disguise_rows(design: Design, truth: Flags, direct: Flags, coins: Whole) -> Flags:
    """Disguise rows that answer every question.

    Parameters
    ----------
    design : Design
        Everybody is asked everything, and nothing may be skipped.
    truth : bool array, shape (n, items)
        True answers; of a single choice exactly one option.
    direct : bool array, shape (n,)
        Rows of the group whose answers are sent as they are, or disguised under the light strength.
    coins : int array, shape (n, design.draws)
        Draws from 0 to 9,999 in the order in which a device takes them.

    Returns
    -------
    bool array, shape (n, items)
        What is sent.

    Raises
    ------
    ValueError
        The design has a block that may be skipped, is not asked of all, or holds a number or a place.

    Examples
    --------
    One question, p = .6, theta = .5: a draw of 5999 reports the truth, 6000 the decoy.

    >>> from benchmarks.simulation import study_design
    >>> design = study_design([1], truth_probability=6000, unrelated=5000)
    >>> yes, coins = np.ones((2, 1), dtype=bool), np.array([[5999, 5000], [6000, 5000]])
    >>> disguise_rows(design, yes, np.zeros(2, dtype=bool), coins).tolist()
    [[True], [False]]
    """
    sent = truth.copy()
    draws = iter(coins.T)
    for number, block in enumerate(design.blocks):
        if block.refusal is not None or block.asked_if is not None or block.is_scale:
            raise ValueError(
                f"block {block.key} may be skipped, is not asked of all, or holds a number or a place"
            )
        if not block.protected:
            continue
        threshold = np.where(direct, *(int(SCALE * block.truth_in(direct=group)) for group in (True, False)))
        decoyed = next(draws) >= threshold
        items = [item.index for item in design.items if item.block == number]
        columns = []
        for question in block.questions:
            if question.kind == "single":
                choice = np.searchsorted(np.cumsum(question.unrelated), next(draws), side="right")
                columns += [choice == option for option in range(len(question.unrelated))]
            else:
                columns += [next(draws) < share for share in question.unrelated]
        decoys = np.stack(columns, axis=1)
        sent[:, items] = np.where(decoyed[:, None], decoys, sent[:, items])
    return sent
