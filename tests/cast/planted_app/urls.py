"""The addresses of the planted application."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.urls import path

from surveys.access.permissions import get_builder, staff_page
from surveys.api.door import answers


@staff_page
def page(request: HttpRequest) -> HttpResponse:
    """Show it to those who build."""
    get_builder(request.user)
    return HttpResponse("a planted page")


@answers
def answer(request: HttpRequest) -> dict[str, Any]:
    """Answer a program."""
    return {"height": 1}


urlpatterns = [path("plants/", page, name="page")]
