"""Logistic regression on terms of disguised items and other columns, by the corrected score."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import reduce

import numpy as np
from numpy.typing import NDArray

from privacy.arrays import Array
from privacy.regression.corrected_logit import CorrectedLogit
from privacy.regression.fitted_logit import FittedLogit, inverse, maximum
from privacy.regression.latent_answers import LatentAnswers

__all__ = ["LatentPart", "fit_letters"]


@dataclass(frozen=True, kw_only=True, eq=False)
class LatentPart:
    """The items of one part that a regression is of, and how each group's devices report them.

    Parameters
    ----------
    items : tuple of int
    channels : float array, shape (groups, letters, letters)
        Of the patterns of having them, the first item's answer changing last; then of a skip, if any.
    """

    items: tuple[int, ...]
    channels: Array

    @property
    def letters(self) -> Iterator[dict[int, int] | None]:
        """What a person has of the items, by letter; None for a skip."""
        for pattern in itertools.product((0, 1), repeat=len(self.items)):
            yield dict(zip(self.items, pattern, strict=True))
        if self.channels.shape[1] > 1 << len(self.items):
            yield None


def fit_letters(
    parts: Sequence[LatentPart],
    response: int,
    designs: Array,
    terms: Sequence[str],
    counts: Array,
    *,
    group: NDArray[np.intp],
    squares: Array | None = None,
) -> FittedLogit:
    """Regress an item on any terms, which may be products of covariates and the disguised items.

    Parameters
    ----------
    parts : sequence of LatentPart
        Their coins are independent; one of them holds the response.
    response : int
    designs : float array, shape (cells, settings, terms)
        By cell and setting of the items that are no response, the last changing fastest; the constant first.
    terms : sequence of str
    counts, squares : float array, shape (cells, reports)
        Sums of weights and of squared weights; the reports are the product of those of the parts, in order.
    group : int array, shape (cells,)

    Raises
    ------
    PrivacyError
        ``regression``: a part that says nothing, coefficients that grow without end, too few rows for a
        coefficient.

    Notes
    -----
    With W the product of the inverses of the channels, sum over reports of counts W is unbiased for the
    rows of each true letter, and the score sum x (y - g(x b)) of these for that of the undisguised
    answers, whatever they follow (`CorrectedLogit`). Rows of a letter that skips a part are left out, without
    bias. Errors are robust. Events are those of undisguised rows times the least share that the
    disguise leaves of any coefficient's information.

    References
    ----------
    Nakamura 1990; Stefanski 1989; White 1982; Peduzzi et al. 1996.
    """
    channels = zip(*(part.channels for part in parts), strict=True)
    answers = LatentAnswers(letters=(), channels=np.stack([reduce(np.kron, own) for own in channels]))
    predictors = [item for part in parts for item in part.items if item != response]
    settings = list(itertools.product((0, 1), repeat=len(predictors)))
    letters = list(itertools.product(*(part.letters for part in parts)))
    branches = np.full((len(letters), len(settings)), -1)
    for row, letter in enumerate(letters):
        if None in letter:
            continue
        has = {item: on for own in letter if own is not None for item, on in own.items()}
        branches[row, settings.index(tuple(has[item] for item in predictors))] = has[response]
    model = CorrectedLogit(
        channels=answers.channels,
        branches=branches,
        designs=designs,
        group=group,
        counts=counts,
        squares=counts if squares is None else squares,
        unbiased=answers.unbiased,
    )
    names = tuple(("response", term) for term in terms)
    coefficients, at = maximum(model, ["response"] * len(settings), names)
    fitted = FittedLogit(
        names=names,
        answers=answers,
        model=model,
        coefficients=coefficients,
        at=at,
    )
    return replace(fitted, events=_events(model, fitted))


def _events(model: CorrectedLogit, fitted: FittedLogit) -> float:
    """Return the expected events or failures, the fewer of them, that the disguise leaves."""
    branches = model.branches
    happened, failed = (
        float(model.letter_counts.sum(axis=0) @ (branches == own).any(axis=1)) for own in (1, 0)
    )
    undisguised = np.diag(inverse(-fitted.at.hessian))
    left = min(1.0, float((undisguised / np.diag(fitted.covariance())).min()))
    weighting = model.counts.sum() / model.squares.sum()
    return float(min(happened, failed) * left * weighting)
