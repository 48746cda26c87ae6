"""Named views of the rule table: saved, applied on every run of the same design, deleted."""

from __future__ import annotations

from datetime import datetime
from typing import Final

from django.contrib import messages
from django.db import transaction
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import get_object_or_404, redirect
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from surveys.access.permissions import get_run_for_report, signed, staff_page
from surveys.analysis.rule_query import RuleQuery
from surveys.models import Run, SavedView
from surveys.models.audit_event import audit_event_record
from surveys.models.saved_view import LONGEST_NAME
from surveys.questionnaire.labels import labels_of
from surveys.report.forms import RuleFilterForm

MOST_VIEWS: Final = 30
"""Views of a design: as many names as a reader looks through."""


def saved_views_of(run: Run) -> QuerySet[SavedView]:
    """Return the views that a run's rules can be looked at in."""
    return SavedView.objects.filter(survey=run.survey_id, design_id=run.design_id)


@transaction.atomic
def view_save(run: Run, query: RuleQuery, *, name: str, by: str, now: datetime) -> SavedView:
    """Save a view of a run's rules, in place of one of the same name."""
    view, _is_new = SavedView.objects.update_or_create(
        survey=run.survey,
        design_id=run.design_id,
        name=name,
        defaults={"query": query.address(page=1), "made_by": by, "made_at": now},
    )
    audit_event_record(actor=by, action="view_save", target=run.survey.slug, detail={"name": name})
    return view


@transaction.atomic
def view_delete(view: SavedView, *, by: str) -> None:
    """Delete a view."""
    name, slug = view.name, view.survey.slug
    view.delete()
    audit_event_record(actor=by, action="view_delete", target=slug, detail={"name": name})


@staff_page
@require_POST
def save(request: HttpRequest, run_id: int) -> HttpResponse:
    """Save the view of the page's address under the typed name."""
    run = get_run_for_report(request.user, run_id)
    query = _query(run, request.POST.get("query", ""))
    name = " ".join(request.POST.get("name", "").split())
    here = reverse("report:run", args=[run.pk]) + query.address()
    if not 0 < len(name) <= LONGEST_NAME or not name.isprintable():
        messages.error(
            request, _("Give the view a name of at most %(most)s letters.") % {"most": LONGEST_NAME}
        )
    elif saved_views_of(run).exclude(name=name).count() >= MOST_VIEWS:
        messages.error(
            request, _("There are %(most)s views already. Forget one first.") % {"most": MOST_VIEWS}
        )
    else:
        view_save(run, query, name=name, **signed(request))
        messages.success(request, _("The view “%(name)s” is saved.") % {"name": name})
    return redirect(here)


@staff_page
@require_POST
def delete(request: HttpRequest, run_id: int, view_id: int) -> HttpResponse:
    """Delete a view, for all users."""
    run = get_run_for_report(request.user, run_id)
    view = get_object_or_404(saved_views_of(run), pk=view_id)
    view_delete(view, by=signed(request)["by"])
    messages.success(request, _("The view “%(name)s” is forgotten.") % {"name": view.name})
    return redirect("report:run", run.pk)


def _query(run: Run, address: str) -> RuleQuery:
    """Read the query of an address as the page of the rules does: what means nothing is left out."""
    labels = labels_of(run.version, run.design)
    return RuleFilterForm.of_run(QueryDict(address.removeprefix("?")), run, labels).query()
