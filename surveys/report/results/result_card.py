"""The result card: what a run says about the starred answers, in words and in one picture to send.

`templates/report/results/partials/your_question.html` shows the words; the picture repeats them.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from privacy.errors import PrivacyError
from surveys.formats.card_picture import card_svg
from surveys.formats.interval_chart import IntervalRow, share_row
from surveys.formats.joints import join_sentences
from surveys.formats.people_of_100 import share_with_interval
from surveys.formats.shown_counts import shown_count
from surveys.models import Run
from surveys.report.opened_run import OpenedRun
from surveys.report.results.answer_shares import share_of
from surveys.report.results.planned_question import YourQuestion
from surveys.report.sentences.verdict import Finding, VerdictKind
from surveys.runs.look import look_of
from surveys.runs.look_words import look_note

_WORST_FIRST: Final = (VerdictKind.INTERIM, VerdictKind.UNCERTAIN, VerdictKind.RULED_OUT, VerdictKind.CLEAR)


@dataclass(frozen=True, kw_only=True)
class ResultCard:
    """What the card states.

    Attributes
    ----------
    title : str
        Title of the survey.
    heading : str
        The finding, or the state that comes before it.
    kind : VerdictKind or None
        None without a finding: a figure waits or is withheld, no answer is starred.
    states : tuple of str
        Sentences that come before the finding: an interim look, a chapter, or a survey that protects nothing.
    sentences : tuple of str
    rows : tuple of IntervalRow
        For the picture, each in its own unit.
    foot : str
    asks_for_star : bool
        Whether no answer was starred.
    is_all_disguised : bool
        Whether there are protected answers, and every phone disguises them.
    """

    title: str
    heading: str
    kind: VerdictKind | None
    states: tuple[str, ...]
    sentences: tuple[str, ...]
    rows: tuple[IntervalRow, ...]
    foot: str
    asks_for_star: bool = False
    is_all_disguised: bool = False

    @property
    def drawing(self) -> SafeString:
        """The picture of 1,200 by 630 px."""
        return card_svg(
            title=self.title,
            heading=self.heading,
            lines=(*self.states, *self.sentences),
            rows=self.rows,
            foot=self.foot,
        )


def card_of(open_run: OpenedRun, yours: YourQuestion | None) -> ResultCard:
    """Return the card of a run.

    Parameters
    ----------
    open_run : OpenedRun
    yours : YourQuestion or None
        The answer to the planned question; None without a star.
    """
    run = open_run.run
    # A star without a figure comes before what the other one says.
    findings = [] if yours is None or yours.error is not None else yours.findings
    worst = min(findings, key=lambda each: _WORST_FIRST.index(each.kind), default=None)
    look = look_of(run)
    if worst is not None and look is not None and not look.is_final:
        worst = Finding(kind=VerdictKind.INTERIM, sentence="")
    rows = () if yours is None else tuple(_rows(yours))
    return ResultCard(
        title=run.survey.title_text,
        heading=_heading(yours, worst),
        kind=None if worst is None else worst.kind,
        states=tuple(filter(None, (look_note(look), _unprotected_note(run)))),
        sentences=tuple(_star_sentences() if yours is None else _sentences(yours)),
        rows=rows,
        foot=_foot(run, has_rows=bool(rows)),
        asks_for_star=yours is None,
        is_all_disguised=_is_all_disguised(run),
    )


def _heading(yours: YourQuestion | None, worst: Finding | None) -> str:
    if yours is None:
        return _("No answer is starred")
    if worst is not None:
        return worst.name
    return _refused(yours.error) if yours.error is not None else _("Too uncertain to say")


def _refused(error: PrivacyError) -> str:
    """Say in a few words why there is no figure."""
    start = error.case.partition(".")[0]
    if start == "waits":
        return _("Waits until the survey is settled")
    if start in ("forged", "withheld"):
        return _("Withheld: forged answers")
    return _("Too uncertain to say")


def _star_sentences() -> list[str]:
    return [
        _("No answer was starred before the first person answered, so this run has no result of its own."),
        _("Star the one or two answers that matter most on the plan page, before you publish."),
    ]


def _sentences(yours: YourQuestion) -> list[str]:
    """Return the figures and the finding; what denials could do is on the page only."""
    if yours.comparison is not None:
        return [yours.comparison.sentence, yours.comparison.verdict]
    return yours.sentences


def _rows(yours: YourQuestion) -> Iterator[IntervalRow]:
    """Yield the rows of the picture: shares as people of 100, as in the sentence, and means in their unit."""
    if yours.comparison is not None:
        yield from yours.comparison.card_rows
    for part in yours.shares:
        share = share_of(part.row)
        text = share_with_interval(share.value, share.low, share.high)
        yield share_row(part.label.title, text, value=share.value, low=share.low, high=share.high)
    for planned in yours.means:
        if (mean := planned.summary.mean) is not None:
            yield planned.words.row(mean)


def _unprotected_note(run: Run) -> str:
    return "" if run.design.protects else _("No question is protected: all answers are stored as given.")


def _foot(run: Run, *, has_rows: bool) -> str:
    people = ngettext("%(n)s person answered.", "%(n)s people answered.", run.n or 0) % {
        "n": shown_count(run.n or 0)
    }
    ends = _("Lines show 95% confidence intervals.") if has_rows else ""
    disguised = _("Phones disguised the protected answers.") if _is_all_disguised(run) else ""
    return join_sentences([people, ends, disguised])


def _is_all_disguised(run: Run) -> bool:
    """Whether there are protected answers, and every phone disguises them."""
    return run.design.protects and not run.design.sends_undisguised
