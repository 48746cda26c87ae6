"""Working drafts: create, import, save, rename and delete. Respondents see none of this.

A draft is any JSON object of limited size. It can be saved even with problems that prevent publishing, which
`draft_read` lists. Each service is one transaction with its audit event.
"""

from __future__ import annotations

import hashlib
import itertools
import json
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any, Final

from django.contrib.auth.models import User
from django.db import IntegrityError, transaction
from django.utils import timezone

from surveys.authoring.deletion import jobs_of
from surveys.authoring.import_notes import ImportNote, notes_detail
from surveys.authoring.restored_saves import restored_detail
from surveys.authoring.survey_address import check_slug, taken_error
from surveys.errors.error import SurveyError, short_json
from surveys.models import DraftRevision, Job, Survey
from surveys.models.audit_event import audit_event_record
from surveys.models.draft_revision import MOST_REVISIONS, ONE_REVISION
from surveys.models.survey import lock_survey
from surveys.questionnaire.definition import definition_parse
from surveys.questionnaire.document import DefinitionError
from surveys.questionnaire.multi_conversion import converted
from surveys.questionnaire.multi_drafts import CONVERTED
from surveys.questionnaire.parsed_document import MOST_DOCUMENT_BYTES, document_check
from surveys.questionnaire.survey_title import survey_title

MADE_FROM: Final = "made_from"
"""Member of the detail of an event ``draft_create``: the digest of the document from which it was made."""


def source_digest(source: str, document: object) -> str:
    """Return the digest of a text, or of a document in JSON; ends of lines and the address do not count.

    >>> source_digest("text", "Sleep \\n1. Bad?\\n") == source_digest("text", "Sleep\\n1. Bad?")
    True
    >>> source_digest("scratch", {"slug": "a"}) == source_digest("scratch", {"slug": "b"})
    True
    """
    if isinstance(document, dict):
        text = _json_text({name: value for name, value in document.items() if name != "slug"})
    else:
        text = "\n".join(line.rstrip() for line in str(document).strip().splitlines())
    return hashlib.sha256(f"{source}\n{text}".encode("utf-8", "surrogatepass")).hexdigest()


@transaction.atomic
def draft_create(
    document: dict[str, Any],
    *,
    slug: str,
    by: str,
    now: datetime,
    source: str,
    not_kept: Sequence[ImportNote] = (),
    owner: User | None = None,
    pasted: str = "",
    aim: Mapping[str, Any] | None = None,
    read_from: str = "",
) -> Survey:
    """Save a document as the draft of a new survey.

    Parameters
    ----------
    document : dict
        Its ``slug`` is replaced.
    slug : str
        The new survey's name in addresses.
    by, now
        User and time.
    source : str
        Where the document came from, for the audit log: "scratch", "template health", "survey work", ...
    not_kept : sequence of ImportNote
        What the import lost or changed.
    owner : User or None
        The survey's owner; without one, only administrators have access.
    pasted : str
        The text from which the document was read, kept so that users can edit it again.
    aim : mapping or None
        The stored aim of the copied survey: expected number of answers, starred answers
        and short names.
    read_from : str
        Digest of the file from which the document was read, if the document depends on choices.

    Raises
    ------
    SurveyError
        ``slug``: not a valid name for an address; ``taken``.
    DefinitionError
        The document cannot be kept as a draft.
    """
    check_slug(slug)
    digest = source_digest(source, read_from or pasted or document)
    survey = Survey(slug=slug, title={}, definition={}, owner=owner, aim=aim)
    conversion = converted(document)
    document = conversion.document
    not_kept = [*not_kept, *(ImportNote(text=note) for note in conversion.notes)]
    try:
        with transaction.atomic():
            _write(survey, {**document, "slug": slug}, by=by, now=now, pasted=pasted)
    except IntegrityError as error:
        # Another request was faster.
        raise taken_error(slug) from error
    audit_event_record(
        actor=by,
        action="draft_create",
        target=slug,
        detail={"source": source, MADE_FROM: digest, **notes_detail(survey, not_kept)},
    )
    return survey


@transaction.atomic
def survey_import(document: object, *, by: str) -> Survey:
    """Import a definition: as a new draft, a changed draft, or the next version of an open survey.

    Respondents see none of it before `survey_publish`.

    Parameters
    ----------
    document : object
        The definition's JSON document.
    by : str
        User name for the audit log.

    Raises
    ------
    DefinitionError
        The definition cannot be used.
    SurveyError
        ``closed``; or ``practice``: a published survey can neither become a practice survey nor stop being
        one.
    """
    definition = definition_parse(converted(document).document)
    survey = Survey.objects.select_for_update().filter(slug=definition.slug).first() or Survey(
        slug=definition.slug
    )
    if survey.state == Survey.State.CLOSED:
        raise SurveyError("closed.import", slug=survey.slug)
    if survey.state != Survey.State.DRAFT and survey.practice != definition.practice:
        raise SurveyError("practice.import", slug=survey.slug, practice=short_json(survey.practice))
    save_draft(survey, definition.document, by=by, now=timezone.now())
    audit_event_record(
        actor=by,
        action="survey_import",
        target=survey.slug,
        detail={"design_id": definition.design.design_id, "wording_id": definition.wording_id},
    )
    return survey


@transaction.atomic
def draft_save(
    survey: Survey,
    document: object,
    *,
    revision: int,
    by: str,
    now: datetime,
    pasted: str = "",
    not_kept: Sequence[ImportNote] = (),
    restored: int | None = None,
    is_typed: bool = False,
) -> Survey:
    """Save a document as the survey's draft, unless another save came first.

    Parameters
    ----------
    survey, by, now
        Survey, user and time.
    document : object
        A JSON object. If it equals the current draft, nothing is saved.
    revision : int
        The survey's revision on which the document is based.
    pasted : str
        The pasted text from which the document was read, if any.
    not_kept : sequence of ImportNote
        With a pasted text, the losses and changes of its reading; they replace the notes of earlier imports.
    restored : int, optional
        The earlier revision with this document; the draft then has its notes and its text.
    is_typed : bool
        Whether the document continues the last one, as in the builder. Then it may replace a
        revision from the last minute. Otherwise, the replaced draft stays among the earlier saves.

    Raises
    ------
    SurveyError
        ``revision``: the draft has a newer revision; ``closed``.
    DefinitionError
        The document cannot be kept as a draft.
    """
    survey = lock_survey(survey)
    check_open_to_changes(survey)
    check_revision(survey, revision)
    if not pasted:
        document = _as_written(document, survey.definition)
        if _json_text(document) == _json_text(survey.definition):
            return survey
    _write(survey, document, by=by, now=now, pasted=pasted, is_typed=is_typed)
    imported = notes_detail(survey, not_kept) if pasted else {}
    if restored is not None:
        imported = restored_detail(survey, restored)
    audit_event_record(
        actor=by, action="draft_save", target=survey.slug, detail={"revision": survey.revision, **imported}
    )
    return survey


@transaction.atomic
def draft_rename(survey: Survey, slug: str, *, revision: int, by: str, now: datetime) -> Survey:
    """Change the address of a survey that was never published.

    Raises
    ------
    SurveyError
        ``published``, ``slug``, ``taken`` or ``revision``.
    """
    survey = lock_survey(survey)
    check_unpublished(survey, "published.rename")
    check_revision(survey, revision)
    if slug == survey.slug:
        return survey
    check_slug(slug)
    before, survey.slug = survey.slug, slug
    _write(survey, {**survey.definition, "slug": slug}, by=by, now=now)
    audit_event_record(actor=by, action="draft_rename", target=slug, detail={"before": before})
    return survey


@transaction.atomic
def draft_delete(survey: Survey, *, by: str) -> None:
    """Delete a survey that was never published.

    Raises
    ------
    SurveyError
        ``published``.
    """
    survey = lock_survey(survey)
    check_unpublished(survey, "published.delete")
    slug, jobs = survey.slug, jobs_of(survey)
    survey.delete()
    Job.objects.filter(pk__in=jobs).delete()
    audit_event_record(actor=by, action="draft_delete", target=slug)


def check_revision(survey: Survey, revision: int) -> None:
    """Refuse a revision that is not the survey's newest.

    Raises
    ------
    SurveyError
        ``revision``.
    """
    if revision != survey.revision:
        raise SurveyError("revision", who=survey.saved_by or "?", newest=survey.revision, revision=revision)


def check_open_to_changes(survey: Survey) -> None:
    """Refuse a survey that is closed.

    Raises
    ------
    SurveyError
        ``closed``.
    """
    if survey.state == Survey.State.CLOSED:
        raise SurveyError("closed.draft", slug=survey.slug)


def save_draft(
    survey: Survey,
    document: dict[str, Any],
    *,
    by: str,
    now: datetime,
    pasted: str = "",
    is_typed: bool = False,
) -> None:
    """Store this document as the draft; the caller has locked the row and writes the audit event."""
    survey.definition = document
    survey.revision += 1
    survey.saved_at = now
    survey.saved_by = by
    if survey.state == Survey.State.DRAFT:
        # A published survey keeps the values it was published with.
        survey.title = survey_title(document)
        survey.practice = document.get("practice") is True
    survey.save()
    _keep_revision(survey, by=by, now=now, pasted=pasted, is_typed=is_typed)


def _keep_revision(survey: Survey, *, by: str, now: datetime, pasted: str, is_typed: bool) -> None:
    """Save the draft as a revision; typing replaces one that the same person saved a moment ago."""
    last = survey.draft_revisions.first()
    is_same = (
        last is not None
        and is_typed
        and not last.pasted
        and last.saved_by == by
        and now - last.begun_at < ONE_REVISION
        and draft_questions(last.definition).keys() <= draft_questions(survey.definition).keys()
    )
    values = {"revision": survey.revision, "definition": survey.definition, "saved_at": now}
    if is_same and last is not None:
        survey.draft_revisions.filter(pk=last.pk).update(**values)
        return
    DraftRevision.objects.create(survey=survey, begun_at=now, saved_by=by, pasted=pasted, **values)
    recent = survey.draft_revisions.values_list("pk", flat=True)[:MOST_REVISIONS]
    with_text = survey.draft_revisions.exclude(pasted="").values_list("pk", flat=True)[:1]
    survey.draft_revisions.exclude(pk__in=[*recent, *with_text]).delete()


def draft_questions(document: Any) -> dict[str, dict[str, Any]]:
    """Return a draft's questions by their keys; the draft may be malformed."""
    blocks = document.get("blocks") if isinstance(document, dict) else None
    lists = (
        [block.get("questions") for block in blocks or () if isinstance(block, dict)]
        if isinstance(blocks, list)
        else []
    )
    entries = [entry for entry_list in lists if isinstance(entry_list, list) for entry in entry_list]
    return {
        entry["key"]: entry
        for entry in entries
        if isinstance(entry, dict) and isinstance(entry.get("key"), str)
    }


def _write(
    survey: Survey, document: object, *, by: str, now: datetime, pasted: str = "", is_typed: bool = False
) -> None:
    if not isinstance(document, dict):
        raise DefinitionError.at("", "document.object", value=short_json(document))
    document_check(document)
    conversion = converted(document)
    document = conversion.document
    size = len(json.dumps(document, ensure_ascii=False).encode())
    if size > MOST_DOCUMENT_BYTES:
        raise SurveyError("too_large.draft", size=size, most=MOST_DOCUMENT_BYTES)
    save_draft(survey, document, by=by, now=now, pasted=pasted, is_typed=is_typed)
    if conversion.notes:
        detail = {"not_kept": conversion.notes, "survey": survey.pk}
        audit_event_record(actor=by, action=CONVERTED, target=survey.slug, detail=detail)


def _json_text(document: object) -> str:
    # As text, because in Python 1 == True, but not in JSON.
    return json.dumps(document, sort_keys=True)


def _as_written(document: Any, before: Any) -> Any:
    """Keep the spelling of numbers whose value did not change.

    A browser writes 5.0 as 5. Numbers that no one changed, such as levels of areas, stay byte for byte.
    """
    if isinstance(document, dict) and isinstance(before, dict):
        return {name: _as_written(value, before.get(name)) for name, value in document.items()}
    if isinstance(document, list) and isinstance(before, list):
        index = {entry["key"]: entry for entry in before if isinstance(entry, dict) and _has_key(entry)}
        places = itertools.chain(before, itertools.repeat(None))
        return [
            _as_written(entry, index.get(entry["key"]) if isinstance(entry, dict) and _has_key(entry) else at)
            for entry, at in zip(document, places, strict=False)
        ]
    # Exact types, because in Python 1 == True, but not in JSON.
    is_same = type(document) in (int, float) and type(before) in (int, float) and document == before
    return before if is_same else document


def _has_key(entry: dict[str, Any]) -> bool:
    return isinstance(entry.get("key"), str)


def check_unpublished(survey: Survey, case: str) -> None:
    """Raise an error if the survey was published.

    Parameters
    ----------
    survey : Survey
    case : str
        Code of the refusal.

    Raises
    ------
    SurveyError
        ``case``.
    """
    if survey.state != Survey.State.DRAFT or survey.versions.exists():
        raise SurveyError(case, slug=survey.slug)


def for_practice(document: dict[str, Any]) -> dict[str, Any]:
    """Return a new draft as a practice survey, whose answers do not count until it is made live."""
    return document | {"practice": True}
