"""The recommended design of a draft: what it would change, shown first, and the button that does it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from django import forms
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import get_language
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from privacy.coins import SCALE
from privacy.risk.budget import block_budget
from privacy.survey.design import Block, Design
from surveys.access.permissions import get_survey_for_builder, signed, staff_page
from surveys.authoring.drafts import draft_save
from surveys.errors.error import SurveyError
from surveys.formats.figures import plain
from surveys.models import Survey
from surveys.questionnaire.certainty import certainty_of, certainty_of_all
from surveys.questionnaire.checks import check_draft, exceeds_recommended, site_ceilings
from surveys.questionnaire.definition import Definition
from surveys.questionnaire.draft_reading import draft_read
from surveys.questionnaire.languages import text_in
from surveys.questionnaire.recommended import ANSWERS, PartChange, Recommended, recommended
from surveys.questionnaire.series import other_waves


class RevisionForm(forms.Form):
    """Of which draft the change was shown."""

    revision = forms.IntegerField(min_value=0)


@dataclass(frozen=True, kw_only=True)
class ChangeLine:
    """A part before and after, ready to print: its setting, how sure one can become, how exact it is."""

    title: str
    setting: tuple[str, str]
    sure: tuple[str, str]
    margin: tuple[str, str]


@staff_page
@require_http_methods(["GET", "HEAD", "POST"])
def recommended_design(request: HttpRequest, slug: str) -> HttpResponse:
    """Show what the recommended design changes in a draft, and change it."""
    survey = get_survey_for_builder(request.user, slug)
    definition = draft_read(survey).designed
    proposal = None if definition is None else _recommended(survey, definition)
    if request.method != "POST" or proposal is None:
        status = 200 if request.method != "POST" else 409
        return _page(request, survey, definition, proposal, status=status)
    form = RevisionForm(request.POST)
    if not form.is_valid():
        return _page(request, survey, definition, proposal, status=422)
    try:
        draft_save(
            survey,
            proposal.document,
            revision=form.cleaned_data["revision"],
            **signed(request),
        )
    except SurveyError as error:
        return _page(request, survey, definition, proposal, error=error, status=409)
    messages.success(request, _("The draft has the recommended design. Nothing is published yet."))
    return redirect("audit:risk", slug)


def _recommended(survey: Survey, definition: Definition) -> Recommended | None:
    waves = other_waves(definition.series, but=survey)
    return recommended(definition, ceilings=site_ceilings(), waves=waves)


def _page(
    request: HttpRequest,
    survey: Survey,
    definition: Definition | None,
    proposal: Recommended | None,
    *,
    error: SurveyError | None = None,
    status: int = 200,
) -> HttpResponse:
    context: dict[str, Any] = {"survey": survey, "refusal": error, "is_complete": definition is not None}
    if definition is not None:
        waves = other_waves(definition.series, but=survey)
        context |= {
            "keeps": not exceeds_recommended(definition.design, waves),
            "answers": f"{ANSWERS:,}",
            "found": proposal,
            "lines": [_line(definition, change) for change in proposal.changes] if proposal else (),
            "together": _together(definition.design, proposal.design) if proposal else (),
            "findings": check_draft(survey, definition) if proposal is None else (),
            "revision": survey.revision,
        }
    return render(request, "authoring/recommended.html", context, status=status)


def _together(before: Design, after: Design) -> list[tuple[str, str, str]]:
    """Return the largest certainty from all parts together, for each strength."""
    names = [(_("All parts together"), False)]
    if before.has_two_strengths:
        names = [(_("All parts, strongly disguised"), False), (_("All parts, lightly disguised"), True)]
    return [
        (name, certainty_of_all(before, direct=direct), certainty_of_all(after, direct=direct))
        for name, direct in names
    ]


def _line(definition: Definition, change: PartChange) -> ChangeLine:
    language = get_language() or "en"
    titles = {block["key"]: block["title"] for block in definition.wording["blocks"]}
    margin = [_margin(change.before, error) for error in change.margins]
    return ChangeLine(
        title=text_in(titles[change.key], language) or change.key,
        setting=(_setting(change.before), _setting(change.after)),
        sure=(certainty_of(change.before), certainty_of(change.after)),
        margin=(margin[0], margin[1]),
    )


def _setting(block: Block) -> str:
    if block.is_scale:
        return f"ε {block_budget(block).epsilon:.2f}"
    return _("p = %(share)s %%") % {"share": f"{100 * block.truth_probability / SCALE:g}"}


def _margin(block: Block, error: float) -> str:
    if not block.is_scale:
        return _("± %(points)s points") % {"points": f"{100 * error:.1f}"}
    if block.questions[0].kind == "number":
        return _("± %(error)s, of the average") % {"error": plain(error, 3)}
    return _("%(kilometres)s km, of one place") % {"kilometres": plain(error / 1000, 3)}
