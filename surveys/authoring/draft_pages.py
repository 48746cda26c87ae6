"""Pages that change a draft. If the survey is closed, they say so, and what to do instead."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Final

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from surveys.accounts.permissions import get_survey_for_builder
from surveys.models import Survey

_TYPED: Final = ("reason", "pasted")
"""Fields with text that a person wrote, which refusals must keep."""


def draft_page(view: Callable[[HttpRequest, Survey], HttpResponse]) -> Callable[..., HttpResponse]:
    """Pass a view the survey whose draft it changes, unless the survey is closed.

    For a closed survey, a GET shows why nothing can change. A POST does the same with status 409, and shows
    the text that it sent, so that it can be copied.

    Parameters
    ----------
    view : callable
        Receives the request and the survey, for users who may build it.

    Returns
    -------
    callable
        Receives the request and the survey's address.

    Raises
    ------
    Http404
        The user may not build this survey.
    """

    @wraps(view)
    def show(request: HttpRequest, slug: str) -> HttpResponse:
        survey = get_survey_for_builder(request.user, slug)
        if survey.state != Survey.State.CLOSED:
            return view(request, survey)
        texts = [text for name in _TYPED if (text := request.POST.get(name, ""))]
        context = {"survey": survey, "texts": texts}
        status = 409 if request.method == "POST" else 200
        return render(request, "authoring/closed.html", context, status=status)

    return show
