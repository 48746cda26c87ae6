"""Reliability of an instrument from two halves, whose cut-offs devices send under one coin.

No device sends a component, so Cronbach's alpha cannot be computed. But two halves of the instrument, each
with one cut-off, have a correlation, and it gives the reliability of the whole.
"""

from __future__ import annotations

import math
from typing import Final

import numpy as np
import scipy

from privacy.arrays import Array
from privacy.errors import PrivacyError
from privacy.estimation.counts import Columns, SupportCounts
from privacy.estimation.paired_reports import PairedReports, columns_of_pair, paired_reports, partner_of
from privacy.levels import chi_square_quantile
from privacy.printed import UNCHECKED, Measured
from privacy.survey.design import Design

MOST_CORRELATION: Final = 0.999
"""Largest tetrachoric correlation that is tried; a set that contains it reaches a reliability of 1."""

_LOWEST: Final = np.array([-5.0, -5.0, -12.0])
_HIGHEST: Final = np.array([5.0, 5.0, 6.0])
"""Limits of both thresholds, in standard deviations, and of the logit of the share of skips."""

_STEPS: Final = 40
_CLOSER: Final = 12
_REFINEMENTS: Final = 2
_MOST_STEPS: Final = 60
_LEAST: Final = 1e-10
_LEAST_STEP: Final = 1e-3


def other_half(design: Design, question: int) -> int | None:
    """Return the number of the question that a question names as its other half; None if it names none.

    Parameters
    ----------
    design : Design
    question : int
        Number of a question.
    """
    return partner_of(design, question, "other_half")


def columns_of_halves(design: Design, question: int) -> list[Columns]:
    """Return the sets of columns that `split_half_reliability` needs to be counted.

    Parameters
    ----------
    design : Design
    question : int
        Number of the half that names the other.
    """
    return columns_of_pair(design, *half_items(design, question))


def half_items(design: Design, question: int) -> tuple[int, int]:
    """Return the items of both halves of an instrument.

    Parameters
    ----------
    design : Design
    question : int
        Number of the half that names the other, whose item comes second.
    """
    other = other_half(design, question)
    if other is None:
        raise PrivacyError("computed.no_half", design.questions[question].key)
    first, second = (
        next(item.index for item in design.items if item.question == each) for each in (other, question)
    )
    return first, second


def split_half_reliability(
    counts: SupportCounts, design: Design, question: int, *, level: float = 0.95
) -> Measured:
    """Estimate the reliability of an instrument from its two halves.

    Parameters
    ----------
    counts : SupportCounts
        With the columns of `columns_of_halves`.
    design : Design
    question : int
        Number of the half that names the other.
    level : float, optional
        Confidence level.

    Returns
    -------
    Measured
        0 to 1; among the people who answered. It is not estimable if the interval is 0 to 1.

    Raises
    ------
    PrivacyError
        ``computed``: the question names no other half. ``no_rows``: no device was asked both.

    See Also
    --------
    reliability_of : the same from the reports.
    """
    return reliability_of(paired_reports(counts, design, *half_items(design, question)), level=level)


def reliability_of(reports: PairedReports, *, level: float = 0.95) -> Measured:
    """Estimate the reliability of an instrument from the reports of its two halves.

    Parameters
    ----------
    reports : PairedReports
    level : float, optional
        Confidence level.

    Returns
    -------
    Measured
        The estimate of greatest likelihood, between 0 and 1, and the values that a likelihood-ratio test does
        not reject. Without a standard error at 0 and 1.

    Notes
    -----
    Of the people who answered, a share pi(ab) is above the cut-offs of both halves, of one, or of none. The
    report ab has the probability

        P(ab) = p (1 - s) pi(ab) + (1 - p) q(ab),

    with the share s of people who skip and random answers q(ab), so pi(ab) = (P(ab) - (1 - p) q(ab)) / p,
    divided by 1 - s. If the halves are normal beyond their cut-offs h and k, with correlation r, then
    pi(ab) is a quadrant of the bivariate normal distribution: r is the *tetrachoric* correlation. The
    reliability of the whole instrument, which is twice as long, is 2 r / (1 + r) (Spearman-Brown).

    h, k, r and s are fitted together, so the estimate never leaves its range, as an inverted table can. For
    the interval, h, k and s are fitted again at each r. Correlations below 0 are left out: halves of one
    instrument measure the same.

    References
    ----------
    Olsson 1979 (maximum likelihood). Spearman 1910; Brown 1910 (length of an instrument).

    Examples
    --------
    Undisguised, with a third of the people above both cut-offs at the medians, r is sin(pi / 6) = .5:

    >>> rows = PairedReports(counts=np.array([[2000, 1000, 1000, 2000, 0]]), truths=np.array([1.0]),
    ...                      decoys=np.array([0.25, 0.25, 0.25, 0.25, 0.0]))
    >>> round(reliability_of(rows).value, 3)  # 2 * .5 / 1.5
    0.667
    """
    grid = np.linspace(0.0, MOST_CORRELATION, _STEPS)
    threshold = chi_square_quantile(level) / 2
    # Each pass looks more closely around the estimate and the ends.
    for _turn in range(_REFINEMENTS):
        heights = profile(reports, grid)
        best = int(np.argmax(heights))
        inside = np.flatnonzero(heights >= heights[best] - threshold)
        grid = np.unique(np.concatenate([_near(grid, place) for place in (inside[0], best, inside[-1])]))
    heights = profile(reports, grid)
    best = int(np.argmax(heights))
    inside = grid[heights >= heights[best] - threshold]
    low, high = float(inside[0]), float(inside[-1])
    is_whole = low == 0.0 and high == MOST_CORRELATION
    return Measured(
        value=spearman_brown(float(grid[best])),
        low=spearman_brown(low),
        high=1.0 if high == MOST_CORRELATION else spearman_brown(high),
        standard_error=None if is_whole else _standard_error(reports, float(grid[best])),
        estimable=not is_whole,
        n=int(reports.n),
        effective_n=float(reports.n),
        level=level,
        possible=(0.0, 1.0),
        method="likelihood",
        shift=None,
        origin=UNCHECKED,
    )


def _near(grid: Array, place: int) -> Array:
    """Return points between the neighbours of a point of a grid, with the ends of the whole range."""
    ends = grid[max(place - 1, 0)], grid[min(place + 1, len(grid) - 1)]
    return np.concatenate([[0.0], np.linspace(*ends, _CLOSER), [MOST_CORRELATION]])


def spearman_brown(correlation: float) -> float:
    """Return the reliability of an instrument whose halves have this correlation.

    Parameters
    ----------
    correlation : float, above -1

    Examples
    --------
    >>> spearman_brown(0.5)
    0.6666666666666666
    """
    return 2 * correlation / (1 + correlation)


def quadrants(h: Array, k: Array, correlation: Array) -> Array:
    """Return the shares of a bivariate normal above both thresholds, above one, and above none.

    Parameters
    ----------
    h, k : float array, shape (m,)
        Thresholds, in standard deviations.
    correlation : float array, shape (m,)
        Between -1 and 1.

    Returns
    -------
    float array, shape (m, 4)
        Above both; above `h` only; above `k` only; above none.

    Notes
    -----
    The share below both is expressed by Owen's function T (Owen 1956), which scipy evaluates.

    Examples
    --------
    >>> quadrants(np.zeros(1), np.zeros(1), np.array([0.5])).round(3).tolist()
    [[0.333, 0.167, 0.167, 0.333]]
    """
    below = _below_both(h, k, correlation)
    below_h, below_k = scipy.special.ndtr(h), scipy.special.ndtr(k)
    shares = np.stack([1 - below_h - below_k + below, below_k - below, below_h - below, below], axis=1)
    result: Array = np.clip(shares, 0.0, 1.0)
    return result


def _below_both(h: Array, k: Array, correlation: Array) -> Array:
    # Owen's formula divides by both thresholds.
    h, k = (np.where(np.abs(value) > _LEAST, value, _LEAST) for value in (h, k))
    root = np.sqrt(1 - correlation**2)
    first = scipy.special.owens_t(h, (k / h - correlation) / root)
    second = scipy.special.owens_t(k, (h / k - correlation) / root)
    result: Array = (scipy.special.ndtr(h) + scipy.special.ndtr(k) - (h * k < 0)) / 2 - first - second
    return result


def profile(reports: PairedReports, correlations: Array) -> Array:
    """Return the largest log-likelihood at each correlation, over both thresholds and the share of skips.

    Parameters
    ----------
    reports : PairedReports
    correlations : float array, shape (m,)

    Returns
    -------
    float array, shape (m,)

    Notes
    -----
    Fisher scoring with Marquardt's damping, at all correlations at once.
    """
    places = np.tile(_first_place(reports), (len(correlations), 1))
    damping = np.full(len(correlations), 1e-3)
    sent, slopes = _report_shares(reports, places, correlations)
    heights = _log_likelihoods(reports, sent)
    for _turn in range(_MOST_STEPS):
        ratio = reports.counts / sent
        gradient = np.einsum("mgc,mgcd->md", ratio, slopes)
        sizes = reports.counts.sum(axis=1)[:, None]
        information = np.einsum("mgc,mgcd,mgce->mde", sizes / sent, slopes, slopes)
        diagonal = np.einsum("mdd->md", information)
        ridge = (damping[:, None] * diagonal + 1e-9)[:, :, None] * np.eye(diagonal.shape[1])
        steps = np.linalg.solve(information + ridge, gradient[:, :, None])[:, :, 0]
        width = places.shape[1]
        tried = np.clip(places + np.clip(steps, -1.0, 1.0), _LOWEST[:width], _HIGHEST[:width])
        new_sent, new_slopes = _report_shares(reports, tried, correlations)
        new_heights = _log_likelihoods(reports, new_sent)
        is_better = new_heights > heights
        damping = np.where(is_better, damping / 5, damping * 5)
        gained = np.where(is_better, new_heights - heights, 0.0)
        places = np.where(is_better[:, None], tried, places)
        heights = np.where(is_better, new_heights, heights)
        sent = np.where(is_better[:, None, None], new_sent, sent)
        slopes = np.where(is_better[:, None, None, None], new_slopes, slopes)
        if (gained < 1e-7).all() and (is_better | (damping > 1e3)).all():
            break
    return heights


def _first_place(reports: PairedReports) -> Array:
    """Return thresholds, and the logit of the share of skips if there are any, from the moments."""
    sizes = reports.counts.sum(axis=1)
    p = float(reports.truths @ sizes) / reports.n
    sent = float(reports.counts[:, -1].sum()) / reports.n
    skips = min(max((sent - (1 - p) * reports.decoys[-1]) / p, 0.01), 0.9)
    means = [float((score * reports.counts).sum()) / reports.n for score in reports.scores()]
    shares = np.clip(np.array(means) / (1 - skips), 0.02, 0.98)
    has_skips = bool(reports.decoys[-1] or reports.counts[:, -1].any())
    return np.append(-scipy.special.ndtri(shares), [scipy.special.logit(skips)] * has_skips)


def _report_shares(reports: PairedReports, places: Array, correlations: Array) -> tuple[Array, Array]:
    """Return the probability of each report by group, and its derivatives by thresholds and skips."""
    h, k = places[:, 0], places[:, 1]
    has_skips = places.shape[1] > 2
    skips = scipy.special.expit(places[:, 2]) if has_skips else np.zeros(len(places))
    cells = quadrants(h, k, correlations)
    root = np.sqrt(1 - correlations**2)
    density = [np.exp(-(value**2) / 2) / math.sqrt(2 * math.pi) for value in (h, k)]
    # The derivative of the share below both thresholds by one of them.
    by_h = density[0] * scipy.special.ndtr((k - correlations * h) / root)
    by_k = density[1] * scipy.special.ndtr((h - correlations * k) / root)
    of_h = np.stack([by_h - density[0], -by_h, density[0] - by_h, by_h], axis=1)
    of_k = np.stack([by_k - density[1], density[1] - by_k, -by_k, by_k], axis=1)
    answered = (1 - skips)[:, None]
    none = np.zeros((len(places), 1))
    true = np.concatenate([answered * cells, skips[:, None]], axis=1)
    parts = [np.concatenate([answered * slope, none], axis=1) for slope in (of_h, of_k)]
    if has_skips:
        moved = (skips * (1 - skips))[:, None]
        parts.append(np.concatenate([-moved * cells, moved], axis=1))
    p = reports.truths[None, :, None]
    sent = np.maximum(p * true[:, None] + (1 - p) * reports.decoys, 1e-12)
    return sent, p[..., None] * np.stack(parts, axis=2)[:, None]


def _log_likelihoods(reports: PairedReports, sent: Array) -> Array:
    result: Array = scipy.special.xlogy(reports.counts, sent).sum(axis=(1, 2))
    return result


def _standard_error(reports: PairedReports, best: float) -> float | None:
    """Return the standard error of the reliability from the curvature of the profile; None at its ends."""
    step = min(0.02, best / 2, (MOST_CORRELATION - best) / 2)
    if step < _LEAST_STEP:
        return None
    below, middle, above = profile(reports, np.array([best - step, best, best + step]))
    curvature = (above - 2 * middle + below) / step**2
    return None if curvature >= 0 else float(2 / (1 + best) ** 2 / math.sqrt(-curvature))
