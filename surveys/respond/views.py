"""The page of a survey, for those who answer it. It sets no cookie, and answers never come here."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.cache import cache_control
from django.views.decorators.http import require_safe

from surveys.models import Survey
from surveys.respond.page import respondent_page, survey_by_slug
from surveys.respond.texts import delivery_texts


@require_safe
@cache_control(no_store=True)
def page(request: HttpRequest, slug: str) -> HttpResponse:
    """Show the survey, or say why it cannot be answered and what to do."""
    survey = survey_by_slug(slug)
    if survey is None:
        return render(request, "respond/missing.html", {"slug": slug}, status=404)
    if survey.state in (Survey.State.DRAFT, Survey.State.PLANNED):
        return render(request, "respond/draft.html", {"title": survey.title_text}, status=404)
    if survey.state == Survey.State.CLOSED:
        # A body that was sealed in time may still wait on this device, and is accepted for a while.
        data = {"survey": survey.slug, "submit": reverse("submit"), "texts": delivery_texts()}
        return render(request, "respond/closed.html", {"title": survey.title_text, "data": data}, status=410)
    return render(request, "respond/page.html", {"page": respondent_page(survey)})
