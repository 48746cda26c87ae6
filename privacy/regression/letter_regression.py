"""Logistic regression of an item on any terms, products with other disguised items included."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import replace
from functools import reduce

import numpy as np
from numpy.typing import NDArray

from privacy.arrays import Array
from privacy.regression.corrected_score import CorrectedLogit, inverse, maximum
from privacy.regression.latent_answers import LatentAnswers
from privacy.regression.latent_parts import LatentPart
from privacy.regression.logistic import FittedLogit


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
        The blocks, with independent coins; one of them has the response.
    response : int
    designs : float array, shape (cells, settings, terms)
        Design rows by cell and by setting of the other disguised items, the last of which varies fastest. The
        constant comes first.
    terms : sequence of str
    counts, squares : float array, shape (cells, reports)
        Sums of weights and of squared weights. Reports are combinations of the blocks' reports, in order.
    group : int array, shape (cells,)

    Raises
    ------
    PrivacyError
        ``regression``: a block without information, coefficients that diverge, or too few rows for the
        coefficients.

    Notes
    -----
    With W the product of the inverses of the channels, the sum of counts W over reports is unbiased for the
    number of rows with each true letter. So the score sum x (y - g(x b)) is unbiased for the score of the
    undisguised answers, whatever their distribution (`CorrectedLogit`). Letters that skip a block are left
    out, without bias. Errors are robust. The number of events is that of undisguised rows, times the smallest
    share of any coefficient's information that the disguise leaves.

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
    coefficients, derivatives = maximum(model, ["response"] * len(settings), names)
    fit = FittedLogit(names=names, answers=answers, model=model, coefficients=coefficients, at=derivatives)
    return replace(fit, events=_letter_events(model, fit))


def _letter_events(model: CorrectedLogit, fit: FittedLogit) -> float:
    """Return the smaller expected number of events or failures that the disguise leaves."""
    branches = model.branches
    successes, failed = (
        float(model.letter_counts.sum(axis=0) @ (branches == branch).any(axis=1)) for branch in (1, 0)
    )
    plain_variance = np.diag(inverse(-fit.at.hessian))
    # Unequal weights widen the errors, too: leave that to the last factor, so that it counts once.
    weighting = model.counts.sum() / model.squares.sum()
    left = min(1.0, float((plain_variance / np.diag(fit.covariance())).min() / weighting))
    return float(min(successes, failed) * left * weighting)
