"""Shares from one sample: any channel between answers and reports, and packs of cards drawn repeatedly."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import TYPE_CHECKING

import numpy as np

from privacy import validation
from privacy.arrays import Array
from privacy.errors import PrivacyError
from privacy.library.frames import answer_counts
from privacy.library.inverted_tests import inverse_range, one_channel
from privacy.library.response_design import Chance, ResponseDesign, checked_design
from privacy.library.study import PaperStudy, Quantity, two_chances

if TYPE_CHECKING:
    from privacy.library.frames import Answers

__all__ = ["channel_shares", "design_shares", "repeated_kuk"]

MOST_LETTERS = 64
MOST_DRAWS = 1000
_CLOSE = 1e-9


def design_shares(answers: Answers, design: ResponseDesign) -> PaperStudy:
    """Estimate the shares of the true answers to a question with a named design.

    Parameters
    ----------
    answers : Series, or mapping of report to count
    design : ResponseDesign
        Such as ``warner(p=.7)``, ``triangular(p=.25)`` or ``forced_levels({"never": 1/6, "often": 1/6})``.

    Returns
    -------
    PaperStudy
        ``share`` of "yes"; of a design with other answers a quantity for each.

    Raises
    ------
    PrivacyError
        ``answers``, ``designs``; ``paper``: fewer than two rows.

    Notes
    -----
    With two answers and the chances a and b of "yes": pi = (l - b)/(a - b), variance
    l (1 - l)/((n - 1)(a - b)^2). `privacy.prevalence` divides by n and tests without a normal distribution.

    References
    ----------
    Warner 1965; Mangat 1994; Yu, Tian and Tang 2008; Heck and Moshagen 2018.

    Examples
    --------
    (.34 - .3)/.4:

    >>> from privacy.library.designs import warner
    >>> share = design_shares({"yes": 340, "no": 660}, warner(p=.7))["share"]
    >>> round(share.value, 6), round(share.standard_error, 6)
    (0.1, 0.037469)
    """
    checked = checked_design(design)
    _, counts = answer_counts(answers, checked.reports)
    names = ["", "share"] if checked.values == ("no", "yes") else [str(value) for value in checked.values]
    return _shares(repr(checked), np.asarray(counts), checked.channel.as_array(), names)


def channel_shares(
    counts: Sequence[int], channel: Sequence[Sequence[float]], names: Sequence[Hashable]
) -> PaperStudy:
    """Estimate the shares of true answers from reports through any channel.

    Parameters
    ----------
    counts : sequence of int, length (reports)
    channel : nested sequence of float, shape (reports, answers)
        ``channel[report][answer]``, P(report | true answer); the columns sum to 1, at least as many reports
        as answers.
    names : sequence, length (answers)

    Raises
    ------
    PrivacyError
        ``paper``: shapes that do not fit, columns that are no chances, a channel that does not tell answers
        apart, counts that are none.

    Notes
    -----
    With A the left inverse of K by least squares, pi = A l is unbiased, with covariance
    A (diag(l) - l l') A' / (n - 1).

    References
    ----------
    Agrawal and Haritsa 2005.

    Examples
    --------
    The identity leaves the shares as they are:

    >>> channel_shares([30, 70], [[1, 0], [0, 1]], ["a", "b"])["b"].value
    0.7
    """
    matrix = np.array(channel, dtype=np.float64)
    rows = np.array([validation.number_of_rows(count, "count", low=0, code="paper") for count in counts])
    shape = " x ".join(map(str, matrix.shape))
    if matrix.ndim != 2 or matrix.shape != (len(rows), len(names)) or len(rows) > MOST_LETTERS:
        raise PrivacyError("paper.shape", shape, reports=len(rows), answers=len(names), most=MOST_LETTERS)
    sums = matrix.sum(axis=0)
    for position in range(len(names)):
        # A chance that is no number fails this too.
        if not (abs(sums[position] - 1) <= _CLOSE and (matrix[:, position] >= 0).all()):
            raise PrivacyError("paper.column", float(sums[position]), answer=names[position])
    if np.linalg.matrix_rank(matrix, tol=_CLOSE) < len(names):
        raise PrivacyError("paper.alike", shape)
    return _shares("channel matrix", rows, matrix, [str(name) for name in names])


def _shares(method: str, counts: Array, channel: Array, names: list[str]) -> PaperStudy:
    n = int(counts.sum())
    validation.number_of_rows(n, "number of rows", low=2, code="paper")
    inverse, reported = np.linalg.pinv(channel), counts / n
    values = inverse @ reported
    spread = inverse @ (np.diag(reported) - np.outer(reported, reported)) @ inverse.T / (n - 1)
    errors = np.sqrt(np.maximum(np.diag(spread), 0))
    return PaperStudy(
        method=method,
        n=n,
        quantities=tuple(
            Quantity(
                name=name,
                value=float(values[position]),
                standard_error=float(errors[position]),
                hypothesis=one_channel(counts, channel, inverse[position], position),
                within=(float(inverse[position].min()), float(inverse[position].max())),
            )
            for position, name in enumerate(names)
            if name
        ),
    )


def repeated_kuk(red: int, n: int, *, yes: Chance, no: Chance, draws: int = 1) -> PaperStudy:
    """Estimate a share from packs of cards of which each respondent draws several.

    Parameters
    ----------
    red : int
        Cards of the counted colour over all draws of all respondents.
    n : int, 2 or more
        Respondents.
    yes, no : float or Fraction, in (0, 1), different
        Share of that colour in the pack of those with, and without, the property.
    draws : int, 1 to 1,000
        Cards of each respondent, each put back.

    Raises
    ------
    PrivacyError
        ``paper``: more red cards than cards, packs that are alike. ``chance``.

    Notes
    -----
    With l the share of red cards and m = `draws`: pi = (l - no)/(yes - no), variance
    l (1 - l)/((m n - 1)(yes - no)^2) + (1 - 1/m) pi (1 - pi)/(n - 1): the cards of one person go together.

    References
    ----------
    Kuk 1990; Heck and Moshagen 2018.

    Examples
    --------
    >>> share = repeated_kuk(1750, 1000, yes=.8, no=.2, draws=5)["share"]
    >>> round(share.value, 6), round(share.standard_error, 6)
    (0.25, 0.01663)
    """
    up, down = two_chances(yes, no, ("yes", "no"))
    each = validation.whole_number(draws, "number of draws", low=1, high=MOST_DRAWS, code="paper")
    people = validation.number_of_rows(n, "number of rows", low=2, code="paper")
    cards = validation.whole_number(red, "red cards", low=0, high=people * each, code="paper")
    share = cards / (people * each)
    value = (share - down) / (up - down)
    drawn = share * (1 - share) / ((each * people - 1) * (up - down) ** 2)
    between = (1 - 1 / each) * value * (1 - value) / (people - 1)

    def hypothesis(tried: float) -> tuple[float, float]:
        expected = min(max(down + (up - down) * tried, 0.0), 1.0)
        of_cards = expected * (1 - expected) / (each * people * (up - down) ** 2)
        of_people = (1 - 1 / each) * tried * (1 - tried) / people
        return value - tried, of_cards + max(of_people, 0.0)

    return PaperStudy(
        method=f"kuk(yes={up:g}, no={down:g}, draws={each})",
        n=people,
        # Out of [0, 1] the second part is below 0: what is left is the cards' own chance.
        quantities=(
            Quantity(
                name="share",
                value=value,
                standard_error=float(np.sqrt(drawn + max(between, 0.0))),
                hypothesis=hypothesis,
                within=inverse_range(up - down, down),
            ),
        ),
    )
