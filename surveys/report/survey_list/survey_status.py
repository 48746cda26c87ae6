"""The status of a survey for its builders: versions with their changes, and what its state allows."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from itertools import pairwise

from django.conf import settings

from surveys.authoring.changes import VersionChange, changes_of, version_changes
from surveys.models import Receipt, Survey, Version
from surveys.models.stored_json import unreadable
from surveys.questionnaire.draft import draft_read, live_gaps_sentence, problems_of_live
from surveys.questionnaire.local_time import wall_time
from surveys.respondent.survey_digests import survey_digest
from surveys.runs.chapters import stated_chapters


@dataclass(frozen=True, kw_only=True)
class VersionLine:
    """A published version.

    Parameters
    ----------
    number : int
    published_at : datetime
        In the survey's time zone, but as a naive datetime, so that templates do not convert it.
    digest : str
        The code that letters and the page for an ethics board print.
    changes : tuple of VersionChange
        Changes from the version before; none for the first.
    counts_anew : bool
        Whether its answers are counted separately from those to the version before.
    """

    number: int
    published_at: datetime
    digest: str
    changes: tuple[VersionChange, ...]
    counts_anew: bool


@dataclass(frozen=True, kw_only=True)
class SurveyStatus:
    """One survey, as its builders see it.

    Parameters
    ----------
    survey : Survey
    opens_at, closes_at, opened_at, closed_at : datetime or None
        In the survey's time zone, but as naive datetimes, so that templates do not convert them.
    chapters : list of tuple
        When each chapter ends, in the survey's time zone, and whether it is closed.
    versions : tuple of VersionLine
        The newest first.
    many_from : int or None
        A tenth of the site's limit of answers, if the survey is open and has received that many.
    draft_problems : int
        Number of problems that prevent the draft from being published.
    live_gaps : str
        What a practice draft that has not been published lacks for real answers; empty for nothing.
    draft_changes : tuple of VersionChange
        What publishing the draft would change; empty if it has problems or no version was published yet.
    unreadable : str
        Why the draft or its plan cannot be read; then nothing is known of its problems and changes.
    can_publish, can_close, can_close_now, can_delete : bool
        What the state allows. `can_publish`: there is no version yet, or the draft differs from the newest.
    """

    survey: Survey
    opens_at: datetime | None
    closes_at: datetime | None
    opened_at: datetime | None
    closed_at: datetime | None
    chapters: list[tuple[datetime, bool]]
    versions: tuple[VersionLine, ...]
    many_from: int | None
    draft_problems: int
    live_gaps: str
    draft_changes: tuple[VersionChange, ...]
    unreadable: str
    can_publish: bool
    can_close: bool
    can_close_now: bool
    can_delete: bool


def survey_status(survey: Survey, *, now: datetime) -> SurveyStatus:
    """Return the status of a survey at `now`."""
    versions = list(survey.versions.select_related("survey").order_by("-number"))
    newest = versions[0] if versions else None
    why_unreadable = unreadable(survey.definition, survey.aim)
    reading = None if why_unreadable else draft_read(survey)
    definition = reading and reading.definition
    changes = changes_of(survey, newest, definition) if definition else ()
    is_over = survey.state == Survey.State.CLOSED
    is_published = survey.state in (Survey.State.PLANNED, Survey.State.OPEN)

    def local(instant: datetime | None) -> datetime | None:
        return instant and wall_time(instant, survey.time_zone)

    return SurveyStatus(
        survey=survey,
        opens_at=local(survey.opens_at),
        closes_at=local(survey.closes_at),
        opened_at=local(survey.opened_at),
        closed_at=local(survey.closed_at),
        chapters=[
            (wall_time(ends_at, survey.time_zone), last is not None)
            for ends_at, last in stated_chapters(survey)
        ],
        versions=tuple(_version_lines(versions, survey.time_zone)),
        many_from=_many_from(survey),
        draft_problems=len(reading.problems) if reading else 0,
        live_gaps=live_gaps_sentence(len(problems_of_live(survey))) if definition and newest is None else "",
        draft_changes=changes,
        unreadable=why_unreadable,
        can_publish=not is_over and definition is not None and (newest is None or bool(changes)),
        can_close=is_published,
        can_close_now=is_published or (is_over and not survey.closed_to_bodies(now)),
        can_delete=survey.state == Survey.State.DRAFT,
    )


def _many_from(survey: Survey) -> int | None:
    """Return a tenth of the cap once that many answers have arrived, to warn before the cap is reached."""
    if survey.state != Survey.State.OPEN:
        return None
    tenth = max(1, settings.SUBMISSION_CAP // 10)
    receipts = Receipt.objects.filter(survey=survey, digest__isnull=False).order_by()
    # Counting all receipts would take seconds.
    return tenth if receipts[tenth - 1 : tenth].exists() else None


def _version_lines(versions: list[Version], time_zone: str) -> list[VersionLine]:
    return [
        VersionLine(
            number=version.number,
            published_at=wall_time(version.published_at, time_zone),
            digest=survey_digest(version),
            changes=version_changes(before.design, before.wording, version) if before else (),
            counts_anew=before is not None and before.design_id != version.design_id,
        )
        for version, before in pairwise([*versions, None])
        if version is not None
    ]
