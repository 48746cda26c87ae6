"""What a difference or a share would be if some people to whom an answer applies did not give it.

A device disguises the answer that it is given, so someone who denies counts as someone to whom the answer
does not apply, at every strength of the disguise. No design identifies denial that is common to all
respondents; these figures are bounds, and the share of denials at which a finding would disappear.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from privacy import validation
from privacy.arrays import Array
from privacy.errors import PrivacyError
from privacy.estimation.cluster_count import ClusterCount, threshold_of
from privacy.estimation.comparison import Denial
from privacy.estimation.empirical_likelihood import likelihood_sets, score_test_sets
from privacy.estimation.joined_rows import JoinedRows
from privacy.estimation.joined_scores import MOST_SCORES, likelihood_ratios, with_base
from privacy.policy import LEAST_EFFECTIVE_ROWS
from privacy.printed import Measured

_MOST_DENIED: Final = 1 - 1e-6
"""Largest share of denials that is tried if the group with less shows no one."""

_HALVINGS: Final = 30
"""Steps of the search for a tipping point, which leave an error of 1e-9."""

DENIED: Final = (0.1, 0.25, 0.5)
"""Largest shares of denials for which pages state bounds: a tenth, a quarter, and half of those concerned."""

DENIED_IN_SENTENCES: Final = 0.25
"""The one of them for which sentences next to a share or a ratio state its range."""


def denied_difference(
    rows: JoinedRows, *, having: float = 0.0, others: float = 0.0, level: float = 0.95
) -> tuple[float, float]:
    """Return the interval of the true difference between two groups, some of whom denied the outcome.

    Parameters
    ----------
    rows : JoinedRows
        As for `privacy.estimation.comparison.compare`; the outcome is a share.
    having, others : float, in [0, .99]
        Share of people with the outcome who did not say so, among people with the answer and all others.
    level : float, in (0, 1)

    Returns
    -------
    (float, float)
        In [-1, 1]; the whole range for fewer than 30 effective rows.

    Raises
    ------
    PrivacyError
        ``no_rows``, ``level``, ``denied``.

    Notes
    -----
    A group's share of people who say so is its true share times one minus its share of denials, so with
    k = 1 / (1 - having), m = 1 / (1 - others) and the scores of `compare`, mean h = 0 is tested with

        h = k x + (m - k) (B x + X a - X B w) - m (B y + Y a - Y B w) - t ((1 - 2 B) a + B^2 w),  X = mean x.

    Without denials, this is the difference of `compare`.

    Examples
    --------
    100 people with an answer, 60 of whom have the outcome, and 100 others, 20 of whom have it. If half of
    those concerned among the others denied it, their share is 40 of 100, and the difference .2 instead of .4:

    >>> rows = JoinedRows(counts=np.array([60, 40, 20, 80]), n_direct=0, n_protected=200, smallest_cell=20,
    ...                   scores=np.array([[1., 0, 0, 0], [1, 1, 0, 0], [1, 0, 1, 0]]))
    >>> [round(end, 2) for end in denied_difference(rows)]
    [0.27, 0.52]
    >>> [round(end, 3) for end in denied_difference(rows, others=0.5)]
    [0.004, 0.372]
    """
    _check(rows, having, others)
    if rows.effective < LEAST_EFFECTIVE_ROWS:
        return -1.0, 1.0
    constant, slope = _terms(rows, having, others)
    counts, total = rows.counts, rows.counts.sum()
    weight = float(slope @ counts)
    # Without people in one of the groups, nothing is known.
    if not weight:
        return -1.0, 1.0
    value = -float(constant @ counts) / weight
    threshold = threshold_of(level, _smaller_side(rows), constant + value * slope)
    if constant.size > MOST_SCORES:
        means = np.array([constant @ counts]) / total, np.array([slope @ counts]) / total
        centred = [own - mean for own, mean in zip((constant, slope), means, strict=True)]
        pairs = ((0, 0), (0, 1), (1, 1))
        of_constant, of_both, of_slope = (
            np.array([(centred[one] * centred[two]) @ counts]) / float(total) ** 2 for one, two in pairs
        )
        sets = score_test_sets(*means, (of_constant, of_both, of_slope), threshold)
    else:
        sets = likelihood_sets(counts[None], constant[None], slope[None], threshold)
    ends = sets.inside(-1.0, 1.0)
    return float(ends.low[0]), float(ends.high[0])


def difference_bounds(rows: JoinedRows, most_denied: float, *, level: float = 0.95) -> tuple[float, float]:
    """Return bounds of the true difference if at most this share of those concerned denied it.

    Parameters
    ----------
    rows : JoinedRows
    most_denied : float, in [0, .99]
        Largest share of denials in a group; groups may differ.
    level : float, in (0, 1)

    Returns
    -------
    (float, float)
        The lower end if only the others denied, and the upper end if only people with the answer did.

    Raises
    ------
    PrivacyError
        ``no_rows``, ``level``, ``denied``.

    Examples
    --------
    >>> rows = JoinedRows(counts=np.array([60, 40, 20, 80]), n_direct=0, n_protected=200, smallest_cell=20,
    ...                   scores=np.array([[1., 0, 0, 0], [1, 1, 0, 0], [1, 0, 1, 0]]))
    >>> [round(end, 2) for end in difference_bounds(rows, 0.2)]
    [0.21, 0.69]
    """
    low, _high = denied_difference(rows, others=most_denied, level=level)
    _low, high = denied_difference(rows, having=most_denied, level=level)
    return low, high


def tipping_share(rows: JoinedRows, *, level: float = 0.95) -> float | None:
    """Return the least share of denials in the lower group alone at which the difference may be 0.

    Parameters
    ----------
    rows : JoinedRows
        As for `denied_difference`.
    level : float, in (0, 1)

    Returns
    -------
    float or None
        In [0, 1): 0 if the interval contains 0 without denials; None if no share of denials suffices, because
        no one in that group gave the answer.

    Raises
    ------
    PrivacyError
        ``no_rows``, ``level``.

    Notes
    -----
    With independent groups of shares P > p and variances V and v, this is nearly the least s with
    (P - p / (1 - s))^2 = z^2 (V + v / (1 - s)^2). Equal denial in both groups changes neither the sign of the
    difference nor the ratio of the shares. A design that identifies denial lets respondents operate the coin.

    References
    ----------
    Clark and Desharnais 1998; Böckenholt and van der Heijden 2007.

    Examples
    --------
    60 of 100 against 20 of 100: the difference remains unless half of the others concerned deny it.

    >>> rows = JoinedRows(counts=np.array([60, 40, 20, 80]), n_direct=0, n_protected=200, smallest_cell=20,
    ...                   scores=np.array([[1., 0, 0, 0], [1, 1, 0, 0], [1, 0, 1, 0]]))
    >>> round(tipping_share(rows), 3)
    0.504
    """
    _check(rows, 0.0, 0.0)
    both, _by, outcome, base_by, base = with_base(rows.scores) @ rows.counts
    if rows.effective < LEAST_EFFECTIVE_ROWS or not 0 < base_by < base:
        return 0.0
    shares = float(both / base_by), float((outcome - both) / (base - base_by))
    higher, lower = max(shares), min(shares)
    is_others = shares[0] > shares[1]

    def is_rejected(denied: float) -> bool:
        given = {"having": 0.0, "others": denied} if is_others else {"having": denied, "others": 0.0}
        constant, _slope = _terms(rows, **given)
        threshold = threshold_of(level, _smaller_side(rows), constant)
        return float(likelihood_ratios(rows.counts[None], constant[None])[0]) > threshold

    if not is_rejected(0.0):
        return 0.0
    # At the upper end, both groups have the same share, so the test does not reject.
    remains, disappears = 0.0, 1 - lower / higher if lower > 0 else _MOST_DENIED
    if lower <= 0 and is_rejected(disappears):
        return None
    for _ in range(_HALVINGS):
        middle = (remains + disappears) / 2
        remains, disappears = (middle, disappears) if is_rejected(middle) else (remains, middle)
    return disappears


def denial_of(rows: JoinedRows, *, level: float = 0.95) -> Denial:
    """Return the tipping point of a difference, and its bounds for the shares in `DENIED`.

    Parameters
    ----------
    rows : JoinedRows
    level : float, in (0, 1)

    Raises
    ------
    PrivacyError
        ``no_rows``, ``level``.

    Examples
    --------
    >>> rows = JoinedRows(counts=np.array([60, 40, 20, 80]), n_direct=0, n_protected=200, smallest_cell=20,
    ...                   scores=np.array([[1., 0, 0, 0], [1, 1, 0, 0], [1, 0, 1, 0]]))
    >>> [round(low, 2) for _most, low, _high in denial_of(rows).bounds]
    [0.24, 0.19, 0.0]
    """
    bounds = tuple((most, *difference_bounds(rows, most, level=level)) for most in DENIED)
    return Denial(tipping=tipping_share(rows, level=level), bounds=bounds)


def share_bounds(share: Measured, most_denied: float) -> tuple[float, float]:
    """Return bounds of a true share if at most this share of those concerned denied it.

    Parameters
    ----------
    share : Measured
    most_denied : float, in [0, .99]

    Returns
    -------
    (float, float)
        [low, min(1, high / (1 - most_denied))].

    Raises
    ------
    PrivacyError
        ``denied``.

    Examples
    --------
    >>> from privacy.printed import UNCHECKED
    >>> found = Measured(value=.3, low=.2, high=.4, standard_error=.05, estimable=True, n=90, effective_n=90.,
    ...                  level=.95, possible=(0, 1), method="ratio", shift=0.,
    ...                  origin=UNCHECKED)
    >>> share_bounds(found, 0.2), share_bounds(found, 0.75)
    ((0.2, 0.5), (0.2, 1.0))
    """
    _check_share(most_denied)
    return share.low, min(1.0, share.high / (1 - most_denied))


def ratio_bounds(ratio: Measured, most_denied: float) -> tuple[float, float]:
    """Return bounds of a true ratio of shares if at most this share of those concerned denied it.

    Parameters
    ----------
    ratio : Measured
        The share with an outcome in one group divided by that in another group or among everyone: a relative
        risk or a lift.
    most_denied : float, in [0, .99]
        Largest share of denials of the outcome; groups may differ.

    Returns
    -------
    (float, float)
        [low (1 - most_denied), high / (1 - most_denied)], in [0, inf].

    Raises
    ------
    PrivacyError
        ``denied``.

    Notes
    -----
    Groups say pi_g (1 - s_g). The ratio of two groups is multiplied by (1 - s_1)/(1 - s_0). Everyone says an
    average of the groups, so a lift is multiplied by (1 - s_1) over an average of 1 - s_1 and 1 - s_0. Both
    factors are between 1 - most_denied and its reciprocal. A lift is symmetric, so its bounds also hold if
    people denied the answer that forms the groups, but not both answers.

    Examples
    --------
    >>> from privacy.printed import UNCHECKED
    >>> found = Measured(value=1.6, low=1.2, high=2.1, standard_error=.2, estimable=True, n=90,
    ...                  effective_n=90., level=.95, possible=(0, np.inf), method="ratio", shift=0.,
    ...                  origin=UNCHECKED)
    >>> [round(end, 2) for end in ratio_bounds(found, 0.25)]
    [0.9, 2.8]
    """
    _check_share(most_denied)
    return ratio.low * (1 - most_denied), ratio.high / (1 - most_denied)


def _check(rows: JoinedRows, having: float, others: float) -> None:
    if rows.n_direct + rows.n_protected == 0:
        raise PrivacyError("no_rows.asked", 0)
    _check_share(having)
    _check_share(others)


def _check_share(denied: float) -> None:
    validation.real_number(denied, "share of denials", low=0, high=0.99, code="denied")


def _terms(rows: JoinedRows, having: float, others: float) -> tuple[Array, Array]:
    """Return constant and slope of the estimating equation in `denied_difference`."""
    both, _by, outcome, base_by, base = with_base(rows.scores)
    total = float(rows.counts @ base)
    together, middle, share = (float(rows.counts @ own) / total for own in (both, outcome, base_by))
    of_having, of_others = 1 / (1 - having), 1 / (1 - others)
    # The products "both times answer" and "outcome times answer", linear around the means.
    both_by = share * both + together * base_by - together * share * base
    outcome_by = share * outcome + middle * base_by - middle * share * base
    constant = of_having * both + (of_others - of_having) * both_by - of_others * outcome_by
    return constant, -((1 - 2 * share) * base_by + share**2 * base)


def _smaller_side(rows: JoinedRows) -> ClusterCount | None:
    """Return the group with fewer effective clusters, which limits the degrees of freedom."""
    if rows.clusters is None:
        return None
    _both, _by, _outcome, base_by, base = with_base(rows.scores)
    return min((ClusterCount.of(base_by), ClusterCount.of(base - base_by)), key=lambda own: own.effective)
