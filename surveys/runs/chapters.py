"""Chapters: closed sets of the answers to a survey that stays open.

A survey that never closes, such as one for complaints, never settles. Its schedule may state times at which
it is cut into chapters. The first round of the sweeper after such a time closes the chapter: it contains the
batches written since the chapter before. Answers that wait to be mixed at that moment belong to the next one.
When the survey settles, the rest is the last chapter.

Figures that combine open answers are shown by chapter and never for all chapters together, because figures of
all answers, subtracted, would show the people in between.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import TypeAlias

from django.db import transaction
from django.db.models import QuerySet, Sum
from django.utils import timezone

from surveys.errors.error import SurveyError
from surveys.models import Batch, Chapter, Survey, Version
from surveys.models.survey import lock_survey
from surveys.questionnaire.local_time import local_text

Stated: TypeAlias = tuple[datetime, int | None]
"""When a chapter ends, and the number of its last batch once it is closed."""


@dataclass(frozen=True, kw_only=True)
class ClosedChapter:
    """A chapter that no answer can join.

    Attributes
    ----------
    number : int
        From 1.
    after, last : int
        The chapter contains the batches with numbers above `after`, up to `last`.
    ends_at : datetime or None
        The stated time; None for the last chapter of a settled survey.
    """

    number: int
    after: int
    last: int
    ends_at: datetime | None


def chapters_cut(*, now: datetime) -> None:
    """Close the chapters whose time has passed."""
    due = Chapter.objects.filter(last_batch=None, ends_at__lte=now, survey__settled=False)
    for pk in due.order_by("ends_at").values_list("pk", flat=True):
        with transaction.atomic():
            chapter = Chapter.objects.select_for_update().get(pk=pk)
            # A batch that a mixer is writing now is not visible yet, so it belongs to the next chapter.
            newest = _batches(chapter.survey_id).order_by("-pk").values_list("pk", flat=True).first()
            if chapter.last_batch is None:
                Chapter.objects.filter(pk=pk, last_batch=None).update(last_batch=newest or 0)


def chapters_step() -> None:
    """Close chapters at the current time; the sweeper calls this in each round."""
    chapters_cut(now=timezone.now())


def chapters_state(survey: Survey, times: Sequence[datetime], *, zone: str, now: datetime) -> None:
    """Store the times of a published schedule; those published before stay. Errors name times in `zone`.

    Raises
    ------
    SurveyError
        ``chapters.published``: a published time is missing; ``chapters.past``: a new time has passed;
        ``chapters.settled``: the survey has closed and all its answers are mixed.
    """
    survey = lock_survey(survey)
    before = set(survey.chapters.values_list("ends_at", flat=True))
    if before - set(times):
        raise SurveyError("chapters.published", _in_zone(min(before - set(times)), survey.time_zone))
    new = sorted(set(times) - before)
    if new and survey.settled:
        raise SurveyError("chapters.settled", slug=survey.slug)
    if new and new[0] <= now:
        raise SurveyError("chapters.past", _in_zone(new[0], zone))
    Chapter.objects.bulk_create(Chapter(survey=survey, ends_at=end) for end in new)


def _in_zone(at: datetime, zone: str) -> str:
    return f"{local_text(at, zone)} ({zone})"


def stated_chapters(survey: Survey) -> list[Stated]:
    """Return the published ends of a survey's chapters, the first one first."""
    return list(survey.chapters.order_by("ends_at").values_list("ends_at", "last_batch"))


def closed_chapters(survey: Survey) -> list[ClosedChapter]:
    """Return the closed chapters of a survey, the first one first; none if its schedule states none."""
    stated = stated_chapters(survey)
    if not stated:
        return []
    newest = _batches(survey.pk).order_by("-pk").values_list("pk", flat=True).first()
    return chapters_among(stated, settled=survey.settled, newest=newest or 0)


def chapters_among(stated: Sequence[Stated], *, settled: bool, newest: int) -> list[ClosedChapter]:
    """Return the closed chapters of a survey.

    Parameters
    ----------
    stated : sequence of Stated
        All stated chapters, by their time.
    settled : bool
        Whether the survey has all its answers; the rest is then the last chapter.
    newest : int
        Number of the newest batch; 0 if there is none.

    Examples
    --------
    >>> may, june = datetime(2027, 5, 1), datetime(2027, 6, 1)
    >>> [(each.number, each.after, each.last)
    ...  for each in chapters_among([(may, 4), (june, None)], settled=True, newest=9)]
    [(1, 0, 4), (2, 4, 9)]

    Without a later batch there is no rest.

    >>> len(chapters_among([(may, 4), (june, None)], settled=True, newest=4))
    1
    """
    chapters: list[ClosedChapter] = []
    after = 0
    for ends_at, last in stated:
        if last is None:
            break
        chapters.append(ClosedChapter(number=len(chapters) + 1, after=after, last=last, ends_at=ends_at))
        after = last
    if stated and settled and newest > after:
        chapters.append(ClosedChapter(number=len(chapters) + 1, after=after, last=newest, ends_at=None))
    return chapters


def chapter_batches(version: Version, number: int) -> QuerySet[Batch]:
    """Return the batches of a version's design in a closed chapter.

    Raises
    ------
    SurveyError
        ``chapters.unknown``: the survey has no such closed chapter.
    """
    chapter = next((each for each in closed_chapters(version.survey) if each.number == number), None)
    if chapter is None:
        raise SurveyError("chapters.unknown", number, number=number)
    return _inside(version, chapter).order_by("pk")


def chapter_rows(version: Version, chapter: ClosedChapter) -> int:
    """Count the answers to a version's design in a chapter."""
    rows: int | None = _inside(version, chapter).aggregate(rows=Sum("n"))["rows"]
    return rows or 0


def _inside(version: Version, chapter: ClosedChapter) -> QuerySet[Batch]:
    batches = _batches(version.survey_id).filter(version__design_id=version.design_id)
    return batches.filter(pk__gt=chapter.after, pk__lte=chapter.last)


def _batches(survey_id: int) -> QuerySet[Batch]:
    return Batch.objects.filter(version__survey=survey_id)
