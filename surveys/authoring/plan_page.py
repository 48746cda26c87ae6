"""Plan a survey: number of answers, protection, most important questions, and the resulting precision."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from decimal import Decimal
from typing import Any, Final

from django import forms
from django.contrib import messages
from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.utils.text import capfirst
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, pgettext
from django.views.decorators.http import require_http_methods

from privacy.coins import SCALE
from privacy.planning.changes import MOST_PEOPLE
from privacy.planning.protection import MEDIUM
from privacy.planning.use import Use
from privacy.survey.design import Block, Question
from surveys.accounts.authorship import by_and_now
from surveys.accounts.permissions import staff_page
from surveys.authoring.aims import aim_digest, aim_save
from surveys.authoring.draft_pages import draft_page
from surveys.authoring.plan_address import WITHOUT_SCRIPT, address_of, is_entered, is_of_present_draft
from surveys.authoring.plan_one_answer import made_up_tables, offers, pressed, with_stars
from surveys.authoring.plan_open_filter import filter_offers
from surveys.authoring.plan_proposals import (
    change_lines,
    entries_digest,
    expect_answers,
    offers_for,
    proposed_for,
)
from surveys.authoring.plan_rows import (
    AskedRow,
    idle_guess_sentences,
    lighter_is_no_better,
    rows_and_legend,
)
from surveys.authoring.plan_then_now import starred_change_sentences, times_offers
from surveys.authoring.plan_trades import trade_sentences
from surveys.authoring.pressed_changes import (
    UNDONE,
    apply_change,
    formed,
    proposal_of,
    protected_if_new,
    stars_in_words,
    stars_of,
    stated_forms,
    undo_change,
    values_before,
)
from surveys.authoring.problem_places import locate_problems
from surveys.authoring.wave_prices import wave_prices, with_narrower_waves
from surveys.errors.error import SurveyError, field_error, in_sentences
from surveys.formats.joints import join_sentences
from surveys.formats.numbers import count_text
from surveys.models import Survey
from surveys.questionnaire.aim import (
    DEFAULT_PEOPLE,
    EXPECTATIONS,
    EXPECTATIONS_OF_NUMBERS,
    LEAST_PEOPLE,
    LONGEST_LABEL,
    Aim,
    aim_or_default,
)
from surveys.questionnaire.arm_groups import choices_of_arms
from surveys.questionnaire.checks.follow_ups import check_follow_ups
from surveys.questionnaire.checks.open_answers import check_open_answers
from surveys.questionnaire.checks.use import check_use
from surveys.questionnaire.definition import Definition, definition_read, definition_without_texts
from surveys.questionnaire.document import DefinitionError
from surveys.questionnaire.draft_plan import Plan, plan
from surveys.questionnaire.drawn_words import asked_sentences
from surveys.questionnaire.filter_choice_words import filter_choice_sentences
from surveys.questionnaire.form_words import form_words
from surveys.questionnaire.headings import joined_heading_sentences
from surveys.questionnaire.languages import language_of, tags_of, text_in
from surveys.questionnaire.plan_changes import changes, costs, protected_questions
from surveys.questionnaire.promise_words import stated_in_words
from surveys.questionnaire.readable import (
    Readable,
    readable_questions,
    unsettled_skips,
    unsuggested_questions,
)
from surveys.questionnaire.rule_words import rules_in_words
from surveys.questionnaire.sensitive import choosable_questions, with_sensitive
from surveys.questionnaire.series import promises_to_publish
from surveys.questionnaire.short_names import named_language, names_by_language, with_entered_names
from surveys.questionnaire.step_words import steps_by_key
from surveys.questionnaire.unique_words import unique_sentence
from surveys.questionnaire.use_words import (
    between_sentences,
    condition_sentences,
    draft_payoff_sentences,
    gap_sentences,
    item_names,
    short_sentences,
    together_sentence,
    use_sentences,
)
from surveys.questionnaire.waves import WaveLine, other_waves
from surveys.questionnaire.whole_lists import whole_sentences

_PERCENT: Final = SCALE // 100
_LEAST_GUESS: Final = Decimal(1) / _PERCENT
_MOST_STARS: Final = 2
_SAVING: Final = frozenset({"save", "one_answer", "each"})
"""Buttons that save the plan; the last two also change the draft."""

_OF_A_QUESTION: Final = ("label_", "protect_", "star_", "guess_", "expected_")
"""What the names of the fields of a question start with."""

STRENGTHS: Final = (
    ("light", gettext_lazy("A stranger who sees one answer. Results are the most exact.")),
    (MEDIUM, gettext_lazy("A colleague, neighbour or boss. Right for most surveys.")),
    ("strong", gettext_lazy("Someone who can demand all data, such as a court. Needs more people.")),
)

STRENGTH_NAMES: Final = (
    ("light", gettext_lazy("Light protection")),
    (MEDIUM, gettext_lazy("Medium protection")),
    ("strong", gettext_lazy("Strong protection")),
)


class PlanForm(forms.Form):
    """People, protection, and for each question: its label, whether it is protected, and a star."""

    people = forms.IntegerField(
        label=gettext_lazy("How many answers do you expect?"),
        min_value=LEAST_PEOPLE,
        max_value=MOST_PEOPLE,
        error_messages={
            "min_value": gettext_lazy(
                "%(show_value)s is not enough. Plan for at least %(limit_value)s; with fewer than 100, no "
                "protected question shows a result."
            ),
        },
    )
    strength = forms.ChoiceField(
        label=gettext_lazy("Who must not find out?"), choices=STRENGTHS, widget=forms.RadioSelect
    )
    swap = forms.BooleanField(
        label=gettext_lazy("Compare the two starred answers the other way round"), required=False
    )
    held = forms.CharField(required=False, max_length=60, widget=forms.HiddenInput)
    formed = forms.CharField(required=False, max_length=20_000, widget=forms.HiddenInput)
    before = forms.CharField(required=False, max_length=2_000, widget=forms.HiddenInput)

    def __init__(
        self,
        definition: Definition | None,
        data: Mapping[str, Any],
        *,
        saved: Aim,
        languages: Sequence[str],
        is_stated: bool = True,
    ) -> None:
        super().__init__(data, label_suffix="")
        if not is_stated:
            self.fields["people"].help_text = _(
                "%(people)s is a suggestion. Save the number that you expect."
            ) % {"people": count_text(DEFAULT_PEOPLE)}
        self.languages = languages
        self.saved_names = names_by_language(saved.names, languages)
        self.rows = [] if definition is None else [*self._rows(definition)]

    def _rows(self, definition: Definition) -> Iterator[AskedRow]:
        """Add the fields of each question, and yield its row."""
        choosable = {question["key"] for question in choosable_questions(definition.document)}
        is_experiment = bool(choices_of_arms(definition.design))
        known = {each.key: each for each in readable_questions(definition.document)}
        # Style sheets show these words when the box "Protect" is not ticked.
        opened = readable_questions(with_sensitive(definition.document, []))
        words = {each.key: each.words for each in opened}
        rules = rules_in_words(definition.design, definition.wording)
        people = made_up_tables(definition)
        steps = steps_by_key(definition.document)
        for block, question, wording in _asked_questions(definition):
            key, text = question.key, text_in(wording["text"]) or question.key
            options = {} if question.has_mean else {each["key"]: each["text"] for each in wording["options"]}
            fields: dict[str, forms.Field] = {
                "label": forms.CharField(
                    label=_("Short name"),
                    required=False,
                    max_length=LONGEST_LABEL,
                    widget=forms.TextInput(attrs={"placeholder": self._other_name(key) or _("Short name")}),
                )
            }
            if key in choosable:
                fields["protect"] = forms.BooleanField(label=_("Protect"), required=False)
            if not question.is_map:
                names = {f"{key}={option}": text_in(texts) or option for option, texts in options.items()}
                stars = [("", _("no star")), *(names or {key: _("starred")}).items()]
                fields["star"] = forms.ChoiceField(label=_("Star"), required=False, choices=stars)
            if not question.is_scale:
                outside = _("%(show_value)s is not between 0.01 and 99.99. Enter a percentage in this range.")
                fields["guess"] = forms.DecimalField(
                    label=_("Your guess, in %"),
                    min_value=_LEAST_GUESS,
                    max_value=100 - _LEAST_GUESS,
                    decimal_places=2,
                    required=False,
                    error_messages={"min_value": outside, "max_value": outside},
                )
            if is_experiment and block.protected and not question.is_map:
                answers = EXPECTATIONS_OF_NUMBERS if question.has_mean else EXPECTATIONS
                self.fields[f"expected_{key}"] = forms.ChoiceField(
                    label=text, required=False, choices=[("", _("nothing written down")), *answers.items()]
                )
            self.fields |= {f"{name}_{key}": each for name, each in fields.items()}
            yield AskedRow(
                key=key,
                text=text,
                why=known[key].why if key in known else "",
                words=words.get(key, ""),
                dependents=known[key].dependents if key in known else (),
                is_protected=block.protected,
                steps=steps.get(key, ""),
                rule=rules.get(key),
                people=people.get(key),
                **{name: self[f"{name}_{key}"] for name in fields},
            )

    def _other_name(self, key: str) -> str:
        """Return the short name that is used if there is none in the language of the page."""
        return text_in(with_entered_names(self.saved_names, {key: ""}, self.languages).get(key))

    def clean(self) -> dict[str, Any]:
        """Refuse a third star."""
        values = super().clean() or self.cleaned_data
        for name in self.star_names[_MOST_STARS:]:
            self.add_error(name, field_error("aim.stars"))
        return values

    def aim(self) -> Aim:
        """Return the entered plan; the form must be valid."""
        values, stars = self.cleaned_data, self._entries("star")
        keys = tuple(stars.values())
        return Aim(
            people=values["people"],
            wanted=keys[::-1] if values["swap"] else keys,
            # A guess about a choice is about its starred option.
            shares={
                stars.get(key, key): int(guess * _PERCENT) for key, guess in self._entries("guess").items()
            },
            strength=values["strength"],
            expected=self._entries("expected"),
            names=self._names(self.cleaned_data),
            held=values["held"],
        )

    def _entries(self, kind: str) -> dict[str, Any]:
        """Return the filled-in fields of one kind, by question."""
        return {
            name.removeprefix(f"{kind}_"): value
            for name, value in self.cleaned_data.items()
            if value and name.startswith(f"{kind}_")
        }

    @property
    def refused(self) -> list[tuple[str, forms.BoundField]]:
        """Fields with errors, each with the text of its question, if it belongs to one."""
        texts = {
            field.name: row.text for row in self.rows for field in (row.label, row.star, row.guess) if field
        }
        return [(texts.get(name, ""), self[name]) for name in self.errors]

    @property
    def star_names(self) -> list[str]:
        """Names of the fields with a star, also in a form that is not valid."""
        return [name for name in self.fields if name.startswith("star_") and self[name].value()]

    @property
    def kept(self) -> list[tuple[str, str]]:
        """Values about questions that a change of form took from the page, for the case that it is undone."""
        return [
            (name, str(value))
            for name, value in self.data.items()
            if name.startswith(_OF_A_QUESTION) and name not in self.fields
        ]

    @property
    def names(self) -> dict[str, dict[str, str]]:
        """Short names of questions by language, also in a form that is not valid."""
        return self._names(self.data)

    def _names(self, values: Mapping[str, Any]) -> dict[str, dict[str, str]]:
        entered = {
            name.removeprefix("label_"): str(value)
            for name, value in values.items()
            if name.startswith("label_")
        }
        return with_entered_names(self.saved_names, entered, self.languages)

    @property
    def named_in(self) -> str:
        """The language of the short names on the page, for a survey in several languages; else ""."""
        return language_of(named_language(self.languages)).name if len(self.languages) > 1 else ""

    @property
    def protected_keys(self) -> list[str]:
        """Keys of the protected questions, among those whose protection can be chosen."""
        return [*self._entries("protect")]

    @property
    def expectations(self) -> list[forms.BoundField]:
        """The fields for the expected results of an experiment; empty without an experiment."""
        return [self[name] for name in self.fields if name.startswith("expected_")]


@staff_page
@require_http_methods(["GET", "HEAD", "POST"])
@draft_page
def plan_survey(request: HttpRequest, survey: Survey) -> HttpResponse:
    """Show the plan of a draft while it is filled in, apply a suggested change, or save the plan."""
    slug = survey.slug
    saved = definition_without_texts(survey.definition)
    names_in: dict[str, Any] = {
        "saved": aim_or_default(survey.aim),
        "languages": tags_of(survey.definition),
        "is_stated": Aim.from_json(survey.aim) is not None,
    }
    if request.method != "POST":
        if is_entered(request.GET) and not is_of_present_draft(request.GET, survey):
            return redirect("authoring:plan", slug)
        entries = request.GET if is_entered(request.GET) else _start(survey, saved)
        begun = formed(saved, stated_forms(entries))
        return _page(request, survey, begun, PlanForm(begun, entries, **names_in))
    form_data: QueryDict = request.POST
    if "apply" in request.POST:
        entered = formed(saved, stated_forms(request.POST))
        form = PlanForm(entered, request.POST, **names_in)
        if not form.is_valid():
            return _page(request, survey, entered, form, status=422)
        change, shown_for = proposal_of(request.POST["apply"])
        if shown_for != _entries_of(survey, form):
            return _page(request, survey, entered, form, is_outdated=True, status=409)
        form_data = apply_change(request.POST, change)
    elif "undo" in request.POST:
        form_data = undo_change(request.POST, request.POST["undo"])
    draft = formed(saved, stated_forms(form_data))
    if form_data is not request.POST:
        form_data = protected_if_new(form_data, formed(saved, stated_forms(request.POST)), draft)
    form = PlanForm(draft, form_data, **names_in)
    part = request.POST.get("part", "")
    if part or not {"apply", "undo"}.isdisjoint(request.POST) or _SAVING.isdisjoint(request.POST):
        if WITHOUT_SCRIPT in request.POST and (address := address_of(form_data, survey)):
            return redirect(address)
        return _page(request, survey, draft, form, part=part)
    if not form.is_valid():
        return _page(request, survey, draft, form, status=422)
    way, shown_for = proposal_of(request.POST.get("one_answer", ""))
    if way and shown_for != _entries_of(survey, form):
        return _page(request, survey, draft, form, is_outdated=True, status=409)
    done = ""
    document: dict[str, Any] | None
    try:
        if draft is not None and (
            changed := pressed(
                _form_document(draft, form) or {},
                {"one_answer": way, "each": request.POST.get("each", "")},
                protection=form.aim().protection,
            )
        ):
            document, done = changed
            arguments = _arguments_of(survey, definition_without_texts(document), form)
        else:
            arguments = _plan_arguments(survey, draft, form)
            document = _form_document(draft, form)
    except SurveyError as error:
        return _page(request, survey, draft, form, error=error, status=409)
    new_plan = None if arguments is None else plan(**arguments)
    document = new_plan.document if new_plan else document
    # A page of an earlier draft did not ask about later questions; saving it is refused below.
    is_current = _revision(request) == survey.revision
    newly = _newly_readable(saved, document) if is_current else []
    if newly and request.POST.get("readable") != ",".join(each.key for each in newly):
        return _page(request, survey, draft, form, newly=newly, status=422)
    aim = replace(arguments["aim"] if arguments else form.aim(), held=new_plan.layout_key if new_plan else "")
    try:
        aim_save(
            survey,
            aim,
            revision=_revision(request),
            digest=request.POST.get("digest", ""),
            document=document,
            **by_and_now(request),
        )
    except (SurveyError, DefinitionError) as error:
        return _page(request, survey, draft, form, error=error, status=409)
    if done:
        messages.success(request, done)
        return redirect("authoring:plan", slug)
    return redirect("authoring:builder", slug)


def _form_lines(saved: Definition | None, form: PlanForm) -> Iterator[tuple[str, str]]:
    """Yield what each change of form does, in words, and its code."""
    if saved is None:
        return
    before, aim = saved, Aim(people=DEFAULT_PEOPLE, names=form.names)
    for change in stated_forms(form.data):
        for words in form_words(before.document, before.design, aim, [change]):
            yield words, change.code
        before = formed(before, [change]) or before


def _field_lines(draft: Definition | None, form: PlanForm) -> Iterator[tuple[str, str]]:
    """Yield what pressed changes did to fields, in words, and the code that undoes it."""
    if draft is None:
        return
    names = item_names(draft, Aim(people=DEFAULT_PEOPLE, names=form.names).labels)
    stars = stars_of({name: form[name].value() for name in (*form.star_names, "swap")})
    people = str(form.data.get("people") or "")
    words = {
        "people": expect_answers(int(people)) if people.isdecimal() and len(people) < 10 else "",
        "strength": _("Choose the lighter protection"),
        "star": stars_in_words([names[star] for star in stars if star in names]),
        "held": _("Lay out the questions anew"),
    }
    now = {name: str(form.data.get(name) or "") for name in UNDONE} | {"star": ",".join(stars)}
    for code in values_before(form.data):
        name, _colon, value = code.partition(":")
        if words[name] and value != now[name]:
            yield words[name], code


def _newly_readable(draft: Definition | None, document: dict[str, Any] | None) -> list[Readable]:
    """Return the questions that saving the plan would newly store as answered, and no rule suggests it."""
    before = {each.key for each in readable_questions(draft.document if draft else None)}
    return [each for each in unsuggested_questions(document) if each.key not in before]


def _revision(request: HttpRequest) -> int:
    text = request.POST.get("revision", "")
    return int(text) if text.isdecimal() and len(text) < 10 else -1


def _start(survey: Survey, draft: Definition | None) -> dict[str, Any]:
    """Return the form's initial values: the saved plan, else a default for each field."""
    old_aim = aim_or_default(survey.aim)
    start: dict[str, Any] = {"people": old_aim.people, "strength": old_aim.strength, "held": old_aim.held}
    if draft is None:
        return start
    valid_aim = old_aim.within(draft.design)
    stars = {key.partition("=")[0]: key for key in valid_aim.wanted}
    order = [question.key for question in draft.design.questions if question.key in stars]
    languages = tags_of(survey.definition)
    language, names = named_language(languages), names_by_language(valid_aim.names, languages)
    start |= {f"label_{key}": texts[language] for key, texts in names.items() if language in texts}
    start |= {f"expected_{key}": each for key, each in valid_aim.expected.items()}
    start |= {f"protect_{key}": "on" for key in protected_questions(draft)}
    start |= {f"star_{key}": item for key, item in stars.items()}
    for item, share in valid_aim.shares.items():
        start[f"guess_{item.partition('=')[0]}"] = f"{share / _PERCENT:g}"
    if order and order != list(stars):
        start["swap"] = "on"
    return start


def _asked_questions(definition: Definition) -> Iterator[tuple[Block, Question, Mapping[str, Any]]]:
    """Yield each question with a row, its block and its texts; skip anchors and arms."""
    for block, part in zip(definition.design.blocks, definition.wording["blocks"], strict=True):
        for question, wording in zip(block.questions, part["questions"], strict=True):
            if not block.is_anchor and not question.is_arm:
                yield block, question, wording


def _form_document(draft: Definition | None, form: PlanForm) -> dict[str, Any] | None:
    """Return the draft with the form's choice of protected questions."""
    return None if draft is None else with_sensitive(draft.document, form.protected_keys)


def _plan_arguments(survey: Survey, draft: Definition | None, form: PlanForm) -> dict[str, Any] | None:
    """Return the arguments of `plan` for a valid form; None if the draft cannot be read."""
    document = _form_document(draft, form)
    return _arguments_of(survey, None if document is None else definition_without_texts(document), form)


def _arguments_of(survey: Survey, definition: Definition | None, form: PlanForm) -> dict[str, Any] | None:
    if definition is None:
        return None
    aim = with_stars(form.aim(), definition.document).within(definition.design)
    return {
        "definition": with_narrower_waves(definition, aim, survey),
        "aim": aim,
        "waves": other_waves(definition.series, but=survey),
    }


def _entries_of(survey: Survey, form: PlanForm) -> str:
    """Return the digest of the entries of a valid form."""
    return entries_digest(survey, form.aim(), form.protected_keys, stated_forms(form.data))


def _page(
    request: HttpRequest,
    survey: Survey,
    draft: Definition | None,
    form: PlanForm,
    *,
    part: str = "",
    newly: list[Readable] | None = None,
    error: SurveyError | DefinitionError | None = None,
    is_outdated: bool = False,
    status: int = 200,
) -> HttpResponse:
    """Show the page; for scripts, only its figures (``part=figures``) or also the changes."""
    arguments = _plan_arguments(survey, draft, form) if form.is_valid() else None
    new_plan = None if arguments is None else plan(**arguments)
    unread = () if draft else definition_read(survey.definition, is_worded=False).problems
    context: dict[str, Any] = {
        "survey": survey,
        "form": form,
        "part": part,
        "guess_label": _("Your guess, in %"),
        "in_the_way": locate_problems(unread[:1], survey.definition),
        "refusal": error,
        "is_outdated": is_outdated,
        "revision": survey.revision,
        "digest": aim_digest(survey),
        "formed": [
            *_form_lines(definition_without_texts(survey.definition), form),
            *_field_lines(draft, form),
        ],
        "newly": newly or (),
        "newly_value": ",".join(each.key for each in newly or ()),
        "readable": len(readable_questions(survey.definition)),
        "unsettled": len(unsettled_skips(survey.definition)),
        "rows": form.rows,
        "line": _no_figures(draft, has_plan=arguments is not None),
        "compares": len(form.star_names) == _MOST_STARS,
        "saved_gaps": _saved_gaps(survey) if new_plan and new_plan.is_useful else (),
        **(_figures(new_plan, survey, () if arguments is None else arguments["waves"]) if new_plan else {}),
    }
    priced: dict[str, Use] = {}
    if arguments is not None and part != "figures":
        found = changes(**arguments, made=stated_forms(form.data))
        priced = costs(**arguments)
        entries = _entries_of(survey, form)
        lines = change_lines(found, arguments["definition"], arguments["aim"], new_plan)
        context["changes"] = proposed_for(entries, lines)
        context["works"] = new_plan is None or not new_plan.is_useful
        context["times"] = proposed_for(entries, times_offers(**arguments, now=new_plan))
        context["filters"] = proposed_for(entries, filter_offers(**arguments, now=new_plan))
        context["offers"] = offers_for(entries, offers(**arguments, now=new_plan))
    if new_plan is not None and arguments is not None:
        context["asked"] += idle_guess_sentences(form.cleaned_data, new_plan)
        if new_plan.use.people_asked and lighter_is_no_better(
            new_plan, arguments["definition"], arguments["waves"]
        ):
            context["lighter"] = _("The next lighter protection would leave every figure as it is.")
        context["trades"] = trade_sentences(new_plan, **arguments, priced=priced)
        known_lines, context["costs"] = rows_and_legend(new_plan, arguments["definition"], priced)
        context["knowns"] = proposed_for(_entries_of(survey, form), known_lines)
    known = {each.key: each for each in context.get("knowns", ())}
    context["lines"] = [(row, known.get(row.key)) for row in form.rows]
    template = "authoring/partials/plan_figures.html" if part else "authoring/plan.html"
    return render(request, template, context, status=status)


def _no_figures(draft: Definition | None, *, has_plan: bool) -> str:
    """Say why a page has no figures; empty for a draft without questions."""
    if draft is None or not draft.design.questions:
        return ""
    if has_plan:
        return _("This protection leaves no room for all these questions. One of these changes makes room.")
    return _("Correct the marked fields to see the figures here.")


def _saved_gaps(survey: Survey) -> list[str]:
    """Return why publishing refuses the draft as it is saved, which can differ from its plan."""
    saved, aim = definition_without_texts(survey.definition), Aim.from_json(survey.aim)
    if saved is None or aim is None:
        return []
    return [
        capfirst(finding.message) + pgettext("end of a sentence", ".")
        for finding in check_use(saved, aim)
        if finding.is_refusal
    ]


def _figures(plan: Plan, survey: Survey, waves: Sequence[WaveLine]) -> dict[str, Any]:
    """Return the template's context for a plan."""
    names = item_names(plan.definition, plan.aim.labels)
    texts = {
        question.key: text_in(wording["text"]) or question.key
        for _block, question, wording in _asked_questions(plan.definition)
    }
    has_promise = plan.promise is not None
    strength = dict(STRENGTH_NAMES)[plan.aim.strength] + pgettext("end of a sentence", ".")
    short = short_sentences(plan.use, names, has_others=False)
    return {
        "sentences": [
            *use_sentences(plan.use, names),
            *filter_choice_sentences(plan.definition.design, plan.aim, plan.definition.wording),
        ],
        "line": join_sentences([strength, *short] if plan.use.people_asked else short),
        "gaps": gap_sentences(plan.use, names),
        "warnings": [
            *gap_sentences(plan.use, names, refused=False),
            *(in_sentences(each.message, each.remedy) for each in check_follow_ups(plan.document)),
        ],
        "unique": [
            in_sentences(finding.message, finding.remedy)
            for finding in check_open_answers(plan.definition.design, texts, plan.aim.people)
        ],
        "price": unique_sentence(plan.definition.design, plan.aim.people),
        "promise": join_sentences(stated_in_words(promises_to_publish(plan.definition, survey))),
        "waves": [*wave_prices(plan, survey, waves)],
        "drawn": [*asked_sentences(plan.definition.design, plan.per_person, names)],
        "asked": [
            *_together_sentences(plan),
            *whole_sentences(plan.document),
            *joined_heading_sentences(plan.document),
            *condition_sentences(plan.definition.design),
            *between_sentences(plan.definition.design, names),
            *starred_change_sentences(plan),
        ],
        "payoff": draft_payoff_sentences(plan.definition.design, plan.aim, names) if has_promise else (),
    }


def _together_sentences(plan: Plan) -> Iterator[str]:
    """Say which pairs of answers a report can only predict, because no one is asked all questions."""
    if plan.per_person and (sentence := together_sentence(plan.definition.design, plan.aim.people)):
        yield sentence
