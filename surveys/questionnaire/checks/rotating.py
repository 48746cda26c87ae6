"""Warnings about rotating questions and parts: respondents singled out, and results that they prevent."""

from __future__ import annotations

import itertools
import math
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Any, Final

from django.utils.translation import gettext as _

from privacy.coins import SCALE
from privacy.planning.part_variance import SampledDesign
from privacy.policy import LEAST_COMPLETE_ROWS
from privacy.risk.budget import block_budget
from privacy.risk.constrained_prior import independent
from privacy.risk.leakage import LEVELS, reidentification_rate
from privacy.risk.open_answers import combinations_of, expected_own, expected_unique, open_questions
from privacy.risk.posterior import Prevalence
from privacy.risk.row_distribution import RowDistribution, row_distribution
from privacy.survey.design import Block, Design, Question
from surveys.policy import MOST_COMPARED, MOST_OWN, MOST_REIDENTIFIED, MOST_UNIQUE, UNIQUE_AMONG
from surveys.questionnaire.checks.ceilings import (
    Placed,
    largest_passing,
    percent_text,
)
from surveys.questionnaire.checks.finding import Finding, Level

_SIZES: Final = (2, 3)
_MOST_COMPARED: Final = 60
"""Largest number of questions of a part whose precision is compared, as in the library."""


def check_rotating(design: Design, titles: Mapping[str, str], *, pairs: bool = True) -> Iterator[Finding]:
    """Yield warnings about a design that asks each person only some questions.

    Parameters
    ----------
    design : Design
    titles : mapping of str to str
    pairs : bool
        Whether any two questions may be wanted together; false if the aim states what is wanted.
    """
    if not design.rotates:
        return
    yield from _own(design)
    for number, block in enumerate(design.blocks):
        if block.is_rotating:
            title = titles.get(block.key) or block.key
            yield from _of_part(design, block, f"blocks[{number}]", title, pairs=pairs)
    for number, rotation in enumerate(design.rotations):
        yield from _of_rotation(design, rotation.blocks, f"rotations[{number}]", titles)


def _own(design: Design) -> Iterator[Finding]:
    share = expected_own(design, UNIQUE_AMONG)
    if share > MOST_OWN:
        yield _finding(
            "own_combination",
            "",
            _(
                "the server learns which questions each respondent was asked: of %(n)s people, "
                "about %(alone)s would have a unique combination of these questions and unprotected "
                "answers, and could be identified by it"
            )
            % {"n": UNIQUE_AMONG, "alone": f"{share * UNIQUE_AMONG:.0f}"},
            _(
                "list fewer sets of questions, or ask fewer or coarser unprotected questions: up to "
                "%(count)s combinations are allowed"
            )
            % {"count": _most_combinations()},
        )


def _most_combinations() -> int:
    """Return how many combinations leave few enough of `UNIQUE_AMONG` people alone: (1 - 1/C)^(n - 1) <=
    s."""
    return math.floor(1 / (1 - MOST_OWN ** (1 / (UNIQUE_AMONG - 1))))


def _of_part(design: Design, block: Block, path: str, title: str, *, pairs: bool) -> Iterator[Finding]:
    fields = {"part": title, "asked": block.most_asked, "count": len(block.questions)}
    yield from _no_gain(block, path, fields)
    if pairs:
        yield from _together(design, block, path, fields)


def _no_gain(block: Block, path: str, named: Mapping[str, object]) -> Iterator[Finding]:
    """Warn if asking each person all questions has the same epsilon and no larger errors."""
    count, per_person, epsilon = len(block.questions), block.most_asked, block_budget(block).epsilon
    plain = all(question.n_items == 1 for question in block.questions)
    if not plain or count > _MOST_COMPARED or not 0 < epsilon < math.inf:
        return
    sizes = range(1, min(2, per_person) + 1)
    some, whole = (
        SampledDesign(questions=count, asked=each, epsilon=epsilon).mean_variance(sizes)
        for each in (per_person, count)
    )
    if some >= whole:
        yield _finding(
            "rotating_no_gain",
            path,
            _(
                "part “%(part)s” asks each person %(asked)s of %(count)s questions: with the same"
                " ε %(epsilon)s, results are no less precise if everyone is asked all of them"
            )
            % {**named, "epsilon": f"{epsilon:.2f}"},
            _("ask everyone all its questions, with a smaller p that keeps ε"),
        )


def _together(design: Design, block: Block, path: str, named: Mapping[str, object]) -> Iterator[Finding]:
    """Return the shortest itemsets of a part that no device, or too few devices, ask together."""
    for size in _SIZES:
        if size > len(block.questions):
            return
        least, missing, total = _least_together(block, size)
        if missing:
            yield _never_together(size, missing, total, path, named)
            return
        first = design.first_questions[design.blocks.index(block)]
        # A rotation draws the part with the same probability whichever of its questions are asked.
        share = least * design.drawn_together([first]) / block.share_asked([0])
        if size == _SIZES[0] and share * UNIQUE_AMONG < LEAST_COMPLETE_ROWS:
            yield _finding(
                "few_together",
                path,
                _(
                    "only about %(few)s of %(n)s people are asked both of two questions of part "
                    "“%(part)s”: results on two questions together need %(least)s such people"
                )
                % {
                    **named,
                    "n": UNIQUE_AMONG,
                    "few": f"{float(share * UNIQUE_AMONG):.0f}",
                    "least": LEAST_COMPLETE_ROWS,
                },
                _("ask each person more of these questions, or expect at least %(needed)s people")
                % {"needed": math.ceil(LEAST_COMPLETE_ROWS / share)},
            )
            return


def _least_together(block: Block, size: int) -> tuple[Fraction, int, int]:
    """Return the least share asked so many questions together; sets never asked, and all sets."""
    total = math.comb(len(block.questions), size)
    if block.booklets is None:
        share = block.share_asked(range(size))
        return share, 0 if share else total, total
    together = Counter(
        chosen for booklet in block.booklets for chosen in itertools.combinations(booklet, size)
    )
    missing = total - len(together)
    return Fraction(0 if missing else min(together.values()), block.n_booklets), missing, total


def _never_together(size: int, missing: int, total: int, path: str, named: Mapping[str, object]) -> Finding:
    message = (
        _(
            "no one is asked both questions of %(missing)s of the %(total)s pairs in part "
            "“%(part)s”, so results cannot show whether these are associated"
        )
        if size == 2
        else _(
            "no one is asked all questions of %(missing)s of the %(total)s sets of three in part "
            "“%(part)s”, so results cannot combine these three"
        )
    )
    return _finding(
        "never_together",
        path,
        message % {**named, "missing": missing, "total": total},
        _("ask each person more of these questions, or list other sets of them"),
    )


def _of_rotation(
    design: Design, keys: tuple[str, ...], path: str, titles: Mapping[str, str]
) -> Iterator[Finding]:
    parts = {block.key: block for block in design.blocks}
    routed = [key for key in keys if parts[key].asked_if is not None]
    if routed:
        yield _finding(
            "rotation_routed",
            path,
            _(
                "of the rotating parts, %(parts)s are asked of some people only: respondents who "
                "draw such a part and are not asked it get no other part instead"
            )
            % {"parts": ", ".join(f"“{titles.get(key) or key}”" for key in routed)},
            _("rotate only parts that everyone can be asked, or expect fewer answers"),
        )


def _finding(code: str, path: str, message: str, remedy: str) -> Finding:
    return Finding(level=Level.WARN, code=code, path=path, message=message, remedy=remedy)


def check_drawn(blocks: Sequence[Placed], prevalence: Prevalence) -> Iterator[Finding]:
    """Yield the parts in which drawn rows differ too much from true ones.

    Parameters
    ----------
    blocks : sequence of (str, Block)
        Paths and blocks of a survey.
    prevalence : mapping
        As stated, for every protected question.
    """
    compared = [(path, block) for path, block in blocks if block.has_coin]
    questions = [question for _path, block in compared for question in block.questions]
    # A single choice is one drawn answer, and so is every item of another question.
    count = sum(len(question.parts) for question in questions)
    if count > MOST_COMPARED:
        yield Finding(
            level=Level.WARN,
            code="not_compared",
            path="",
            message=_(
                "random answers were not compared with the expected ones: the survey draws "
                "%(count)s independently, and at most %(most)s can be compared"
            )
            % {"count": count, "most": MOST_COMPARED},
            remedy=_("ask fewer protected questions, or offer fewer options"),
        )
        return
    for path, block in compared:
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
                "part": block.key,
                "share": _of_hundred(share),
                "count": len(block.questions),
                "key": question.key,
            },
            remedy=_remedy(block, distribution),
        )


def check_open_answers(design: Design, names: Mapping[str, str]) -> Iterator[Finding]:
    """Yield a warning if answers that are stored as given would make many people unique."""
    combinations = combinations_of(design)
    alone = expected_unique(UNIQUE_AMONG, combinations)
    if alone <= MOST_UNIQUE * UNIQUE_AMONG:
        return
    most = MOST_UNIQUE * UNIQUE_AMONG
    allowed = largest_passing(combinations, lambda count: expected_unique(UNIQUE_AMONG, count) <= most)
    message = _(
        "the answers that are stored as given (%(names)s) have %(combinations)s combinations: of "
        "%(n)s people, about %(alone)s would have a unique one and could be identified by it"
    ) % {
        "names": ", ".join(f"“{names.get(each.key, each.key)}”" for each in open_questions(design)),
        "combinations": f"{combinations:,}",
        "n": UNIQUE_AMONG,
        "alone": f"{alone:.0f}",
    }
    if design.sends_undisguised:
        message += _("; if such a person answers directly, that reveals all their answers")
    yield Finding(
        level=Level.WARN,
        code="unique_open",
        path="",
        message=message,
        remedy=_(
            "store fewer answers as given, or ask for coarser ones: up to %(count)s combinations are allowed"
        )
        % {"count": f"{allowed:,}"},
    )


def _message(questions: int) -> str:
    if questions == 1:
        return _(
            "%(share)s of 100 true rows of part %(part)s are recognisable, because random answers"
            " to %(key)s differ from the expected ones"
        )
    return _(
        "%(share)s of 100 true rows of part %(part)s are recognisable, because random answers to "
        "its %(count)s questions differ from the expected ones, most of all to %(key)s"
    )


def _share_of(distribution: RowDistribution) -> float:
    return reidentification_rate(distribution)[LEVELS.index(max(LEVELS))]


def _remedy(block: Block, distribution: RowDistribution) -> str:
    truth = largest_passing(
        block.truth_probability,
        lambda truth: _share_of(replace(distribution, truth=truth / SCALE)) <= MOST_REIDENTIFIED,
    )
    other = _("ask fewer of these questions in one part")
    return (
        _(", or ").join([_("set p to at most %(share)s%%") % {"share": percent_text(truth)}, other])
        if truth
        else other
    )


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
