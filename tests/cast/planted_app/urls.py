"""The addresses of the planted application."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.urls import path

from surveys.access.permissions import get_builder, staff_page


@staff_page
def page(request: HttpRequest) -> HttpResponse:
    """Show it to those who build."""
    get_builder(request.user)
    return HttpResponse("a planted page")


urlpatterns = [path("plants/", page, name="page")]
