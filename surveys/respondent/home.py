"""The home page: what the method does, and the reader's task in one press."""

from __future__ import annotations

from dataclasses import dataclass

from django.conf import settings
from django.contrib.auth.models import AnonymousUser, User
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.cache import add_never_cache_headers
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from surveys.accounts.permissions import get_builder, get_surveys_for_builder
from surveys.accounts.staff_menu import staff_menu_of
from surveys.models import Survey
from surveys.models.finished_example import example_is_on_its_way, page_of_example
from surveys.questionnaire.promise_words import usual_promise


@dataclass(frozen=True, kw_only=True)
class Task:
    """What someone most probably came for: a button and its address."""

    label: str
    address: str


def tasks_of(user: User | AnonymousUser) -> list[Task]:
    """Return the tasks of a user's role, the most probable first; none for visitors and users without a role.

    A researcher continues with the draft or survey that was saved last. A reviewer reviews rules. An
    administrator has the same tasks, and sees whether the installation is well.
    """
    menu = staff_menu_of(user)
    new_survey = Task(label=_("Create a survey"), address=reverse("authoring:new"))
    tasks = []
    if menu.builds:
        tasks.append(_survey_task(user) or new_survey)
    elif menu.reviews:
        tasks.append(Task(label=_("Review rules"), address=reverse("report:review")))
    if menu.has_role:
        label = _("Surveys and health") if menu.administers else _("All surveys")
        tasks.append(Task(label=label, address=reverse("report:surveys")))
    if menu.administers and not Survey.objects.exists():
        tasks.append(Task(label=_("Invite a person"), address=reverse("accounts:invite")))
    if menu.builds and new_survey not in tasks:
        tasks.append(new_survey)
    return tasks


def _survey_task(user: User | AnonymousUser) -> Task | None:
    # Administrators may build all surveys, but continue with their own.
    own = (
        get_surveys_for_builder(user)
        .filter(owner=get_builder(user))
        .exclude(saved_at=None)
        .order_by("-saved_at")
    )
    draft = own.filter(state=Survey.State.DRAFT).first()
    if draft is not None:
        label, address = _("Continue “%(title)s”"), reverse("authoring:builder", args=[draft.slug])
        return Task(label=label % {"title": draft.title_text}, address=address)
    survey = own.first()
    if survey is None:
        return None
    label, address = _("Open “%(title)s”"), reverse("report:survey", args=[survey.slug])
    return Task(label=label % {"title": survey.title_text}, address=address)


@require_safe
def home(request: HttpRequest) -> HttpResponse:
    """Show the home page, with the finished example and its practice copy if they exist.

    Visitors see the name of no researcher's survey, not even of a practice survey.
    """
    example, to_try = page_of_example(), None
    if example is not None:
        copies = Survey.objects.filter(practice=True, owner=None, state=Survey.State.OPEN)
        to_try = copies.filter(slug=f"{example.survey.slug}-practice").values_list("slug", flat=True).first()
    context = {
        "example": example,
        "on_its_way": example_is_on_its_way(),
        "to_try": to_try,
        "promise": usual_promise(),
        "program": settings.PROGRAM,
        "tasks": tasks_of(request.user),
    }
    response = render(request, "home.html", context)
    if request.user.is_authenticated:
        add_never_cache_headers(response)
    return response
