"""Sharing pages by an address: created and ended by builders of the survey, open to its holders."""

from __future__ import annotations

from typing import Any, Final

from django import forms
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_http_methods, require_POST

from surveys.access.permissions import get_run_for_owner, get_survey_for_builder, signed, staff_page
from surveys.access.shared_addresses import page_share, page_unshare
from surveys.models import Run, SharedPage, Survey
from surveys.report.run_page import with_results

_DAYS: Final = (
    (7, gettext_lazy("one week")),
    (30, gettext_lazy("30 days")),
    (90, gettext_lazy("90 days")),
    (365, gettext_lazy("one year")),
)


class ShareForm(forms.Form):
    """For how long an address shows a page."""

    days = forms.TypedChoiceField(label=gettext_lazy("Valid for"), choices=_DAYS, coerce=int, initial=30)


def share_asked(
    request: HttpRequest, survey: Survey, *, run: Run | None = None
) -> tuple[dict[str, Any], int]:
    """Make an address if one is asked for; return what the page that asks shows, and its status.

    The address is shown in this one answer.
    """
    kind = SharedPage.Kind.RISK if run is None else SharedPage.Kind.RESULTS
    form = ShareForm(request.POST if request.method == "POST" else None)
    made, status = None, 422 if form.is_bound else 200
    if form.is_valid():
        shared, token = page_share(survey, kind, run=run, **form.cleaned_data, **signed(request))
        address = request.build_absolute_uri(reverse(f"shared:{kind.value}", args=[token]))
        form, made, status = ShareForm(), {"address": address, "until": shared.until}, 200
    now = timezone.now()
    addresses = SharedPage.objects.filter(survey=survey, kind=kind, run=run)
    context = {
        "form": form,
        "made": made,
        "addresses": [(address, address.works(now=now)) for address in addresses],
        "shared_survey": survey.slug,
    }
    return context, status


@staff_page
@require_http_methods(["GET", "HEAD", "POST"])
def share(request: HttpRequest, run_id: int) -> HttpResponse:
    """List the addresses that show a run's results, and make one."""
    opened = with_results(get_run_for_owner(request.user, run_id))
    context, status = share_asked(request, opened.run.survey, run=opened.run)
    return render(request, "report/run_share.html", context | {"run": opened.run}, status=status)


@staff_page
@require_POST
def share_end(request: HttpRequest, slug: str, shared_id: int) -> HttpResponse:
    """End an address."""
    survey = get_survey_for_builder(request.user, slug)
    shared = get_object_or_404(SharedPage, pk=shared_id, survey=survey)
    if shared.run_id is not None:
        get_run_for_owner(request.user, shared.run_id)
    page_unshare(shared, **signed(request))
    messages.success(request, _("The link has ended."))
    if shared.kind == SharedPage.Kind.PREVIEW:
        return redirect("authoring:phone", slug)
    return redirect("audit:risk", slug) if shared.run_id is None else redirect("report:share", shared.run_id)
