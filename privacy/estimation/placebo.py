"""How many more people report an act of an index than one of its placebo index.

A placebo index lists as many harmless acts that hardly anyone has done. People who report one answered
carelessly, so the difference is the part of the index that careless answers do not explain.
"""

from __future__ import annotations

import math

import numpy as np

from privacy.errors import PrivacyError
from privacy.estimation.counts import Columns, SupportCounts
from privacy.estimation.empirical_likelihood import likelihood_sets
from privacy.estimation.paired_reports import columns_of_pair, paired_reports, partner_of
from privacy.forged import ratio_shift
from privacy.levels import chi_square_quantile
from privacy.printed import UNCHECKED, Measured
from privacy.survey.design import Design


def index_of_placebo(design: Design, question: int) -> int | None:
    """Return the number of the question whose placebo index a question is; None if it is none.

    Parameters
    ----------
    design : Design
    question : int
        Number of a question.
    """
    return partner_of(design, question, "placebo_of")


def item_pairs(design: Design, question: int) -> dict[str, tuple[int, int]]:
    """Return, by answer, the items of an index and of its placebo index.

    Parameters
    ----------
    design : Design
    question : int
        Number of the placebo index.

    Returns
    -------
    dict of str to (int, int)
        Numbers of items, that of the index first. The keys are options, or "yes".
    """
    index = index_of_placebo(design, question)
    if index is None:
        raise PrivacyError("computed.no_placebo", design.questions[question].key)
    both = [[item.index for item in design.items if item.question == each] for each in (index, question)]
    options = design.questions[question].options or ("yes",)
    return dict(zip(options, zip(*both, strict=True), strict=True))


def columns_of_placebo(design: Design, question: int) -> list[Columns]:
    """Return the sets of columns that `placebo_differences` needs to be counted.

    Parameters
    ----------
    design : Design
    question : int
        Number of the placebo index.
    """
    pairs = item_pairs(design, question).values()
    return [*dict.fromkeys(columns for pair in pairs for columns in columns_of_pair(design, *pair))]


def placebo_differences(
    counts: SupportCounts, design: Design, question: int, *, level: float = 0.95, forged: int = 0
) -> dict[str, Measured]:
    """Estimate the share of an index minus that of its placebo index, for each answer.

    Parameters
    ----------
    counts : SupportCounts
        With the columns of `columns_of_placebo`.
    design : Design
    question : int
        Number of the placebo index.
    level : float, optional
        Confidence level.
    forged : int
        Number of rows among them that no device sent.

    Returns
    -------
    dict of str to Measured
        By option, or "yes"; -1 to 1. Of the devices that were asked both questions.

    Raises
    ------
    PrivacyError
        ``computed``: the question is no placebo index. ``no_rows``.

    Notes
    -----
    One device sends both answers under one coin, so their errors are correlated. Each row has the score
    h = z(index) - z(placebo), whose mean is the difference; its variance includes the covariance. A
    hypothesised difference t is kept if the empirical-likelihood ratio for the mean of h - t is small.
    """
    threshold = chi_square_quantile(level)
    found = {}
    for option, (first, second) in item_pairs(design, question).items():
        reports = paired_reports(counts, design, first, second)
        index, placebo = reports.scores()
        h, n = (index - placebo).ravel(), reports.counts.ravel()
        sets = likelihood_sets(n[None], h[None], np.full((1, len(h)), -1.0), threshold).inside(-1.0, 1.0)
        mean = float(n @ h) / reports.n
        variance = float(n @ h**2) / reports.n - mean**2
        found[option] = Measured(
            value=mean,
            low=float(sets.low[0]),
            high=float(sets.high[0]),
            standard_error=math.sqrt(max(variance, 0.0) / reports.n),
            estimable=bool(sets.estimable[0]),
            n=int(reports.n),
            effective_n=float(reports.n),
            level=level,
            possible=(-1.0, 1.0),
            method="scores",
            shift=float(ratio_shift(h[None], np.ones(len(h)), n.astype(np.float64), forged)[0]),
            origin=UNCHECKED,
        )
    return found
