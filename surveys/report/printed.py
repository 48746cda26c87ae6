"""The report of the rules that people accepted: one page to print, to cite and to check."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.utils.translation import get_language
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from surveys.access.permissions import get_run_for_report, staff_page
from surveys.analysis.rule_query import with_verdict
from surveys.analysis.verdicts import VerdictLine, history_of, opinions_of
from surveys.formats.figures import MINUS, number
from surveys.models import RuleInference, RuleRow, Run, Verdict
from surveys.questionnaire.labels import ItemLabel, Labels, unpack_items
from surveys.questionnaire.languages import text_in
from surveys.report.opened import with_results
from surveys.report.rule_tests import CORRECTIONS
from surveys.report.rules import RuleLine, rule_line

MOST_RULES: Final = 500
"""Nobody reads more on paper; the files have them all."""

_OF_THE_SURVEY: Final = (
    "researcher", "purpose", "ethics", "population", "frame", "contact", "retention",
)  # fmt: skip


@dataclass(frozen=True, kw_only=True)
class PrintedRule:
    """One accepted rule, in figures and in plain sentences.

    Attributes
    ----------
    before, after : tuple of str
        What each item asks and answers, in the words of the questionnaire.
    sentences : tuple of str
    p_adjusted : str
        Empty where the run tested nothing.
    voices : tuple of VerdictLine
        What each person said last, the newest first.
    """

    line: RuleLine
    before: tuple[str, ...]
    after: tuple[str, ...]
    sentences: tuple[str, ...]
    p_adjusted: str
    passes: bool
    voices: tuple[VerdictLine, ...]


@staff_page
@require_safe
def printed(request: HttpRequest, run_id: int) -> HttpResponse:
    """Show the accepted rules of a run as a report."""
    found, page, labels = with_results(get_run_for_report(request.user, run_id))
    accepted = with_verdict(found.rules.all(), Verdict.Opinion.ACCEPTED).select_related("inference")
    tests = found.summary.get("inference")
    context = {
        "run": page,
        "about": about_lines(found),
        "rules": [
            printed_rule(row, place, labels, rounded=page.shown.rounded)
            for place, row in enumerate(accepted.order_by("-lift", "pk")[:MOST_RULES], start=1)
        ],
        "left_out": max(0, accepted.count() - MOST_RULES),
        "opinions": opinions_of(found),
        "tests": tests,
        "correction": CORRECTIONS[tests["correction"]] if tests else "",
        "runs_of_survey": Run.objects.filter(survey=found.survey_id).count(),
        "run_number": Run.objects.filter(survey=found.survey_id, pk__lte=found.pk).count(),
        "address": request.build_absolute_uri(request.path),
        "now": timezone.now(),
    }
    return render(request, "report/printed.html", context)


def about_lines(run: Run) -> list[tuple[str, str]]:
    """Return what the researcher said of the survey, under its name."""
    names = {
        "researcher": _("Researcher"),
        "purpose": _("Purpose"),
        "ethics": _("Ethics reference"),
        "population": _("Target population"),
        "frame": _("Sampling frame"),
        "contact": _("Contact"),
        "retention": _("Retention"),
    }
    about, language = run.version.wording.get("about", {}), get_language() or "en"
    return [(names[key], text) for key in _OF_THE_SURVEY if (text := text_in(about.get(key), language))]


def printed_rule(row: RuleRow, place: int, labels: Labels, *, rounded: bool) -> PrintedRule:
    """Return a rule as the report prints it."""
    inference: RuleInference | None = getattr(row, "inference", None)
    voices: dict[str, VerdictLine] = {}
    for verdict in history_of(row):
        voices.setdefault(verdict.by, verdict)
    return PrintedRule(
        line=rule_line(row, place, labels, rounded=rounded),
        before=tuple(_words(labels.items[item]) for item in unpack_items(row.antecedent)),
        after=tuple(_words(labels.items[item]) for item in unpack_items(row.consequent)),
        sentences=tuple(sentences_of(row)),
        p_adjusted="" if inference is None else _p_text(inference.p_adjusted),
        passes=inference is not None and inference.passes,
        voices=tuple(voices.values()),
    )


def sentences_of(row: RuleRow) -> list[str]:
    """Say in frequencies what a rule's figures say; what cannot be told is told so."""
    said = []
    if row.confidence is None or row.confidence_low is None or row.confidence_high is None:
        said.append(_("How often the right side follows cannot be told with so few answers."))
    else:
        sentence = (
            _("Of 100 people of the left side, about %(value)s are of the right side (%(low)s to %(high)s).")
            if row.confidence_low <= row.confidence <= row.confidence_high
            else _(
                "Of 100 people of the left side, %(low)s to %(high)s are of the right side; "
                "the estimate, %(value)s, lies outside."
            )
        )
        said.append(sentence % _per_hundred(row.confidence, row.confidence_low, row.confidence_high))
    if row.lift is None or row.lift_low is None or row.lift_high is None:
        said.append(_("Whether that is more than among all cannot be told with so few answers."))
    else:
        sentence = (
            _("That is %(value)s times the share among all who were asked (%(low)s to %(high)s).")
            if row.lift_low <= row.lift <= row.lift_high
            else _(
                "That is %(low)s to %(high)s times the share among all who were asked; "
                "the estimate, %(value)s, lies outside."
            )
        )
        said.append(
            sentence
            % {
                "value": number(row.lift, 2),
                "low": number(row.lift_low, 2),
                "high": number(row.lift_high, 2),
            }
        )
    if row.support is not None and row.support_low is not None and row.support_high is not None:
        said.append(
            _("Both sides together are true of about %(value)s of 100 (%(low)s to %(high)s).")
            % _per_hundred(row.support, row.support_low, row.support_high)
        )
    if any(value is not None and not 0 <= value <= 1 for value in (row.support, row.confidence)):
        said.append(_("A share outside 0 to 100 is an estimate that chance carried beyond; it is not cut."))
    return said


def _per_hundred(value: float, low: float, high: float) -> dict[str, str]:
    """Write shares as frequencies; with one decimal where whole numbers would hide the interval.

    >>> _per_hundred(0.132, 0.116, 0.148)
    {'value': '13', 'low': '12', 'high': '15'}
    >>> _per_hundred(0.0523, 0.0498, 0.0551)
    {'value': '5.2', 'low': '5.0', 'high': '5.5'}
    """
    digits = 0 if high - low >= 0.02 else 1
    parts = {"value": value, "low": low, "high": high}
    return {
        name: (MINUS if share < 0 and round(100 * share, digits) else "") + f"{abs(100 * share):.{digits}f}"
        for name, share in parts.items()
    }


def _words(label: ItemLabel) -> str:
    return _("“%(question)s” %(answer)s") % {"question": label.text, "answer": label.option or _("yes")}


def _p_text(value: float) -> str:
    return "< .0001" if value < 0.0001 else number(value, 4)
