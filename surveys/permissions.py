"""The only doors to what staff may see.

A view asks a door for its object and gets it, or the door ends the request: not logged in leads to the
log-in page, not staff to 403, no such object to 404. There is no other way to an object, so a view cannot
forget to ask.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Concatenate, ParamSpec

from django.contrib.auth.models import AnonymousUser, User
from django.contrib.auth.views import redirect_to_login
from django.core.exceptions import PermissionDenied
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponseBase
from django.shortcuts import get_object_or_404
from django.views.decorators.cache import never_cache

from surveys.models import Run, Survey

Arguments = ParamSpec("Arguments")
View = Callable[Concatenate[HttpRequest, Arguments], HttpResponseBase]


def staff_page(view: View[Arguments]) -> View[Arguments]:
    """Lead visitors who are not logged in to the log-in page, refuse those who are not staff.

    What staff see is kept by no cache.
    """

    @never_cache
    @wraps(view)
    def guarded(request: HttpRequest, *args: Arguments.args, **kwargs: Arguments.kwargs) -> HttpResponseBase:
        if not request.user.is_authenticated:
            return redirect_to_login(request.get_full_path())
        get_staff(request.user)
        return view(request, *args, **kwargs)

    return guarded


def get_surveys_for_staff(user: User | AnonymousUser) -> QuerySet[Survey]:
    """Return the surveys that `user` may see."""
    get_staff(user)
    return Survey.objects.order_by("slug")


def get_survey_for_staff(user: User | AnonymousUser, slug: str) -> Survey:
    """Return the survey with this slug, if `user` may see it."""
    return get_object_or_404(get_surveys_for_staff(user), slug=slug)


def get_run_for_staff(user: User | AnonymousUser, run_id: int) -> Run:
    """Return the run with this number, with its survey, version and job, if `user` may see it."""
    runs = Run.objects.select_related("survey", "version", "job")
    return get_object_or_404(runs, pk=run_id, survey__in=get_surveys_for_staff(user))


def get_staff(user: User | AnonymousUser) -> User:
    """Return who asks, if they are staff."""
    if isinstance(user, AnonymousUser) or not (user.is_active and user.is_staff):
        raise PermissionDenied
    return user
