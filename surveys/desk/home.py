"""The front page: what Sotto is for, and where each kind of visitor goes from here."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from surveys.models import Survey


@require_safe
def home(request: HttpRequest) -> HttpResponse:
    """Show what the product does, with a practice survey to try where one is open."""
    practice = Survey.objects.filter(practice=True, state="open").order_by("slug").first()
    return render(request, "home.html", {"practice": practice})
