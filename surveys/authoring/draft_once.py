"""Make a draft of a document once: before a second draft of the same document, ask.

``authoring/same_draft.html`` [again]
    ``survey`` (the earlier one), ``made_at``, ``is_changed`` (saved since), ``opens`` (its page),
    ``has_text`` (its import report can be opened again), and ``token``, with which POST makes another draft.

Forms that create a draft can be sent twice: by a second press, or from a page to which a person went back.
All of them call `make_draft`, and nothing else in the pages calls `draft_create`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from typing import Any, Final

from django.contrib import messages
from django.contrib.auth.models import User
from django.core import signing
from django.db import transaction
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_POST

from surveys.accounts.authorship import by_and_now
from surveys.accounts.permissions import get_builder, get_surveys_for_builder, staff_page
from surveys.authoring.drafts import MADE_FROM, draft_create, source_digest
from surveys.authoring.import_notes import ImportNote
from surveys.authoring.restored_saves import save_with_text
from surveys.authoring.survey_address import free_slug
from surveys.errors.error import SurveyError
from surveys.models import AuditEvent, Survey

_SALT: Final = "another-draft"


@dataclass(frozen=True, kw_only=True)
class NewDraft:
    """A draft to make, and the page that follows.

    Parameters
    ----------
    document, slug, source, not_kept, pasted, aim, read_from
        As for `draft_create`.
    choices : mapping, optional
        Choices in the import report, stored with the text (`surveys.authoring.former_choices`).
    following : str
        Name of the page that follows.
    said : str
        What it says first; empty for nothing.
    """

    document: dict[str, Any]
    slug: str
    source: str
    following: str
    not_kept: tuple[ImportNote, ...] = ()
    pasted: str = ""
    aim: Mapping[str, Any] | None = None
    read_from: str = ""
    choices: Mapping[str, Any] | None = None
    said: str = ""

    @property
    def digest(self) -> str:
        """The digest of the document that it is made from."""
        return source_digest(self.source, self.read_from or self.pasted or self.document)


def make_draft(request: HttpRequest, new: NewDraft, *, is_another: bool = False) -> HttpResponse:
    """Save a draft and redirect to the page that follows; ask first if the same document already made one.

    Parameters
    ----------
    request, new
    is_another : bool
        Whether the person knows of the earlier draft and wants another one.

    Raises
    ------
    SurveyError, DefinitionError
        As for `draft_create`.
    """
    owner = get_builder(request.user)
    with transaction.atomic():
        # Two presses may arrive together: the second one waits for the first.
        User.objects.select_for_update().get(pk=owner.pk)
        earlier = None if is_another else _made_before(request, new.digest)
        if earlier is not None:
            return _asking_page(request, new, *earlier)
        survey = draft_create(
            new.document,
            slug=free_slug(new.slug) if is_another else new.slug,
            source=new.source,
            not_kept=new.not_kept,
            owner=owner,
            pasted=new.pasted,
            aim=new.aim,
            read_from=new.read_from,
            **by_and_now(request),
        )
        if new.pasted and new.choices is not None:
            survey.draft_revisions.filter(revision=survey.revision).update(choices=dict(new.choices))
    if new.said:
        messages.success(request, new.said)
    return redirect(f"authoring:{new.following}", survey.slug)


def _made_before(request: HttpRequest, digest: str) -> tuple[Survey, AuditEvent] | None:
    """Return the newest survey that this person made from the same document, unless it was deleted."""
    events = AuditEvent.objects.filter(
        action="draft_create", actor=by_and_now(request)["by"], **{f"detail__{MADE_FROM}": digest}
    ).order_by("-pk")
    by_number = {event.detail["survey"]: event for event in reversed(events)}
    surveys = get_surveys_for_builder(request.user).filter(pk__in=by_number)
    return max(
        ((survey, by_number[survey.pk]) for survey in surveys), key=lambda pair: pair[1].pk, default=None
    )


def _asking_page(request: HttpRequest, new: NewDraft, survey: Survey, event: AuditEvent) -> HttpResponse:
    """Say that the same document made a survey before, with a link to it and a button for another draft."""
    is_draft = survey.state == Survey.State.DRAFT
    has_questions = bool(survey.definition.get("blocks"))
    context = {
        "survey": survey,
        "made_at": event.at,
        "is_changed": survey.revision > 1,
        "opens": ("authoring:plan" if has_questions else "authoring:builder")
        if is_draft
        else "report:survey",
        "has_text": is_draft and save_with_text(survey) is not None,
        "token": signing.dumps(asdict(new), salt=_SALT, compress=True),
    }
    return render(request, "authoring/same_draft.html", context, status=409)


@staff_page
@require_POST
def another_draft(request: HttpRequest) -> HttpResponse:
    """Make another draft of a document that already made one."""
    get_builder(request.user)
    try:
        values = signing.loads(request.POST.get("draft", ""), salt=_SALT)
    except signing.BadSignature:
        error = SurveyError("import.lost")
        return render(request, "authoring/same_draft.html", {"refusal": error}, status=422)
    new = NewDraft(**values)
    notes = tuple(ImportNote(**note) for note in values["not_kept"])
    return make_draft(request, replace(new, not_kept=notes), is_another=True)
