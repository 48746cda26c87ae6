"""The page of a run that tests a list of rules from elsewhere."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

from django import forms
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_http_methods

from privacy.errors import PrivacyError
from privacy.estimation.measures import Measured
from surveys.access.permissions import staff_page
from surveys.analysis.brought_rules import (
    BroughtRule,
    BroughtRules,
    NotTested,
    rules_named,
    rules_tested,
)
from surveys.analysis.rule_list import MOST_CHARACTERS, RuleList, rule_list
from surveys.disclosure.disclosure import shown_count
from surveys.errors.core_refusals import sentences
from surveys.errors.error import SurveyError
from surveys.formats.figures import Figure, number, p_text, ratio_figure, share_figure
from surveys.questionnaire.labels import Labels
from surveys.report.opened import OpenedRun, results_page
from surveys.report.rule_tests import CORRECTIONS


class RuleListForm(forms.Form):
    """A list of rules, as a file or as it is written."""

    file = forms.FileField(
        label=gettext_lazy("File of rules"),
        required=False,
        help_text=gettext_lazy(
            "CSV with the columns antecedent and consequent, or as R (arules) and Python (mlxtend) write it."
        ),
    )
    rules = forms.CharField(
        label=gettext_lazy("Or write them, one in each line"),
        required=False,
        max_length=MOST_CHARACTERS,
        # Errors name lines, empty ones before the first counted.
        strip=False,
        widget=forms.Textarea(attrs={"rows": 4, "spellcheck": "false", "class": "mono"}),
        help_text=gettext_lazy(
            "Answers as the tables call them, with & between them and => before the last."
        ),
    )

    def list(self) -> RuleList:
        """Return the list that was given.

        Raises
        ------
        SurveyError
            ``rule_list``: no text, or as `surveys.analysis.rule_list.rule_list`.
        """
        file = self.cleaned_data["file"]
        if file is None:
            return rule_list(self.cleaned_data["rules"])
        if file.size > 4 * MOST_CHARACTERS:
            raise SurveyError("rule_list.large", most=MOST_CHARACTERS)
        try:
            return rule_list(file.read().decode("utf-8"))
        except UnicodeDecodeError as error:
            raise SurveyError("rule_list.text") from error


@dataclass(frozen=True, kw_only=True)
class BroughtLine:
    """A rule of the list, ready to print; without figures where too few people are in it."""

    antecedent: str
    consequent: str
    holds: bool
    p_value: str
    p_adjusted: str
    n: str = ""
    few_rows: bool = False
    confidence: Figure | None = None
    lift: Figure | None = None


@dataclass(frozen=True, kw_only=True)
class OtherLine:
    """A line of the list that is not tested, and why."""

    line: int
    why: str


@dataclass(frozen=True, kw_only=True)
class BroughtTable:
    """What became of a list, ready to print.

    Attributes
    ----------
    family : int
        Hypotheses that the tests were corrected for.
    level : str
        Of each interval, in percent.
    from_here : bool
        Whether the file says that answers to this survey suggested the rules.
    """

    lines: tuple[BroughtLine, ...]
    holding: int
    family: int
    correction: str
    level: str
    others: tuple[OtherLine, ...]
    from_here: bool


@staff_page
@require_http_methods(["GET", "HEAD", "POST"])
@results_page
def brought_rules(request: HttpRequest, opened: OpenedRun) -> HttpResponse:
    """Ask for a list, and say which of its rules hold here; nothing of it is stored."""
    found, _of_run, labels = opened
    if request.method != "POST":
        return _page(request, opened, RuleListForm())
    form = RuleListForm(request.POST, request.FILES)
    if not form.is_valid():
        return _page(request, opened, form, status=422)
    try:
        given = form.list()
        rules, others = rules_named(given.rules, labels, found.version.to_design())
        lines = tuple(map(_other, others))
        if not rules:
            return _page(request, opened, form, others=lines, status=422)
        table = _table(
            rules_tested(found, rules), labels, lines, from_here=found.survey.slug in given.surveys
        )
    except PrivacyError as refusal:
        return _page(request, opened, form, problem=sentences(refusal), status=422)
    return _page(request, opened, form, table=table)


def _page(
    request: HttpRequest, opened: OpenedRun, form: RuleListForm, *, status: int = 200, **more: object
) -> HttpResponse:
    context = {"run": opened.page, "form": form, **more}
    return render(request, "report/run_brought.html", context, status=status)


def _table(
    found: BroughtRules, labels: Labels, others: tuple[OtherLine, ...], *, from_here: bool
) -> BroughtTable:
    return BroughtTable(
        lines=tuple(_lines(found, labels)),
        holding=sum(one.holds for one in found.rules),
        family=found.family,
        correction=str(CORRECTIONS[found.correction]),
        level=number(100 * found.level, 2),
        others=others,
        from_here=from_here,
    )


def _other(one: NotTested) -> OtherLine:
    return OtherLine(line=one.line, why=sentences(one.refusal))


def _lines(found: BroughtRules, labels: Labels) -> list[BroughtLine]:
    """Return the rules with their figures, the surest first, those without figures last."""
    return [
        _line(one, labels) for one in sorted(found.rules, key=lambda one: (one.measures is None, one.p_value))
    ]


def _line(one: BroughtRule, labels: Labels) -> BroughtLine:
    before, after = map(labels.short, one.rule)
    line = BroughtLine(
        antecedent=before,
        consequent=after,
        holds=one.holds,
        p_value=p_text(one.p_value),
        p_adjusted=p_text(one.p_adjusted),
    )
    if one.measures is None:
        return line
    return replace(
        line,
        n=shown_count(one.measures.n),
        few_rows=one.measures.few_rows,
        confidence=share_figure(*_ends(one.measures.confidence)),
        lift=ratio_figure(*_ends(one.measures.lift)),
    )


def _ends(measured: Measured) -> tuple[float | None, float | None, float | None]:
    """Return value and interval; no interval where none could be told."""
    value = measured.value if math.isfinite(measured.value) else None
    return (value, measured.low, measured.high) if measured.estimable else (value, None, None)
