"""Check rotating questions and parts: what no device, or too few devices, ask together."""

from __future__ import annotations

import itertools
import math
from collections import Counter
from collections.abc import Iterator, Mapping
from fractions import Fraction
from typing import Final

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from privacy.estimation.planned_pairs import predicts_pairs
from privacy.policy import LEAST_COMPLETE_ROWS
from privacy.risk.unique_combinations import unique_share_of_design
from privacy.survey.design import Block, Design
from surveys.formats.joints import list_text
from surveys.formats.numbers import count_text
from surveys.policy import MOST_OWN
from surveys.questionnaire.checks.open_answers import most_combinations
from surveys.questionnaire.findings import Finding, Level

_SIZES: Final = (2, 3)

_LOST: Final = {
    (2, True): gettext_lazy("how two of them go together is only predicted"),
    (3, True): gettext_lazy("how three of them go together is only predicted"),
    (2, False): gettext_lazy("results cannot show how two of them go together"),
    (3, False): gettext_lazy("results cannot show how three of them go together"),
}
"""What no report shows if no one is asked so many questions together, and whether it predicts it instead."""


def check_rotating(
    design: Design, titles: Mapping[str, str], *, people: int | None, pairs: bool = True
) -> Iterator[Finding]:
    """Yield warnings about a design that asks each person only some questions.

    Parameters
    ----------
    design : Design
    titles : mapping of str to str
    people : int or None
        Expected number of respondents; None if unknown, which `check_use` reports.
    pairs : bool
        Whether to check pairs of questions; false if the aim states which results are wanted.
    """
    if not design.rotates:
        return
    if people:
        yield from _own(design, people)
    for number, block in enumerate(design.blocks):
        if block.is_rotating and pairs:
            title = titles.get(block.key) or block.key
            yield from _together(design, block, f"blocks[{number}]", title, people=people)
    for number, rotation in enumerate(design.rotations):
        yield from _of_rotation(design, rotation.blocks, f"rotations[{number}]", titles)


def _own(design: Design, people: int) -> Iterator[Finding]:
    share = unique_share_of_design(design, people)
    if share > MOST_OWN:
        yield _finding(
            "own_combination",
            "",
            _(
                "the server learns which questions each respondent was asked: of %(n)s people, "
                "about %(alone)s would have a unique combination of these questions and unprotected "
                "answers, and could be identified by it"
            )
            % {"n": count_text(people), "alone": f"{share * people:,.0f}"},
            _(
                "list fewer sets of questions, or ask fewer or coarser unprotected questions: up to "
                "%(count)s combinations are allowed"
            )
            % {"count": count_text(most_combinations(MOST_OWN, people))},
        )


def _together(
    design: Design, block: Block, path: str, title: str, *, people: int | None
) -> Iterator[Finding]:
    """Yield a finding on the smallest itemsets of a part that no device, or too few devices, ask together."""
    for size in _SIZES:
        if size > len(block.questions):
            return
        least, missing, total = _least_together(block, size)
        if missing:
            yield _never_together(design, block, size, missing, total, path, title)
            return
        first = design.first_questions[design.blocks.index(block)]
        # The rotation draws the part with the same probability, whichever of its questions are asked.
        share = least * design.drawn_together([first]) / block.share_asked([0])
        if size == _SIZES[0] and people and share * people < LEAST_COMPLETE_ROWS:
            yield _finding(
                "few_together",
                path,
                (
                    _(
                        "only about %(few)s of %(n)s people are asked both of two questions of part "
                        "“%(part)s”; with fewer than %(least)s, the report only predicts how these go "
                        "together"
                    )
                    if predicts_pairs(design) and block.asked_if is None
                    else _(
                        "only about %(few)s of %(n)s people are asked both of two questions of part "
                        "“%(part)s”: results on two questions together need %(least)s such people"
                    )
                )
                % {
                    "part": title,
                    "n": count_text(people),
                    "few": f"{float(share * people):.0f}",
                    "least": count_text(LEAST_COMPLETE_ROWS),
                },
                _("ask each person more of these questions, or expect at least %(needed)s people")
                % {"needed": count_text(math.ceil(LEAST_COMPLETE_ROWS / share))},
            )
            return


def _least_together(block: Block, size: int) -> tuple[Fraction, int, int]:
    """Return the least share asked `size` questions together; the number of sets never asked, and of all."""
    total = math.comb(len(block.questions), size)
    if block.booklets is None:
        share = block.share_asked(range(size))
        return share, 0 if share else total, total
    together = Counter(
        subset for booklet in block.booklets for subset in itertools.combinations(booklet, size)
    )
    missing = total - len(together)
    return Fraction(0 if missing else min(together.values()), block.n_booklets), missing, total


def _never_together(
    design: Design, block: Block, size: int, missing: int, total: int, path: str, title: str
) -> Finding:
    """Say that some or all pairs, or groups of three, of a part's questions are never asked together."""
    predicted = predicts_pairs(design) and block.asked_if is None
    words = {
        "part": title,
        "missing": count_text(missing),
        "total": count_text(total),
        "asked": count_text(block.most_asked),
        "count": count_text(len(block.questions)),
        "lost": _LOST[size, predicted],
    }
    if missing == total:
        message = (
            _("each person is asked one of the %(count)s questions of part “%(part)s”: %(lost)s")
            if size == _SIZES[0]
            else _("each person is asked %(asked)s of the %(count)s questions of part “%(part)s”: %(lost)s")
        )
    else:
        message = (
            _(
                "%(missing)s of the %(total)s pairs of questions in part “%(part)s” are never asked "
                "together: %(lost)s"
            )
            if size == _SIZES[0]
            else _(
                "%(missing)s of the %(total)s groups of three questions in part “%(part)s” are never asked "
                "together: %(lost)s"
            )
        )
    return _finding(
        "never_together",
        path,
        message % words,
        _("if you need such results, ask each person more of these questions; otherwise leave it as it is"),
    )


def _of_rotation(
    design: Design, keys: tuple[str, ...], path: str, titles: Mapping[str, str]
) -> Iterator[Finding]:
    parts = {block.key: block for block in design.blocks}
    conditional = [key for key in keys if parts[key].asked_if is not None]
    if conditional:
        yield _finding(
            "rotation_routed",
            path,
            _(
                "of the rotating parts, %(parts)s are asked of some people only: respondents who "
                "draw such a part and are not asked it get no other part instead"
            )
            % {"parts": list_text(f"“{titles.get(key) or key}”" for key in conditional)},
            _("rotate only parts that everyone can be asked, or expect fewer answers"),
        )


def _finding(code: str, path: str, message: str, remedy: str) -> Finding:
    return Finding(level=Level.WARN, code=code, path=path, message=message, remedy=remedy)
