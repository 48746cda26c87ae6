"""Ceilings of the odds of one answer, and of a skip, in a protected part."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction

from django.utils.translation import gettext as _

from privacy.coins import SCALE
from privacy.risk.budget import (
    block_budget,
    question_odds,
    skip_odds,
)
from privacy.survey.design import Block
from surveys.questionnaire.checks.ceilings import Ceiling, Placed
from surveys.questionnaire.checks.remedies import (
    floor_text,
    join_remedies,
    largest_passing,
    ten_thousandths_text,
)
from surveys.questionnaire.findings import Finding, Level


def has_odds(block: Block) -> bool:
    """Return whether the odds of a block's single answers are judged.

    They are, except for check questions, whose true answers are publicly known, and for places that are sent
    exactly outside sensitive areas. A part with one question is judged too: its ceiling of odds is stricter
    than its ceiling of epsilon.
    """
    return block.protected and block_budget(block).is_summed


def check_odds(blocks: Sequence[Placed], ceiling: Ceiling, names: Mapping[str, str]) -> Iterator[Finding]:
    """Yield a finding for each part in which one answer exceeds the ceiling of odds.

    Parameters
    ----------
    blocks : sequence of (str, Block)
        Paths and blocks of a survey.
    ceiling : Ceiling
        Ceiling of the odds.
    names : mapping of str to str
        Titles of parts, by key.
    """
    for path, block in blocks:
        if not has_odds(block):
            continue
        odds = _odds(block)
        if (level := ceiling.level(odds)) is not None:
            yield _finding(path, block, odds, level, ceiling, names[block.key])


def largest_truth_probability_at_odds(block: Block, most: float | Fraction) -> int:
    """Return the largest p of a block, in ten-thousandths, with odds of one answer at most `most`, or 0.

    Examples
    --------
    >>> from privacy.survey.question import Question
    >>> questions = tuple(Question(key=key, kind="yes_no", options=(), unrelated=(5000,)) for key in "ab")
    >>> block = Block(key="b", protected=True, truth_probability=9000,
    ...               questions=questions)
    >>> largest_truth_probability_at_odds(block, 9), largest_truth_probability_at_odds(block, 1)
    (8000, 0)
    """

    def passes(truth: int) -> bool:
        odds = question_odds(replace(block, truth_probability=truth))
        return odds is not None and odds <= most

    return largest_passing(SCALE - 1, passes)


def check_skips(blocks: Sequence[Placed], ceiling: Ceiling, names: Mapping[str, str]) -> Iterator[Finding]:
    """Yield a finding for each part in which a skip that is sent exceeds the ceiling of odds.

    Parameters
    ----------
    blocks, ceiling, names
        As for `check_odds`.
    """
    for path, block in blocks:
        odds = skip_odds(block) if has_odds(block) else None
        level = None if odds is None else ceiling.level(float(odds))
        if odds is None or level is None:
            continue
        most = ceiling.limit(level)
        yield Finding(
            level=level,
            code="skip_odds",
            path=path,
            message=_(
                "“Prefer not to say” to part “%(part)s” reveals more than recommended (odds %(odds)s): "
                "%(consequence)s"
            )
            % {
                "part": names[block.key],
                "odds": f"{float(odds):.1f}",
                "consequence": _odds_consequence(level, most),
            },
            remedy=join_remedies(_skip_remedies(block, most)),
        )


def _skip_remedies(block: Block, most: float) -> Iterator[str]:
    """Yield the least share of skips that passes, or the largest p: odds are 1 + p / ((1 - p) r)."""
    if block.is_scale:
        yield _("set its ε to at most %(ceiling)s") % {"ceiling": floor_text(math.log(most))}
        return

    def passes(refusal: int) -> bool:
        odds = skip_odds(replace(block, refusal=refusal))
        return odds is not None and odds <= most

    least = SCALE - largest_passing(SCALE - 1, lambda rest: passes(SCALE - rest))
    if least < SCALE:
        yield _("make at least %(share)s%% of random answers skips") % {"share": ten_thousandths_text(least)}
    truth = largest_passing(
        SCALE - 1, lambda truth: (skip_odds(replace(block, truth_probability=truth)) or math.inf) <= most
    )
    if truth:
        yield _("set p to at most %(share)s%%") % {"share": ten_thousandths_text(truth)}


def _odds_consequence(level: Level, most: float) -> str:
    return (
        _("above odds of %(most)s, a live survey needs a written reason")
        if level is Level.REFUSE
        else _("we recommend odds of at most %(most)s")
    ) % {"most": f"{most:.3g}"}


def _odds(block: Block) -> float:
    odds = question_odds(block)
    return math.inf if odds is None else float(odds)


def _finding(path: str, block: Block, odds: float, level: Level, ceiling: Ceiling, title: str) -> Finding:
    most = ceiling.limit(level)
    consequence = _odds_consequence(level, most)
    return Finding(
        level=level,
        code="question_odds",
        path=path,
        message=_(
            "one answer to part “%(part)s” reveals more than recommended (odds %(odds)s): %(consequence)s"
        )
        % {"part": title, "odds": "∞" if math.isinf(odds) else f"{odds:.1f}", "consequence": consequence},
        remedy=join_remedies(_odds_remedies(block, most)),
    )


def _odds_remedies(block: Block, most: float) -> Iterator[str]:
    if block.is_scale:
        yield _("set its ε to at most %(ceiling)s") % {"ceiling": floor_text(math.log(most))}
    elif share := largest_truth_probability_at_odds(block, most):
        yield _("set p to at most %(share)s%%") % {"share": ten_thousandths_text(share)}
