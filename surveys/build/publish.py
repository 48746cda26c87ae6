"""The life of a survey: imported, published, published again, closed.

Each service is one transaction with its audit event.
"""

from __future__ import annotations

from datetime import datetime

from django.db import transaction

from surveys.build.definition import definition_parse
from surveys.models import Survey, Version
from surveys.models.audit_event import audit_event_record
from surveys.models.survey import GRACE
from surveys.respond.mix import mix


class SurveyStateError(RuntimeError):
    """A service that the survey's state does not allow.

    Parameters
    ----------
    code : str
        Machine-readable name.
    message, remedy : str
        What is in the way, and what to do.
    """

    def __init__(self, code: str, message: str, remedy: str) -> None:
        super().__init__(f"{message}; {remedy}")
        self.code = code
        self.message = message
        self.remedy = remedy


@transaction.atomic
def survey_import(document: object, *, by: str) -> Survey:
    """Keep a definition: a new draft, a changed draft, or what an open survey will publish next.

    Respondents see nothing of it before `survey_publish`.

    Parameters
    ----------
    document : object
        The definition's JSON document.
    by : str
        Who imports, for the audit log.

    Raises
    ------
    DefinitionError
        The definition cannot be used.
    SurveyStateError
        ``closed``, or ``practice``: what was published for practice stays so, and what was not never becomes
        it.
    """
    definition = definition_parse(document)
    survey = Survey.objects.select_for_update().filter(slug=definition.slug).first() or Survey(
        slug=definition.slug
    )
    if survey.state == Survey.State.CLOSED:
        raise SurveyStateError(
            "closed",
            f"the survey {survey.slug} is closed",
            "import it under another slug: a closed survey never opens again",
        )
    if survey.state == Survey.State.DRAFT:
        survey.title = definition.title
        survey.practice = definition.practice
    elif survey.practice != definition.practice:
        raise SurveyStateError(
            "practice",
            f"the survey {survey.slug} was published with practice = {_json(survey.practice)}",
            "import it under another slug: practice answers never become real ones, nor the other way round",
        )
    survey.definition = definition.document
    survey.save()
    audit_event_record(
        actor=by,
        action="survey_import",
        target=survey.slug,
        detail={"design_id": definition.design.design_id, "wording_id": definition.wording_id},
    )
    return survey


@transaction.atomic
def survey_publish(survey: Survey, *, by: str, now: datetime) -> Version:
    """Freeze the definition as a version and show it to respondents; a draft opens.

    Answers to older versions stay accepted as long as the survey accepts any.

    Raises
    ------
    SurveyStateError
        ``closed``, or ``unchanged``.
    """
    survey, slug = _locked(survey), survey.slug
    if survey.state == Survey.State.CLOSED:
        raise SurveyStateError(
            "closed", f"the survey {slug} is closed", "import it under another slug and publish that"
        )
    definition = definition_parse(survey.definition)
    last = Version.objects.filter(survey=survey).order_by("number").last()
    design_id, wording_id = definition.design.design_id, definition.wording_id
    if last is not None and (last.design_id, last.wording_id) == (design_id, wording_id):
        raise SurveyStateError(
            "unchanged",
            f"version {last.number} of {slug} is exactly this definition",
            "import a changed definition first",
        )
    version = Version(
        survey=survey,
        number=1 if last is None else last.number + 1,
        design=definition.design.to_json(),
        design_id=design_id,
        wording=definition.wording,
        wording_id=wording_id,
        published_at=now,
    )
    version.save()
    survey.title = definition.title
    if survey.state == Survey.State.DRAFT:
        survey.state = Survey.State.OPEN
        survey.opened_at = now
    survey.save()
    audit_event_record(
        actor=by,
        action="survey_publish",
        target=slug,
        detail={"version": version.number, "design_id": design_id, "wording_id": wording_id},
    )
    return version


def survey_close(survey: Survey, *, by: str, now: datetime, at_once: bool = False) -> Survey:
    """Show the survey to nobody from now on, and accept sealed bodies for 48 hours more.

    Parameters
    ----------
    survey, by, now
        Which, who, when.
    at_once : bool
        Accept no more bodies either, and make the last batch. Also ends the 48 hours of a survey closed
        before. Practice surveys have no grace time.

    Raises
    ------
    SurveyStateError
        ``draft`` or ``closed``.
    """
    with transaction.atomic():
        survey, slug = _locked(survey), survey.slug
        if survey.state == Survey.State.DRAFT:
            raise SurveyStateError("draft", f"the survey {slug} was never open", "publish it first")
        if survey.state == Survey.State.CLOSED and (not at_once or survey.closed_to_bodies(now)):
            remedy = (
                "there is nothing left to close"
                if survey.closed_to_bodies(now)
                else "use --now to accept no more answers that were sealed before"
            )
            raise SurveyStateError("closed", f"the survey {slug} is closed already", remedy)
        ends = now if at_once or survey.practice else now + GRACE
        if survey.state != Survey.State.CLOSED:
            survey.state = Survey.State.CLOSED
            survey.closed_at = now
        survey.accepts_until = ends
        survey.save()
        audit_event_record(
            actor=by,
            action="survey_close",
            target=slug,
            detail={"accepts_until": ends.isoformat(), "at_once": at_once},
        )
    if ends == now:
        # The sweeper would do it too, in its next round.
        mix(now=now)
        survey.refresh_from_db()
    return survey


def survey_named(slug: str) -> Survey:
    """Return the survey that a command names.

    Raises
    ------
    SurveyStateError
        ``unknown``.
    """
    survey = Survey.objects.filter(slug=slug).first()
    if survey is None:
        known = ", ".join(Survey.objects.values_list("slug", flat=True)[:20])
        raise SurveyStateError(
            "unknown",
            f"there is no survey {slug!r}",
            f"choose one of {known}" if known else "import a definition first",
        )
    return survey


def _locked(survey: Survey) -> Survey:
    return Survey.objects.select_for_update().get(pk=survey.pk)


def _json(value: bool) -> str:
    return "true" if value else "false"
