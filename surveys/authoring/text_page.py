"""The text from which a draft is made, and how it is read: on the page for new surveys, and of a draft.

``authoring/text.html`` [back_to_text] and ``authoring/new.html`` [new]
    ``form`` (`PastedForm`); ``values``; ``languages``; ``reading`` (`Questionnaire`), ``questions``,
    ``problems``, ``n_settled`` and ``counts`` if a text was read; ``survey`` and ``lacks_choices`` of a
    draft; ``refusal``.
    For scripts, which send ``part``, only ``authoring/partials/understood.html``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any, Final

from django import forms
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_http_methods

from surveys.accounts.permissions import staff_page
from surveys.authoring.accounted_lines import source_lines
from surveys.authoring.draft_pages import draft_page
from surveys.authoring.former_choices import read_with_choices, settled_places
from surveys.authoring.import_report import report_page
from surveys.authoring.imported_draft import Origin, create_draft
from surveys.authoring.kept_pages import PART, kept_address, kept_entries
from surveys.authoring.restored_saves import save_with_text
from surveys.errors.error import SurveyError
from surveys.formats.numbers import count_text
from surveys.imports.conditions.stated_conditions import READ
from surveys.imports.doubts.misreadings import LESS_CERTAIN
from surveys.imports.drafts.number_words import WORDS
from surveys.imports.drafts.questionnaire import (
    IMPORTED_KINDS,
    MISREAD,
    STORED,
    UNCERTAIN,
    Note,
    Question,
    Questionnaire,
)
from surveys.imports.lines.lost_breaks import with_line_breaks
from surveys.imports.lines.text_languages import UNKNOWN
from surveys.imports.pasted_text import MOST_CHARACTERS, NO_TITLE, read_paste
from surveys.imports.roles.lead_ins import LEAD_IN
from surveys.models import DraftRevision, Survey
from surveys.questionnaire.document import DefinitionError
from surveys.questionnaire.languages import known_languages, language_of

_KEPT: Final = ("first", "second", "revision", "slug")
"""Fields that stay filled in beside the text after it was read."""
_DECIDED: Final = ("language", "skip", "score", "keep", WORDS)
"""What the import report asks, although the text is in order."""
_CHECKED: Final = (READ, MISREAD, LEAD_IN, NO_TITLE, "uncertain")
"""Causes of notes whose remedy only the import report offers."""


class PastedForm(forms.Form):
    """A survey as text, and its languages."""

    pasted = forms.CharField(required=False, strip=False, max_length=2 * MOST_CHARACTERS)
    first = forms.ChoiceField(required=False)
    second = forms.ChoiceField(required=False)
    revision = forms.IntegerField(required=False, min_value=0)

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        tags = [("", "")] + [(language.tag, language.name) for language in known_languages()]
        for name in ("first", "second"):
            self.fields[name].choices = tags  # type: ignore[attr-defined]  # a field of choices

    @property
    def language_labels(self) -> tuple[tuple[str, str], tuple[str, str]]:
        """Names and labels of the two fields."""
        return ("first", _("First language")), ("second", _("Second language"))

    @property
    def languages(self) -> tuple[str, ...]:
        """The chosen languages; empty if the text itself states them."""
        return _language_tags(self.cleaned_data.get("first", ""), self.cleaned_data.get("second", ""))


def _language_tags(first: str, second: str) -> tuple[str, ...]:
    """Return the chosen languages; none unless the first one is chosen."""
    return tuple(dict.fromkeys(tag for tag in (first, second) if tag)) if first else ()


@staff_page
@require_http_methods(["GET", "HEAD", "POST"])
@draft_page
def back_to_text(request: HttpRequest, survey: Survey) -> HttpResponse:
    """Show the text from which a draft was made, and make the draft again from it."""
    last = save_with_text(survey)
    # Read the text a second time only to show the whole page.
    former = last if last is not None and last.choices else None
    context = {"survey": survey, "lacks_choices": partial(_lacks_choices, last), "former": former}

    def show(form: PastedForm, *, status: int = 200, **about: Any) -> HttpResponse:
        return text_page(request, form, "authoring/text.html", context, status=status, **about)

    if request.method != "POST":
        return show(PastedForm(initial=kept_entries(request, request.path) or _initial_values(survey, last)))
    form = PastedForm(request.POST)
    if form.is_valid() and form.cleaned_data["revision"] is None:
        form.add_error("revision", form.fields["revision"].error_messages["required"])
    if form.is_valid() and PART not in request.POST and not form.cleaned_data["pasted"].strip():
        form.add_error("pasted", _("Paste or write your questions."))
    if not form.is_valid():
        return show(form, status=422)
    text = form.cleaned_data["pasted"]
    origin = Origin(source="text", slug=survey.slug, revision=form.cleaned_data["revision"], pasted=text)
    if "make" in request.POST and last is not None and last.choices:
        again, origin, fields = read_with_choices(text, form.languages, last.choices, last.pasted, origin)
        if again.questions:
            messages.info(request, _("Your earlier choices are kept for lines that are still in the text."))
            return report_page(request, again, origin, answers=fields)
    return draft_from_text(request, form, origin, show)


def draft_from_text(
    request: HttpRequest, form: PastedForm, origin: Origin, show: Callable[..., HttpResponse]
) -> HttpResponse:
    """Make a draft of a text, or show how the text is read.

    Parameters
    ----------
    request : HttpRequest
        Without ``make``, the text is only read.
    form : PastedForm
        Valid.
    origin : Origin
        With the text.
    show : callable
        Returns the page for the form, with ``reading``, ``error`` and ``status``.
    """
    if PART in request.POST and not origin.pasted.strip():
        # Perhaps a file was chosen instead; a text that is not written yet has no problems.
        return show(form)
    reading = read_paste(origin.pasted, form.languages)
    if "make" not in request.POST:
        entries = {name: form.cleaned_data.get(name) for name in _KEPT} | {"pasted": origin.pasted}
        if address := kept_address(request, request.path, entries):
            return redirect(address)
    if "make" not in request.POST or not reading.questions:
        return show(form, reading=reading, status=422 if "make" in request.POST else 200)
    if _needs_report(reading):
        return report_page(request, reading, origin)
    try:
        return create_draft(request, reading, origin)
    except (SurveyError, DefinitionError) as error:
        status = 409 if origin.revision is not None and isinstance(error, SurveyError) else 422
        return show(form, reading=reading, error=error, status=status)


def _needs_report(reading: Questionnaire) -> bool:
    """Return whether a reading must be shown before a draft is made from it."""
    return (
        bool(reading.unclear)
        or not reading.title
        or any(note.effect in (STORED, UNCERTAIN) for note in reading.notes)
    )


def _lacks_choices(last_paste: DraftRevision | None) -> bool:
    """Return whether a draft's text has an import report whose choices were not stored with it."""
    return (
        last_paste is not None and last_paste.choices is None and _needs_report(read_paste(last_paste.pasted))
    )


def _initial_values(survey: Survey, last_paste: DraftRevision | None) -> dict[str, Any]:
    """Return the newest pasted text of a draft, and its languages unless the text states them."""
    languages = list((last_paste or survey).definition.get("languages") or [])[:2]
    is_stated = (
        not languages or last_paste is None or list(read_paste(last_paste.pasted).languages) == languages
    )
    return {
        "pasted": last_paste.pasted if last_paste else "",
        "first": "" if is_stated else languages[0],
        "second": "" if is_stated or len(languages) < 2 else languages[1],
        "revision": survey.revision,
    }


def text_page(
    request: HttpRequest,
    form: PastedForm,
    template: str,
    more: Mapping[str, Any],
    *,
    text: str | None = None,
    reading: Questionnaire | None = None,
    error: SurveyError | DefinitionError | None = None,
    status: int = 200,
) -> HttpResponse:
    """Show a page with a text and how it is read; for scripts, only the latter.

    Parameters
    ----------
    request, form, template
        The page, whose form contains the fields of `PastedForm`.
    more : mapping
        Further context.
    text : str, optional
        Text for the box, if it is not that of the form.
    reading : Questionnaire, optional
        How it was read; by default it is read.
    error : SurveyError or DefinitionError, optional
        Why no draft was made.
    status : int
    """
    values = {name: form[name].value() or "" for name in ("pasted", "first", "second", "revision")}
    values |= {} if text is None else {"pasted": text}
    # Notes refer to these lines.
    values["pasted"] = with_line_breaks(values["pasted"])
    if reading is None and values["pasted"] and not form["pasted"].errors:
        reading = read_paste(values["pasted"], _language_tags(values["first"], values["second"]))
    former = more.get("former")
    problems, n_settled = _problems_of(reading, values["pasted"], former) if reading else ([], 0)
    is_part = PART in request.POST
    context = {
        "form": form,
        "is_part": is_part,
        "values": values,
        "languages": known_languages(),
        "reading": reading,
        "read_languages": [language_of(tag).name for tag in reading.languages if not tag.startswith(UNKNOWN)]
        if reading
        else (),
        "questions": list(_questions(reading)) if reading else (),
        "problems": problems,
        "n_settled": n_settled,
        "counts": _counts(reading) if reading else "",
        "refusal": error,
        **more,
    }
    return render(
        request, "authoring/partials/understood.html" if is_part else template, context, status=status
    )


def _questions(reading: Questionnaire) -> Iterator[tuple[str, Question, object]]:
    """Yield each question with its kind of answer; the first of a part also with the part's title."""
    for part in reading.parts:
        for position, question in enumerate(part.questions):
            title = part.texts.get(reading.languages[0], "") if position == 0 else ""
            not_asked = _("not asked: free text") if question.kind == "text" else _("not understood")
            yield title, question, IMPORTED_KINDS[question.kind].words if question.is_asked else not_asked


@dataclass(frozen=True, kw_only=True)
class Problem:
    """A place to check in a text.

    Attributes
    ----------
    note : Note
    said : str
        Its line in the text.
    is_for_report : bool
        Whether it is settled in the import report, and not in the text.
    """

    note: Note
    said: str
    is_for_report: bool


def _problems_of(
    reading: Questionnaire, text: str, former: DraftRevision | None
) -> tuple[list[Problem], int]:
    """Return the problems of a text, and how many others were settled in an earlier import report.

    Parameters
    ----------
    reading : Questionnaire
    text : str
    former : DraftRevision, optional
        The save with an earlier text and the choices in its report.
    """
    lines = source_lines(text)
    settled, unchanged = settled_places(text, former) if former is not None else (set(), set())
    problems, n_settled = [], 0
    for note in reading.notes:
        if note.effect == STORED or note.cause == LESS_CERTAIN:
            continue
        if f"{note.line} {note.asks}" in settled or (note.effect == UNCERTAIN and note.line in unchanged):
            n_settled += 1
            continue
        said = lines[note.line - 1].strip() if 0 < note.line <= len(lines) else ""
        is_for_report = note.asks in _DECIDED or note.cause in _CHECKED
        problems.append(Problem(note=note, said=said, is_for_report=is_for_report))
    return problems, n_settled


def _counts(reading: Questionnaire) -> str:
    asked = [question for question in reading.questions if question.is_asked]
    count, n_protected = len(asked), sum(bool(question.is_protected) for question in asked)
    questions = ngettext("%(count)s question", "%(count)s questions", count) % {"count": count_text(count)}
    return _("%(questions)s, %(protected)s of them protected") % {
        "questions": questions,
        "protected": count_text(n_protected),
    }
