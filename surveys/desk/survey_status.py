"""Status of a survey for its page: state, versions and their changes, possible actions."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from itertools import pairwise

from django.conf import settings

from surveys.authoring.changes import Change, changes_of, version_changes
from surveys.models import Receipt, Survey, Version
from surveys.questionnaire.draft_reading import draft_read
from surveys.questionnaire.schedule import wall_time
from surveys.respondent.survey_digest import survey_digest


@dataclass(frozen=True, kw_only=True)
class VersionLine:
    """A published version.

    Parameters
    ----------
    number : int
    published_at : datetime
        As the clocks of the survey's time zone showed it, and without a zone: a page writes it as it is.
    digest : str
        As letters and the page for a board print it.
    changes : tuple of Change
        What it changed of the version before; nothing for the first.
    counts_anew : bool
        Whether its answers are counted apart from those to the version before.
    """

    number: int
    published_at: datetime
    digest: str
    changes: tuple[Change, ...]
    counts_anew: bool


@dataclass(frozen=True, kw_only=True)
class SurveyStatus:
    """One survey, for those who build it.

    Parameters
    ----------
    survey : Survey
    opens_at, closes_at, opened_at, closed_at : datetime or None
        As the clocks of its zone show them, and without a zone: a page writes them as they are.
    versions : tuple of VersionLine
        The newest first.
    many_from : int or None
        A tenth of the answers that one survey takes here, where as many came while it is open.
    draft_problems : int
        How many problems keep the draft from being published.
    draft_changes : tuple of Change
        What publishing the draft would change; empty while it has problems, and before the first version.
    can_publish, can_close, can_close_now, can_delete : bool
        What the state allows. `can_publish`: a first version, or a draft that differs from the newest one.
    """

    survey: Survey
    opens_at: datetime | None
    closes_at: datetime | None
    opened_at: datetime | None
    closed_at: datetime | None
    versions: tuple[VersionLine, ...]
    many_from: int | None
    draft_problems: int
    draft_changes: tuple[Change, ...]
    can_publish: bool
    can_close: bool
    can_close_now: bool
    can_delete: bool


def survey_status(survey: Survey, *, now: datetime) -> SurveyStatus:
    """Return the status of a survey at `now`."""
    versions = list(survey.versions.select_related("survey").order_by("-number"))
    reading = draft_read(survey)
    newest = versions[0] if versions else None
    changes = changes_of(survey, newest, reading.definition) if reading.definition else ()
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
        versions=tuple(_version_lines(versions, survey.time_zone)),
        many_from=_many_from(survey),
        draft_problems=len(reading.problems),
        draft_changes=changes,
        can_publish=not is_over and reading.definition is not None and (newest is None or bool(changes)),
        can_close=is_published,
        can_close_now=is_published or (is_over and not survey.closed_to_bodies(now)),
        can_delete=survey.state == Survey.State.DRAFT,
    )


def _many_from(survey: Survey) -> int | None:
    """Return a tenth of the cap once as many answers came: a flood is told before it shuts everybody out."""
    if survey.state != Survey.State.OPEN:
        return None
    tenth = max(1, settings.SUBMISSION_CAP // 10)
    answered = Receipt.objects.filter(survey=survey, digest__isnull=False).order_by()
    # Not all of them are counted, which takes seconds.
    return tenth if answered[tenth - 1 : tenth].exists() else None


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
