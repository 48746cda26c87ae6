"""Ceiling of the odds of one question: the posterior odds of one sent answer, apart from its row.

Epsilon bounds what a whole row reveals. With the same epsilon, a part that asks each person fewer questions
reveals more about each, so a design has two ceilings. The odds are judged in parts with several questions:
for a single question epsilon is the logarithm of the odds, and its own ceiling is enough.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction

from django.utils.translation import gettext as _

from privacy.coins import SCALE
from privacy.risk.budget import question_odds
from privacy.survey.design import Block
from surveys.questionnaire.checks.ceilings import (
    Ceiling,
    Placed,
    evenly_drawn,
    largest_passing,
    percent_text,
)
from surveys.questionnaire.checks.finding import Finding, Level

__all__ = ["check_odds", "has_odds", "largest_truth_probability_at_odds"]


def has_odds(block: Block) -> bool:
    """Return whether single questions of a block are judged: several questions that share a coin."""
    return block.protected and not block.is_scale and len(block.questions) > 1


def check_odds(blocks: Sequence[Placed], ceiling: Ceiling, names: Mapping[str, str]) -> Iterator[Finding]:
    """Yield the parts in which one answer exceeds the ceiling of odds.

    Parameters
    ----------
    blocks : sequence of (str, Block)
        Paths and blocks of a survey.
    ceiling : Ceiling
        Ceiling of the odds.
    names : mapping of str to str
        Titles of parts, by their keys.
    """
    for path, block in blocks:
        if not has_odds(block):
            continue
        odds = _odds(block)
        if (level := ceiling.level(odds)) is not None:
            yield _finding(path, block, odds, level, ceiling, names[block.key])


def largest_truth_probability_at_odds(block: Block, most: float | Fraction) -> int:
    """Return the largest p of a block, in ten-thousandths, with odds of one question at most `most`; 0 for
    none.

    Examples
    --------
    >>> from privacy.survey.question import Question
    >>> questions = tuple(Question(key=key, kind="yes_no", options=(), unrelated=(5000,)) for key in "ab")
    >>> block = Block(key="b", protected=True, truth_probability=9000, refusal=None, asked_if=None,
    ...               questions=questions)
    >>> largest_truth_probability_at_odds(block, 9), largest_truth_probability_at_odds(block, 1)
    (8000, 0)
    """

    def passes(truth: int) -> bool:
        odds = question_odds(replace(block, truth_probability=truth))
        return odds is not None and odds <= most

    return largest_passing(SCALE - 1, passes)


def _odds(block: Block) -> float:
    odds = question_odds(block)
    return math.inf if odds is None else float(odds)


def _finding(path: str, block: Block, odds: float, level: Level, ceiling: Ceiling, title: str) -> Finding:
    most = ceiling.passed(level)
    remedies = []
    if share := largest_truth_probability_at_odds(block, most):
        remedies.append(_("set p to at most %(share)s %%") % {"share": percent_text(share)})
    even = _odds(evenly_drawn(block))
    if even <= most:
        remedies.append(
            _("draw all of its answers equally often: then the odds are %(odds)s") % {"odds": f"{even:.1f}"}
        )
    consequence = (
        _("above odds of %(most)s a live survey needs a written reason")
        if level is Level.REFUSE
        else _("we recommend odds of %(most)s at most")
    ) % {"most": f"{most:.3g}"}
    return Finding(
        level=level,
        code="question_odds",
        path=path,
        message=_(
            "one answer to part “%(part)s” reveals more than recommended (odds %(odds)s): %(consequence)s"
        )
        % {
            "part": title,
            "odds": "∞" if math.isinf(odds) else f"{odds:.1f}",
            "consequence": consequence,
        },
        remedy=_(", or ").join(remedies) or _("ask less in protected parts"),
    )
