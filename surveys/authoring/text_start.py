"""A draft from pasted text: the parsed questions are shown below it, and the text is saved."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any, Final

from django import forms
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.text import slugify
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext
from django.views.decorators.http import require_http_methods

from privacy.survey.design import STRENGTH
from surveys.access.permissions import get_builder, get_survey_for_builder, signed, staff_page
from surveys.authoring.drafts import draft_create, draft_save, free_slug
from surveys.authoring.forms import choices_set
from surveys.authoring.start import for_practice
from surveys.errors.error import SurveyError
from surveys.imports.lines import MOST_CHARACTERS, with_flag
from surveys.imports.outline import LineProblem
from surveys.imports.pasted import PastedReading, pasted_read
from surveys.models import Survey
from surveys.questionnaire.aim import Aim
from surveys.questionnaire.arms import EXPLANATIONS, INVITED, is_arm
from surveys.questionnaire.definition import definition_without_texts
from surveys.questionnaire.languages import known_languages, language_of
from surveys.questionnaire.plan import planned_document
from surveys.questionnaire.problems import DefinitionError

_FLAG: Final = re.compile(r"(?P<line>[0-9]{1,6}):(?P<flag>open|protected)")

KINDS: Final = {
    "yes_no": gettext_lazy("yes or no"),
    "single": gettext_lazy("one of these"),
    "multi": gettext_lazy("any of these"),
    "number": gettext_lazy("a number"),
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
    owner = get_builder(request.user)

    def made(form: PastedForm, reading: PastedReading, document: dict[str, Any]) -> HttpResponse:
        survey = draft_create(
            for_practice(document),
            slug=free_slug(slugify(reading.title.get("en", "")) or "survey"),
            source="text",
            not_kept=_left_out(reading),
            owner=owner,
            pasted=form.cleaned_data["pasted"],
            **signed(request),
        )
        return redirect("authoring:plan", survey.slug)

    if request.method != "POST":
        return _page(request, PastedForm())
    return _made(request, None, made)


@staff_page
@require_http_methods(["GET", "HEAD", "POST"])
def back_to_text(request: HttpRequest, slug: str) -> HttpResponse:
    """Show the text that a draft was made from, and make the draft anew from it."""
    survey = get_survey_for_builder(request.user, slug)

    def made(form: PastedForm, _reading: PastedReading, document: dict[str, Any]) -> HttpResponse:
        draft_save(
            survey,
            _laid_out(survey, _merged(survey.definition, document)),
            revision=form.cleaned_data["revision"],
            pasted=form.cleaned_data["pasted"],
            **signed(request),
        )
        messages.success(
            request, _("The draft is made from the text. The one before is among the earlier saves.")
        )
        return redirect("authoring:builder", slug)

    if request.method != "POST":
        return _page(request, PastedForm(initial=_started(survey)), survey=survey)
    return _made(request, survey, made)


def _made(
    request: HttpRequest,
    survey: Survey | None,
    make: Callable[[PastedForm, PastedReading, dict[str, Any]], HttpResponse],
) -> HttpResponse:
    """Show what is understood of a text, or make a draft of it, a new one or that of a survey."""
    form = PastedForm(request.POST)
    if not form.is_valid() or (survey is not None and form.cleaned_data["revision"] is None):
        return _page(request, form, survey=survey, status=422)
    reading = pasted_read(form.cleaned_data["pasted"], form.languages)
    if "make" not in request.POST or reading.document is None:
        status = 422 if "make" in request.POST else 200
        return _page(request, form, reading=reading, survey=survey, status=status)
    try:
        return make(form, reading, reading.document)
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


def _merged(draft: Mapping[str, Any], document: Mapping[str, Any]) -> dict[str, Any]:
    """Return the draft with the questions of a text; what the text does not say stays as it is."""
    about = draft.get("about") if isinstance(draft.get("about"), dict) else {}
    texts_by_name = {name: texts for name, texts in document["about"].items() if any(texts.values())}
    without = {name: value for name, value in draft.items() if name not in ("rotations", EXPLANATIONS)}
    explained = {name: document[name] for name in (EXPLANATIONS,) if name in document}
    if without.get(INVITED) not in (STRENGTH, *(block["key"] for block in document["blocks"])):
        without.pop(INVITED, None)
    return (
        without
        | explained
        | {
            "languages": document["languages"],
            "title": document["title"],
            "blocks": document["blocks"],
            "about": document["about"] | about | texts_by_name,
        }
    )


def _laid_out(survey: Survey, document: dict[str, Any]) -> dict[str, Any]:
    """Return a document laid out for the aim of its survey, where that is stated and it is whole."""
    aim, whole = Aim.from_json(survey.aim), definition_without_texts(document)
    return document if aim is None or whole is None else planned_document(whole, aim)


def _left_out(reading: PastedReading) -> tuple[str, ...]:
    return tuple(
        (_("line %(line)s: %(message)s") if problem.line else _("the text: %(message)s"))
        % {"line": problem.line, "message": problem.message}
        for problem in reading.problems
        if problem.is_lost
    )


def _page(
    request: HttpRequest,
    form: PastedForm,
    *,
    reading: PastedReading | None = None,
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
        "read_languages": [language_of(tag).name for tag in reading.languages] if reading else (),
        "questions": [(question, KINDS[question.kind]) for question in reading.questions] if reading else (),
        "problems": _placed(reading, values["pasted"]) if reading else (),
        "counts": _counts(reading) if reading else "",
        "groups": _groups(reading) if reading else (),
        "survey": survey,
        "refusal": error,
    }
    template = "understood" if "part" in request.POST else "text_start"
    folder = "authoring/partials" if template == "understood" else "authoring"
    return render(request, f"{folder}/{template}.html", context, status=status)


def _placed(reading: PastedReading, pasted: str) -> list[tuple[LineProblem, str]]:
    """Return each problem with the line it is about."""
    lines = pasted.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    return [
        (problem, lines[problem.line - 1].strip() if 0 < problem.line <= len(lines) else "")
        for problem in reading.problems
    ]


def _groups(reading: PastedReading) -> list[str]:
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


def _counts(reading: PastedReading) -> str:
    count, n_protected = len(reading.questions), sum(question.is_protected for question in reading.questions)
    questions = ngettext("%(count)s question", "%(count)s questions", count) % {"count": count}
    return _("%(questions)s, %(protected)s of them protected") % {
        "questions": questions,
        "protected": n_protected,
    }
