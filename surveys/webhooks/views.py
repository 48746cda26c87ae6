"""The pages of webhooks: of one survey for its owner, of all surveys for administrators."""

from __future__ import annotations

from typing import Any

from django import forms
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import path
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from surveys.access.permissions import (
    get_administrator,
    get_builder,
    get_staff,
    get_survey_for_builder,
    may_read_report,
    staff_page,
)
from surveys.errors.core_refusals import sentences
from surveys.errors.error import SurveyError
from surveys.models import Survey, Webhook, WebhookDelivery
from surveys.webhooks.hooks import (
    webhook_end,
    webhook_make,
    webhook_redeliver,
    webhook_rotate,
    webhook_test,
)

PROBLEMS = {
    "address": gettext_lazy("The address is none that may be told."),
    "private": gettext_lazy("The address is of a private network."),
    "name": gettext_lazy("The name of the server is not known."),
    "tls": gettext_lazy("The certificate of the server does not hold."),
    "time": gettext_lazy("The server took too long."),
    "connection": gettext_lazy("The server could not be reached."),
    "redirect": gettext_lazy("The server points to another address. Write that one here."),
    "status": gettext_lazy("The server refused it."),
    "key": gettext_lazy("The key does not open: the server’s secret key has changed. Make a new key."),
    "fault": gettext_lazy("The work stopped here. The worker’s log has the details."),
}


class WebhookForm(forms.Form):
    """Address and events of a webhook."""

    url = forms.CharField(
        label=gettext_lazy("Address of your program"),
        max_length=Webhook._meta.get_field("url").max_length,
        widget=forms.URLInput,
    )
    run_finished = forms.BooleanField(label=gettext_lazy("a run finished"), required=False, initial=True)
    survey_closed = forms.BooleanField(label=gettext_lazy("a survey closed"), required=False, initial=True)

    def __init__(self, *args: Any, may_read: bool, **options: Any) -> None:
        super().__init__(*args, **options)
        if not may_read:
            # Who reads no report is not told of runs either.
            del self.fields["run_finished"]

    def clean(self) -> dict[str, Any]:
        """Require at least one event."""
        given = super().clean() or self.cleaned_data
        if not given.get("run_finished") and not given.get("survey_closed"):
            self.add_error(None, _("Choose what your program is told."))
        return given


@staff_page
@require_http_methods(["GET", "HEAD", "POST"])
def of_survey(request: HttpRequest, slug: str) -> HttpResponse:
    """List the webhooks of a survey, and make one."""
    return _page(request, get_survey_for_builder(request.user, slug))


@staff_page
@require_http_methods(["GET", "HEAD", "POST"])
def of_all(request: HttpRequest) -> HttpResponse:
    """List the webhooks of all surveys together, and make one."""
    get_administrator(request.user)
    return _page(request, None)


@staff_page
@require_safe
def hook(request: HttpRequest, hook_id: int) -> HttpResponse:
    """Show a webhook with its last messages."""
    webhook = _hook(request, hook_id)
    return _hook_page(request, webhook)


@staff_page
@require_POST
def rotate(request: HttpRequest, hook_id: int) -> HttpResponse:
    """Give a webhook another key; it is shown in this one answer."""
    webhook = _hook(request, hook_id)
    key = webhook_rotate(webhook, by=_by(request), now=timezone.now())
    return _hook_page(request, webhook, key=key)


@staff_page
@require_POST
def test(request: HttpRequest, hook_id: int) -> HttpResponse:
    """Send a test."""
    webhook_test(_hook(request, hook_id), by=_by(request), now=timezone.now())
    messages.success(request, _("A test is on its way. Load this page again in a moment."))
    return redirect("webhooks:hook", hook_id)


@staff_page
@require_POST
def end(request: HttpRequest, hook_id: int) -> HttpResponse:
    """End a webhook."""
    webhook = _hook(request, hook_id)
    survey = webhook.survey
    webhook_end(webhook, by=_by(request))
    messages.success(request, _("That address is told nothing any more."))
    return redirect("webhooks:of_all") if survey is None else redirect("webhooks:of_survey", survey.slug)


@staff_page
@require_POST
def redeliver(request: HttpRequest, delivery_id: int) -> HttpResponse:
    """Send a message again."""
    get_builder(request.user)
    delivery = get_object_or_404(WebhookDelivery.objects.select_related("webhook"), pk=delivery_id)
    _hook(request, delivery.webhook_id)
    webhook_redeliver(delivery, by=_by(request), now=timezone.now())
    messages.success(request, _("It is sent again. Load this page again in a moment."))
    return redirect("webhooks:hook", delivery.webhook_id)


def _page(request: HttpRequest, survey: Survey | None) -> HttpResponse:
    may_read = survey is None or may_read_report(request.user, survey)
    form = WebhookForm(request.POST if request.method == "POST" else None, may_read=may_read)
    status = 422 if form.is_bound else 200
    if form.is_valid():
        given = form.cleaned_data
        try:
            made, key = webhook_make(
                survey,
                url=given["url"],
                run_finished=given.get("run_finished", False),
                survey_closed=given["survey_closed"],
                by=_by(request),
                now=timezone.now(),
            )
        except SurveyError as error:
            form.add_error("url" if error.code == "webhook_address" else None, sentences(error))
        else:
            return _hook_page(request, made, key=key)
    hooks = Webhook.objects.filter(survey=survey)
    context = {"survey": survey, "form": form, "hooks": hooks}
    return render(request, "webhooks/webhooks.html", context, status=status)


def _hook_page(request: HttpRequest, webhook: Webhook, *, key: str = "") -> HttpResponse:
    last = [
        (delivery, PROBLEMS.get(delivery.problem, ""))
        for delivery in webhook.deliveries.select_related("job")[:50]
    ]
    context = {"hook": webhook, "survey": webhook.survey, "key": key, "deliveries": last}
    return render(request, "webhooks/webhook.html", context)


def _hook(request: HttpRequest, hook_id: int) -> Webhook:
    """Return a webhook, if who asks may build its survey; of all surveys, if they administer."""
    get_builder(request.user)
    webhook = get_object_or_404(Webhook.objects.select_related("survey"), pk=hook_id)
    if webhook.survey is None:
        get_administrator(request.user)
    else:
        get_survey_for_builder(request.user, webhook.survey.slug)
    return webhook


def _by(request: HttpRequest) -> str:
    return get_staff(request.user).get_username()


urlpatterns = [
    path("surveys/<slug:slug>/webhooks/", of_survey, name="of_survey"),
    path("webhooks/", of_all, name="of_all"),
    path("webhooks/<int:hook_id>/", hook, name="hook"),
    path("webhooks/<int:hook_id>/rotate", rotate, name="rotate"),
    path("webhooks/<int:hook_id>/test", test, name="test"),
    path("webhooks/<int:hook_id>/end", end, name="end"),
    path("webhooks/deliveries/<int:delivery_id>/redeliver", redeliver, name="redeliver"),
]
