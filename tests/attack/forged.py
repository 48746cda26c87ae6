"""Forge rows over an open link until they create a false rule, and compare with the number in the report.

Someone can answer an open link repeatedly without being detected. A row that shows all items of a rule raises
its test statistic. The report says for each rule how many such rows would change the result of its test. The
attack sends them one by one and checks.
"""

from dataclasses import dataclass
from typing import Final

import numpy as np

from benchmarks.simulation import study_design, true_rows
from mining.columns.bitmatrix import BitMatrix
from mining.columns.count_cache import CountCache
from mining.fragility import fragility
from privacy.arrays import Flags
from privacy.estimation.counts import SupportCounts
from privacy.estimation.required_counts import required_counts
from privacy.estimation.rule_tests import p_values
from privacy.policy import SIGNIFICANCE_LEVEL
from tests.fixtures.vectorised import disguise_rows, draw_coins

__all__ = ["Forged", "forge_rule"]

RULE: Final = ((0,), (1,))
DESIGN: Final = study_design([2], truth_probability=5000, unrelated=5000)
PREVALENCE: Final = 0.3


@dataclass(frozen=True, kw_only=True)
class Forged:
    """Forged rows needed to create a false rule.

    Attributes
    ----------
    rows : int
        Honest rows.
    announced : int
        Forged rows that suffice according to the report.
    needed : int
        Forged rows with which the rule passed.
    """

    rows: int
    announced: int
    needed: int


def forge_rule(rows: int, *, rng: np.random.Generator) -> Forged:
    """Send forged rows until two unrelated items pass as a rule.

    Parameters
    ----------
    rows : int
        Honest respondents. They answer one protected part of two questions with p = .5 and theta = .5; 30%
        have each item, independently.
    rng : numpy.random.Generator

    Returns
    -------
    Forged
        Both numbers are 0 if the honest rows alone make a rule, which happens once in twenty times.
    """
    truth = true_rows(rows, [PREVALENCE, PREVALENCE], 0.0, rng)
    nobody = np.zeros(rows, dtype=np.bool_)
    sent = disguise_rows(DESIGN, truth, nobody, draw_coins(DESIGN, rows, rng))
    if _passes(sent):
        return Forged(rows=rows, announced=0, needed=0)
    announced = int(fragility(_counts(sent), [RULE], DESIGN, np.array([SIGNIFICANCE_LEVEL]))[0])
    needed = 0
    while not _passes(sent):
        sent = np.concatenate([sent, np.ones((1, 2), dtype=np.bool_)])
        needed += 1
    return Forged(rows=rows, announced=announced, needed=needed)


def _counts(rows: Flags) -> SupportCounts:
    protected = np.zeros(len(rows), dtype=np.bool_)
    cache = CountCache(BitMatrix.from_booleans(DESIGN, rows, protected))
    return cache.need(required_counts([RULE], DESIGN))


def _passes(rows: Flags) -> bool:
    return bool(p_values(_counts(rows), [RULE], DESIGN)[0] <= SIGNIFICANCE_LEVEL)
