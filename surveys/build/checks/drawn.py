"""Warnings about what a design gives away though its bounds hold: drawn rows that look unlike true ones, and
open answers that single people out.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, Final

from django.utils.translation import gettext as _

from privacy.audit.budget import block_budget
from privacy.audit.open_answers import combinations_of, expected_unique
from privacy.audit.posterior import Prevalence
from privacy.audit.row_law import row_law
from privacy.audit.unmixing import LEVELS, unmixing
from privacy.coins import SCALE
from privacy.disguise.design import Block, Design, Question
from surveys.build.checks.ceilings import Placed
from surveys.build.checks.finding import Finding, Level

# Above this share of true rows that are recognised with more than 95 % a part is worth a thought.
MOST_RECOGNISED: Final = 0.2
# Nobody says beforehand how many will answer; of this many, this share may be alone with their open answers.
ANSWERS: Final = 1000
MOST_UNIQUE: Final = 0.05
# Decoys may follow the expected shares, but each answer has to be drawn now and then.
_LEAST_SHARE: Final = 500


def check_drawn(blocks: Sequence[Placed], prevalence: Prevalence) -> Iterator[Finding]:
    """Give the parts in which drawn rows are too unlike true ones.

    Parameters
    ----------
    blocks : sequence of (str, Block)
        Paths and blocks of a survey.
    prevalence : mapping
        As stated, for every protected question.
    """
    for path, block in blocks:
        if not block.protected or block.is_lone:
            continue
        share = _recognised(block, prevalence)
        if share <= MOST_RECOGNISED:
            continue
        number, question = max(
            enumerate(block.questions), key=lambda placed: _distance(placed[1], prevalence)
        )
        yield Finding(
            level=Level.WARN,
            code="far_from_expected",
            path=f"{path}.questions[{number}]",
            message=_(
                "of the rows of part %(part)s that are sent as answered, %(share)s of 100 could be "
                "recognised with more than 95 %% certainty, because drawn answers to its %(count)s questions "
                "look unlike the expected ones, most of all to %(key)s"
            )
            % {
                "part": block.key,
                "share": _of_hundred(share),
                "count": len(block.questions),
                "key": question.key,
            },
            remedy=_remedy(block, prevalence),
        )


def check_open_answers(design: Design) -> Iterator[Finding]:
    """Give a warning where open answers would make many rows unique."""
    combinations = combinations_of(design)
    alone = expected_unique(ANSWERS, combinations)
    if alone <= MOST_UNIQUE * ANSWERS:
        return
    allowed = max(
        count
        for count in _doublings(combinations)
        if expected_unique(ANSWERS, count) <= MOST_UNIQUE * ANSWERS
    )
    direct = design.group.allows(direct=True)
    message = _(
        "the open questions have %(combinations)s combinations of answers: of %(n)s people about %(alone)s "
        "would stand alone with theirs, and could be found by it"
    ) % {"combinations": combinations, "n": ANSWERS, "alone": f"{alone:.0f}"}
    if direct:
        message += _("; if such a person answers directly, that shows everything they said")
    yield Finding(
        level=Level.WARN,
        code="unique_open",
        path="",
        message=message,
        remedy=_("use fewer or coarser open questions: up to about %(count)s combinations pass")
        % {"count": allowed},
    )


def _doublings(most: int) -> Iterator[int]:
    count = 1
    while count <= most:
        yield count
        count *= 2


def _recognised(block: Block, prevalence: Prevalence) -> float:
    return unmixing(row_law(block, prevalence)).truthful[LEVELS.index(max(LEVELS))]


def _remedy(block: Block, prevalence: Prevalence) -> str:
    nearer = replace(block, questions=tuple(_nearer(question, prevalence) for question in block.questions))
    remedies = [
        _("draw answers as often as they are expected: then it is %(share)s of 100, at ε %(epsilon)s")
        % {
            "share": _of_hundred(_recognised(nearer, prevalence)),
            "epsilon": f"{block_budget(nearer).epsilon:.2f}",
        }
    ]
    for count in range(len(block.questions) - 1, 0, -1):
        if _recognised(replace(block, questions=block.questions[:count]), prevalence) <= MOST_RECOGNISED:
            remedies.append(_("ask at most %(count)s of these questions in one part") % {"count": count})
            break
    return _(", or ").join(remedies)


def _nearer(question: Question, prevalence: Prevalence) -> Question:
    """Return the question with decoys drawn as its answers are expected."""
    shares = [min(max(share, _LEAST_SHARE), SCALE - _LEAST_SHARE) for share in prevalence[question.key]]
    if question.kind == "single":
        # Whole numbers that sum to the scale: what the cutting moved goes to the largest.
        shares[shares.index(max(shares))] += SCALE - sum(shares)
        if min(shares) < 1:
            return question
    return replace(question, unrelated=tuple(shares))


def _distance(question: Question, prevalence: Prevalence) -> int:
    return max(
        abs(drawn - stated)
        for drawn, stated in zip(question.unrelated, prevalence[question.key], strict=True)
    )


def prevalence_of(document: Mapping[str, Any]) -> dict[str, Sequence[int]]:
    """Return what a definition states for its protected questions."""
    return {
        question["key"]: question["prevalence"]
        for block in document["blocks"]
        if block["protected"]
        for question in block["questions"]
        if question.get("prevalence")
    }


def _of_hundred(share: float) -> str:
    return f"{100 * share:.0f}"
