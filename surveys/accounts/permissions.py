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

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import datetime
from functools import wraps
from typing import Any, Concatenate, Final, ParamSpec, TypedDict

from django import forms
from django.conf import settings
from django.contrib.auth.models import AnonymousUser, Group, User
from django.contrib.auth.views import redirect_to_login
from django.core.exceptions import PermissionDenied
from django.db import models
from django.db.models import QuerySet, prefetch_related_objects
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import get_object_or_404
from django.utils import timezone
from django.utils.decorators import method_decorator
from django.utils.functional import SimpleLazyObject
from django.utils.translation import gettext_lazy as _
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters
from django.views.generic import FormView

from privacy.errors import PrivacyError
from surveys.errors.error import sentences
from surveys.extension import MenuEntry, extensions
from surveys.models import AuthenticatorApp, Run, StaffPreference, Survey


class Role(models.TextChoices):
    """Role of a member of the staff; each value is the name of a group.

    A researcher builds their own surveys. A reviewer reads the reports of all surveys and judges rules. An
    administrator does both for all surveys, and manages accounts. One person can have several roles. The
    right to download rows opens no page. It adds the disguised rows of other people's surveys whose reports
    the user may read.
    """

    RESEARCHER = "researcher", _("researcher")
    REVIEWER = "reviewer", _("reviewer")
    ADMINISTRATOR = "administrator", _("administrator")
    ROWS = "rows", _("can download answers")


WORKING: Final = frozenset({Role.RESEARCHER, Role.REVIEWER, Role.ADMINISTRATOR})
"""Roles that open pages; every account has at least one of them."""


def roles_of(user: User | AnonymousUser) -> frozenset[Role]:
    """Return the roles that a user has at present; none for inactive accounts and non-staff."""
    if isinstance(user, AnonymousUser) or not (user.is_active and user.is_staff):
        return frozenset()
    return stored_roles(user)


def stored_roles(user: User) -> frozenset[Role]:
    """Return an account's roles, even if it is stopped."""
    # One query per account object, however many checks there are. Changing its groups resets this.
    prefetch_related_objects([user], "groups")
    names = {group.name for group in user.groups.all()}
    roles = {role for role in Role if role.value in names}
    if user.is_superuser:
        roles.add(Role.ADMINISTRATOR)
    return frozenset(roles)


def preference_of(user: User) -> StaffPreference:
    """Return an account's display settings; unsaved defaults (plain pages) if it has none."""
    return getattr(user, "staff_preference", None) or StaffPreference(user=user)


def is_expert(user: User | AnonymousUser) -> bool:
    """Return whether an account sees content for experts."""
    return isinstance(user, User) and preference_of(user).is_expert


def roles_keep(user: User, roles: Iterable[Role]) -> None:
    """Set a user's roles; the caller checks permission and writes the event."""
    role_set = frozenset(roles)
    groups = [Group.objects.get_or_create(name=role.value)[0] for role in Role if role in role_set]
    others = user.groups.exclude(name__in=Role.values)
    user.groups.set([*others, *groups])
    if user.is_superuser and Role.ADMINISTRATOR not in role_set:
        user.is_superuser = False
        user.save(update_fields=["is_superuser"])


class SecondFactorMissing(PermissionDenied):
    """The settings require a second factor, and the account has none."""


def second_factor_of(user: User) -> AuthenticatorApp | None:
    """Return an account's confirmed authenticator app; None if it has none."""
    device: AuthenticatorApp | None = AuthenticatorApp.objects.filter(user=user, confirmed=True).first()
    return device


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


class Authorship(TypedDict):
    """User name and time of a write, as arguments of services."""

    by: str
    now: datetime


def by_and_now(request: HttpRequest) -> Authorship:
    """Return the user's name, if they are staff, and the time."""
    return {"by": get_staff(request.user).get_username(), "now": timezone.now()}


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
    runs = Run.objects.select_related("survey__wave", "version", "job")
    run = get_object_or_404(runs, pk=run_id, survey__in=surveys)
    run.version.survey = run.survey  # one object, loaded once
    return run


@dataclass(frozen=True, kw_only=True)
class StaffMenu:
    """Which areas to show to a user; permissions still decide about access."""

    is_staff: bool = False
    has_role: bool = False
    builds: bool = False
    reviews: bool = False
    administers: bool = False
    name: str = ""
    expert: bool = False
    has_seen_way: bool = True

    @property
    def menu(self) -> list[MenuEntry]:
        """Menu entries of the enabled applications that the user's roles can open."""
        return [entry for app in extensions() for entry in app.menu if getattr(self, entry.opens_to)]


def staff_menu_of(user: User | AnonymousUser) -> StaffMenu:
    """Return which areas to show to a user."""
    if isinstance(user, AnonymousUser):
        return StaffMenu()
    roles = roles_of(user)
    administers = Role.ADMINISTRATOR in roles
    is_staff = user.is_active and user.is_staff
    preference = preference_of(user) if is_staff else StaffPreference()
    return StaffMenu(
        is_staff=is_staff,
        has_role=not roles.isdisjoint(WORKING),
        builds=administers or Role.RESEARCHER in roles,
        reviews=administers or Role.REVIEWER in roles,
        administers=administers,
        name=user.get_full_name() or user.get_username(),
        expert=preference.is_expert,
        has_seen_way=preference.has_seen_way,
    )


def staff(request: HttpRequest) -> dict[str, object]:
    """Add the visitor's menu to the template context, lazily: pages without it make no query."""
    return {"staff": SimpleLazyObject(lambda: staff_menu_of(request.user))}


@method_decorator(sensitive_post_parameters(), name="dispatch")
class FormPage(FormView):
    """Base view that shows a form and passes valid submissions to a service."""

    http_method_names = ["get", "head", "post"]

    def prepare(self) -> HttpResponse | None:
        """Check permissions and load what the page needs; a returned response replaces the page."""
        raise NotImplementedError

    def service(self, form: Any) -> HttpResponse:
        """Process the submission, and redirect."""
        raise NotImplementedError

    def first_problem(self) -> str:
        """Return a problem to show before anything is submitted."""
        return ""

    @property
    def staff(self) -> User:
        """Return the user who makes the request."""
        return get_staff(self.request.user)

    @property
    def form_data(self) -> tuple[Any, ...]:
        """Return the submitted data as arguments for a form; empty if the page is only shown."""
        return (self.request.POST, self.request.FILES) if self.request.method == "POST" else ()

    def dispatch(self, request: Any, *args: Any, **kwargs: Any) -> HttpResponseBase:
        """Handle the request, unless `prepare` returns a response."""
        if request.method.lower() not in self.http_method_names:
            return self.http_method_not_allowed(request)
        return self.prepare() or super().dispatch(request, *args, **kwargs)

    def get(self, *_args: Any, **_kwargs: Any) -> HttpResponse:
        """Show the form."""
        return self.page(self.get_form(), problem=self.first_problem())

    def form_valid(self, form: forms.BaseForm) -> HttpResponse:
        """Pass the submission to the service."""
        try:
            return self.service(form)
        except PrivacyError as error:
            return self.problem_page(form, error)

    def form_invalid(self, form: forms.BaseForm) -> HttpResponse:
        """Show the form with its errors."""
        return self.page(form, status=422)

    def problem_page(self, form: forms.BaseForm | None, error: PrivacyError) -> HttpResponse:
        """Show the form with the error."""
        return self.page(form, problem=sentences(error), status=422)

    def page(
        self, form: forms.BaseForm | None, *, problem: str = "", status: int = 200, **more: Any
    ) -> HttpResponse:
        """Show the page."""
        context = self.get_context_data(form=form, problem=problem, **more)
        return self.render_to_response(context, status=status)
