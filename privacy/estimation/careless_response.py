"""Careless responses: correct a support by two anchor questions."""

from __future__ import annotations

import itertools
import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from privacy.errors import PrivacyError
from privacy.estimation.counts import Columns, SupportCounts
from privacy.estimation.design_index import asked_columns
from privacy.estimation.empirical_likelihood import score_test_sets
from privacy.estimation.estimates import covariance, estimates
from privacy.estimation.intervals import support_intervals
from privacy.estimation.required_counts import required_counts
from privacy.levels import chi_square_quantile, normal_quantile
from privacy.policy import LEAST_EFFECTIVE_ROWS, RELIABLE_ERRORS
from privacy.printed import UNCHECKED, Measured
from privacy.survey.design import Design


@dataclass(frozen=True, kw_only=True)
class CarelessResponse:
    """A support corrected for respondents who answer at random.

    Parameters
    ----------
    uncorrected : Measured
        The support among all who were asked the three questions.
    attentive : Measured
        Share of attentive respondents.
    corrected : Measured
        The support among them; not estimable if n is too small to distinguish the anchors.
    """

    uncorrected: Measured
    attentive: Measured
    corrected: Measured


def careless_response_terms(item: int, never: int, always: int, design: Design) -> tuple[Columns, ...]:
    """Return the sets of columns to count for `careless_response`.

    Parameters
    ----------
    item, never, always : int
        Items: the one to correct, one that is true of no one, one that is true of everyone.
    design : Design
        Design of the survey.
    """
    pairs = [((item,), (never,)), ((item,), (always,)), ((never,), (always,))]
    rows = asked_columns(tuple(sorted((item, never, always))), design)
    return required_counts([*pairs, (item,), (never,), (always,)], design, within=rows)


def careless_response(
    counts: SupportCounts, item: int, never: int, always: int, design: Design
) -> CarelessResponse:
    """Correct a support for careless responses by two anchors of prevalence 0 and 1.

    Parameters
    ----------
    counts : SupportCounts
        Contains at least `careless_response_terms(item, never, always, design)`.
    item, never, always : int
        The item, and the anchors with true prevalences 0 and 1. Each is alone in a protected block with the
        item's truth and unrelated probabilities.
    design : Design
        Design of the survey.

    Raises
    ------
    PrivacyError
        ``anchors``: a block has other probabilities than the item's, or another question.

    Notes
    -----
    A respondent is attentive with probability m, and otherwise says yes to any question with some probability
    g. With s, s0, s1 the *estimated* supports of item and anchors, m = s1 - s0 and the corrected support is
    (s - s0)/(s1 - s0); g cancels. (Observed shares give the same quotient, but their difference is p m.) The
    interval of the corrected support contains the values t for which s - s0 - t (s1 - s0) does not differ
    significantly from 0; that of m is 1.96 standard errors wide on either side.

    Examples
    --------
    p = .5, theta = .5; estimated supports .37, .1 and .9, hence (.37 - .1)/.8:

    >>> from privacy.survey.design import Block, GroupPolicy, Question
    >>> design = Design(group=GroupPolicy(), use="live", blocks=tuple(
    ...     Block(key=f"b-{key}", protected=True, truth_probability=5000,
    ...           questions=(Question(key=key, kind="yes_no", options=(), unrelated=(5000,)),))
    ...     for key in ("a", "never", "always")))
    >>> counts = SupportCounts({(): (0, 4000), (0,): (0, 1740), (1,): (0, 1200), (2,): (0, 2800),
    ...                         (0, 1): (0, 522), (0, 2): (0, 1218), (1, 2): (0, 840)})
    >>> corrected = careless_response(counts, 0, 1, 2, design)
    >>> round(corrected.attentive.value, 3), round(corrected.corrected.value, 4)
    (0.8, 0.3375)
    """
    _check_anchors(item, never, always, design)
    rows = asked_columns(tuple(sorted((item, never, always))), design)
    itemsets = [(item,), (never,), (always,)]
    supports = estimates(counts, itemsets, design, within=rows)
    s, s0, s1 = supports.value.tolist()
    spread = np.diag(supports.standard_error**2)
    for a, b in itertools.combinations(range(3), 2):
        spread[a, b] = spread[b, a] = covariance(counts, itemsets[a], itemsets[b], design, within=rows)
    # s - s0 - t m, of (s, s0, s1).
    constant, slope = np.array([1.0, -1.0, 0.0]), np.array([0.0, 1.0, -1.0])
    variances = (constant @ spread @ constant, constant @ spread @ slope, slope @ spread @ slope)
    sets = score_test_sets(
        np.array([s - s0]),
        np.array([s0 - s1]),
        (np.array([variances[0]]), np.array([variances[1]]), np.array([variances[2]])),
        chi_square_quantile(0.95),
    ).inside(0.0, 1.0)
    attentive, of_attentive = s1 - s0, math.sqrt(variances[2])
    value = (s - s0) / attentive if attentive else math.nan
    is_reliable = abs(attentive) > RELIABLE_ERRORS * of_attentive
    variance = variances[0] + 2 * value * variances[1] + value**2 * variances[2]
    n = int(supports.n[0])
    half = normal_quantile(0.95) * of_attentive

    def measured(**figures: Any) -> Measured:
        # How far forged rows could move these is not computed: they were asked three questions.
        return Measured(
            **figures,
            n=n,
            effective_n=float(n),
            level=0.95,
            possible=(0.0, 1.0),
            shift=None,
            origin=UNCHECKED,
        )

    return CarelessResponse(
        uncorrected=support_intervals(counts, [(item,)], design, within=rows)[0],
        attentive=measured(
            value=attentive,
            standard_error=of_attentive,
            low=attentive - half,
            high=attentive + half,
            estimable=n >= LEAST_EFFECTIVE_ROWS,
            method="scores",
        ),
        corrected=measured(
            value=value,
            standard_error=math.sqrt(max(variance, 0.0)) / abs(attentive) if is_reliable else None,
            low=float(sets.low[0]),
            high=float(sets.high[0]),
            estimable=bool(sets.estimable[0]) and n >= LEAST_EFFECTIVE_ROWS,
            method="ratio",
        ),
    )


def _check_anchors(item: int, never: int, always: int, design: Design) -> None:
    target = design.blocks[design.items[item].block]
    share = target.questions[0].unrelated
    for anchor in (item, never, always):
        block = design.blocks[design.items[anchor].block]
        same = block.truth_probability == target.truth_probability and block.questions[0].unrelated == share
        if not block.protected or len(block.questions) != 1 or not same:
            raise PrivacyError("anchors", design.items[anchor].key)
