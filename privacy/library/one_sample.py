"""Shares from one sample: named designs, any channel, an anchor for careless answers, pooled strata."""

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
from privacy.library.inverted_tests import Hypothesis, inverse_range, one_channel, one_sample
from privacy.library.ordered_counts import counts_in_order
from privacy.library.probabilities import Probability, probability, two_probabilities
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


def anchored_crosswise(
    counts: Sequence[Sequence[int]], *, p: Probability, anchor_p: Probability
) -> PaperStudy:
    """Correct a crosswise share for careless answers.

    Parameters
    ----------
    counts : nested sequence of int, shape (2, 2)
        ``counts[y][a]``: rows that report "same" (1) or "different" (0) to the crosswise question (y) and to
        an anchor (a): a crosswise question whose sensitive statement is true of no one.
    p, anchor_p : float or Fraction, in (0, 1), not 1/2
        Share of "yes" to the innocuous question of each.

    Returns
    -------
    PaperStudy
        The corrected ``share``, ``share, uncorrected``, and ``attentive``: the share of attentive people.

    Raises
    ------
    PrivacyError
        ``chance``; ``paper``: p = 1/2, invalid counts, or no attentive respondents.

    Notes
    -----
    Inattentive respondents say "same" with probability 1/2. With l and a the shares of "same" to the question
    and the anchor, the share g = (a - 1/2)/(1/2 - anchor_p) is attentive. The bias of
    pi = (l + p - 1)/(2p - 1) is (1/2) ((l - 1/2)/(p - 1/2)) (1 - 1/g), and subtracting it gives
    pi = 1/2 + (1/2) ((l - 1/2)/(p - 1/2))/g. The error is the delta method's from the four counts. The
    interval tests l - 1/2 = (2 pi - 1)(p - 1/2) g with the larger of two variances: with the two answers as
    dependent as in the counts, and with independent answers. By enumeration, 95% intervals have a coverage
    of .95 to 1 for 5 to 80 respondents.

    References
    ----------
    Atsusaka and Stevenson 2023.

    Examples
    --------
    >>> study = anchored_crosswise([[148, 425], [311, 1116]], p=.15, anchor_p=.15)
    >>> [round(quantity.value, 5) for quantity in study.quantities]
    [0.10536, 0.195, 0.77286]
    """
    main, of_anchor = probability(p, "p"), probability(anchor_p, "anchor_p")
    for share, name in ((main, "p"), (of_anchor, "anchor_p")):
        if share == 0.5:
            raise PrivacyError("paper.half", share, name=name)
    table = _table(counts)
    n = int(table.sum())
    validation.number_of_rows(n, "number of rows", low=2, code="paper")
    shares = table / n
    same, anchor, both = float(shares[1].sum()), float(shares[:, 1].sum()), float(shares[1, 1])
    attentive = (anchor - 0.5) / (0.5 - of_anchor)
    if attentive <= 0:
        raise PrivacyError("paper.careless", round(attentive, 4))
    ratio = (same - 0.5) / (main - 0.5)
    covariance = np.array(
        [[same * (1 - same), both - same * anchor], [both - same * anchor, anchor * (1 - anchor)]]
    ) / (n - 1)

    def figure(
        name: str,
        value: float,
        gradient: tuple[float, float],
        hypothesis: Hypothesis,
        within: tuple[float, float] | None = None,
    ) -> Quantity:
        slope = np.array(gradient)
        return Quantity(
            name=name,
            value=value,
            standard_error=float(np.sqrt(max(slope @ covariance @ slope, 0.0))),
            hypothesis=hypothesis,
            within=within,
        )

    def correction(guess: float) -> tuple[float, float]:
        """Test same - 1/2 = (2 t - 1)(p - 1/2) g, with g estimated from the anchors."""
        slope = (2 * guess - 1) * (main - 0.5)
        factor = slope / (0.5 - of_anchor)
        # Mean product of (answer - 1/2) over both questions: in the counts, and for independent answers.
        product = min(factor * (both - (same + anchor) / 2 + 0.25), slope**2 * min(attentive, 1))
        return (same - 0.5) - factor * (anchor - 0.5), (0.25 + 0.25 * factor**2 - 2 * product) / n

    by_same = 1 / (2 * (main - 0.5))
    return PaperStudy(
        method=f"crosswise with an anchor (p={main:g}, anchor_p={of_anchor:g})",
        n=n,
        quantities=(
            figure(
                "share",
                0.5 + ratio / (2 * attentive),
                (by_same / attentive, -ratio / (2 * attentive**2 * (0.5 - of_anchor))),
                correction,
            ),
            figure(
                "share, uncorrected",
                0.5 + ratio / 2,
                (by_same, 0.0),
                one_sample(same, n, rise=2 * main - 1, start=1 - main),
                inverse_range(2 * main - 1, 1 - main),
            ),
            figure(
                "attentive",
                attentive,
                (0.0, 1 / (0.5 - of_anchor)),
                one_sample(anchor, n, rise=0.5 - of_anchor, start=0.5),
                inverse_range(0.5 - of_anchor, 0.5),
            ),
        ),
    )


def _table(counts: Sequence[Sequence[int]]) -> np.ndarray[tuple[int, int], np.dtype[np.int64]]:
    if hasattr(counts, "keys"):
        raise PrivacyError("paper.table", type(counts).__name__, name="the counts")
    if [len(row) for row in counts] != [2, 2]:
        raise PrivacyError("paper.cells", [len(row) for row in counts])
    return np.array(
        [[validation.number_of_rows(count, "count", low=0, code="paper") for count in row] for row in counts],
        dtype=np.int64,
    )
