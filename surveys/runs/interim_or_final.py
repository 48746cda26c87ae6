"""Whether a run is interim, final, or the final analysis of a chapter.

This is decided here alone, for pages, files, texts and the ledger. A run is *final* if no answer can join
those that it reads: all of a settled survey, or all of a closed chapter. Every other run is *interim*.

A final run may also combine open answers, unless it reads several chapters at once: the difference of such a
run and those of its chapters would be another set of people.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from django.db.models import Max

from surveys.models import Batch, Chapter, Run, Survey
from surveys.runs.chapters import ClosedChapter, Stated, chapters_among

_STANDING: Final = "_standing"


@dataclass(frozen=True, kw_only=True)
class Standing:
    """How a run relates to the answers of its survey.

    Attributes
    ----------
    is_final : bool
        Whether no answer can join those that the run reads.
    chapter : ClosedChapter or None
        The closed chapter that the run reads, whole and alone.
    has_chapters : bool
        Whether the survey's schedule states chapters.
    """

    is_final: bool
    chapter: ClosedChapter | None = None
    has_chapters: bool = False

    @property
    def is_closed_set(self) -> bool:
        """Whether combinations of open answers can be shown: no other such run shares some of the rows."""
        return self.is_final and (self.chapter is not None or not self.has_chapters)


def standing_of(run: Run) -> Standing:
    """Return the standing of a run."""
    return standings_of([run])[run.pk]


def standings_of(runs: Iterable[Run]) -> dict[int, Standing]:
    """Return the standings of runs by key, with as many queries for a hundred runs as for one.

    An object keeps its standing, so that a page does not contradict itself.
    """
    runs = list(runs)
    _look_up([run for run in runs if _STANDING not in run.__dict__])
    return {run.pk: run.__dict__[_STANDING] for run in runs}


def _look_up(runs: list[Run]) -> None:
    """Store the standings of runs in their objects."""
    if not runs:
        return
    surveys = {run.survey_id: run.survey for run in runs}
    stated: dict[int, list[Stated]] = {}
    times = Chapter.objects.filter(survey__in=surveys).order_by("ends_at")
    for survey_id, ends_at, last in times.values_list("survey", "ends_at", "last_batch"):
        stated.setdefault(survey_id, []).append((ends_at, last))
    batches = Batch.objects.order_by()
    settled = [pk for pk, survey in surveys.items() if survey.settled]
    newest: dict[tuple[int, str], int] = {
        (survey_id, design_id): number
        for survey_id, design_id, number in batches.filter(version__survey__in=settled)
        .values_list("version__survey", "version__design_id")
        .annotate(Max("pk"))
    }
    numbers: dict[tuple[int, str], list[int]] = {}
    if stated:
        rows = batches.filter(version__survey__in=stated).order_by("pk")
        for survey_id, design_id, number in rows.values_list("version__survey", "version__design_id", "pk"):
            numbers.setdefault((survey_id, design_id), []).append(number)
    chapters = {
        pk: chapters_among(
            stated_look,
            settled=surveys[pk].settled,
            newest=max((number for (survey_id, _), number in newest.items() if survey_id == pk), default=0),
        )
        for pk, stated_look in stated.items()
    }
    for run in runs:
        design = run.survey_id, run.design_id
        run.__dict__[_STANDING] = _standing(
            run, newest.get(design), chapters.get(run.survey_id), numbers.get(design, [])
        )


def _standing(
    run: Run, newest: int | None, chapters: list[ClosedChapter] | None, numbers: list[int]
) -> Standing:
    """Return the standing of a run.

    Parameters
    ----------
    run : Run
    newest : int or None
        The design's last batch if the survey is settled; otherwise None.
    chapters : list of ClosedChapter or None
        Closed chapters; None if the schedule states none.
    numbers : list of int
        All batches of the design, if there are chapters.
    """
    for chapter in chapters or ():
        in_chapter = [number for number in numbers if chapter.after < number <= chapter.last]
        if in_chapter and (run.first_batch, run.last_batch) == (in_chapter[0], in_chapter[-1]):
            return Standing(is_final=True, chapter=chapter, has_chapters=True)
    # A run that is not of one chapter reads from the first batch on.
    is_final = newest is not None and run.last_batch == newest
    return Standing(is_final=is_final, has_chapters=chapters is not None)


def is_exempt(survey: Survey) -> bool:
    """Whether figures need not wait: all respondents of the survey are simulated."""
    return survey.practice or survey.known_truth is not None


def combines(run: Run) -> bool:
    """Whether a run may combine open answers, as far as the time decides."""
    return is_exempt(run.survey) or standing_of(run).is_closed_set
