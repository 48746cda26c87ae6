"""Stated prevalences of answers: check them, and fit shares of combinations to them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import reduce
from typing import Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from privacy import validation
from privacy.arrays import Array, Flags, Whole
from privacy.coins import SCALE
from privacy.errors import PrivacyError
from privacy.survey.question import Question

Prevalence: TypeAlias = Mapping[str, Sequence[int]]
"""``{question key: ten-thousandths per item}``, the researcher's guesses for protected questions."""


def check_prevalence(questions: Sequence[Question], prevalence: Prevalence) -> None:
    """Refuse prevalences that omit a question or give it an invalid distribution.

    Parameters
    ----------
    questions : sequence of Question
        The questions that need prevalences.
    prevalence : mapping of question key to sequence of int, ten-thousandths, 0 to 10,000
        One per item; those of a single choice sum to 10,000. Other keys are ignored.

    Raises
    ------
    PrivacyError
        ``prevalence`` or ``shares_sum``.
    """
    for question in questions:
        shares = prevalence.get(question.key)
        if not isinstance(shares, list | tuple) or len(shares) != question.n_items:
            raise PrivacyError("prevalence.question", shares, question=question.key, n_items=question.n_items)
        for share in shares:
            validation.whole_number(
                share, f"prevalence of {question.key}", low=0, high=SCALE, code="prevalence"
            )
        if question.is_exhaustive and sum(shares) != SCALE:
            raise PrivacyError("shares_sum", sum(shares), key=question.key, scale=SCALE)


_MOST_SWEEPS: Final = 300
_SETTLED: Final = 1e-6
_STILL: Final = 1e-7


def outer(tables: Sequence[NDArray[np.generic]]) -> NDArray[np.generic]:
    """Return the outer product of several tables, with one axis per table.

    Parameters
    ----------
    tables : sequence of ndarray
        One-dimensional arrays.
    """
    return reduce(np.multiply.outer, tables)


def fit_shares(shares: Sequence[Array], allowed: Flags) -> list[Array] | None:
    """Return independent shares that reproduce the stated shares after conditioning on the allowed rows.

    Parameters
    ----------
    shares : sequence of ndarray
        For each part, the shares of its answers, which sum to 1.
    allowed : ndarray of bool
        Flags of rows that can be true, with one axis per part.

    Notes
    -----
    This is iterative proportional fitting. If no distribution has the stated shares, for example because they
    sum to more than 1, the fit stops when it no longer improves.
    """
    weights = [share.copy() for share in shares]
    table = np.asarray(outer(weights), dtype=np.float64) * allowed
    if not table.sum():
        return None
    gap = np.inf
    for _ in range(_MOST_SWEEPS):
        before, gap = gap, 0.0
        for axis, share in enumerate(shares):
            other_axes = tuple(other for other in range(len(shares)) if other != axis)
            now = table.sum(axis=other_axes) / table.sum()
            gap = max(gap, float(np.abs(now - share).max()))
            change = np.divide(share, now, out=np.zeros_like(share), where=now > 0)
            weights[axis] = weights[axis] * change
            weights[axis] /= weights[axis].sum()
            scale = np.expand_dims(change, other_axes)
            if not (table * scale).sum():
                return weights
            table = table * scale
        if gap < _SETTLED or abs(before - gap) < _STILL:
            break
    return weights


def quantise(parts: Whole, weights: Array) -> Whole:
    """Round weights to ten-thousandths that are 0 only for answers stated as impossible.

    Parameters
    ----------
    parts : ndarray of int
        Stated ten-thousandths of each answer.
    weights : ndarray of float
        Target share of each answer.
    """
    weights_in_units = np.where(parts > 0, np.maximum(1, np.rint(SCALE * weights)), 0).astype(np.int64)
    weights_in_units[np.argmax(weights_in_units)] += SCALE - weights_in_units.sum()
    return weights_in_units
