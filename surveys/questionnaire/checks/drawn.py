"""Warnings beyond the bounds: drawn rows unlike true ones, and open answers that make rows unique."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, Final

from django.utils.translation import gettext as _

from privacy.coins import SCALE
from privacy.risk.budget import block_budget
from privacy.risk.constrained_prior import independent
from privacy.risk.leakage import LEVELS, reidentification_rate
from privacy.risk.open_answers import combinations_of, expected_unique, open_questions
from privacy.risk.posterior import Prevalence
from privacy.risk.row_distribution import RowDistribution, row_distribution
from privacy.survey.design import Block, Design, Question
from surveys.policy import MOST_COMPARED, MOST_MENDED, MOST_REIDENTIFIED, MOST_UNIQUE, UNIQUE_AMONG
from surveys.questionnaire.checks.ceilings import (
    Ceiling,
    Placed,
    asking_fewer,
    largest_passing,
    percent_text,
)
from surveys.questionnaire.checks.finding import Finding, Level

# Decoys may follow the expected shares, but each answer must be drawn now and then.
_LEAST_SHARE: Final = 500
_STEPS: Final = (25, 50, 75, 100)


def check_drawn(blocks: Sequence[Placed], prevalence: Prevalence, ceiling: Ceiling) -> Iterator[Finding]:
    """Yield the parts in which drawn rows differ too much from true ones.

    Parameters
    ----------
    blocks : sequence of (str, Block)
        Paths and blocks of a survey.
    prevalence : mapping
        As stated, for every protected question.
    ceiling : Ceiling
        Ceiling of a block, which no remedy may exceed.
    """
    compared = [(path, block) for path, block in blocks if block.protected and not block.is_scale]
    questions = [question for _path, block in compared for question in block.questions]
    # A single choice is one drawn answer, and so is every item of another question.
    count = sum(1 if question.kind == "single" else question.n_items for question in questions)
    if count > MOST_COMPARED:
        yield Finding(
            level=Level.WARN,
            code="not_compared",
            path="",
            message=_(
                "drawn answers were not compared with the expected ones: the survey draws %(count)s by "
                "themselves, and up to %(most)s are compared"
            )
            % {"count": count, "most": MOST_COMPARED},
            remedy=_("ask fewer protected questions, or give those of several answers fewer of them"),
        )
        return
    mended = 0
    for path, block in compared:
        share = _reidentification_rate(block, prevalence)
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
                "part": block.key,
                "share": _of_hundred(share),
                "count": len(block.questions),
                "key": question.key,
            },
            remedy=_remedy(block, prevalence, ceiling)
            if mended < MOST_MENDED
            else _("mend the first parts that this is said of: what helps there is likely to help here too"),
        )
        mended += 1


def check_open_answers(design: Design, names: Mapping[str, str]) -> Iterator[Finding]:
    """Yield a warning if answers that are stored as given would make many people unique."""
    combinations = combinations_of(design)
    alone = expected_unique(UNIQUE_AMONG, combinations)
    if alone <= MOST_UNIQUE * UNIQUE_AMONG:
        return
    most = MOST_UNIQUE * UNIQUE_AMONG
    allowed = largest_passing(combinations, lambda count: expected_unique(UNIQUE_AMONG, count) <= most)
    message = _(
        "the answers that are stored as given (%(names)s) have %(combinations)s combinations: of %(n)s "
        "people, about %(alone)s would have one that no one else has, and could be found by it"
    ) % {
        "names": ", ".join(f"“{names.get(each.key, each.key)}”" for each in open_questions(design)),
        "combinations": f"{combinations:,}",
        "n": UNIQUE_AMONG,
        "alone": f"{alone:.0f}",
    }
    if design.sends_undisguised:
        message += _("; if such a person answers directly, that shows everything they said")
    yield Finding(
        level=Level.WARN,
        code="unique_open",
        path="",
        message=message,
        remedy=_("store fewer answers as given, or ask for coarser ones: up to %(count)s combinations pass")
        % {"count": f"{allowed:,}"},
    )


def _message(questions: int) -> str:
    if questions == 1:
        return _(
            "%(share)s of 100 true rows of part %(part)s stand out, because random answers to %(key)s look "
            "unlike the expected ones"
        )
    return _(
        "%(share)s of 100 true rows of part %(part)s stand out, because random answers to its %(count)s "
        "questions look unlike the expected ones, most of all to %(key)s"
    )


def _reidentification_rate(block: Block, prevalence: Prevalence) -> float:
    return _share_of(row_distribution(independent(block, prevalence)))


def _share_of(distribution: RowDistribution) -> float:
    return reidentification_rate(distribution)[LEVELS.index(max(LEVELS))]


def _remedy(block: Block, prevalence: Prevalence, ceiling: Ceiling) -> str:
    """Describe remedies, each with numbers and below the ceiling that the block is below."""
    epsilon = block_budget(block).epsilon
    most = ceiling.warn if epsilon <= ceiling.warn else ceiling.refuse
    nearer = _drawn_nearer(block, prevalence, most)
    remedies = [*nearer, *_smaller_p(block, prevalence), *_fewer(block, prevalence)]
    return _(", or ").join(remedies) or _("leave it out")


def _drawn_nearer(block: Block, prevalence: Prevalence, most: float) -> Iterator[str]:
    """Return the smallest shift of the decoys towards the expected shares that is sufficient."""
    for step in _STEPS:
        nearer = replace(
            block, questions=tuple(_nearer(question, prevalence, step) for question in block.questions)
        )
        share, epsilon = _reidentification_rate(nearer, prevalence), block_budget(nearer).epsilon
        if share <= MOST_REIDENTIFIED and epsilon <= most:
            yield _(
                "move each chance of a drawn answer %(step)s %% of the way to the expected one: then it is "
                "%(share)s of 100, at ε %(epsilon)s"
            ) % {"step": step, "share": _of_hundred(share), "epsilon": f"{epsilon:.2f}"}
            return


def _smaller_p(block: Block, prevalence: Prevalence) -> Iterator[str]:
    distribution = row_distribution(independent(block, prevalence))
    truth = largest_passing(
        block.truth_probability,
        lambda truth: _share_of(replace(distribution, truth=truth / SCALE)) <= MOST_REIDENTIFIED,
    )
    if truth:
        epsilon = block_budget(replace(block, truth_probability=truth)).epsilon
        yield _("set p to at most %(share)s %%, at ε %(epsilon)s") % {
            "share": percent_text(truth),
            "epsilon": f"{epsilon:.2f}",
        }


def _fewer(block: Block, prevalence: Prevalence) -> Iterator[str]:
    """Yield how many of the first questions pass; for a rotating block, how many each person may be asked."""
    count = largest_passing(
        block.most_asked - 1,
        lambda count: _reidentification_rate(asking_fewer(block, count), prevalence) <= MOST_REIDENTIFIED,
    )
    if count and block.is_rotating:
        yield _("ask each person at most %(count)s of its questions") % {"count": count}
    elif count:
        yield _("ask at most %(count)s of these questions in one part") % {"count": count}


def _nearer(question: Question, prevalence: Prevalence, step: int) -> Question:
    """Return the question with decoys drawn this many percent nearer to the expected shares."""
    expected = [min(max(share, _LEAST_SHARE), SCALE - _LEAST_SHARE) for share in prevalence[question.key]]
    shares = [
        drawn + (wanted - drawn) * step // 100
        for drawn, wanted in zip(question.unrelated, expected, strict=True)
    ]
    if question.kind == "single":
        # Whole numbers that sum to the scale: the rounding error is added to the largest.
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
    """Return the prevalences that a definition states for its protected questions."""
    return {
        question["key"]: question["prevalence"]
        for block in document["blocks"]
        if block["protected"]
        for question in block["questions"]
        if question.get("prevalence")
    }


def _of_hundred(share: float) -> str:
    return f"{100 * share:.0f}"
