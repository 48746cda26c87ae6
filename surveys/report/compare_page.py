"""The page that sets two runs of a survey side by side."""

from __future__ import annotations

from django import forms
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_safe

from surveys.access.permissions import get_survey_for_report, staff_page
from surveys.errors.error import field_error
from surveys.figures.compare import compare_runs
from surveys.figures.run_summary import shown_of
from surveys.formats.figures import number
from surveys.models import Run, Survey
from surveys.questionnaire.design_summary import block_lines


class CompareForm(forms.Form):
    """Which two runs."""

    first = forms.TypedChoiceField(label=gettext_lazy("Run"), coerce=int)
    second = forms.TypedChoiceField(label=gettext_lazy("With run"), coerce=int)

    def __init__(self, *args: object, runs: list[Run], **options: object) -> None:
        super().__init__(*args, **options)  # type: ignore[arg-type]  # as Django's form takes them
        for name in ("first", "second"):
            self.fields[name].choices = [(run.pk, _named(run)) for run in runs]  # type: ignore[attr-defined]

    def clean(self) -> dict[str, int]:
        """Refuse a run with itself."""
        given = super().clean() or self.cleaned_data
        if given.get("first") and given.get("first") == given.get("second"):
            raise field_error("same")
        return given


@staff_page
@require_safe
def compare(request: HttpRequest, slug: str) -> HttpResponse:
    """Compare two finished runs; by default the newest two."""
    survey = get_survey_for_report(request.user, slug)
    runs = _comparable(survey)
    given = request.GET if "first" in request.GET else None
    if given is None and len(runs) > 1:
        given = {"first": str(runs[1].pk), "second": str(runs[0].pk)}  # type: ignore[assignment]
    form = CompareForm(given, runs=runs)
    context: dict[str, object] = {"survey": survey, "form": form, "n_runs": len(runs)}
    if form.is_valid():
        chosen = {form.cleaned_data["first"], form.cleaned_data["second"]}
        earlier, later = sorted((run for run in runs if run.pk in chosen), key=_age)
        names = block_lines(later.version, later.version.to_design())
        compared = compare_runs(earlier, later)
        context |= {"first": earlier.pk, "second": later.pk, "found": compared, "names": names}
    return render(request, "report/compare.html", context, status=422 if form.errors else 200)


def _comparable(survey: Survey) -> list[Run]:
    runs = survey.runs.select_related("survey", "version", "job").filter(job__state="finished")
    return [run for run in runs if shown_of(run).results]


def _age(run: Run) -> tuple[int, int]:
    """The one that read fewer rows first."""
    return (run.last_batch or 0, run.pk)


def _named(run: Run) -> str:
    return _("run %(run)s: support from %(support)s, up to %(size)s items, %(day)s") % {
        "run": run.pk,
        "support": number(run.parameters["support"]),
        "size": run.parameters["max_size"],
        "day": run.job.created_at.date().isoformat(),
    }
