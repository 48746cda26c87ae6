"""How far forged rows can have moved an estimated share, from the design."""

from __future__ import annotations

from itertools import product

import numpy as np

from privacy.arrays import Array
from privacy.channels import numerator
from privacy.errors import PrivacyError
from privacy.estimation.counts import Columns
from privacy.estimation.design_index import index_of
from privacy.survey.design import Design


def score_range(design: Design, items: Columns, *, direct: bool | None = None) -> tuple[float, float]:
    """Return the smallest and largest score of a row for an itemset, over all reports.

    Parameters
    ----------
    design : Design
    items : tuple of int
    direct : bool, optional
        Only of rows in the direct group, or in the protected one; by default of rows in both.

    Examples
    --------
    A yes/no question with p = .5 and theta = .5: (0 - .25)/.5 and (1 - .25)/.5.

    >>> from privacy.survey.design import Block, GroupPolicy, Question
    >>> design = Design(group=GroupPolicy(), use="live", blocks=(Block(key="b", protected=True,
    ...     truth_probability=5000,
    ...     questions=(Question(key="a", kind="yes_no", options=(), unrelated=(5000,)),)),))
    >>> score_range(design, (0,))
    (-0.5, 1.5)
    """
    index, ends = index_of(design), []
    for group, is_direct in enumerate((True, False)):
        if not design.group.allows(direct=is_direct) or direct not in (None, is_direct):
            continue
        factors = []
        for block in dict.fromkeys(int(index.block[item]) for item in items):
            block_items = tuple(item for item in items if index.block[item] == block)
            p = float(index.truth[group, block])
            if index.is_open[block_items[0]]:
                factors.append((0.0, 1.0))
            elif p == 0:
                raise PrivacyError("truth_probability.no_information", 0)
            else:
                scores: Array = numerator(np.array([0.0, 1.0]), p, index.decoy(block, block_items)) / p
                factors.append((float(scores[0]), float(scores[1])))
        ends += [float(np.prod(each)) for each in product(*factors)]
    return min(ends), max(ends)


def share_shift(design: Design, items: Columns, *, value: float, n: int, rows: int) -> float:
    """Return how far some rows among those of an estimate can have moved it.

    Parameters
    ----------
    design : Design
    items : tuple of int
    value : float
        The estimated share.
    n : int
        Rows that were asked everything in the itemset.
    rows : int
        Rows among them that no device sent.

    Returns
    -------
    float
        Largest distance of `value` from the estimate of the other rows; infinite if none are left.

    Notes
    -----
    The estimate is the mean of scores. Without m rows of score z it is (n P - m z)/(n - m), which is
    m (z - P)/(n - m) away from P. So the score farthest from P gives the largest distance. If devices draw
    the questions, and rows that were asked a part count too, the distance is smaller.

    Examples
    --------
    22 of 422 rows at p = .6, theta = .5, whose scores are -1/3 and 4/3: 22 (4/3 - .25)/400.

    >>> from privacy.survey.design import Block, GroupPolicy, Question
    >>> design = Design(group=GroupPolicy(), use="live", blocks=(Block(key="b", protected=True,
    ...     truth_probability=6000,
    ...     questions=(Question(key="a", kind="yes_no", options=(), unrelated=(5000,)),)),))
    >>> round(share_shift(design, (0,), value=.25, n=422, rows=22), 4)
    0.0596
    """
    if not rows:
        return 0.0
    if rows >= n:
        return float("inf")
    low, high = score_range(design, items)
    return rows * max(high - value, value - low) / (n - rows)
