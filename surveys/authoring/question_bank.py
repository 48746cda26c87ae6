"""Questions of one's other surveys, to be taken into a draft: each comes in a part of its own."""

from __future__ import annotations

import copy
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final

from django import forms
from django.contrib import messages
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import get_language, gettext_lazy
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from surveys.access.permissions import get_survey_for_builder, get_surveys_for_builder, signed, staff_page
from surveys.authoring.drafts import draft_save, question_keys
from surveys.authoring.text_start import KINDS
from surveys.errors.error import SurveyError
from surveys.exchange.plain_text.keys import fresh_key
from surveys.models import Survey
from surveys.questionnaire.languages import text_in
from surveys.questionnaire.problems import DefinitionError

SHOWN: Final = 100
"""So many questions stand on the page; a search finds the others."""
_TEXTS: Final = frozenset({"text", "help", "unit", "title"})
# What a part of one question keeps of the part it comes from. A chance of skipping fits the questions it was
# made for, and rows near the true one need several: both are chosen anew.
_OF_PART: Final = ("title", "protected", "truth_probability")
_KINDS: Final = {**KINDS, "place": gettext_lazy("a place")}


class TakeForm(forms.Form):
    """Which question is taken, and into which state of the draft."""

    source = forms.SlugField()
    block = forms.IntegerField(min_value=0)
    question = forms.IntegerField(min_value=0)
    revision = forms.IntegerField(min_value=0)


@dataclass(frozen=True, kw_only=True)
class BankedQuestion:
    """One question, ready to print, and where it stands."""

    survey: Survey
    block: int
    question: int
    text: str
    kind: str
    options: str
    is_protected: bool


@staff_page
@require_http_methods(["GET", "HEAD", "POST"])
def question_bank(request: HttpRequest, slug: str) -> HttpResponse:
    """Show the questions of one's other surveys, and take one into the draft."""
    survey = get_survey_for_builder(request.user, slug)
    others = get_surveys_for_builder(request.user).exclude(pk=survey.pk)
    if request.method != "POST":
        return _page(request, survey, others)
    form = TakeForm(request.POST)
    if not form.is_valid():
        return _page(request, survey, others, status=422)
    taken = form.cleaned_data
    source = get_survey_for_builder(request.user, taken["source"])
    try:
        draft_save(
            survey,
            question_taken(
                survey.definition, source.definition, block=taken["block"], question=taken["question"]
            ),
            revision=taken["revision"],
            **signed(request),
        )
    except (IndexError, KeyError, TypeError):
        return _page(request, survey, others, status=409)
    except SurveyError as error:
        return _page(request, survey, others, error=error, status=409)
    except DefinitionError as error:
        return _page(request, survey, others, error=error, status=422)
    messages.success(
        request, _("The question stands at the end, in a part of its own. Move it where it belongs.")
    )
    return redirect("authoring:builder", slug)


def question_taken(
    draft: Mapping[str, Any], source: Mapping[str, Any], *, block: int, question: int
) -> dict[str, Any]:
    """Return a draft with one question of another definition at its end, in a part of its own.

    Parameters
    ----------
    draft, source : dict
        Definitions; the draft may be incomplete.
    block, question : int
        The question's part in the source, and its place there, from 0.

    Returns
    -------
    dict
        Keys that the draft has already get a number. Texts come in the draft's languages: one that the source
        lacks is empty, to be written.

    Raises
    ------
    IndexError, KeyError, TypeError
        The source has no such question, or it lacks what makes one.
    """
    part = source["blocks"][block]
    question_copy = copy.deepcopy(part["questions"][question])
    # A definition that names no languages has those of its title.
    languages = list(draft.get("languages") or draft.get("title") or [])
    keys = question_keys(draft)
    question_copy["key"] = fresh_key(keys, question_copy["key"])
    if question_copy.get("look") == "matrix":
        del question_copy["look"]
    # How many a survey lets in is a matter of that survey.
    question_copy.pop("quotas", None)
    own = {name: copy.deepcopy(part[name]) for name in _OF_PART if name in part}
    if question_copy["kind"] in ("number", "place") and part.get("refusal"):
        own["refusal"] = part["refusal"]
    blocks = list(draft.get("blocks") or [])
    taken = {each.get("key") for each in blocks if isinstance(each, dict)}
    new = {"key": fresh_key({key for key in taken if key}, part["key"]), **own, "questions": [question_copy]}
    return {**draft, "blocks": [*blocks, _in_languages(new, languages)]}


def _in_languages(value: Any, languages: list[str]) -> Any:
    """Return the same with every text in these languages."""
    if isinstance(value, list):
        return [_in_languages(each, languages) for each in value]
    if not isinstance(value, dict):
        return value
    return {
        name: {tag: each.get(tag, "") for tag in languages}
        if name in _TEXTS and isinstance(each, dict)
        else _in_languages(each, languages)
        for name, each in value.items()
    }


def _page(
    request: HttpRequest,
    survey: Survey,
    others: QuerySet[Survey],
    *,
    error: SurveyError | DefinitionError | None = None,
    status: int = 200,
) -> HttpResponse:
    survey.refresh_from_db()
    wanted = request.GET.get("q", "")[:200].strip()
    every = [
        banked
        for other in others.order_by("-pk")
        for banked in _banked(other, get_language() or "en", wanted)
    ]
    context = {
        "survey": survey,
        "is_closed": survey.state == Survey.State.CLOSED,
        "wanted": wanted,
        "questions": every[:SHOWN],
        "more": max(len(every) - SHOWN, 0),
        "refusal": error,
        "is_gone": status in (409, 422) and error is None,
    }
    return render(request, "authoring/question_bank.html", context, status=status)


def _banked(survey: Survey, language: str, wanted: str) -> Iterator[BankedQuestion]:
    """Yield the questions of a survey that hold the words, in any language; drafts may lack anything."""
    for number, block in enumerate(_objects(survey.definition.get("blocks"))):
        for position, question in enumerate(_objects(block.get("questions"))):
            texts = _texts(question)
            if not texts or question.get("kind") not in _KINDS:
                continue
            options = [_texts(option) for option in _objects(question.get("options"))]
            said = " ".join(text for each in (texts, *options) for text in each.values())
            if wanted.casefold() in said.casefold():
                yield BankedQuestion(
                    survey=survey,
                    block=number,
                    question=position,
                    text=text_in(texts, language),
                    kind=str(_KINDS[question["kind"]]),
                    options=", ".join(text_in(each, language) for each in options if each),
                    is_protected=block.get("protected") is True,
                )


def _objects(value: object) -> list[dict[str, Any]]:
    """Return the entries of a list as objects, each at its place; what is none becomes an empty one."""
    return [each if isinstance(each, dict) else {} for each in value] if isinstance(value, list) else []


def _texts(entry: Mapping[str, Any]) -> dict[str, str]:
    """Return the texts of a question or an option that are written, by language."""
    texts = entry.get("text")
    if not isinstance(texts, dict):
        return {}
    return {tag: text for tag, text in texts.items() if text and isinstance(text, str)}
