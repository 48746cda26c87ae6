"""The pages of the papers' experiments: the list, and for each one its form, its progress and its result."""

from __future__ import annotations

import json
from typing import Any

from django import forms
from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.urls import path, reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from surveys.access.form_page import FormPage
from surveys.access.permissions import get_analyst, staff_page
from surveys.charts.page_figures import pictures_in
from surveys.errors.kept_refusals import refusal_said
from surveys.formats.attachments import whole_file
from surveys.models import Job
from surveys.templatetags.components import way
from trials.experiments.running import PAPERS, experiment_cancel, experiment_request, progress_of
from trials.models import Experiment
from trials.pages.paper import Paper, table_csv

SHOWN = 3
"""So many pictures stand open on a page; the others are unfolded."""


@staff_page
@require_safe
def papers(request: HttpRequest) -> HttpResponse:
    """List the papers, each with its claim and the day of its last result."""
    get_analyst(request.user)
    finished = dict(Experiment.objects.values_list("paper", "finished_at"))
    listed = [{"paper": paper, "finished_at": finished.get(name)} for name, paper in PAPERS.items()]
    return render(request, "trials/experiments.html", {"listed": listed})


class ExperimentPage(FormPage):
    """Asks for the numbers of a run, and shows how far it is and what the last one gave."""

    template_name = "trials/experiment.html"

    def prepare(self) -> None:
        """Go through the analyst's door."""
        get_analyst(self.request.user)
        self.paper = _paper(self.kwargs["paper"])
        self.experiment = Experiment.objects.select_related("job").filter(paper=self.paper.name).first()

    def get_form(self, _form_class: object = None) -> forms.Form:
        """Return the form with what gives an answer within a minute."""
        form = forms.Form(*self.sent)
        for number in self.paper.numbers:
            form.fields[number.name] = forms.IntegerField(
                label=number.label,
                initial=number.brief,
                min_value=number.least,
                max_value=number.most,
                help_text=""
                if number.brief == number.full
                else _("%(brief)s ends within a minute; the documents have %(full)s.")
                % {"brief": number.brief, "full": number.full},
            )
        return form

    def service(self, form: forms.Form) -> HttpResponse:
        """Have a worker run it."""
        experiment_request(self.paper, form.cleaned_data, by=self.staff, now=timezone.now())
        return redirect("experiments:experiment", self.paper.name)

    def first_problem(self) -> str:
        """Say why the last run gave nothing, where it failed."""
        job = self.experiment.job if self.experiment else None
        return refusal_said(job.message) if job is not None and job.state == Job.State.FAILED else ""

    def get_context_data(self, **more: Any) -> dict[str, Any]:
        """Return the run at work and the last result beside the form."""
        job = self.experiment.job if self.experiment else None
        return super().get_context_data(
            paper=self.paper,
            progress=progress_of(job) if job is not None and not job.is_over else None,
            result=_result(self.paper, self.experiment) if self.experiment else None,
            crumbs=way(
                [(reverse("experiments:papers"), _("Experiments"))], str(self.paper.title), printed=False
            ),
            **more,
        )


def _result(paper: Paper, experiment: Experiment) -> dict[str, Any] | None:
    """Return what is shown of the last result; None where there is none yet."""
    if experiment.finished_at is None:
        return None
    tables, parameters = json.loads(experiment.tables), experiment.parameters
    drawn = paper.pictures(tables, parameters, False).values()
    pictures = [(next(pictures_in(picture))[0], picture) for picture in drawn]
    return {
        "facts": paper.facts(tables, parameters),
        "pictures": pictures[:SHOWN],
        "more": pictures[SHOWN:],
        "tables": list(tables),
        "parameters": [(number.label, parameters[number.name]) for number in paper.numbers],
        "command": f"{paper.command(parameters)} --out DIR",
        "finished_at": experiment.finished_at,
        "version": experiment.version,
    }


@staff_page
@require_safe
def progress(request: HttpRequest, paper: str) -> JsonResponse:
    """Return the progress of the run at work, for the waiting page."""
    get_analyst(request.user)
    job = Job.objects.filter(experiment__paper=_paper(paper).name).first()
    if job is None or job.is_over:
        return JsonResponse({"over": True})
    return JsonResponse({"over": False, **progress_of(job)})


@staff_page
@require_POST
def cancel(request: HttpRequest, paper: str) -> HttpResponse:
    """Cancel the run at work; the last result stays."""
    analyst = get_analyst(request.user)
    experiment = Experiment.objects.filter(paper=_paper(paper).name).first()
    if experiment is not None and experiment_cancel(experiment, by=analyst, now=timezone.now()):
        messages.success(request, _("It is cancelled. The result before it stays."))
    else:
        messages.info(request, _("The job was over before it could be cancelled."))
    return redirect("experiments:experiment", paper)


@staff_page
@require_safe
def points(request: HttpRequest, paper: str, table: str) -> HttpResponse:
    """Send a table of the last result as CSV."""
    get_analyst(request.user)
    experiment = Experiment.objects.filter(paper=_paper(paper).name).first()
    tables = {} if experiment is None else json.loads(experiment.tables)
    if table not in tables:
        raise Http404
    name = f"{paper}-{table}.csv"
    return whole_file(table_csv(tables[table]), "text/csv; charset=utf-8", name)


def _paper(name: str) -> Paper:
    if name not in PAPERS:
        raise Http404
    return PAPERS[name]


urlpatterns = [
    path("experiments/", papers, name="papers"),
    path("experiments/<slug:paper>/", staff_page(ExperimentPage.as_view()), name="experiment"),
    path("experiments/<slug:paper>/progress", progress, name="progress"),
    path("experiments/<slug:paper>/cancel", cancel, name="cancel"),
    path("experiments/<slug:paper>/<slug:table>.csv", points, name="points"),
]
