"""The privacy risk page for an ethics board."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_http_methods

from privacy.policy import SHARE_FOR_POWER
from privacy.risk.promise import percent
from surveys.accounts.permissions import get_survey_for_builder, staff_page
from surveys.errors.error import in_sentences
from surveys.formats.numbers import count_text
from surveys.models import PublishOverride, Survey
from surveys.questionnaire.about_texts import about_names, about_texts
from surveys.questionnaire.asked_texts import asked_parts
from surveys.questionnaire.checks.check import exceeds_recommended
from surveys.questionnaire.checks.follow_up_time import branching_findings
from surveys.questionnaire.promise_words import promise_to
from surveys.questionnaire.rule_words import composites_of
from surveys.report.risk_page.adversaries import points_of
from surveys.report.risk_page.compared_figures import compared_figures
from surveys.report.risk_page.planned_use import aim_of, plan_sentences
from surveys.report.risk_page.worst_case import worst_case
from surveys.report.shared.addresses import process_share_form
from surveys.runs.audit import AuditedSurvey, audited_survey
from surveys.runs.file_event import file_event


def remaining(subject: AuditedSurvey) -> Iterator[str]:
    """Yield the risks that the disguise does not cover: open answers, participation, the screen, the time."""
    n_open = len(subject.audit.open.questions)
    if n_open:
        yield ngettext(
            "%(count)s question is not disguised: anyone who gets the data can read its answers.",
            "%(count)s questions are not disguised: anyone who gets the data can read their answers.",
            n_open,
        ) % {"count": count_text(n_open)}
    yield _("The survey does not hide who took part.")
    n_components = sum(len(rule.components) for rule in composites_of(subject.design).values())
    if n_components:
        yield ngettext(
            "%(count)s question is never sent and never stored, but someone who watches the screen sees its "
            "answer.",
            "%(count)s questions are never sent and never stored, but someone who watches the screen sees "
            "their answers.",
            n_components,
        ) % {"count": count_text(n_components)}
    for finding in branching_findings(subject.design, subject.version.wording):
        yield in_sentences(finding.message)
    if file_event(subject.survey):
        yield _(
            "Another survey tool collected these answers. It knows who sent each disguised answer, and when."
        )


def assumptions(subject: AuditedSurvey) -> Iterator[str]:
    """Yield the assumptions behind the figures of this page."""
    yield _("The design guarantees “at most” figures, whatever people answer.")
    yield _("We assume that someone starts at 50:50. Someone who is surer to begin with ends up surer.")
    if aim_of(subject).people:
        yield _("Planned “about” figures assume that as many people answer as planned.")
    if subject.design.sends_undisguised or subject.audit.open.questions:
        yield _("We assume that everyone knows the answers that are not disguised.")
    yield _("We assume that the page works as described, and that no one watches the screen.")


@staff_page
@require_http_methods(["GET", "HEAD", "POST"])
def risk(request: HttpRequest, slug: str) -> HttpResponse:
    """Show the page to the survey's builders, who can create an address to share it."""
    survey = get_survey_for_builder(request.user, slug)
    context, status = process_share_form(request, survey)
    return render(request, "audit/risk.html", risk_context(survey) | context, status=status)


def risk_context(survey: Survey) -> dict[str, Any]:
    """Return the context of the page, for staff and for shared addresses."""
    audited = audited_survey(survey)
    context: dict[str, Any] = {"survey": survey, "risk": None}
    if audited is None:
        return context
    return context | {
        "risk": audited,
        "about": _about_lines(audited),
        "worst": worst_case(audited),
        "remaining": list(remaining(audited)),
        "bought": plan_sentences(audited),
        "compared": compared_figures(audited),
        "share_for_power": f"{SHARE_FOR_POWER:.0%}",
        "assumptions": list(assumptions(audited)),
        "asked": asked_parts(audited.version, audited.design),
        "points": points_of(audited),
        **_protection_limits(audited),
        "override": None
        if audited.is_draft
        else PublishOverride.objects.filter(version=audited.version).first(),
    }


def _about_lines(subject: AuditedSurvey) -> list[tuple[str, str]]:
    order = ("researcher", "purpose", "ethics", "contact", "retention", "undisguised")
    texts = about_texts(subject.version)
    return [(about_names()[key], texts[key]) for key in order if texts.get(key)]


def _protection_limits(subject: AuditedSurvey) -> dict[str, Any]:
    """Return the limits of the protection that was chosen, and whether the survey exceeds them."""
    aim = aim_of(subject)
    design, limits, bound = subject.design, aim.protection, promise_to(subject.design, direct=False)
    return {
        "recommended": {
            "answer": percent(limits.answer),
            "skip": percent(limits.skip),
            "everything": percent(limits.everything),
        },
        "exceeds": bound is None
        or not limits.allows(bound)
        or design.sends_undisguised
        or exceeds_recommended(design, subject.version.wording, subject.waves, aim),
    }
