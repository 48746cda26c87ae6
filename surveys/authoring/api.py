"""The JSON interface between the builder's page and this server.

Every address accepts and returns ``application/json``, needs a logged-in builder, and on a write the CSRF
token in the header ``X-CSRFToken``. The page finds addresses and token in its own data
(`surveys.authoring.views`).

``GET  …/build/draft``   the draft as it is::

    {"survey": "work", "title": "Speaking up at work", "state": "draft" | "planned" | "open" | "closed",
     "revision": 7, "saved_at": "2026-11-20T10:00:00+00:00" | null, "saved_by": "ana" | "",
     "published": 0,                     # number of the newest version, 0 for none
     "can_save": true,                   # false once the survey is closed
     "not_kept": ["survey, row 9, column relevant: …"],   # losses of the import
     "document": {...},                  # the definition, docs/definition.md; any JSON object
     "problems": [{"path": "blocks[1].questions[0].text.zh-hans", "message": "the text is missing",
                   "remedy": "add the text in this language too"}],
     "findings": [{"level": "refuse" | "warn", "code": "block_epsilon", "path": "blocks[1]",
                   "message": "…", "remedy": "…"}],   # questionnaire.checks; [] while there are problems
     "budget": {"blocks": [{"path": "blocks[1]", "key": "silence", "epsilon": 2.83 | null,
                            "amplification": 17.0 | null}],
                "epsilon": 4.1 | null, "open_questions": 3, "sends_undisguised": false,
                "whole": {"of_100": 98, "once_in": null, "parts": 2, "apart": false} | null,
                "light": the same for those lightly disguised | null, "light_truths": {"blocks[1]": 8500}},
     "use": ["With 400 people: shares within ±8 points."]}   # [] without an aim

``budget.blocks`` has an entry for each protected block that can be read, even while others have problems;
``epsilon`` null is infinite (p = 1); that of a number or a place that may be skipped has ``lost`` too, the
share of answers that is sent as "skipped"; that of a block with answers that exclude each other has
``together``, what `odds.js` needs for its rows; that of a block of which each person is asked some questions
has ``sets``, the balanced lists that there are: ``{"questions": 10, "per_person": 4, "all": 210,
"lists": [{"together": 2, "booklets": [...]}]}``. ``budget.epsilon`` is the sum over the blocks listed, and
the bound of the whole survey only if ``problems`` is empty. ``budget.whole`` is the first line of the label
(`privacy.risk.promise`), null while there are problems or where no part has a bound.
``budget.light_truths`` has the truth probabilities of the light strength, stated or proposed.
A problem's ``path`` is that of `surveys.questionnaire.document.Problem`: "" is the document itself.

``POST …/build/save``    ``{"revision": 7, "document": {...}}``

    200  the same object as above without ``document``, with the new ``revision``
    400  {"error": "json" | "shape", "message", "remedy"}: not JSON, not an object, a member twice
    403  no builder of this survey, or no CSRF token
    409  {"error": "revision", "message", "remedy", "revision": 9, "saved_by", "saved_at", "document": {...}}
         another user or tab saved since revision 7; nothing was written. The page offers to use their draft,
         or to save its own again with the new revision.
    409  {"error": "closed", …}: a closed survey has no draft any more
    413  {"error": "too_large", …}: more than `surveys.questionnaire.document.MOST_BYTES` of JSON
    415  {"error": "content_type", …}

``POST …/build/check``   ``{"document": {...}}``: ``{"problems", "findings", "budget"}``; saves nothing.

``POST …/build/rename``  ``{"revision": 7, "slug": "new-name"}``: before the first publishing only.

    200  {"survey": "new-name", "revision": 8, "builder": "/en/staff/surveys/new-name/build/"}
    409  {"error": "published" | "taken" | "revision", …};  400 {"error": "slug", …}

Messages and remedies are in the language of the page's address. As everywhere, users who are not logged in
are redirected to the log-in page (302): fetch with ``redirect: "manual"``, and keep the unsaved work.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import datetime
from functools import wraps
from itertools import zip_longest
from typing import Any

from django import forms
from django.contrib import messages
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from surveys.accounts.permissions import get_survey_for_builder, is_expert, signed, staff_page
from surveys.authoring.draft_state import draft_state, reading_state
from surveys.authoring.drafts import draft_rename, draft_save, question_keys
from surveys.errors.error import SurveyError, shown
from surveys.models import DraftRevision, Survey
from surveys.questionnaire.document import MOST_BYTES, DefinitionError, document_parse
from surveys.questionnaire.draft_reading import draft_read


@staff_page
@require_safe
def draft(request: HttpRequest, slug: str) -> HttpResponse:
    """Return the draft as it is."""
    survey = get_survey_for_builder(request.user, slug)
    return JsonResponse(draft_state(survey, with_document=True, expert=is_expert(request.user)))


Builder = Callable[[HttpRequest, Survey], HttpResponse]


def _for_builder(view: Builder) -> Callable[[HttpRequest, str], HttpResponse]:
    """Find the survey for the view, and return its errors as JSON."""

    @wraps(view)
    def answered(request: HttpRequest, slug: str) -> HttpResponse:
        survey = get_survey_for_builder(request.user, slug)
        try:
            return view(request, survey)
        except SurveyError as conflict:
            return _refused(conflict, survey)
        except DefinitionError as error:
            return _unreadable(error)

    return answered


@staff_page
@require_POST
@_for_builder
def save(request: HttpRequest, survey: Survey) -> HttpResponse:
    """Save the draft; a second tab receives the draft that the first one saved."""
    body = _read(request, revision=int, document=dict)
    saved = draft_save(survey, body["document"], revision=body["revision"], **signed(request))
    return JsonResponse(draft_state(saved, with_document=False, expert=is_expert(request.user)))


@staff_page
@require_POST
@_for_builder
def check(request: HttpRequest, survey: Survey) -> HttpResponse:
    """Return the problems of a document and the cost of its blocks; save nothing."""
    body = _read(request, document=dict)
    reading, document = draft_read(survey, body["document"]), body["document"]
    return JsonResponse(reading_state(survey, reading, document, expert=is_expert(request.user)))


@staff_page
@require_POST
@_for_builder
def rename(request: HttpRequest, survey: Survey) -> HttpResponse:
    """Give a survey that was never published another address."""
    body = _read(request, revision=int, slug=str)
    renamed = draft_rename(survey, body["slug"], revision=body["revision"], **signed(request))
    builder = reverse("authoring:builder", args=[renamed.slug])
    return JsonResponse({"survey": renamed.slug, "revision": renamed.revision, "builder": builder})


def _read(request: HttpRequest, **members: type) -> dict[str, Any]:
    """Return the members that a request names, each of its type; an `object` may be any.

    Raises
    ------
    DefinitionError
        The body is not a JSON document.
    """
    if request.content_type != "application/json":
        raise SurveyError("content_type.builder", type=shown(request.content_type))
    # Django reads a body of a stated length only, and never more than that.
    length = request.headers.get("Content-Length", "")
    if length.isdecimal() and int(length) > MOST_BYTES:
        raise SurveyError("too_large.request", most=MOST_BYTES)
    body = document_parse(request.body, name=_("the request"))
    if not isinstance(body, dict) or set(body) != set(members):
        names = ", ".join(members)
        raise SurveyError("shape.members", names=names)
    for name, kind in members.items():
        if kind is not object and type(body[name]) is not kind:
            raise SurveyError("shape.type", shown(body[name]), name=name)
    return body


def _unreadable(error: DefinitionError) -> JsonResponse:
    problem = error.problems[0]
    answer = {"error": "json", "message": str(problem), "remedy": problem.remedy}
    return JsonResponse(answer, status=400)


def _refused(error: SurveyError, survey: Survey) -> JsonResponse:
    answer: dict[str, Any] = {"error": error.code, "message": error.message, "remedy": error.remedy}
    if error.code == "revision":
        survey.refresh_from_db()
        state = draft_state(survey, with_document=True, expert=True)
        answer |= {name: state[name] for name in ("revision", "saved_by", "saved_at", "document")}
    return JsonResponse(answer, status=error.status)


class RestoreForm(forms.Form):
    """Which save to go back to, and of which draft the list was shown."""

    to = forms.IntegerField(min_value=0)
    revision = forms.IntegerField(min_value=0)


@dataclass(frozen=True, kw_only=True)
class RevisionLine:
    """One save, ready to print.

    Attributes
    ----------
    save : DraftRevision
    counts : str
        How many parts and questions it had.
    changes : tuple of str
        Additions and removals since the save before, by names of questions.
    """

    save: DraftRevision
    counts: str
    changes: tuple[str, ...]


def draft_restore(survey: Survey, to: int, *, revision: int, by: str, now: datetime) -> Survey:
    """Restore an earlier save as the draft; the current draft stays among the earlier saves.

    Parameters
    ----------
    survey, by, now
        Which, who, when.
    to : int
        Revision to go back to.
    revision : int
        The survey's revision that the list was made of.

    Raises
    ------
    SurveyError
        ``gone.revision``: it is not kept; ``revision``, ``closed``: as for `draft_save`.
    """
    earlier = survey.draft_revisions.filter(revision=to).first()
    if earlier is None:
        raise SurveyError("gone.revision", revision=to, slug=survey.slug)
    # Its address may have changed since.
    document = {**earlier.definition, "slug": survey.slug}
    return draft_save(survey, document, revision=revision, by=by, now=now)


@staff_page
@require_http_methods(["GET", "HEAD", "POST"])
def history(request: HttpRequest, slug: str) -> HttpResponse:
    """Show the earlier saves of a draft, and go back to one."""
    survey = get_survey_for_builder(request.user, slug)
    if request.method != "POST":
        return _page(request, survey)
    form = RestoreForm(request.POST)
    if not form.is_valid():
        return _page(request, survey, status=422)
    try:
        draft_restore(survey, **form.cleaned_data, **signed(request))
    except SurveyError as error:
        return _page(request, survey, error=error, status=409)
    messages.success(
        request, _("The earlier draft was restored. The one it replaced is in the list of earlier saves.")
    )
    return redirect("authoring:builder", slug)


def _page(
    request: HttpRequest, survey: Survey, *, error: SurveyError | None = None, status: int = 200
) -> HttpResponse:
    survey.refresh_from_db()
    context = {
        "survey": survey,
        "lines": tuple(_lines(survey)),
        "revision": survey.revision,
        "is_closed": survey.state == Survey.State.CLOSED,
        "refusal": error,
    }
    return render(request, "authoring/history.html", context, status=status)


def _lines(survey: Survey) -> Iterator[RevisionLine]:
    revisions = list(survey.draft_revisions.all())
    for save, before in zip_longest(revisions, revisions[1:]):
        yield RevisionLine(save=save, counts=_counts(save.definition), changes=_changes(save, before))


def _counts(document: dict[str, Any]) -> str:
    blocks = document.get("blocks")
    n_parts, n_questions = len(blocks) if isinstance(blocks, list) else 0, len(question_keys(document))
    parts = ngettext("%(count)s part", "%(count)s parts", n_parts) % {"count": n_parts}
    questions = ngettext("%(count)s question", "%(count)s questions", n_questions) % {"count": n_questions}
    return f"{parts}, {questions}"


def _changes(revision: DraftRevision, before: DraftRevision | None) -> tuple[str, ...]:
    if before is None:
        return ()
    new, old = question_keys(revision.definition), question_keys(before.definition)
    return (*(f"+ {key}" for key in sorted(new - old)), *(f"− {key}" for key in sorted(old - new)))
