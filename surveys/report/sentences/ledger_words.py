"""What a run's pages and files say about open answers that wait, and about other runs on the same rows."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any
from zoneinfo import ZoneInfo

from django.utils.formats import date_format
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from surveys.formats.figures import count_text
from surveys.models import Run, Survey
from surveys.models.survey import GRACE
from surveys.policy import LEAST_PROFILE
from surveys.runs.chapters import ClosedChapter, chapter_of, has_chapters
from surveys.runs.ledger import Looks, crossed_questions, floor_of, forged_rows, looks_of
from surveys.runs.snapshot import is_exempt, is_final, shown_count


@dataclass(frozen=True, kw_only=True)
class LedgerNote:
    """Sentences of a run's pages.

    Attributes
    ----------
    waiting : tuple of str
        Which figures are not shown yet, why, and when they will be; empty if none wait.
    lines : tuple of str
        The rows that all runs read, how often they were analysed, and how many forged rows show a cross.
    warning : str
        That another run on the same rows tested more; empty if none did.
    """

    waiting: tuple[str, ...]
    lines: tuple[str, ...]
    warning: str

    @property
    def is_empty(self) -> bool:
        """Whether there is nothing to say."""
        return not (self.waiting or self.lines or self.warning)


def ledger_note(run: Run) -> LedgerNote:
    """Return what the pages of a run say, in the language of the page."""
    looks = looks_of(run)
    warning = ""
    if looks.is_smaller:
        warning = ngettext(
            "This analysis allows for one possible association. Another one of the same answers allowed for"
            " %(largest)s. If you chose its questions after seeing other results, its p-values are too small:"
            " use those of the largest analysis.",
            "This analysis allows for %(family)s possible associations. Another one of the same answers"
            " allowed for %(largest)s. If you chose its questions after seeing other results, its p-values"
            " are too small: use those of the largest analysis.",
            looks.family,
        ) % {"family": shown_count(looks.family), "largest": shown_count(looks.largest)}
    return LedgerNote(waiting=tuple(_waiting(run)), lines=tuple(_lines(run, looks)), warning=warning)


def ledger_record(run: Run) -> dict[str, Any]:
    """Return the same facts for JSON files."""
    looks, floor = looks_of(run), floor_of(run)
    return {
        "final": is_final(run),
        "chapter": None if (chapter := chapter_of(run)) is None else chapter.number,
        "combines_open_questions": floor.crosses,
        "open_questions_that_wait": _keys_that_wait(run),
        "runs_on_these_rows": looks.runs,
        "largest_family": looks.largest,
    }


def _open_questions(run: Run) -> list[int]:
    design = run.design
    return [
        number
        for number in range(len(design.questions))
        if not design.blocks[design.block_of(number)].protected
    ]


def _keys_that_wait(run: Run) -> list[str]:
    """Return the keys of the open questions that no figure of the run may name yet."""
    questions = floor_of(run).questions
    return [
        run.design.questions[number].key
        for number in _open_questions(run)
        if questions is not None and number not in questions
    ]


def _waiting(run: Run) -> Iterator[str]:
    """Yield which figures wait, and for what."""
    floor, open_questions = floor_of(run), _open_questions(run)
    if floor.crosses or not open_questions:
        return
    keys = _keys_that_wait(run)
    if len(open_questions) > 1:
        yield _("Figures that combine several unprotected answers are not shown yet.")
    if keys:
        yield ngettext(
            "Figures about this unprotected question are not shown yet: %(keys)s.",
            "Figures about these unprotected questions are not shown yet: %(keys)s.",
            len(keys),
        ) % {"keys": ", ".join(keys)}
    if len(open_questions) > 1 or keys:
        yield _(
            "With these figures, the difference of two analyses could describe fewer than %(least)s people."
        ) % {"least": count_text(LEAST_PROFILE)}
        yield _what_next(run)


def _what_next(run: Run) -> str:
    """Say when the figures appear, or what to do now."""
    survey = run.survey
    if has_chapters(run):
        return _("They are shown by chapter: analyse a closed chapter to see them.")
    if survey.settled:
        return _("All answers have arrived: analyse again to see them.")
    ends = survey.accepts_until
    if ends is None and survey.state == Survey.State.OPEN and survey.closes_at is not None:
        ends = survey.closes_at + GRACE
    if ends is None:
        return _("They appear in an analysis after the survey has closed and its last answers have arrived.")
    return _("They appear in an analysis after %(day)s, when the last answers have arrived.") % {
        "day": _day(survey, ends)
    }


def _lines(run: Run, looks: Looks) -> Iterator[str]:
    """Yield the rows that the run reads, the looks at them, and the forged rows that show a cross."""
    survey = run.survey
    if looks.family:
        yield ngettext(
            "These answers were analysed once, for %(largest)s possible associations.",
            "These answers were analysed %(runs)s times, for up to %(largest)s possible associations.",
            looks.runs,
        ) % {"runs": looks.runs, "largest": shown_count(looks.largest)}
    if is_exempt(survey) or not is_final(run):
        return
    chapter = chapter_of(run)
    if chapter is not None:
        yield _("This analysis reads %(chapter)s. Later analyses of it read the same answers.") % {
            "chapter": chapter_text(survey, chapter)
        }
    elif survey.accepts_until is not None:
        yield _("All analyses since %(day)s read the same answers.") % {
            "day": _day(survey, survey.accepts_until)
        }
    crossed = crossed_questions(run.design)
    if crossed and floor_of(run).crosses:
        counts = {"rows": shown_count(forged_rows(run.design, crossed)), "least": LEAST_PROFILE}
        words = _(
            "Each combination of unprotected answers that a figure names has %(least)s people or none."
            " False answers count as people: %(rows)s of them show two questions together, whatever the"
            " others answered."
        )
        yield words % counts
        if survey.by_invitation:
            yield _("Only people with codes can send them, and staff who make codes.")
        else:
            yield _("The link was open, so anyone can have sent them.")


def chapter_text(survey: Survey, chapter: ClosedChapter) -> str:
    """Name a chapter: "chapter 2, until 2027-01-01"."""
    if chapter.ends_at is None:
        return _("chapter %(number)s, the last one") % {"number": chapter.number}
    return _("chapter %(number)s, until %(day)s") % {
        "number": chapter.number,
        "day": _day(survey, chapter.ends_at),
    }


def _day(survey: Survey, at: Any) -> str:
    return date_format(at.astimezone(ZoneInfo(survey.time_zone)), "Y-m-d")
