"""What a run may say where it lists no link between answers: not found, not tested, or too few."""

from __future__ import annotations

import itertools
from dataclasses import dataclass

from django.utils.translation import gettext as _

from privacy.policy import LEAST_COMPLETE_ROWS
from surveys.errors.error import in_sentences
from surveys.formats.numbers import count_text
from surveys.models import Run


@dataclass(frozen=True, kw_only=True)
class Absence:
    """Why a run lists no link.

    Attributes
    ----------
    heading, detail : str
        For pages: what is so, and what would help.
    sentence : str
        The same for a paper.
    is_finding : bool
        Whether links were tested with enough answers, so that their absence says something.
    is_too_few : bool
        Whether no two questions were asked of enough people, so that no rule could be found.
    """

    heading: str
    detail: str
    sentence: str
    is_finding: bool = False
    is_too_few: bool = False


def people_asked_pairs(run: Run) -> list[int]:
    """Return how many people were asked both questions, for each pair; pairs of open questions only if alone.

    Numbers of rotating questions are expected ones.
    """
    design, n = run.design, run.n or 0
    is_open = [not block.protected for block in design.blocks for _question in block.questions]
    pairs = itertools.combinations(range(len(is_open)), 2)
    kept = [pair for pair in pairs if all(is_open) or not all(is_open[number] for number in pair)]
    return [int(n * design.drawn_together(pair)) if design.rotates else n for pair in kept]


def absence_of_links(run: Run, *, has_other: bool = False) -> Absence:
    """Return what a run without listed links may say about them.

    Parameters
    ----------
    run : Run
        Finished, with results.
    has_other : bool
        Whether the page states a link already, so that this is about the others.
    """
    asked = people_asked_pairs(run)
    n, support = max(asked, default=0), run.thresholds.support
    if not run.summary["inference"]["family"]["lift"]:
        return Absence(
            heading=_("No link was tested"),
            detail=_("This analysis had no two answers to compare."),
            sentence=_("Associations were not tested."),
        )
    if n < LEAST_COMPLETE_ROWS:
        # The expected number for rotating questions can be below 1, although some people were asked both.
        words = {"n": count_text(max(n, 1)), "least": count_text(LEAST_COMPLETE_ROWS)}
        return Absence(
            heading=_("Too few answers to find links"),
            detail=_(
                "A link can be shown or ruled out only if at least %(least)s people were asked both "
                "questions. Here it was at most %(n)s."
            )
            % words,
            sentence=_(
                "Associations were not tested, because at most %(n)s people were asked the same two "
                "questions, and a test needs %(least)s."
            )
            % words,
            is_too_few=True,
        )
    if not run.summary.get("rules"):
        words = {"share": f"{100 * support:g}"}
        return Absence(
            heading=_("No link was tested"),
            detail=_(
                "No combination of answers met the thresholds of this analysis (support from %(share)s%%). "
                "Lower ones may show links."
            )
            % words,
            sentence=_(
                "No combination of answers met the thresholds of the analysis (support from %(share)s%%), "
                "so no association was tested."
            )
            % words,
        )
    detail = _(
        "With %(n)s answers, only strong links can be told from chance. This does not rule out others; more "
        "answers may show them."
    ) % {"n": count_text(run.n or 0)}
    if few := sum(count < LEAST_COMPLETE_ROWS for count in asked):
        template = _(
            "%(few)s of the %(all)s pairs of questions were asked of fewer than %(least)s people: whether "
            "these are linked was not tested."
        )
        words = {"few": count_text(few), "all": count_text(len(asked))}
        detail = in_sentences(detail, template % {**words, "least": count_text(LEAST_COMPLETE_ROWS)})
    return Absence(
        heading=_("No other link is clear") if has_other else _("No link is clear"),
        detail=detail,
        sentence=_(
            "No other association was statistically significant after correction for multiple testing."
        )
        if has_other
        else _("No association was statistically significant after correction for multiple testing."),
        is_finding=True,
    )
