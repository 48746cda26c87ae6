"""What disguised places tell of those who answer, where the question may be skipped."""

from __future__ import annotations

from typing import TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

from privacy.channels.planar_operator import Operator
from privacy.channels.planar_window import Region, Windows
from privacy.channels.refusal import Skipping
from privacy.errors import PrivacyError
from privacy.estimation.density import (
    Share,
    beside,
    fitted,
    region_scores,
)
from privacy.estimation.distribution import checked
from privacy.estimation.em import GAIN, MOST_STEPS, Fit
from privacy.estimation.mean_place import MeanPlace, coordinates, mean_in_degrees
from privacy.estimation.refusals import among_decoys, answer_scores, apart, decoy_chances, mean_of_answers

__all__ = ["answered_density", "answered_mean_place", "answered_region_share"]

Array: TypeAlias = NDArray[np.float64]


def answered_density(
    skipping: Skipping,
    counts: ArrayLike,
    *,
    smooth: bool = False,
    direct: ArrayLike | None = None,
    gain: float = GAIN,
    most_steps: int = MOST_STEPS,
) -> Fit:
    """Return the share of each cell among those who answer.

    Parameters
    ----------
    skipping : Skipping
        Of a place.
    counts, direct : array_like of int, shape (cells + 1,)
        Rows by the cell they sent; the last entry holds those that say "skipped".
    smooth, gain, most_steps
        As for `privacy.estimation.density.density`.

    Notes
    -----
    As in `privacy.estimation.distribution.distribution`: the rows that do not say "skipped" were sent under
    (1 - tau) C + tau D, and tau follows from those that do.
    """
    windows = _windows(skipping)
    table = _counted(windows, counts)
    sent, people, tau = apart(skipping, table)
    operator = Operator(windows)
    shape = operator.shape
    ahead, back = among_decoys(
        lambda shares: operator.forward(shares.reshape(shape)).ravel(),
        lambda ratios: operator.backward(ratios.reshape(shape)).ravel(),
        decoy_chances(skipping),
        tau,
    )
    found = fitted(
        sent.reshape(shape),
        lambda shares: ahead(shares.ravel()).reshape(shape),
        lambda ratios: back(ratios.ravel()).reshape(shape),
        smooth=smooth,
        gain=gain,
        most_steps=most_steps,
    )
    if direct is None:
        return found
    return beside(_counted(windows, direct)[:-1].reshape(shape), found, float(people[0]))


def answered_region_share(
    skipping: Skipping, counts: ArrayLike, region: Region, *, direct: ArrayLike | None = None
) -> Share:
    """Return the share of a region among those who answer, with the standard error of the population.

    Parameters
    ----------
    skipping, counts, direct
        As for `answered_density`.
    region
        As for `privacy.estimation.density.region_share`; it refuses the same.

    Notes
    -----
    `privacy.estimation.refusals.mean_of_answers` of the scores of `region_share`. n counts who were asked.
    """
    inside, scores = region_scores(_windows(skipping), region)
    value, error, n = _mean(skipping, counts, direct, scores, inside.astype(np.float64))
    return Share(value=value, standard_error=error, n=n)


def answered_mean_place(
    skipping: Skipping, counts: ArrayLike, *, direct: ArrayLike | None = None
) -> MeanPlace:
    """Return the mean place of those who answer, as `mean_place` has it.

    Parameters
    ----------
    skipping, counts, direct
        As for `answered_density`.

    Raises
    ------
    PrivacyError
        ``levels``, ``says_nothing``, ``no_rows``, ``no_answers``.
    """
    windows = _windows(skipping)
    axes = coordinates(windows)
    found = [_mean(skipping, counts, direct, axis.scores.ravel(), axis.true.ravel()) for axis in axes]
    return mean_in_degrees(
        windows.area,
        [value for value, _, _ in found],
        [error for _, error, _ in found],
        [axis.off for axis in axes],
        found[0][2],
    )


def _mean(
    skipping: Skipping, counts: ArrayLike, direct: ArrayLike | None, scores: Array, true: Array
) -> tuple[float, float, int]:
    """Mean, error and n from scores of the cells that are sent, and true values of cells."""
    windows = _windows(skipping)
    rows = [_counted(windows, counts)]
    values = [answer_scores(skipping, scores)]
    answers = [answer_scores(skipping, np.ones(windows.outputs))]
    if direct is not None:
        rows.append(_counted(windows, direct))
        values.append(np.append(true, 0))
        answers.append(np.append(np.ones(windows.inputs), 0))
    weights = np.concatenate(rows)
    n = int(weights.sum())
    if n == 0:
        raise PrivacyError("no_rows.part", 0)
    return *mean_of_answers(weights, np.concatenate(values), np.concatenate(answers)), n


def _counted(windows: Windows, counts: ArrayLike) -> Array:
    return checked(counts, windows.outputs + 1)


def _windows(skipping: Skipping) -> Windows:
    if not isinstance(skipping.disguise, Windows):
        raise PrivacyError("kind", skipping.disguise, mechanism=skipping.disguise.mechanism)
    return skipping.disguise
