"""How far forged rows can have moved a figure, and how many overturn a conclusion.

Anyone with an open link can send rows. A figure that is computed from numbers of rows by report answers two
questions about m forged rows with equal reports. The *shift* is the largest distance of the figure from the
one without m such rows. *Flips* is the least number of rows that changes a conclusion: rows that come on top
of a result that is not significant, or that explain a significant one, which is gone without them.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

import numpy as np

from privacy.arrays import Array, Whole
from privacy.errors import PrivacyError


def ratio_shift(scores: Array, answers: Array, counts: Array, rows: int) -> Array:
    """Return how far some rows with equal reports can have moved a ratio of sums of scores.

    Parameters
    ----------
    scores : ndarray, shape (..., kinds)
        z of each kind of row.
    answers : ndarray, shape (kinds,)
        a of each kind of row: 1, or its score for having answered.
    counts : ndarray, shape (kinds,)
        Rows of each kind.
    rows : int
        Rows among them that no device sent.

    Returns
    -------
    ndarray, shape (...)
        Largest distance from the ratio of the other rows; infinite if perhaps none of these answered.

    Notes
    -----
    The ratio is R = sum z / sum a. Without m rows with the scores z and a it differs by m (z - R a)/(A - m
    a), where A is the sum of a over all rows. Rows with different reports move it no further, because their
    ratio is a mean of such ratios, weighted by A - m a.

    Examples
    --------
    Eight of ten answers are 1. Without two of them, six of eight are; without two zeros, eight of eight:

    >>> ratio_shift(np.array([0.0, 1.0]), np.ones(2), np.array([2.0, 8.0]), 2).round(9).tolist()
    0.2
    """
    if not rows:
        return np.zeros(scores.shape[:-1])
    answered = float(counts @ answers)
    left = answered - rows * answers
    if not answered > 0 or not (left > 0).all():
        return np.full(scores.shape[:-1], np.inf)
    ratio = scores @ counts / answered
    return np.asarray(np.abs(rows * (scores - ratio[..., None] * answers) / left).max(axis=-1))


def mean_shift(scores: Array, rows: Whole, forged: int) -> float:
    """Return how far some rows with equal reports can have moved the mean of scores.

    Parameters
    ----------
    scores : ndarray, shape (reports,)
    rows : ndarray of int, shape (reports,)
        Number of rows with each score.
    forged : int
        Number of rows among them that no device sent.
    """
    return float(ratio_shift(scores[None], np.ones(len(scores)), rows.astype(np.float64), forged)[0])


def distances(moved: Array, own: Array) -> Array:
    """Return how far figures moved; infinite if either of the two is not known, which is not a finite number.

    Parameters
    ----------
    moved, own : ndarray
        Figures without some rows, and with all; their shapes match.

    Examples
    --------
    >>> distances(np.array([0.25, np.inf, 0.5]), np.array([0.5, 0.5, np.inf])).tolist()
    [0.25, inf, inf]
    """
    with np.errstate(invalid="ignore"):
        found = np.abs(moved - own)
    return np.asarray(np.where(np.isfinite(found), found, np.inf))


def farthest(read: Callable[[Array], Array], counts: Array | Whole, rows: int, kinds: Sequence[int]) -> Array:
    """Return how far some rows with equal reports can have moved figures of any kind.

    Parameters
    ----------
    read : callable
        Returns the figures, shape (figures,), from numbers of rows. It raises `PrivacyError` if there are
        none.
    counts : ndarray, shape (kinds,)
        Rows of each kind.
    rows : int
        Rows among them that no device sent.
    kinds : sequence of int
        Kinds of rows that may be forged.

    Returns
    -------
    ndarray, shape (figures,)
        Largest distance of each figure from that of the other rows; infinite if it has none without them.

    Examples
    --------
    >>> farthest(lambda counts: counts[:1] / counts.sum(), np.array([8.0, 2.0]), 2, [0, 1]).round(9).tolist()
    [0.2]
    """
    own = read(np.asarray(counts, dtype=np.float64))
    if not rows:
        return np.zeros_like(own)
    shift = np.zeros_like(own)
    for kind in kinds:
        try:
            found = distances(read(_with_rows(counts, kind, -rows)), own)
        except PrivacyError:
            found = np.full_like(own, np.inf)
        shift = np.maximum(shift, found)
    return shift


NEVER: Final = -1
"""Stored instead of a number of rows if none was found that changes a conclusion."""

MOST_FORGED: Final = 1 << 20
"""Forged rows beyond which a conclusion counts as firm."""


def flips(
    conclude: Callable[[Array], Whole],
    counts: Array | Whole,
    kinds: Sequence[int],
    *,
    most: int = MOST_FORGED,
) -> int | None:
    """Return the least number of rows with equal reports that changes a conclusion.

    Parameters
    ----------
    conclude : callable
        Maps numbers of rows, shape (cases, kinds), to conclusions, shape (cases,): 1 or -1 for a significant
        result and its sign, 0 for none.
    counts : ndarray, shape (kinds,)
        Rows of each kind.
    kinds : sequence of int
        Kinds of rows that may be forged.
    most : int
        Largest number to try.

    Returns
    -------
    int or None
        Without a significant result, the rows that make one. With one, the rows of some kind without which it
        is gone, or has another sign. None if no number of rows does.

    Notes
    -----
    The search doubles the number until some kind changes the conclusion, and then halves the interval with
    the kinds that did. The conclusion is assumed to change once.

    Examples
    --------
    More than 60% say yes, or fewer than 40%, is a result. Of 10 answers 5 are yes: with 3 more, 8 of 13 are.

    >>> def conclude(counts):
    ...     share = counts[:, 1] / counts.sum(axis=1)
    ...     return (share > 0.6).astype(int) - (share < 0.4)
    >>> flips(conclude, np.array([5.0, 5.0]), [0, 1])
    3
    >>> flips(conclude, np.array([5.0, 8.0]), [0, 1])  # without one of them, 7 of 12
    1
    """
    (start,) = conclude(np.asarray(counts, dtype=np.float64)[None])
    sign = -1 if start else 1

    def flipped(number: int, tried: Sequence[int]) -> list[int]:
        # Only rows that are there can explain a result.
        able = [min(number, int(counts[kind])) if start else number for kind in tried]
        cases = [_with_rows(counts, kind, sign * own) for kind, own in zip(tried, able, strict=True)]
        found = conclude(np.stack(cases)) != start
        return [kind for kind, changes in zip(tried, found.tolist(), strict=True) if changes]

    limit = most if start == 0 else int(min(most, max((counts[kind] for kind in kinds), default=0)))
    if not limit or not len(kinds):
        return None
    low, high = 0, 1
    while not (changing := flipped(high, kinds)):
        if high >= limit:
            return None
        low, high = high, min(2 * high, limit)
    while high - low > 1:
        middle = (low + high) // 2
        if sooner := flipped(middle, changing):
            high, changing = middle, sooner
        else:
            low = middle
    return high


def _with_rows(counts: Array | Whole, kind: int, number: int) -> Array:
    changed = np.array(counts, dtype=np.float64)
    changed[kind] += number
    return changed
