"""Pages of the search for the best design under limits: limits, progress, result."""

from __future__ import annotations

from decimal import Decimal
from typing import Any, Final

from django import forms
from django.contrib import messages
from django.db.models import QuerySet
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from privacy.coins import SCALE
from privacy.planning import DesignPoint
from privacy.planning.better_design import LARGEST_SIZE
from privacy.planning.planned_survey import MOST_QUESTIONS
from surveys.access.permissions import get_staff, get_survey_for_builder, signed, staff_page
from surveys.authoring.drafts import draft_save
from surveys.charts.planner_frontier import frontier_picture
from surveys.errors.error import SurveyError, field_error, in_sentences
from surveys.errors.kept_refusals import refusal_said
from surveys.formats.figures import number, plain
from surveys.jobs import lease
from surveys.models import DesignSearch, Job, Survey
from surveys.planner.forms import percent_field
from surveys.planner.search import (
    DESIGNS,
    MOST_LISTED,
    Wanted,
    design_search_ask,
    design_taken,
    rotating_saves,
)
from surveys.questionnaire.checks.drawn import prevalence_of
from surveys.questionnaire.definition import Definition
from surveys.questionnaire.draft_reading import draft_read
from surveys.questionnaire.joined_part import joinable
from surveys.runs.progress import queued_texts

_PEOPLE: Final = 1000
# As a float it is more than itself in decimals.
_LEAST: Final = Decimal("0.01")
START: Final[dict[str, Any]] = {
    "questions": 5,
    "prevalence": 20,
    "epsilon": 3,
    "distortion": "",
    "leakage": 1,
    "odds": "",
    "items": 2,
    "way": "all",
}


class SearchForm(forms.Form):
    """What the search is to keep; empty limits bound nothing."""

    way = forms.ChoiceField(
        label=gettext_lazy("Each person is asked"),
        choices=(("all", gettext_lazy("all questions")), ("some", gettext_lazy("some of them"))),
    )
    questions = forms.IntegerField(
        label=gettext_lazy("Yes/no questions"), min_value=1, max_value=MOST_QUESTIONS
    )
    prevalence = percent_field(gettext_lazy("Expected yes (%)"), digits=4)
    epsilon = forms.DecimalField(
        label=gettext_lazy("Ceiling of ε in all"),
        help_text=gettext_lazy("Needed where each person is asked some."),
        required=False,
        min_value=_LEAST,
        max_value=50,
        decimal_places=2,
        max_digits=4,
    )
    leakage = forms.DecimalField(
        label=gettext_lazy("Most bits a row tells (L)"),
        help_text=gettext_lazy("On average, all questions together."),
        required=False,
        min_value=0,
        max_value=60,
        decimal_places=3,
        max_digits=5,
    )
    distortion = percent_field(
        gettext_lazy("Most answers changed, % (D)"),
        gettext_lazy("The share that is sent otherwise than it was answered."),
        low="0",
        high="100",
        required=False,
    )
    odds = forms.DecimalField(
        label=gettext_lazy("Ceiling of the odds of one question"),
        help_text=gettext_lazy("Counts where each person is asked some. Empty: none."),
        required=False,
        min_value=Decimal("1.01"),
        max_value=1_000,
        decimal_places=2,
        max_digits=6,
    )
    items = forms.IntegerField(
        label=gettext_lazy("Largest itemset"),
        help_text=gettext_lazy("Counts where each person is asked some."),
        min_value=1,
        max_value=LARGEST_SIZE,
    )

    def clean(self) -> dict[str, Any]:
        """Refuse a search that has no answer."""
        values = super().clean() or self.cleaned_data
        if values.get("way") == "some" and not self.errors:
            if values["epsilon"] is None:
                self.add_error("epsilon", _("Give the ceiling of ε that the design must keep."))
            elif values["items"] > values["questions"]:
                self.add_error("items", field_error("plan.rotating"))
        return values

    def wanted(self) -> Wanted:
        """Return what is wanted; the form must be valid."""
        values = self.cleaned_data
        rotating = values["way"] == "some"

        def limit(name: str, *, of: bool, scale: float = 1.0) -> float | None:
            return float(values[name]) / scale if of and values[name] is not None else None

        return Wanted(
            questions=values["questions"],
            prevalence=int(values["prevalence"] * SCALE / 100),
            rotating=rotating,
            distortion=limit("distortion", of=not rotating, scale=100),
            leakage=limit("leakage", of=not rotating),
            epsilon=limit("epsilon", of=True),
            odds=limit("odds", of=rotating),
            items=values["items"],
        )


@staff_page
@require_http_methods(["GET", "HEAD", "POST"])
def search_begin(request: HttpRequest) -> HttpResponse:
    """Ask what is wanted, and have it searched for."""
    mine = DesignSearch.objects.filter(survey=None, job__requested_by=get_staff(request.user))
    return _begin(request, None, START, mine)


@staff_page
@require_http_methods(["GET", "HEAD", "POST"])
def survey_search_begin(request: HttpRequest, slug: str) -> HttpResponse:
    """Ask what is wanted of a draft's yes/no questions, beginning with its own values."""
    survey = get_survey_for_builder(request.user, slug)
    definition = draft_read(survey).designed
    start = START | (start_of_search(definition) if definition else {})
    return _begin(request, survey, start, DesignSearch.objects.filter(survey=survey))


def _begin(
    request: HttpRequest, survey: Survey | None, start: dict[str, Any], earlier: QuerySet[DesignSearch]
) -> HttpResponse:
    form = SearchForm(request.POST if request.method == "POST" else None, initial=start, label_suffix="")
    if form.is_valid():
        made = design_search_ask(form.wanted(), survey=survey, by=get_staff(request.user), now=timezone.now())
        return redirect("planner:search", made.pk)
    context = {
        "survey": survey,
        "form": form,
        "earlier": [
            (search.pk, asked_text(search), search.job)
            for search in earlier.select_related("job")[:MOST_LISTED]
        ],
    }
    return render(request, "planner/search_begin.html", context, status=422 if form.is_bound else 200)


def start_of_search(definition: Definition) -> dict[str, Any]:
    """Return what a search begins with that is like this draft."""
    stated = prevalence_of(definition.document)
    questions = [question for block in joinable(definition.design) for question in block.questions]
    yes_no = [question for question in questions if question.kind == "yes_no"]
    if not yes_no:
        return {}
    share = sum(stated[question.key][0] for question in yes_no) / len(yes_no)
    held = min(max(share, 1), SCALE - 1)
    return {"questions": min(len(yes_no), MOST_QUESTIONS), "prevalence": round(100 * held / SCALE, 2)}


@staff_page
@require_safe
def search(request: HttpRequest, search_id: int) -> HttpResponse:
    """Show the progress of a search, or its result."""
    design_search = _search(request, search_id)
    context: dict[str, Any] = {
        "survey": design_search.survey,
        "search": design_search,
        "asked": asked_text(design_search),
        "again": _again(design_search),
    }
    if not design_search.job.is_over:
        return render(request, "planner/search_waiting.html", context | {"now": _progress(design_search.job)})
    if design_search.found is None:
        context["problem"] = refusal_said(design_search.job.message)
    else:
        context |= (
            rotations_shown(design_search.found)
            if design_search.asked["rotating"]
            else coins_shown(design_search.found)
        )
        context |= _takeable(design_search)
    return render(request, "planner/search.html", context)


@staff_page
@require_safe
def search_progress(request: HttpRequest, search_id: int) -> JsonResponse:
    """Return the progress of the search for the waiting page."""
    job = _search(request, search_id).job
    return JsonResponse({"over": True} if job.is_over else {"over": False, **_progress(job)})


@staff_page
@require_POST
def search_cancel(request: HttpRequest, search_id: int) -> HttpResponse:
    """Stop a search that is not over."""
    design_search = _search(request, search_id)
    if not lease.cancel(design_search.job_id, now=timezone.now()):
        messages.info(request, _("The search was over before it could be stopped."))
    return redirect("planner:search", design_search.pk)


@staff_page
@require_POST
def search_take(request: HttpRequest, search_id: int) -> HttpResponse:
    """Take the design that was found into the draft that it was searched for."""
    design_search = _search(request, search_id)
    if design_search.survey is None:
        raise Http404
    survey, revision = design_search.survey, request.POST.get("revision", "")
    definition = draft_read(survey).designed
    document = None if definition is None else design_taken(definition, design_search)
    if document is None or not revision.isascii() or not revision.isdecimal():
        messages.error(request, _("There is nothing to take: the draft was changed meanwhile."))
        return redirect("planner:search", design_search.pk)
    try:
        draft_save(
            survey,
            document,
            revision=int(revision),
            **signed(request),
        )
    except SurveyError as error:
        messages.error(request, in_sentences(error.message, error.remedy))
        return redirect("planner:search", design_search.pk)
    messages.success(request, _("The draft has the design that was found. Nothing is published yet."))
    return redirect("planner:survey", survey.slug)


def _search(request: HttpRequest, search_id: int) -> DesignSearch:
    """Return a search of one's own, or one for a survey that one may build."""
    staff = get_staff(request.user)
    design_search = get_object_or_404(DesignSearch.objects.select_related("job", "survey"), pk=search_id)
    if design_search.survey is not None:
        get_survey_for_builder(request.user, design_search.survey.slug)
    elif design_search.job.requested_by_id != staff.pk:
        raise Http404
    return design_search


def _again(design_search: DesignSearch) -> str:
    if design_search.survey is None:
        return reverse("planner:search_begin")
    return reverse("planner:survey_search_begin", args=[design_search.survey.slug])


def _takeable(design_search: DesignSearch) -> dict[str, Any]:
    """Say whether what was found can be taken into the draft as it is now."""
    if design_search.survey is None:
        return {}
    definition = draft_read(design_search.survey).designed
    document = None if definition is None else design_taken(definition, design_search)
    return {"takes": document is not None, "revision": design_search.survey.revision}


def asked_text(design_search: DesignSearch) -> str:
    """Write what was asked for in one line.

    The share and the limits follow the number of questions, for people who made several searches.
    """
    wanted = Wanted(**design_search.asked)
    parts = [
        _("%(count)s yes/no questions") % {"count": wanted.questions},
        _("yes from %(share)s") % {"share": _percent(wanted.prevalence / SCALE)},
    ]
    if wanted.rotating:
        parts.append(_("each person is asked some"))
    if wanted.epsilon is not None:
        parts.append(f"ε ≤ {number(wanted.epsilon, 2)}")
    if wanted.leakage is not None:
        parts.append(_("L ≤ %(bits)s bits") % {"bits": number(wanted.leakage, 3)})
    if wanted.distortion is not None:
        parts.append(f"D ≤ {_percent(wanted.distortion)}")
    if wanted.odds is not None:
        parts.append(_("odds ≤ %(odds)s") % {"odds": number(wanted.odds, 2)})
    return " · ".join(parts)


def _progress(job: Job) -> dict[str, Any]:
    if job.state == Job.State.QUEUED:
        headline, detail = queued_texts(job, timezone.now())
        return {"state": job.state, "headline": headline, "detail": detail, "percent": None, "expected": ""}
    headline = _("Trying designs") if job.stage in ("", DESIGNS) else _("Looking for the best split")
    return {
        "state": job.state,
        "headline": headline,
        "detail": "",
        "percent": round(100 * job.done / job.total) if job.total else None,
        "expected": _("Usually a matter of seconds; with many questions of a minute."),
    }


def coins_shown(record: dict[str, Any]) -> dict[str, Any]:
    """Return the designs that ask all questions of each person, ready to print, with their picture."""
    edge = [DesignPoint(**point) for point in record["frontier"]]
    best = None if record["best"] is None else DesignPoint(**record["best"])
    return {
        "best": None if best is None else _coin_line(best),
        "lines": [_coin_line(point) for point in edge],
        "picture": frontier_picture(edge, best),
    }


def _coin_line(point: DesignPoint) -> dict[str, str]:
    return {
        "p": _percent(point.truth_probability / SCALE),
        "theta": _percent(point.unrelated / SCALE),
        "size": str(point.block_size),
        "distortion": _percent(point.distortion),
        "leakage": number(point.leakage, 3),
        "epsilon": number(point.epsilon, 2),
        "error": number(100 * point.standard_error / _PEOPLE**0.5, 1),
    }


def rotations_shown(record: dict[str, Any]) -> dict[str, Any]:
    """Return the designs where each person is asked some, ready to print."""
    return {
        "designs": [
            {
                "asked": str(design["asked"]),
                "radius": str(design["radius"]),
                "epsilon": number(design["epsilon"], 2),
                "odds": number(design["odds"], 2),
                "error": _error(design["variance"]),
            }
            for design in record["designs"]
        ],
        "nothing_saved": rotating_saves(record) is None,
        "split": ", ".join(map(str, record["split"])),
        "split_error": _error(record["split_variance"]),
        "bound": _error(record["bound"]),
    }


def _error(variance: float) -> str:
    """Write the standard error with 1,000 people in points."""
    return number(100 * (variance / _PEOPLE) ** 0.5, 1)


def _percent(share: float) -> str:
    return _("%(share)s %%") % {"share": plain(100 * share)}
