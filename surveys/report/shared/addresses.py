"""Addresses that share results or the risk page: staff create, list and end them."""

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

from surveys.accounts.authorship import by_and_now
from surveys.accounts.page_sharing import page_share, page_unshare
from surveys.accounts.permissions import get_run_for_owner, get_survey_for_builder, staff_page
from surveys.models import Run, SharedPage, Survey
from surveys.report.opened_run import with_results

_DAYS: Final = (
    (7, gettext_lazy("one week")),
    (30, gettext_lazy("30 days")),
    (90, gettext_lazy("90 days")),
    (365, gettext_lazy("one year")),
)


class ShareForm(forms.Form):
    """How long a shared address is valid."""

    days = forms.TypedChoiceField(label=gettext_lazy("Valid for"), choices=_DAYS, coerce=int, initial=30)


def process_share_form(
    request: HttpRequest, survey: Survey, *, run: Run | None = None
) -> tuple[dict[str, Any], int]:
    """Create a shared address if the request asks for one; return the page's context and status.

    The address appears only in this one response.
    """
    kind = SharedPage.Kind.RISK if run is None else SharedPage.Kind.RESULTS
    form = ShareForm(request.POST if request.method == "POST" else None)
    new_link, status = None, 422 if form.is_bound else 200
    if form.is_valid():
        page, token = page_share(survey, kind, run=run, **form.cleaned_data, **by_and_now(request))
        address = request.build_absolute_uri(reverse(f"shared:{kind.value}", args=[token]))
        form, new_link, status = ShareForm(), {"address": address, "until": page.until}, 200
    now = timezone.now()
    addresses = SharedPage.objects.filter(survey=survey, kind=kind, run=run)
    context = {
        "form": form,
        "made": new_link,
        "addresses": [(address, address.works(now=now)) for address in addresses],
        "shared_survey": survey.slug,
    }
    return context, status


@staff_page
@require_http_methods(["GET", "HEAD", "POST"])
def share(request: HttpRequest, run_id: int) -> HttpResponse:
    """List the addresses that share a run's results, and create new ones."""
    open_run = with_results(get_run_for_owner(request.user, run_id))
    context, status = process_share_form(request, open_run.run.survey, run=open_run.run)
    return render(request, "report/shared/run_share.html", context | {"run": open_run.run}, status=status)


@staff_page
@require_POST
def share_end(request: HttpRequest, slug: str, shared_id: int) -> HttpResponse:
    """End a shared address."""
    survey = get_survey_for_builder(request.user, slug)
    page = get_object_or_404(SharedPage, pk=shared_id, survey=survey)
    if page.run_id is not None:
        get_run_for_owner(request.user, page.run_id)
    page_unshare(page, **by_and_now(request))
    messages.success(request, _("The link has ended."))
    return redirect("audit:risk", slug) if page.run_id is None else redirect("report:share", page.run_id)
