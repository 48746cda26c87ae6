"""Check random answers: whether rows that differ from what people answer reveal the true rows."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from django.utils.translation import gettext as _

from privacy.coins import SCALE
from privacy.risk.prevalences import Prevalence
from privacy.risk.prior import independent
from privacy.risk.reidentification import CERTAINTY_LEVELS, reidentification_rate
from privacy.risk.row_distribution import RowDistribution, row_distribution
from privacy.survey.design import Block, Question
from surveys.formats.joints import short_text
from surveys.formats.numbers import count_text
from surveys.policy import MOST_COMPARED, MOST_REIDENTIFIED
from surveys.questionnaire.checks.ceilings import Placed
from surveys.questionnaire.checks.remedies import largest_passing, ten_thousandths_text
from surveys.questionnaire.findings import Finding, Level


def check_drawn(
    blocks: Sequence[Placed],
    prevalence: Prevalence,
    *,
    parts: Mapping[str, str],
    questions_named: Mapping[str, str],
) -> Iterator[Finding]:
    """Yield a warning for each part whose random rows differ too much from true ones.

    Parameters
    ----------
    blocks : sequence of (str, Block)
        Paths and blocks of a survey.
    prevalence : mapping
        Stated prevalences of every protected question.
    parts, questions_named : mapping of str to str
        What each part and question is called, by its key.
    """
    with_coin = [(path, block) for path, block in blocks if block.has_coin]
    questions = [question for _path, block in with_coin for question in block.questions]
    # A single choice draws one answer, and another question draws one per item.
    count = sum(len(question.parts) for question in questions)
    if count > MOST_COMPARED:
        yield Finding(
            level=Level.WARN,
            code="not_compared",
            path="",
            message=_(
                "random answers were not compared with the expected shares: the survey draws "
                "%(count)s independently, and at most %(most)s can be compared"
            )
            % {"count": count_text(count), "most": count_text(MOST_COMPARED)},
            remedy=_("ask fewer protected questions, or offer fewer options"),
        )
        return
    for path, block in with_coin:
        distribution = row_distribution(independent(block, prevalence))
        share = _share_of(distribution)
        if share <= MOST_REIDENTIFIED:
            continue
        number, question = max(
            enumerate(block.questions), key=lambda placed: _distance(placed[1], prevalence)
        )
        yield Finding(
            level=Level.WARN,
            code="far_from_expected",
            path=f"{path}.questions[{number}]",
            message=_message(len(block.questions))
            % {
                "part": parts[block.key],
                "share": _of_hundred(share),
                "count": count_text(len(block.questions)),
                "question": short_text(questions_named[question.key]),
            },
            remedy=_remedy(block, distribution),
        )


def _message(questions: int) -> str:
    if questions == 1:
        return _(
            "%(share)s of 100 true rows of part “%(part)s” could be recognised as true, because random "
            "answers to “%(question)s” are not as common as its expected shares say"
        )
    return _(
        "%(share)s of 100 true rows of part “%(part)s” could be recognised as true, because random "
        "answers to its %(count)s questions are not as common as their expected shares say, most of all to "
        "“%(question)s”"
    )


def _share_of(distribution: RowDistribution) -> float:
    return reidentification_rate(distribution)[CERTAINTY_LEVELS.index(max(CERTAINTY_LEVELS))]


def _remedy(block: Block, distribution: RowDistribution) -> str:
    truth = largest_passing(
        block.truth_probability,
        lambda truth: _share_of(replace(distribution, truth=truth / SCALE)) <= MOST_REIDENTIFIED,
    )
    other = _("ask fewer of these questions in one part")
    return (
        _(", or ").join([_("set p to at most %(share)s%%") % {"share": ten_thousandths_text(truth)}, other])
        if truth
        else other
    )


def _distance(question: Question, prevalence: Prevalence) -> int:
    return max(
        abs(decoy - expected)
        for decoy, expected in zip(question.unrelated, prevalence[question.key], strict=True)
    )


def _of_hundred(share: float) -> str:
    return f"{100 * share:.0f}"
