"""The pages of questions to a deposit: researchers ask, and its owner opens it and reads who asked what."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

from django import forms
from django.contrib import messages
from django.core.paginator import Paginator
from django.forms import BoundField
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import get_object_or_404, redirect
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_POST

from anonymisation.deposits.question_reading import (
    answer_record,
    answer_shown,
    columns_record,
    deposit_record,
    open_deposits,
    question_lines,
)
from anonymisation.deposits.questions import (
    Answered,
    Published,
    deposit_open,
    deposit_shut,
    published_of,
    question_answer,
    question_ask,
    question_read,
    questions_left,
)
from anonymisation.doors import get_deposit_for_builder, get_deposit_for_questions, get_deposits_for_questions
from anonymisation.models import DepositQuestion
from anonymisation.policy import MOST_QUESTIONS_EACH, QUESTIONS_EACH
from privacy.sdc.queries import Condition, Query
from privacy.sdc.table import number_text
from surveys.access.form_page import FormPage
from surveys.access.permissions import get_staff, staff_page
from surveys.access.second_factor import require_to_export
from surveys.access.staff_file import staff_file
from surveys.errors.error import SurveyError
from surveys.formats.attachments import json_file
from surveys.formats.table_links import Pages

__all__ = [
    "AskPage",
    "OpenForm",
    "QuestionForm",
    "QuestionsPage",
    "answer_json",
    "deposits_json",
    "shut_for_questions",
]

COUNT: Final = "count"
_MEDIAN: Final = "median-"
_TERMS: Final = ("", "or_")
"""What stands before the fields of a condition: the first ones, and those of the alternative."""
_MOST_BOXES: Final = 12
"""More values are a list to choose from, and no boxes to tick."""


class OpenForm(forms.Form):
    """How many questions each person may ask."""

    each = forms.IntegerField(
        label=gettext_lazy("Questions allowed per person"),
        min_value=1,
        max_value=MOST_QUESTIONS_EACH,
        initial=QUESTIONS_EACH,
    )


class QuestionForm(forms.Form):
    """A figure, conditions on columns with an alternative, and up to two columns that the answer is split by.

    Parameters
    ----------
    published : Published
        Its columns and their values are the fields.
    data : mapping or None
        What was sent.
    shown : Query or None
        A question to begin with; what the fields cannot say of it is left out.
    """

    def __init__(self, published: Published, data: Any = None, *, shown: Query | None = None) -> None:
        super().__init__(data)
        self._published = published
        self._names = [column.name for column in published.table.columns]
        numeric = [
            (str(position), name) for position, name in enumerate(self._names) if published.is_numeric(name)
        ]
        self.fields["what"] = forms.ChoiceField(
            label=_("What do you want to know?"),
            choices=[
                (COUNT, _("How many records")),
                *((index, _("The mean of “%(column)s”") % {"column": name}) for index, name in numeric),
                *(
                    (f"{_MEDIAN}{index}", _("The median of “%(column)s”") % {"column": name})
                    for index, name in numeric
                ),
            ],
        )
        columns = [(str(at), name) for at, name in enumerate(self._names)]
        for field, label in (("by", _("Split the answer by")), ("by_also", _("and by"))):
            nothing = ("", _("nothing: one answer") if field == "by" else _("nothing more"))
            self.fields[field] = forms.ChoiceField(label=label, choices=[nothing, *columns], required=False)
        for term in _TERMS:
            for position, name in enumerate(self._names):
                self._add(term, position, name)
        if shown is not None:
            self.initial = self._initial(shown)

    def _add(self, term: str, position: int, name: str) -> None:
        """Add the fields of a condition."""
        if self._published.is_numeric(name):
            self.fields[f"{term}from_{position}"] = forms.FloatField(label=_("from"), required=False)
            self.fields[f"{term}to_{position}"] = forms.FloatField(label=_("to"), required=False)
            return
        values = self._published.values_of(name)
        self.fields[f"{term}values_{position}"] = forms.MultipleChoiceField(
            label=_("one of these"),
            choices=[(value, value or _("missing")) for value in values],
            required=False,
            widget=forms.CheckboxSelectMultiple if len(values) <= _MOST_BOXES else forms.SelectMultiple,
        )

    def clean(self) -> dict[str, Any]:
        """Refuse a column beside itself."""
        given: dict[str, Any] = super().clean() or {}
        if given.get("by_also") and given["by_also"] == given.get("by"):
            self.add_error("by_also", _("Choose a different column from the first one."))
        return given

    @property
    def of_terms(self) -> list[tuple[str, list[dict[str, Any]], bool]]:
        """The conditions and those of the alternative: columns, and whether any is given."""
        terms = [(term, list(self._of_columns(term))) for term in _TERMS]
        return [(term, columns, any(column["open"] for column in columns)) for term, columns in terms]

    def _of_columns(self, term: str) -> Iterator[dict[str, Any]]:
        """Each column with the fields of its condition, whether one is given, and whether it is disguised."""
        for position, name in enumerate(self._names):
            fields: list[BoundField] = [
                self[f"{term}{part}_{position}"]
                for part in ("from", "to", "values")
                if f"{term}{part}_{position}" in self.fields
            ]
            yield {
                "name": name,
                "fields": fields,
                "numeric": len(fields) > 1,
                "boxes": isinstance(fields[0].field.widget, forms.CheckboxSelectMultiple),
                "open": any(field.errors or field.value() not in (None, "", []) for field in fields),
                "disguised": name in self._published.disguised,
            }

    def query(self) -> Query:
        """Return the question.

        Raises
        ------
        SurveyError
            ``deposit_question.range``: a larger number stands before a smaller one.
        """
        given = self.cleaned_data
        # An alternative to nothing is the condition.
        terms = [term for term in (self._conditions(term) for term in _TERMS) if term] or [()]
        what = given["what"]
        column = None if what == COUNT else self._names[int(what.removeprefix(_MEDIAN))]
        return Query(
            conditions=terms[0],
            alternatives=tuple(terms[1:]),
            groups=tuple(self._names[int(given[by])] for by in ("by", "by_also") if given[by]),
            mean_of=None if what.startswith(_MEDIAN) else column,
            median_of=column if what.startswith(_MEDIAN) else None,
        )

    def _conditions(self, term: str) -> tuple[Condition, ...]:
        given, conditions = self.cleaned_data, []
        for position, name in enumerate(self._names):
            low, high = given.get(f"{term}from_{position}"), given.get(f"{term}to_{position}")
            if low is not None and high is not None and low > high:
                raise SurveyError(
                    "deposit_question.range", name=name, low=number_text(low), high=number_text(high)
                )
            sign = {(True, True): "between", (True, False): ">=", (False, True): "<="}.get(
                (low is not None, high is not None)
            )
            if sign is not None:
                ends = tuple(number_text(end) for end in (low, high) if end is not None)
                conditions.append(Condition(column=name, sign=sign, values=ends))
            if chosen := given.get(f"{term}values_{position}"):
                conditions.append(Condition(column=name, sign="in", values=tuple(sorted(chosen))))
        return tuple(conditions)

    def _initial(self, shown: Query) -> dict[str, Any]:
        places = {name: position for position, name in enumerate(self._names)}
        initial: dict[str, Any] = {"what": COUNT}
        if shown.number is not None:
            initial["what"] = f"{_MEDIAN if shown.kind == 'median' else ''}{places[shown.number]}"
        initial |= {by: str(places[name]) for by, name in zip(("by", "by_also"), shown.groups, strict=False)}
        for term, conditions in zip(_TERMS, shown.terms, strict=False):
            for condition in conditions:
                index = places[condition.column]
                ends = {"between": ("from", "to"), ">=": ("from",), "<=": ("to",)}.get(condition.sign, ())
                if self._published.is_numeric(condition.column):
                    initial |= {
                        f"{term}{end}_{index}": value
                        for end, value in zip(ends, condition.values, strict=False)
                    }
                elif condition.sign in ("in", "="):
                    initial[f"{term}values_{index}"] = list(condition.values)
        return initial


_PER_PAGE = 50


class AskPage(FormPage):
    """Asks a deposit, and shows one's earlier questions; of one that the address names the answer, too."""

    template_name = "anonymisation/ask.html"
    answered: Answered | None = None

    def prepare(self) -> HttpResponse | None:
        """Go through the door of questions, and read what is published."""
        self.deposit = get_deposit_for_questions(self.request.user, self.kwargs["made_id"])
        self.published = published_of(self.deposit)
        self.earlier = DepositQuestion.objects.filter(deposit=self.deposit, asker=self.staff)
        return None

    def get_form(self, form_class: Any = None) -> QuestionForm:
        """Return the form; with an earlier question its answer is computed again."""
        number = self.request.GET.get("question", "")
        if self.sent or not number.isdecimal() or len(number) > 18:
            return QuestionForm(self.published, *self.sent[:1])
        query = question_read(get_object_or_404(self.earlier, pk=int(number)).text)
        self.answered = question_answer(self.published, query)
        return QuestionForm(self.published, shown=query)

    def get_context_data(self, **more: Any) -> dict[str, Any]:
        """Return answer and earlier questions beside the form."""
        return super().get_context_data(
            deposit=self.deposit,
            answer=None if self.answered is None else answer_shown(self.answered),
            left=questions_left(self.deposit, self.staff),
            asked=question_lines(self.earlier.select_related("asker")),
            **more,
        )

    def service(self, form: Any) -> HttpResponse:
        """Ask, and lead to the answer."""
        question, _answered = question_ask(self.deposit, form.query(), by=self.staff, now=timezone.now())
        return redirect(f"{reverse('deposits:ask', args=[self.deposit.pk])}?question={question.pk}")


class QuestionsPage(FormPage):
    """Shows the owner who asked what, and opens a deposit to so many questions."""

    template_name = "anonymisation/questions.html"

    def prepare(self) -> HttpResponse | None:
        """Go through the builder's door."""
        self.deposit = get_deposit_for_builder(self.request.user, self.kwargs["made_id"])
        if self.request.method == "POST":
            require_to_export(self.staff)
        elif self.deposit.finished_at is None:
            return redirect("deposits:deposit", self.deposit.pk)
        return None

    def get_form(self, form_class: Any = None) -> OpenForm:
        """Return the form with the number of now."""
        each = self.deposit.questions_each
        return OpenForm(self.sent[0] if self.sent else None, initial={"each": each} if each else None)

    def get_context_data(self, **more: Any) -> dict[str, Any]:
        """Return a page of the questions beside the form."""
        questions = DepositQuestion.objects.filter(deposit=self.deposit).select_related("asker")
        page = Paginator(questions, _PER_PAGE).get_page(self.request.GET.get("page"))
        return super().get_context_data(
            deposit=self.deposit,
            pages=Pages.around(page.number, page.paginator.num_pages, "?page={}".format),
            asked=question_lines(page.object_list),
            **more,
        )

    def service(self, form: Any) -> HttpResponse:
        """Let researchers ask."""
        deposit_open(self.deposit, form.cleaned_data["each"], by=self.staff, now=timezone.now())
        messages.success(self.request, _("Researchers can now query this release."))
        return redirect("deposits:questions", self.deposit.pk)


@staff_page
@require_POST
def shut_for_questions(request: HttpRequest, made_id: int) -> HttpResponse:
    """Close a deposit to questions."""
    deposit = get_deposit_for_builder(request.user, made_id)
    deposit_shut(deposit, by=get_staff(request.user))
    messages.success(request, _("This release no longer accepts questions."))
    return redirect("deposits:questions", deposit.pk)


@staff_file
def deposits_json(request: HttpRequest) -> JsonResponse:
    """Send the deposits that the reader may question, with the columns that a question can name."""
    listed = open_deposits(get_deposits_for_questions(request.user), get_staff(request.user))
    records = [
        deposit_record(entry["deposit"], left=entry["left"])
        | {"columns": columns_record(published_of(entry["deposit"]))}
        for entry in listed
    ]
    return json_file({"deposits": records}, "sottovoce-deposits.json")


@staff_file
def answer_json(request: HttpRequest, made_id: int) -> JsonResponse:
    """Answer the question of the address, which is kept and counted like one on the page."""
    selected, staff = get_deposit_for_questions(request.user, made_id), get_staff(request.user)
    query = question_read(request.GET.get("question", ""))
    _question, answered = question_ask(selected, query, by=staff, now=timezone.now())
    record = answer_record(answered, left=questions_left(selected, staff))
    return json_file(record, f"sottovoce-deposit-{selected.pk}-answer.json")
