"""Views of releases, and the pages that are not steps: a release, its files, its queries."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, Final

from django import forms
from django.contrib import messages
from django.core.paginator import Paginator
from django.forms import BoundField
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.http.response import HttpResponseBase
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import path, reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_POST, require_safe

from anonymisation.models import ReleaseQuestion
from anonymisation.permissions import (
    get_release_for_builder,
    get_release_for_questions,
    get_releases_for_questions,
)
from anonymisation.policy import MOST_QUESTIONS_EACH, QUESTIONS_EACH
from anonymisation.releases import steps
from anonymisation.releases.deletion import release_erase
from anonymisation.releases.drafts import FILES, REPORT, release_cancel, release_download
from anonymisation.releases.file_parts import part_store
from anonymisation.releases.progress import progress_of, steps_of
from anonymisation.releases.questions import (
    PublishedTable,
    TableAnswer,
    answer_record,
    answer_table,
    columns_record,
    open_releases,
    published_of,
    queries_allow,
    queries_stop,
    question_answer,
    question_ask,
    question_lines,
    question_read,
    questions_left,
    release_record,
)
from anonymisation.releases.result_words import result_of
from anonymisation.releases.source_forms import PartForm
from anonymisation.releases.steps import BeginPage, BoundsPage, ColumnsPage, StudyPage
from privacy.sdc.label_conditions import Condition
from privacy.sdc.query_language import Query
from privacy.validation import number_text
from surveys.accounts.form_page import FormPage
from surveys.accounts.permissions import get_builder, get_staff, require_to_export, staff_page
from surveys.accounts.token_requests import staff_file
from surveys.errors.error import SurveyError, refusal_text, sentences
from surveys.formats.file_responses import json_file, whole_file
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
def releases_json(request: HttpRequest) -> JsonResponse:
    """Send the releases that the user may query, with their columns."""
    entries = open_releases(get_releases_for_questions(request.user), get_staff(request.user))
    records = [
        release_record(entry["release"], left=entry["left"])
        | {"columns": columns_record(published_of(entry["release"]))}
        for entry in entries
    ]
    return json_file({"releases": records}, "sottovoce-releases.json")


@staff_file
def answer_json(request: HttpRequest, made_id: int) -> JsonResponse:
    """Answer the query in the URL; it is logged and counted like a query on the page."""
    selected, staff = get_release_for_questions(request.user, made_id), get_staff(request.user)
    query = question_read(request.GET.get("question", ""))
    _question, answer = question_ask(selected, query, by=staff, now=timezone.now())
    record = answer_record(answer, left=questions_left(selected, staff))
    return json_file(record, f"sottovoce-release-{selected.pk}-answer.json")


@staff_page
@require_safe
def release(request: HttpRequest, release_id: int) -> HttpResponse:
    """Show a finished release or its progress; if it was not requested yet, go to the next step."""
    selected = get_release_for_builder(request.user, release_id)
    if selected.finished_at is not None:
        context = {"release": selected, "result": result_of(selected), "steps": steps_of(selected, "release")}
        return render(request, "anonymisation/made.html", context)
    if selected.job is not None and not selected.job.is_over:
        context = {
            "release": selected,
            "progress": progress_of(selected),
            # While its file is being read, a release has no columns and is at its first step.
            "steps": steps_of(selected, "release" if selected.columns else "columns"),
        }
        return render(request, "anonymisation/waiting.html", context)
    if not selected.columns:
        problem = refusal_text(selected.job.message) if selected.job is not None else ""
        return render(request, "anonymisation/unread.html", {"release": selected, "problem": problem})
    return redirect("releases:bounds" if selected.job is not None else "releases:columns", selected.pk)


@staff_page
@require_POST
def part(request: HttpRequest) -> JsonResponse:
    """Accept a part of a large file and return its release and, after the last part, where to go next."""
    owner, form = get_builder(request.user), PartForm(request.POST, request.FILES)
    if not form.is_valid():
        return JsonResponse({"problem": form.errors.as_text()}, status=422)
    fields = form.cleaned_data
    existing = get_release_for_builder(request.user, fields["release"]) if fields["release"] else None
    try:
        draft = part_store(
            existing,
            owner=owner,
            name=fields["name"],
            number=fields["number"],
            raw=fields["part"].read(),
            is_last=fields["last"],
            now=timezone.now(),
        )
    except SurveyError as error:
        return JsonResponse({"problem": sentences(error)}, status=422)
    address = reverse("releases:release", args=[draft.pk]) if fields["last"] else ""
    return JsonResponse({"release": draft.pk, "next": address})


@staff_page
@require_safe
def progress(request: HttpRequest, release_id: int) -> JsonResponse:
    """Return the progress of the job for the waiting page."""
    selected = get_release_for_builder(request.user, release_id)
    if selected.job is None or selected.job.is_over:
        return JsonResponse({"over": True})
    return JsonResponse({"over": False, **progress_of(selected)})


@staff_page
@require_POST
def cancel(request: HttpRequest, release_id: int) -> HttpResponse:
    """Cancel the current job; the table and the choices are kept."""
    selected = get_release_for_builder(request.user, release_id)
    if release_cancel(selected, by=get_staff(request.user), now=timezone.now()):
        messages.success(request, _("Cancelled. Your choices are kept."))
    else:
        messages.info(request, _("The job finished before it could be cancelled."))
    return redirect("releases:release", selected.pk)


@staff_page
@require_POST
def erase(request: HttpRequest, release_id: int) -> HttpResponse:
    """Delete records and files immediately."""
    selected = get_release_for_builder(request.user, release_id)
    if release_erase(selected, by=get_staff(request.user)):
        messages.success(request, _("The records and everything made from them were deleted."))
    else:
        messages.success(
            request,
            _(
                "The files were deleted. We keep only what is needed to recognise a later "
                "release of the same people."
            ),
        )
    return redirect("releases:begin")


@staff_file
def download(request: HttpRequest, made_id: int, kind: str) -> HttpResponse:
    """Send the published files or the publisher's report."""
    selected = get_release_for_builder(request.user, made_id)
    staff = get_staff(request.user)
    require_to_export(staff)
    body = release_download(selected, kind, by=staff)
    name = f"sottovoce-release-{selected.pk}{'' if kind == FILES else '-report'}.zip"
    return whole_file(body, "application/zip", name)


def _staff(page: type[FormPage], **options: Any) -> Callable[..., HttpResponseBase]:
    return staff_page(page.as_view(**options))


urlpatterns = [
    path("releases/", _staff(BeginPage), name="begin"),
    path("releases.json", releases_json, name="list_json"),
    path("releases/part", part, name="part"),
    path("releases/<int:release_id>/", release, name="release"),
    path("releases/<int:release_id>/columns/", _staff(ColumnsPage), name="columns"),
    path("releases/<int:release_id>/groups/", _staff(steps.TreesPage), name="trees"),
    path("releases/<int:release_id>/study/", _staff(StudyPage), name="study"),
    path("releases/<int:release_id>/bounds/", _staff(BoundsPage), name="bounds"),
    path("releases/<int:release_id>/matrix/", _staff(steps.MatrixPage), name="matrix"),
    path("releases/<int:release_id>/progress", progress, name="progress"),
    path("releases/<int:release_id>/cancel", cancel, name="cancel"),
    path("releases/<int:release_id>/erase", erase, name="erase"),
    path("releases/<int:made_id>/deposit.zip", download, {"kind": FILES}, name="files"),
    path("releases/<int:made_id>/report.zip", download, {"kind": REPORT}, name="report"),
    path("releases/<int:made_id>/answer.json", answer_json, name="answer_json"),
    path("releases/<int:made_id>/ask/", _staff(AskPage), name="ask"),
    path(
        "releases/<int:made_id>/questions/",
        _staff(QuestionsPage, http_method_names=["get", "head"]),
        name="questions",
    ),
    path(
        "releases/<int:made_id>/questions/open",
        _staff(QuestionsPage, http_method_names=["post"]),
        name="open",
    ),
    path("releases/<int:made_id>/questions/shut", queries_close, name="shut"),
]
