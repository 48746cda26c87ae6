"""A draft from pasted text: the parsed questions are shown below it, and the text is saved."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, Final

from django import forms
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext
from django.views.decorators.http import require_http_methods

from surveys.access.permissions import get_builder, get_survey_for_builder, staff_page
from surveys.authoring.forms import choices_set
from surveys.authoring.import_report import Origin, draft_made, report_page
from surveys.errors.error import SurveyError
from surveys.imports.lines import MOST_CHARACTERS, with_flag
from surveys.imports.pasted import UNKNOWN, Reading, pasted_read
from surveys.imports.questionnaire import Note, Question
from surveys.models import Survey
from surveys.questionnaire.arms import is_arm
from surveys.questionnaire.document import DefinitionError
from surveys.questionnaire.languages import known_languages, language_of

_FLAG: Final = re.compile(r"(?P<line>[0-9]{1,6}):(?P<flag>open|protected)")

KINDS: Final = {
    "yes_no": gettext_lazy("yes or no"),
    "single": gettext_lazy("one of these"),
    "multi": gettext_lazy("any of these"),
    "number": gettext_lazy("a number"),
    "place": gettext_lazy("a place"),
    "arm": gettext_lazy("a group drawn by chance"),
    "text": gettext_lazy("not asked: free text"),
    "": gettext_lazy("not understood"),
}


class PastedForm(forms.Form):
    """A survey as text, and the languages it is in."""

    pasted = forms.CharField(required=False, strip=False, max_length=2 * MOST_CHARACTERS)
    first = forms.ChoiceField(required=False)
    second = forms.ChoiceField(required=False)
    revision = forms.IntegerField(required=False, min_value=0)

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        tags = [("", "")] + [(language.tag, language.name) for language in known_languages()]
        for name in ("first", "second"):
            choices_set(self, name, tags)

    @property
    def language_labels(self) -> tuple[tuple[str, str], tuple[str, str]]:
        """Names and labels of the two fields."""
        return ("first", _("First language")), ("second", _("Second language"))

    @property
    def languages(self) -> tuple[str, ...]:
        """The languages that were chosen; none where the text says them itself."""
        return _chosen(self.cleaned_data.get("first", ""), self.cleaned_data.get("second", ""))


def _chosen(first: str, second: str) -> tuple[str, ...]:
    """Return the languages that were chosen; the first one says whether any was."""
    return tuple(dict.fromkeys(tag for tag in (first, second) if tag)) if first else ()


@staff_page
@require_http_methods(["GET", "HEAD", "POST"])
def from_text(request: HttpRequest) -> HttpResponse:
    """Make a survey from a pasted text."""
    get_builder(request.user)
    return _page(request, PastedForm()) if request.method != "POST" else _made(request, None)


@staff_page
@require_http_methods(["GET", "HEAD", "POST"])
def back_to_text(request: HttpRequest, slug: str) -> HttpResponse:
    """Show the text that a draft was made from, and make the draft anew from it."""
    survey = get_survey_for_builder(request.user, slug)
    if request.method != "POST":
        return _page(request, PastedForm(initial=_started(survey)), survey=survey)
    return _made(request, survey)


def _made(request: HttpRequest, survey: Survey | None) -> HttpResponse:
    """Show what is understood of a text, or make a draft of it, a new one or that of a survey."""
    form = PastedForm(request.POST)
    if not form.is_valid() or (survey is not None and form.cleaned_data["revision"] is None):
        return _page(request, form, survey=survey, status=422)
    reading = pasted_read(form.cleaned_data["pasted"], form.languages)
    if "make" not in request.POST or not reading.questions:
        status = 422 if "make" in request.POST else 200
        return _page(request, form, reading=reading, survey=survey, status=status)
    origin = Origin(
        source="text",
        slug=survey.slug if survey else "",
        revision=form.cleaned_data["revision"] if survey else None,
        pasted=form.cleaned_data["pasted"],
    )
    if reading.unclear:
        return report_page(request, reading, origin)
    try:
        return draft_made(request, reading, origin)
    except (SurveyError, DefinitionError) as error:
        status = 409 if survey is not None and isinstance(error, SurveyError) else 422
        return _page(request, form, reading=reading, survey=survey, error=error, status=status)


def _started(survey: Survey) -> dict[str, Any]:
    """Return the newest text of a draft, and its languages where the text does not say them itself."""
    pasted = survey.draft_revisions.exclude(pasted="").first()
    languages = list((pasted or survey).definition.get("languages") or [])[:2]
    is_stated = pasted is None or list(pasted_read(pasted.pasted).languages) == languages
    return {
        "pasted": pasted.pasted if pasted else "",
        "first": "" if is_stated else languages[0],
        "second": "" if is_stated or len(languages) < 2 else languages[1],
        "revision": survey.revision,
    }


def _page(
    request: HttpRequest,
    form: PastedForm,
    *,
    reading: Reading | None = None,
    survey: Survey | None = None,
    error: SurveyError | DefinitionError | None = None,
    status: int = 200,
) -> HttpResponse:
    """Show the text with what is understood of it; only that where a script asks."""
    values = {name: form[name].value() or "" for name in ("pasted", "first", "second", "revision")}
    flag = _FLAG.fullmatch(request.POST.get("flag", ""))
    if flag is not None and reading is not None and form.is_valid():
        values["pasted"] = with_flag(values["pasted"], int(flag["line"]), flag["flag"])
        reading = pasted_read(values["pasted"], form.languages)
    if reading is None and values["pasted"] and not form.errors:
        reading = pasted_read(values["pasted"], _chosen(values["first"], values["second"]))
    context = {
        "form": form,
        "is_part": "part" in request.POST,
        "values": values,
        "languages": known_languages(),
        "reading": reading,
        "read_languages": [language_of(tag).name for tag in reading.languages if tag != UNKNOWN]
        if reading
        else (),
        "questions": list(_questions(reading)) if reading else (),
        "problems": _placed(reading, values["pasted"]) if reading else (),
        "counts": _counts(reading) if reading else "",
        "groups": _groups(reading) if reading else (),
        "survey": survey,
        "refusal": error,
    }
    template = "understood" if "part" in request.POST else "text_start"
    folder = "authoring/partials" if template == "understood" else "authoring"
    return render(request, f"{folder}/{template}.html", context, status=status)


def _questions(reading: Reading) -> Iterator[tuple[str, Question, object]]:
    """Yield each question with the title of its part, if it is the first one there, and what it asks for."""
    for part in reading.survey.parts:
        for position, question in enumerate(part.questions):
            title = part.texts.get(reading.languages[0], "") if position == 0 else ""
            yield title, question, KINDS[question.kind]


def _placed(reading: Reading, pasted: str) -> list[tuple[Note, str]]:
    """Return each problem with the line it is about."""
    lines = pasted.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    return [
        (problem, lines[problem.line - 1].strip() if 0 < problem.line <= len(lines) else "")
        for problem in reading.notes
    ]


def _groups(reading: Reading) -> list[str]:
    """Return the groups of an experiment, each with its share."""
    questions = [
        question
        for block in (reading.document or {"blocks": ()})["blocks"]
        for question in block["questions"]
    ]
    return [
        f"{option['key']} ({option['share'] / 100:g} %)"
        for question in filter(is_arm, questions)
        for option in question["options"]
    ]


def _counts(reading: Reading) -> str:
    count, n_protected = (
        len(reading.questions),
        sum(bool(question.is_protected) for question in reading.questions),
    )
    questions = ngettext("%(count)s question", "%(count)s questions", count) % {"count": count}
    return _("%(questions)s, %(protected)s of them protected") % {
        "questions": questions,
        "protected": n_protected,
    }
