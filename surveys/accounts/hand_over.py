"""Hand a survey over to another owner: the service, its form and its page."""

from __future__ import annotations

from typing import Any

from django import forms
from django.contrib import messages
from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import Q
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_http_methods

from surveys.accounts.permissions import get_administrator, get_survey_for_builder, staff_page
from surveys.accounts.roles import Role, roles_of
from surveys.errors.error import SurveyError, sentences
from surveys.models import Survey
from surveys.models.audit_event import audit_event_record


@transaction.atomic
def survey_hand_over(survey: Survey, owner: User | None, *, by: str) -> bool:
    """Transfer a survey to another researcher or administrator, or to no owner (administrators only).

    Returns
    -------
    bool
        False if it had this owner already; then nothing changes.

    Raises
    ------
    SurveyError
        ``no_builder``: this account may not build surveys.
    """
    survey = Survey.objects.select_for_update(of=("self",)).select_related("owner").get(pk=survey.pk)
    if owner is not None and roles_of(owner).isdisjoint({Role.RESEARCHER, Role.ADMINISTRATOR}):
        raise SurveyError("no_builder", name=owner.get_username())
    before = survey.owner
    if before == owner:
        return False
    survey.owner = owner
    survey.save(update_fields=["owner"])
    audit_event_record(
        actor=by,
        action="survey_hand_over",
        target=survey.slug,
        detail={
            "to": owner.get_username() if owner else "",
            "before": before.get_username() if before else "",
        },
    )
    return True


class HandOverForm(forms.Form):
    """New owner of a survey."""

    owner = forms.ModelChoiceField(
        label=gettext_lazy("Owner"),
        queryset=User.objects.none(),
        required=False,
        empty_label=gettext_lazy("no owner: administrators only"),
    )

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        field = self.fields["owner"]
        assert isinstance(field, forms.ModelChoiceField)  # noqa: S101  # for the type checker
        field.queryset = _builders()


def _builders() -> Any:
    """Return the accounts that may own a survey."""
    among = Q(is_superuser=True) | Q(groups__name__in=(Role.RESEARCHER, Role.ADMINISTRATOR))
    return User.objects.filter(among, is_active=True, is_staff=True).distinct().order_by("username")


@staff_page
@require_http_methods(["GET", "HEAD", "POST"])
def owner(request: HttpRequest, slug: str) -> HttpResponse:
    """Change the owner of a survey."""
    by = get_administrator(request.user)
    survey: Survey = get_survey_for_builder(by, slug)
    form = HandOverForm(
        request.POST if request.method == "POST" else None, initial={"owner": survey.owner_id}
    )
    if form.is_valid():
        try:
            is_changed = survey_hand_over(survey, form.cleaned_data["owner"], by=by.get_username())
        except SurveyError as error:
            form.add_error("owner", sentences(error))
        else:
            if is_changed:
                messages.success(request, _("The owner of the survey was changed."))
            else:
                messages.info(request, _("The survey has this owner already. Nothing was changed."))
            return redirect("report:survey", slug)
    context = {"form": form, "survey": survey}
    return render(request, "accounts/owner.html", context, status=422 if form.is_bound else 200)
