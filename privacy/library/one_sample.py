"""Shares from one sample: named designs, any channel, and repeated draws of Kuk's cards."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from privacy import validation
from privacy.arrays import Array
from privacy.errors import PrivacyError
from privacy.library.answers import answer_counts
from privacy.library.designs import ResponseDesign, checked_design
from privacy.library.inverted_tests import inverse_range, one_channel
from privacy.library.ordered_counts import counts_in_order
from privacy.library.probabilities import Probability, two_probabilities
from privacy.library.study import PaperStudy, Quantity

if TYPE_CHECKING:
    from privacy.library.frames import Answers


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
        ``share`` of "yes"; for a design with other answers, a quantity for each.

    Raises
    ------
    PrivacyError
        ``answers``, ``designs``; ``paper``: fewer than two rows.

    Notes
    -----
    With two answers and the probabilities a and b of "yes": pi = (l - b)/(a - b), with variance
    l (1 - l)/((n - 1)(a - b)^2). `privacy.prevalence` divides by n, and its test assumes no normal
    distribution.

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
    names = [None, "share"] if checked.values == ("no", "yes") else [str(value) for value in checked.values]
    return _shares(repr(checked), np.asarray(counts), checked.channel.as_array(), names)


def channel_shares(
    counts: Sequence[int], channel: Sequence[Sequence[float]], names: Sequence[Hashable]
) -> PaperStudy:
    """Estimate the shares of true answers from reports through any channel.

    Parameters
    ----------
    counts : sequence of int, length (reports)
    channel : nested sequence of float, shape (reports, answers)
        ``channel[report][answer]`` is P(report | true answer). Columns sum to 1; there are at least as many
        reports as answers.
    names : sequence, length (answers)

    Raises
    ------
    PrivacyError
        ``paper``: shapes that do not match, columns that are not probabilities, a channel that cannot
        distinguish the answers, or invalid counts.

    Notes
    -----
    With A the left inverse of K by least squares, pi = A l is unbiased, with covariance
    A (diag(l) - l l') A' / (n - 1).

    References
    ----------
    Agrawal and Haritsa 2005.

    Examples
    --------
    The identity channel does not change the shares:

    >>> channel_shares([30, 70], [[1, 0], [0, 1]], ["a", "b"])["b"].value
    0.7
    """
    numbers = counts_in_order(counts, "the reports")
    rows = np.array([validation.number_of_rows(count, "count", low=0, code="paper") for count in numbers])
    if hasattr(channel, "keys"):
        raise PrivacyError("paper.table", type(channel).__name__, name="the probabilities")
    shape = f"{len(channel)} x {' or '.join(sorted({str(len(row)) for row in channel}))}"
    if shape != f"{len(rows)} x {len(names)}" or len(rows) > MOST_LETTERS:
        raise PrivacyError("paper.shape", shape, reports=len(rows), answers=len(names), most=MOST_LETTERS)
    read = partial(validation.real_number, name="probability", low=0, high=1, code="paper")
    matrix = np.array([[read(share) for share in row] for row in channel])
    sums = matrix.sum(axis=0)
    for position in range(len(names)):
        if abs(sums[position] - 1) > _CLOSE:
            raise PrivacyError("paper.column", float(sums[position]), answer=names[position])
    if np.linalg.matrix_rank(matrix, tol=_CLOSE) < len(names):
        raise PrivacyError("paper.alike", shape)
    return _shares("channel matrix", rows, matrix, [str(name) for name in names])


def _shares(method: str, counts: Array, channel: Array, names: Sequence[str | None]) -> PaperStudy:
    n = int(counts.sum())
    validation.number_of_rows(n, "number of rows", low=2, code="paper")
    inverse, rates = np.linalg.pinv(channel).astype(np.float64, copy=False), counts / n
    values = inverse @ rates
    spread = inverse @ (np.diag(rates) - np.outer(rates, rates)) @ inverse.T / (n - 1)
    errors = np.sqrt(np.maximum(np.diag(spread), 0))
    return PaperStudy(
        method=method,
        n=n,
        quantities=tuple(
            Quantity(
                name=name,
                value=float(values[position]),
                standard_error=float(errors[position]),
                hypothesis=one_channel(counts, channel, inverse, position),
                within=(float(inverse[position].min()), float(inverse[position].max())),
            )
            for position, name in enumerate(names)
            if name is not None
        ),
    )


def repeated_kuk(red: int, n: int, *, yes: Probability, no: Probability, draws: int = 1) -> PaperStudy:
    """Estimate a share from packs of cards if each respondent draws several cards (Kuk's design).

    Parameters
    ----------
    red : int
        Cards of the counted colour over all draws of all respondents.
    n : int, 2 or more
        Number of respondents.
    yes, no : float or Fraction, in (0, 1), different
        Share of that colour in the pack for respondents with, and without, the property.
    draws : int, 1 to 1,000
        Cards that each respondent draws, with replacement.

    Raises
    ------
    PrivacyError
        ``paper``: more red cards than cards, or equal packs. ``chance``.

    Notes
    -----
    With l the share of red cards and m = `draws`: pi = (l - no)/(yes - no), with variance
    l (1 - l)/((m n - 1)(yes - no)^2) + (1 - 1/m) pi (1 - pi)/(n - 1), because the cards of one person are
    dependent.

    References
    ----------
    Kuk 1990; Heck and Moshagen 2018.

    Examples
    --------
    >>> share = repeated_kuk(1750, 1000, yes=.8, no=.2, draws=5)["share"]
    >>> round(share.value, 6), round(share.standard_error, 6)
    (0.25, 0.01663)
    """
    up, down = two_probabilities(yes, no, ("yes", "no"))
    each = validation.whole_number(draws, "number of draws", low=1, high=MOST_DRAWS, code="paper")
    people = validation.number_of_rows(n, "number of rows", low=2, code="paper")
    cards = validation.whole_number(red, "red cards", low=0, high=people * each, code="paper")
    share = cards / (people * each)
    value = (share - down) / (up - down)
    of_draws = share * (1 - share) / ((each * people - 1) * (up - down) ** 2)
    between = (1 - 1 / each) * value * (1 - value) / (people - 1)

    def hypothesis(guess: float) -> tuple[float, float]:
        expected = min(max(down + (up - down) * guess, 0.0), 1.0)
        of_cards = expected * (1 - expected) / (each * people * (up - down) ** 2)
        of_people = (1 - 1 / each) * guess * (1 - guess) / people
        return value - guess, of_cards + max(of_people, 0.0)

    return PaperStudy(
        method=f"kuk(yes={up:g}, no={down:g}, draws={each})",
        n=people,
        # If the estimate is outside [0, 1], the part between people is negative and counts as 0.
        quantities=(
            Quantity(
                name="share",
                value=value,
                standard_error=float(np.sqrt(of_draws + max(between, 0.0))),
                hypothesis=hypothesis,
                within=inverse_range(up - down, down),
            ),
        ),
    )
