"""Earlier revisions of a draft: list them, and restore one."""

from __future__ import annotations

from collections.abc import Iterator, Set
from dataclasses import dataclass
from datetime import datetime
from itertools import zip_longest
from typing import Any

from django import forms
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_http_methods

from surveys.accounts.authorship import by_and_now
from surveys.accounts.permissions import staff_page
from surveys.authoring.draft_pages import draft_page
from surveys.authoring.drafts import draft_questions, draft_save
from surveys.errors.error import SurveyError
from surveys.formats.joints import list_text
from surveys.formats.numbers import count_text
from surveys.models import DraftRevision, Survey
from surveys.models.draft_revision import MOST_REVISIONS


class RestoreForm(forms.Form):
    """Which save to restore, and the revision of the draft for which the list was shown."""

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
    edited : tuple of str
        Names of the questions that changed since then.
    """

    save: DraftRevision
    counts: str
    changes: tuple[str, ...]
    edited: tuple[str, ...]


def draft_restore(survey: Survey, to: int, *, revision: int, by: str, now: datetime) -> Survey:
    """Restore an earlier save as the draft, with its text and the notes of its import.

    The current draft stays among the earlier saves.

    Parameters
    ----------
    survey, by, now
        Survey, user and time.
    to : int
        Revision to go back to.
    revision : int
        The survey's revision when the list was shown.

    Raises
    ------
    SurveyError
        ``gone.revision``: this save was not kept; ``revision``, ``closed``: as for `draft_save`.
    """
    earlier = survey.draft_revisions.filter(revision=to).first()
    if earlier is None:
        raise SurveyError("gone.revision", revision=to, slug=survey.slug)
    # The survey may have been renamed since.
    document = {**earlier.definition, "slug": survey.slug}
    return draft_save(survey, document, revision=revision, by=by, now=now, restored=to)


@staff_page
@require_http_methods(["GET", "HEAD", "POST"])
@draft_page
def history(request: HttpRequest, survey: Survey) -> HttpResponse:
    """Show the earlier saves of a draft, and go back to one."""
    if request.method != "POST":
        return _page(request, survey)
    form = RestoreForm(request.POST)
    if not form.is_valid():
        return _page(request, survey, form=form, status=422)
    try:
        draft_restore(survey, **form.cleaned_data, **by_and_now(request))
    except SurveyError as error:
        return _page(request, survey, error=error, status=409)
    messages.success(
        request, _("The earlier draft was restored. The one it replaced is in the list of earlier saves.")
    )
    return redirect("authoring:builder", survey.slug)


def _page(
    request: HttpRequest,
    survey: Survey,
    *,
    form: RestoreForm | None = None,
    error: SurveyError | None = None,
    status: int = 200,
) -> HttpResponse:
    survey.refresh_from_db()
    context = {
        "survey": survey,
        "lines": tuple(_lines(survey)),
        "revision": survey.revision,
        "most": MOST_REVISIONS if survey.draft_revisions.count() >= MOST_REVISIONS else None,
        "form": form,
        "refusal": error,
    }
    return render(request, "authoring/history.html", context, status=status)


def _lines(survey: Survey) -> Iterator[RevisionLine]:
    revisions = list(survey.draft_revisions.all())
    for save, before in zip_longest(revisions, revisions[1:]):
        now, then = (draft_questions(each.definition) if each else {} for each in (save, before))
        edited = tuple(sorted(key for key in now.keys() & then.keys() if now[key] != then[key]))
        changes = _changes(now.keys(), then.keys()) if before else ()
        yield RevisionLine(save=save, counts=_counts(save.definition), changes=changes, edited=edited)


def _counts(document: dict[str, Any]) -> str:
    blocks = document.get("blocks")
    n_parts, n_questions = len(blocks) if isinstance(blocks, list) else 0, len(draft_questions(document))
    parts = ngettext("%(count)s part", "%(count)s parts", n_parts) % {"count": count_text(n_parts)}
    questions = ngettext("%(count)s question", "%(count)s questions", n_questions) % {
        "count": count_text(n_questions)
    }
    return list_text((parts, questions))


def _changes(new: Set[str], old: Set[str]) -> tuple[str, ...]:
    return (*(f"+ {key}" for key in sorted(new - old)), *(f"− {key}" for key in sorted(old - new)))
