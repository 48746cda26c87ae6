"""The page on which a rule gets its verdicts."""

from __future__ import annotations

from typing import Any

from django import forms
from django.contrib import messages
from django.contrib.auth.models import AnonymousUser, User
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.utils.http import url_has_allowed_host_and_scheme
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_http_methods

from surveys.access.permissions import (
    get_run_for_report,
    get_run_for_reviewer,
    get_staff,
    may_judge,
    staff_page,
)
from surveys.errors.core_refusals import sentences
from surveys.errors.error import SurveyError
from surveys.figures.verdicts import (
    LONGEST_NOTE,
    history_of,
    verdict_give,
)
from surveys.models import RuleRow, Verdict
from surveys.report.run_page import with_results


class VerdictForm(forms.Form):
    """One person's verdict on a rule."""

    opinion = forms.ChoiceField(
        label=gettext_lazy("Verdict"), choices=Verdict.Opinion.choices, widget=forms.RadioSelect
    )
    note = forms.CharField(
        label=gettext_lazy("Note"),
        required=False,
        max_length=LONGEST_NOTE,
        widget=forms.Textarea(attrs={"rows": 3}),
        help_text=gettext_lazy("Why? It is printed with your name. A rejection needs a reason."),
    )
    # The newest verdict that was on the page, so that nobody overlooks what came meanwhile.
    seen = forms.IntegerField(required=False, widget=forms.HiddenInput)
    # Where to go on, from a table or a rule's page.
    next = forms.CharField(required=False, widget=forms.HiddenInput)


def verdicts_context(
    rule: RuleRow, user: User | AnonymousUser, *, onward: str = "", form: VerdictForm | None = None
) -> dict[str, Any]:
    """Return what ``report/partials/judgement.html`` shows of a rule to this user.

    `onward` is the page to go to after a verdict; by default the rule's page of verdicts.
    """
    history = history_of(rule)
    if form is None and may_judge(user):
        form = VerdictForm(initial={"seen": history[0].id if history else 0, "next": onward})
    return {"rule": rule, "history": history, "form": form}


@staff_page
@require_http_methods(["GET", "HEAD", "POST"])
def rule_verdicts(request: HttpRequest, run_id: int, rule_id: int) -> HttpResponse:
    """Show the verdicts on a rule; take one more."""
    giving = request.method == "POST"
    door = get_run_for_reviewer if giving else get_run_for_report
    run, labels = with_results(door(request.user, run_id))
    rule = get_object_or_404(RuleRow.objects.select_related("run__survey"), pk=rule_id, run=run)
    form = VerdictForm(request.POST) if giving else None
    if form is not None and form.is_valid():
        answer = _give(request, rule, form)
        if answer is not None:
            return answer
    context = {
        "run": run,
        "rule": rule,
        "labels": labels,
        "judgement": verdicts_context(rule, request.user, form=form),
    }
    return render(request, "report/rule_verdicts.html", context, status=422 if giving else 200)


def _give(request: HttpRequest, rule: RuleRow, form: VerdictForm) -> HttpResponse | None:
    values = form.cleaned_data
    try:
        meanwhile = verdict_give(
            rule=rule,
            opinion=values["opinion"],
            note=values["note"],
            by=get_staff(request.user),
            now=timezone.now(),
            seen=values["seen"],
        )
    except SurveyError as error:
        form.add_error("note" if error.code != "opinion" else "opinion", sentences(error))
        return None
    messages.success(request, _("Your verdict is kept."))
    for line in meanwhile:
        messages.warning(
            request,
            _("Meanwhile %(who)s said: %(opinion)s. Both are in the history, and yours, the newest, counts.")
            % {"who": line.by, "opinion": line.get_opinion_display()},
        )
    if url_has_allowed_host_and_scheme(values["next"], allowed_hosts=None):
        return redirect(values["next"])
    return redirect("report:rule_verdicts", rule.run_id, rule.pk)
