"""Permissions: the only functions that return staff objects.

A view gets its object from one of these functions, or the function ends the request: visitors who are not
logged in are redirected to the log-in page, a wrong role gets 403, and a missing object or someone else's
gets 404. Views have no other way to get an object, so they cannot forget the check.

=======================  ==========================================  =====================================
function                 admits                                      to
=======================  ==========================================  =====================================
``…_for_builder``        researchers; administrators                 their own surveys; all
``…_for_report``         reviewers, administrators; researchers      all; their own, unless the settings
                                                                     leave reports to reviewers
``may_take_rows``        administrators; researchers; reviewers      disguised rows of all; of their own; of
                         with the right to download rows             all, as files
``…_for_owner``          users whom the first two both admit         runs, to share their results
``…_for_reviewer``       reviewers, administrators                   all runs, to judge their rules
``…_for_staff``          users whom one of the first two admits      the same surveys, for pages that both
                                                                     share
``get_administrator``    administrators                              accounts, the audit log
``get_staff``            every member of the staff                   their own account
=======================  ==========================================  =====================================
"""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Concatenate, ParamSpec

from django.conf import settings
from django.contrib.auth.models import AnonymousUser, User
from django.contrib.auth.views import redirect_to_login
from django.core.exceptions import PermissionDenied
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponseBase
from django.shortcuts import get_object_or_404
from django.views.decorators.cache import never_cache

from surveys.accounts.roles import WORKING, Role, roles_of
from surveys.accounts.second_factor import second_factor_of
from surveys.models import Run, Survey


class SecondFactorMissing(PermissionDenied):
    """The settings require a second factor, and the account has none."""


def require_as_administrator(user: User) -> None:
    """Refuse administrators without a second factor, if the settings require one.

    Raises
    ------
    SecondFactorMissing
    """
    if "administrators" in settings.SECOND_FACTOR_FOR and Role.ADMINISTRATOR in roles_of(user):
        _require(user)


def require_to_export(user: User) -> None:
    """Refuse exports without a second factor, if the settings require one.

    Raises
    ------
    SecondFactorMissing
    """
    if "exports" in settings.SECOND_FACTOR_FOR:
        _require(user)


def _require(user: User) -> None:
    if second_factor_of(user) is None:
        raise SecondFactorMissing


Arguments = ParamSpec("Arguments")
View = Callable[Concatenate[HttpRequest, Arguments], HttpResponseBase]
Visitor = User | AnonymousUser


def staff_page(view: View[Arguments]) -> View[Arguments]:
    """Like `own_page`, and require a second factor if the settings do."""

    @own_page
    @wraps(view)
    def admit(request: HttpRequest, *args: Arguments.args, **kwargs: Arguments.kwargs) -> HttpResponseBase:
        require_as_administrator(get_staff(request.user))
        return view(request, *args, **kwargs)

    return admit


def own_page(view: View[Arguments]) -> View[Arguments]:
    """Redirect visitors who are not logged in to the log-in page, and refuse users who are not staff.

    Used for account pages, where a second factor is set up. Staff pages are never cached.
    """

    @never_cache
    @wraps(view)
    def guard(request: HttpRequest, *args: Arguments.args, **kwargs: Arguments.kwargs) -> HttpResponseBase:
        if not request.user.is_authenticated:
            return redirect_to_login(request.get_full_path())
        get_staff(request.user)
        return view(request, *args, **kwargs)

    return guard


def get_staff(user: Visitor) -> User:
    """Return the user if they are staff, with any role."""
    if isinstance(user, AnonymousUser) or not (user.is_active and user.is_staff):
        raise PermissionDenied
    return user


def get_administrator(user: Visitor) -> User:
    """Return the user if they are an administrator."""
    return _with_role(user, Role.ADMINISTRATOR)


def get_builder(user: Visitor) -> User:
    """Return the user if they may build surveys."""
    return _with_role(user, Role.RESEARCHER, Role.ADMINISTRATOR)


def get_surveys_for_builder(user: Visitor) -> QuerySet[Survey]:
    """Return the surveys that `user` may build: their own for a researcher, all for an administrator."""
    builder = get_builder(user)
    surveys = Survey.objects.order_by("slug")
    return surveys if Role.ADMINISTRATOR in roles_of(builder) else surveys.filter(owner=builder)


def get_survey_for_builder(user: Visitor, slug: str) -> Survey:
    """Return the survey with this slug, if `user` may build it."""
    return get_object_or_404(get_surveys_for_builder(user), slug=slug)


def get_surveys_for_report(user: Visitor) -> QuerySet[Survey]:
    """Return the surveys whose reports `user` may read."""
    if roles_of(user) & {Role.REVIEWER, Role.ADMINISTRATOR}:
        return Survey.objects.order_by("slug")
    if not settings.SOTTOVOCE_RESEARCHERS_READ_REPORTS:
        raise PermissionDenied
    return get_surveys_for_builder(user)


def get_survey_for_report(user: Visitor, slug: str) -> Survey:
    """Return the survey with this slug, if `user` may read its reports."""
    return get_object_or_404(get_surveys_for_report(user), slug=slug)


def get_run_for_report(user: Visitor, run_id: int) -> Run:
    """Return a run with its survey, version and job, if `user` may read its report."""
    return _run(get_surveys_for_report(user), run_id)


def get_run_for_owner(user: Visitor, run_id: int) -> Run:
    """Return a run, if `user` may read its report and build its survey."""
    get_surveys_for_report(user)
    return _run(get_surveys_for_builder(user), run_id)


def may_judge(user: Visitor) -> bool:
    """Return whether `user` is a reviewer or an administrator, for pages that several roles share."""
    return not roles_of(user).isdisjoint({Role.REVIEWER, Role.ADMINISTRATOR})


def get_surveys_for_reviewer(user: Visitor) -> QuerySet[Survey]:
    """Return the surveys whose rules `user` may judge; researchers may not judge rules."""
    _with_role(user, Role.REVIEWER, Role.ADMINISTRATOR)
    return get_surveys_for_report(user)


def get_run_for_reviewer(user: Visitor, run_id: int) -> Run:
    """Return a run, if `user` may judge its rules."""
    return _run(get_surveys_for_reviewer(user), run_id)


def get_surveys_for_staff(user: Visitor) -> QuerySet[Survey]:
    """Return the surveys that `user` may build or whose reports they may read; none without a role."""
    staff = get_staff(user)
    roles = roles_of(staff)
    surveys = Survey.objects.select_related("owner").order_by("slug")
    if roles & {Role.REVIEWER, Role.ADMINISTRATOR}:
        return surveys
    return surveys.filter(owner=staff) if Role.RESEARCHER in roles else surveys.none()


def get_survey_for_staff(user: Visitor, slug: str) -> Survey:
    """Return the survey with this slug, if `user` may build it or read its reports."""
    _with_role(user, *WORKING)
    return get_object_or_404(get_surveys_for_staff(user), slug=slug)


def may_build(user: Visitor, survey: Survey) -> bool:
    """Return whether `user` may build this survey, for links on pages that several roles share."""
    roles = roles_of(user)
    return Role.ADMINISTRATOR in roles or (Role.RESEARCHER in roles and survey.owner_id == user.pk)


def may_read_report(user: Visitor, survey: Survey) -> bool:
    """Return whether `user` may read this survey's reports, for links on pages that several roles share."""
    if roles_of(user) & {Role.REVIEWER, Role.ADMINISTRATOR}:
        return True
    return may_read_reports(user) and may_build(user, survey)


def may_take_rows(user: Visitor, survey: Survey) -> bool:
    """Return whether `user` may download a survey's disguised rows, as builder or by that right."""
    return may_read_report(user, survey) and (may_build(user, survey) or Role.ROWS in roles_of(user))


def check_may_take_rows(user: Visitor, survey: Survey) -> None:
    """Refuse users who may not download a survey's disguised rows."""
    if not may_take_rows(user, survey):
        raise PermissionDenied


def may_read_reports(user: Visitor) -> bool:
    """Return whether `user` may read reports at all."""
    roles = roles_of(user)
    if roles & {Role.REVIEWER, Role.ADMINISTRATOR}:
        return True
    return Role.RESEARCHER in roles and bool(settings.SOTTOVOCE_RESEARCHERS_READ_REPORTS)


def _with_role(user: Visitor, *roles: Role) -> User:
    staff = get_staff(user)
    if roles_of(staff).isdisjoint(roles):
        raise PermissionDenied
    return staff


def _run(surveys: QuerySet[Survey], run_id: int) -> Run:
    runs = Run.objects.select_related("survey__wave", "version__survey", "job")
    run = get_object_or_404(runs, pk=run_id, survey__in=surveys)
    run.version.survey = run.survey  # one object, loaded once
    return run
