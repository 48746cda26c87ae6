"""Pages of the queries of a release: open them, ask, and read the answers."""

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

from anonymisation.models import ReleaseQuestion
from anonymisation.permissions import (
    get_release_for_builder,
    get_release_for_questions,
)
from anonymisation.policy import MOST_QUESTIONS_EACH, QUESTIONS_EACH
from anonymisation.releases.query_records import answer_record
from anonymisation.releases.query_words import answer_table, question_lines
from anonymisation.releases.release_queries import (
    PublishedTable,
    TableAnswer,
    published_of,
    queries_allow,
    queries_stop,
    question_answer,
    question_ask,
    question_read,
    questions_left,
)
from privacy.numeric_text import number_text
from privacy.sdc.label_conditions import Condition
from privacy.sdc.query_language import Query
from surveys.accounts.form_page import FormPage
from surveys.accounts.permissions import get_staff, require_to_export, staff_page
from surveys.accounts.token_requests import staff_file
from surveys.errors.error import SurveyError
from surveys.formats.file_responses import json_file
from surveys.formats.pagination import Pages

COUNT: Final = "count"

_MEDIAN: Final = "median-"

_TERMS: Final = ("", "or_")
"""Prefixes of the fields of the conditions and of the alternative conditions."""

_MOST_BOXES: Final = 12
"""Largest number of values shown as checkboxes; more are shown as a list."""


class OpenForm(forms.Form):
    """The number of questions that each person may ask."""

    each = forms.IntegerField(
        label=gettext_lazy("Questions allowed per person"),
        min_value=1,
        max_value=MOST_QUESTIONS_EACH,
        initial=QUESTIONS_EACH,
    )


class QuestionForm(forms.Form):
    """A quantity, conditions with alternatives, and up to two columns to split the answer by.

    Parameters
    ----------
    source : PublishedTable
        Table whose columns and values become the fields.
    data : mapping or None
        The submitted form.
    query : Query or None
        Initial question; parts that the fields cannot express are left out.
    """

    def __init__(self, source: PublishedTable, data: Any = None, *, query: Query | None = None) -> None:
        super().__init__(data)
        self._source = source
        self._names = [column.name for column in source.table.columns]
        numeric = [
            (str(position), name) for position, name in enumerate(self._names) if source.is_numeric(name)
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
        columns = [(str(number), name) for number, name in enumerate(self._names)]
        for field, label in (("by", _("Split the answer by")), ("by_also", _("and by"))):
            nothing = ("", _("nothing: one answer") if field == "by" else _("nothing more"))
            self.fields[field] = forms.ChoiceField(label=label, choices=[nothing, *columns], required=False)
        for term in _TERMS:
            for position, name in enumerate(self._names):
                self._add(term, position, name)
        if query is not None:
            self.initial = self._initial(query)

    def _add(self, term: str, position: int, name: str) -> None:
        """Add the fields of a condition."""
        if self._source.is_numeric(name):
            self.fields[f"{term}from_{position}"] = forms.FloatField(label=_("from"), required=False)
            self.fields[f"{term}to_{position}"] = forms.FloatField(label=_("to"), required=False)
            return
        values = self._source.values_of(name)
        self.fields[f"{term}values_{position}"] = forms.MultipleChoiceField(
            label=_("one of these"),
            choices=[(value, value or _("missing")) for value in values],
            required=False,
            widget=forms.CheckboxSelectMultiple if len(values) <= _MOST_BOXES else forms.SelectMultiple,
        )

    def clean(self) -> dict[str, Any]:
        """Refuse to split by the same column twice."""
        values: dict[str, Any] = super().clean() or {}
        if values.get("by_also") and values["by_also"] == values.get("by"):
            self.add_error("by_also", _("Choose a different column from the first one."))
        return values

    @property
    def of_terms(self) -> list[tuple[str, list[dict[str, Any]], bool]]:
        """Return the fields of the conditions and of the alternative, each with whether any is filled in."""
        terms = [(term, list(self._of_columns(term))) for term in _TERMS]
        return [(term, columns, any(column["open"] for column in columns)) for term, columns in terms]

    def _of_columns(self, term: str) -> Iterator[dict[str, Any]]:
        """Yield each column with its fields, whether any is filled in, and whether devices disguise it."""
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
                "disguised": name in self._source.disguised_names,
            }

    def query(self) -> Query:
        """Return the question.

        Raises
        ------
        SurveyError
            ``release_question.range``: a lower bound is above its upper bound.
        """
        values = self.cleaned_data
        # If only the alternative has conditions, it becomes the condition.
        terms = [term for term in (self._conditions(term) for term in _TERMS) if term] or [()]
        what = values["what"]
        column = None if what == COUNT else self._names[int(what.removeprefix(_MEDIAN))]
        return Query(
            conditions=terms[0],
            alternatives=tuple(terms[1:]),
            groups=tuple(self._names[int(values[by])] for by in ("by", "by_also") if values[by]),
            mean_of=None if what.startswith(_MEDIAN) else column,
            median_of=column if what.startswith(_MEDIAN) else None,
        )

    def _conditions(self, term: str) -> tuple[Condition, ...]:
        fields, conditions = self.cleaned_data, []
        for position, name in enumerate(self._names):
            low, high = fields.get(f"{term}from_{position}"), fields.get(f"{term}to_{position}")
            if low is not None and high is not None and low > high:
                raise SurveyError(
                    "release_question.range", name=name, low=number_text(low), high=number_text(high)
                )
            sign = {(True, True): "between", (True, False): ">=", (False, True): "<="}.get(
                (low is not None, high is not None)
            )
            if sign is not None:
                ends = tuple(number_text(end) for end in (low, high) if end is not None)
                conditions.append(Condition(column=name, sign=sign, values=ends))
            if options := fields.get(f"{term}values_{position}"):
                conditions.append(Condition(column=name, sign="in", values=tuple(sorted(options))))
        return tuple(conditions)

    def _initial(self, query: Query) -> dict[str, Any]:
        places = {name: position for position, name in enumerate(self._names)}
        initial: dict[str, Any] = {"what": COUNT}
        if query.number is not None:
            initial["what"] = f"{_MEDIAN if query.kind == 'median' else ''}{places[query.number]}"
        initial |= {by: str(places[name]) for by, name in zip(("by", "by_also"), query.groups, strict=False)}
        for term, conditions in zip(_TERMS, query.terms, strict=False):
            for condition in conditions:
                index = places[condition.column]
                ends = {"between": ("from", "to"), ">=": ("from",), "<=": ("to",)}.get(condition.sign, ())
                if self._source.is_numeric(condition.column):
                    initial |= {
                        f"{term}{end}_{index}": value
                        for end, value in zip(ends, condition.values, strict=False)
                    }
                elif condition.sign in ("in", "="):
                    initial[f"{term}values_{index}"] = list(condition.values)
        return initial


_PER_PAGE = 50


class AskPage(FormPage):
    """Queries a release, and shows the user's earlier queries and the answer to the selected one."""

    template_name = "anonymisation/ask.html"
    answer: TableAnswer | None = None

    def prepare(self) -> HttpResponse | None:
        """Load the open release and its published table."""
        self.release = get_release_for_questions(self.request.user, self.kwargs["made_id"])
        self.source = published_of(self.release)
        self.earlier = ReleaseQuestion.objects.filter(release=self.release, asker=self.staff)
        return None

    def get_form(self, form_class: Any = None) -> QuestionForm:
        """Return the form; if an earlier question is selected, compute its answer again."""
        number = self.request.GET.get("question", "")
        if self.form_data or not number.isdecimal() or len(number) > 18:
            return QuestionForm(self.source, *self.form_data[:1])
        query = question_read(get_object_or_404(self.earlier, pk=int(number)).text)
        self.answer = question_answer(self.source, query)
        return QuestionForm(self.source, query=query)

    def get_context_data(self, **more: Any) -> dict[str, Any]:
        """Return the form, the answer and earlier queries."""
        return super().get_context_data(
            release=self.release,
            answer=None if self.answer is None else answer_table(self.answer),
            left=questions_left(self.release, self.staff),
            asked=question_lines(self.earlier.select_related("asker")),
            **more,
        )

    def service(self, form: Any) -> HttpResponse:
        """Ask the question and redirect to its answer."""
        question, _answer = question_ask(self.release, form.query(), by=self.staff, now=timezone.now())
        return redirect(f"{reverse('releases:ask', args=[self.release.pk])}?question={question.pk}")


class QuestionsPage(FormPage):
    """Shows the query log to the owner, and allows queries."""

    template_name = "anonymisation/questions.html"

    def prepare(self) -> HttpResponse | None:
        """Load the release, if the user may edit it."""
        self.release = get_release_for_builder(self.request.user, self.kwargs["made_id"])
        if self.request.method == "POST":
            require_to_export(self.staff)
        elif self.release.finished_at is None:
            return redirect("releases:release", self.release.pk)
        return None

    def get_form(self, form_class: Any = None) -> OpenForm:
        """Return the form with the current number."""
        each = self.release.questions_each
        initial = {"each": each} if each else None
        return OpenForm(self.form_data[0] if self.form_data else None, initial=initial)

    def get_context_data(self, **more: Any) -> dict[str, Any]:
        """Return the form and a page of queries."""
        questions = ReleaseQuestion.objects.filter(release=self.release).select_related("asker")
        page = Paginator(questions, _PER_PAGE).get_page(self.request.GET.get("page"))
        return super().get_context_data(
            release=self.release,
            pages=Pages.around(page.number, page.paginator.num_pages, "?page={}".format),
            asked=question_lines(page.object_list),
            **more,
        )

    def service(self, form: Any) -> HttpResponse:
        """Allow queries."""
        queries_allow(self.release, form.cleaned_data["each"], by=self.staff, now=timezone.now())
        messages.success(self.request, _("Researchers can now query this release."))
        return redirect("releases:questions", self.release.pk)


@staff_page
@require_POST
def queries_close(request: HttpRequest, made_id: int) -> HttpResponse:
    """Stop queries of a release."""
    release = get_release_for_builder(request.user, made_id)
    queries_stop(release, by=get_staff(request.user))
    messages.success(request, _("This release no longer accepts questions."))
    return redirect("releases:questions", release.pk)


@staff_file
def answer_json(request: HttpRequest, made_id: int) -> JsonResponse:
    """Answer the query in the URL; it is logged and counted like a query on the page."""
    selected, staff = get_release_for_questions(request.user, made_id), get_staff(request.user)
    query = question_read(request.GET.get("question", ""))
    _question, answer = question_ask(selected, query, by=staff, now=timezone.now())
    record = answer_record(answer, left=questions_left(selected, staff))
    return json_file(record, f"sottovoce-release-{selected.pk}-answer.json")
