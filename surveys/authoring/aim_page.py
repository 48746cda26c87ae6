"""How many will answer and what is most wanted: asked before the builder, and the draft laid out for it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from django import forms
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_http_methods

from privacy.coins import SCALE
from privacy.risk.promise import promise
from surveys.access.permissions import get_survey_for_builder, signed, staff_page
from surveys.authoring.aims import aim_digest, aim_save
from surveys.authoring.forms import choices_set
from surveys.authoring.problem_places import placed
from surveys.errors.error import SurveyError, field_error
from surveys.models import Survey
from surveys.questionnaire.aim import EXPECTATIONS, EXPECTATIONS_OF_NUMBERS, MEDIUM, MOST_PEOPLE, PEOPLE, Aim
from surveys.questionnaire.arm_groups import choices_of_arms
from surveys.questionnaire.certainty import promise_sentence
from surveys.questionnaire.definition import Definition, definition_read, definition_without_texts
from surveys.questionnaire.languages import text_in
from surveys.questionnaire.layout import Proposal, proposals
from surveys.questionnaire.problems import DefinitionError
from surveys.questionnaire.sensitive import choosable_questions, with_sensitive
from surveys.questionnaire.series import other_waves
from surveys.questionnaire.use import strong, use_of
from surveys.questionnaire.use_words import draft_payoff_sentences, item_names, use_sentences

_PERCENT: Final = SCALE // 100

STRENGTHS: Final = (
    (
        "light",
        gettext_lazy("Strangers, and who sees one answer by chance. Figures are the most exact."),
    ),
    (MEDIUM, gettext_lazy("Colleagues, neighbours, an employer who would like to know. For most surveys.")),
    ("strong", gettext_lazy("A state, a court, somebody who would do harm. It takes more people.")),
)


class AimForm(forms.Form):
    """What a survey is for: people, what is most wanted, guesses, and how strongly it is protected."""

    people = forms.IntegerField(
        label=gettext_lazy("How many people will answer?"), min_value=10, max_value=MOST_PEOPLE
    )
    first = forms.ChoiceField(label=gettext_lazy("What do you most want to know?"), required=False)
    second = forms.ChoiceField(label=gettext_lazy("Does it go together with"), required=False)
    first_share = forms.IntegerField(
        label=gettext_lazy("About how many of 100 say so? (a guess)"),
        min_value=1,
        max_value=99,
        required=False,
    )
    second_share = forms.IntegerField(
        label=gettext_lazy("And of the second, of 100?"), min_value=1, max_value=99, required=False
    )
    strength = forms.ChoiceField(
        label=gettext_lazy("Who should not find out?"), choices=STRENGTHS, widget=forms.RadioSelect
    )
    sensitive = forms.MultipleChoiceField(
        label=gettext_lazy("Which questions are sensitive?"),
        required=False,
        widget=forms.CheckboxSelectMultiple,
    )

    def __init__(self, definition: Definition | None, data: Mapping[str, Any]) -> None:
        super().__init__(data, label_suffix="")
        plain = [] if definition is None else _plain_items(definition)
        choices_set(self, "first", [("", _("every question alike")), *plain])
        choices_set(self, "second", [("", _("no other question")), *plain])
        choices_set(self, "sensitive", [] if definition is None else _questions(definition))
        self.compared = [] if definition is None else _compared_questions(definition)
        for key, text, expectations in self.compared:
            self.fields[f"expected_{key}"] = forms.ChoiceField(
                label=text,
                required=False,
                choices=[("", _("nothing written down")), *expectations.items()],
            )

    def clean(self) -> dict[str, Any]:
        """Refuse a question twice, and a second one without a first."""
        values = super().clean() or self.cleaned_data
        first, second = values.get("first", ""), values.get("second", "")
        if second and second.partition("=")[0] == first.partition("=")[0]:
            self.add_error("second", field_error("aim.same"))
        if second and not first:
            self.add_error("first", field_error("aim.first"))
        return values

    def aim(self) -> Aim:
        """Return what was filled in; the form must be valid."""
        values = self.cleaned_data
        wanted = tuple(key for key in (values["first"], values["second"]) if key)
        guesses = (values["first_share"], values["second_share"])
        shares = {key: guess * _PERCENT for key, guess in zip(wanted, guesses, strict=False) if guess}
        expected = {
            key: values[f"expected_{key}"] for key, *_rest in self.compared if values[f"expected_{key}"]
        }
        return Aim(
            people=values["people"],
            wanted=wanted,
            shares=shares,
            strength=values["strength"],
            expected=expected,
        )

    @property
    def expectations(self) -> list[forms.BoundField]:
        """The fields of what is expected of an experiment; none where the draft holds none."""
        return [self[f"expected_{key}"] for key, *_rest in self.compared]


@dataclass(frozen=True, kw_only=True)
class ProposalLine:
    """One layout, ready to print: its name, what it can find, and what a person risks."""

    kind: str
    name: str
    sentences: tuple[str, ...]
    promise: str


@staff_page
@require_http_methods(["GET", "HEAD", "POST"])
def aim(request: HttpRequest, slug: str) -> HttpResponse:
    """Ask what a survey is for, show what its draft can find in each layout, and take one."""
    survey = get_survey_for_builder(request.user, slug)
    drafted = definition_without_texts(survey.definition)
    if request.method != "POST":
        form = AimForm(drafted, _start(survey, drafted) | request.GET.dict())
        return _page(request, survey, drafted, form)
    form = AimForm(drafted, request.POST)
    if not form.is_valid():
        return _page(request, survey, drafted, form, status=422)
    if "compare" in request.POST:
        return _page(request, survey, drafted, form)
    document = None
    if "take" in request.POST:
        layouts = _proposals(survey, drafted, form)
        document = next(
            (each.definition.document for each in layouts if each.kind == request.POST["take"]), None
        )
        if document is None:
            return _page(request, survey, drafted, form, status=409)
    try:
        aim_save(
            survey,
            form.aim(),
            revision=_revision(request),
            digest=request.POST.get("digest", ""),
            document=document,
            **signed(request),
        )
    except (SurveyError, DefinitionError) as error:
        return _page(request, survey, drafted, form, error=error, status=409)
    if document is not None:
        messages.success(request, _("The draft is laid out for this. Nothing is published yet."))
    return redirect("authoring:builder", slug)


def _revision(request: HttpRequest) -> int:
    stated = request.POST.get("revision", "")
    return int(stated) if stated.isdecimal() and len(stated) < 10 else -1


def _start(survey: Survey, drafted: Definition | None) -> dict[str, Any]:
    """Return what the form starts with: what was stated before, else a default for each entry."""
    stated = Aim.from_json(survey.aim) or Aim(people=PEOPLE)
    known = stated if drafted is None else stated.within(drafted.design)
    first, second = (*known.wanted, "", "")[:2]
    return {
        "people": known.people,
        "first": first,
        "second": second,
        "first_share": known.shares.get(first, 0) // _PERCENT or "",
        "second_share": known.shares.get(second, 0) // _PERCENT or "",
        "strength": known.strength,
        "sensitive": [] if drafted is None else _sensitive(drafted),
        **{f"expected_{key}": each for key, each in known.expected.items()},
    }


def _sensitive(drafted: Definition) -> list[str]:
    """Return the questions that are disguised, of those that the form lets choose."""
    choosable = {question["key"] for question in choosable_questions(drafted.document)}
    return [
        question["key"]
        for entry in drafted.document["blocks"]
        if entry["protected"]
        for question in entry["questions"]
        if question["key"] in choosable
    ]


def _questions(drafted: Definition) -> list[tuple[str, str]]:
    return [
        (question["key"], text_in(question["text"]) or question["key"])
        for question in choosable_questions(drafted.document)
    ]


def _compared_questions(drafted: Definition) -> list[tuple[str, str, Mapping[str, Any]]]:
    """Return the questions that an experiment compares, with what can be expected of each."""
    if not choices_of_arms(drafted.design):
        return []
    return [
        (
            question.key,
            text_in(wording["text"]) or question.key,
            EXPECTATIONS_OF_NUMBERS if question.kind == "number" else EXPECTATIONS,
        )
        for block, part in zip(drafted.design.blocks, drafted.wording["blocks"], strict=True)
        for question, wording in zip(block.questions, part["questions"], strict=True)
        if block.protected and question.kind != "place" and not question.anchor
    ]


def _plain_items(drafted: Definition) -> list[tuple[str, str]]:
    """Return key and name of each item that is not of a number or a place."""
    names, questions = item_names(drafted), drafted.design.questions
    items = [item for item in drafted.design.items if not questions[item.question].is_scale]
    return [(item.key, names[item.key]) for item in items]


def _proposals(survey: Survey, drafted: Definition | None, form: AimForm) -> tuple[Proposal, ...]:
    if drafted is None:
        return ()
    chosen = definition_without_texts(with_sensitive(drafted.document, form.cleaned_data["sensitive"]))
    if chosen is None:
        return ()
    return proposals(chosen, form.aim(), waves=other_waves(chosen.series, but=survey))


def _page(
    request: HttpRequest,
    survey: Survey,
    drafted: Definition | None,
    form: AimForm,
    *,
    error: SurveyError | DefinitionError | None = None,
    status: int = 200,
) -> HttpResponse:
    is_valid = form.is_valid()
    layouts = _proposals(survey, drafted, form) if is_valid else ()
    unread = () if drafted else definition_read(survey.definition, is_worded=False).problems
    context: dict[str, Any] = {
        "survey": survey,
        "form": form,
        "in_the_way": placed(unread[:1], survey.definition),
        "is_new": survey.aim is None,
        "refusal": error,
        "revision": survey.revision,
        "digest": aim_digest(survey),
        "lines": [_line(proposal) for proposal in layouts],
        "now": _now(drafted, form.aim()) if is_valid and drafted is not None else (),
        "has_questions": drafted is not None and bool(drafted.design.questions),
    }
    return render(request, "authoring/aim.html", context, status=status)


def _now(drafted: Definition, aim: Aim) -> tuple[str, ...]:
    """Return what the draft as it is can find, and its promise; nothing where nothing is disguised."""
    aim = aim.within(drafted.design)
    made = promise(strong(drafted.design))
    if made is None:
        return ()
    names = item_names(drafted)
    return (
        *use_sentences(use_of(drafted.design, aim), names),
        promise_sentence(made),
        *draft_payoff_sentences(drafted.design, aim, names),
    )


def _line(proposal: Proposal) -> ProposalLine:
    names = {
        "alone": _("What you most want to know in a part of its own"),
        "rotating": _("One part, of which each person is asked some questions"),
        "in_turn": _("Each question in a part of its own; each person is asked some of them"),
        "kept": _("As it is, within the protection you chose"),
    }
    sentence = _("Each person is asked %(count)s of these questions.") % {"count": proposal.per_person}
    sentences = use_sentences(proposal.use, item_names(proposal.definition))
    return ProposalLine(
        kind=proposal.kind,
        name=names[proposal.kind],
        sentences=(*([sentence] if proposal.per_person else []), *sentences),
        promise="" if proposal.promise is None else promise_sentence(proposal.promise),
    )
