"""The page of a run that tests a list of rules from elsewhere."""

from __future__ import annotations

from django import forms
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_http_methods

from privacy.errors import PrivacyError
from surveys.access.permissions import staff_page
from surveys.errors.core_refusals import sentences
from surveys.errors.error import SurveyError
from surveys.figures.brought_rules import rules_named, rules_tested
from surveys.figures.rule_list import MOST_CHARACTERS, RuleList, rule_list
from surveys.report.run_page import OpenedRun, results_page
from surveys.report.tests_page import CORRECTIONS


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
            ``rule_list``: no text, or as `surveys.figures.rule_list.rule_list`.
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


@staff_page
@require_http_methods(["GET", "HEAD", "POST"])
@results_page
def brought_rules(request: HttpRequest, opened: OpenedRun) -> HttpResponse:
    """Ask for a list of rules, and show which of them hold here; nothing of it is stored."""
    run, labels = opened
    if request.method != "POST":
        return _page(request, opened, RuleListForm())
    form = RuleListForm(request.POST, request.FILES)
    if not form.is_valid():
        return _page(request, opened, form, status=422)
    try:
        given = form.list()
        rules, others = rules_named(given.rules, labels, run.version.to_design())
        lines = [(rule.line, sentences(rule.error)) for rule in others]
        if not rules:
            return _page(request, opened, form, others=lines, status=422)
        tested = rules_tested(run, rules)
    except PrivacyError as error:
        return _page(request, opened, form, problem=sentences(error), status=422)
    table = {
        # The surest first, those without figures last.
        "lines": sorted(tested.rules, key=lambda rule: (rule.measures is None, rule.p_value)),
        "holding": sum(rule.holds for rule in tested.rules),
        "family": tested.family,
        "correction": CORRECTIONS[tested.correction],
        "level": 100 * tested.level,
        "others": lines,
        # The file says that answers to this survey suggested the rules.
        "from_here": run.survey.slug in given.surveys,
    }
    return _page(request, opened, form, table=table)


def _page(
    request: HttpRequest, opened: OpenedRun, form: RuleListForm, *, status: int = 200, **more: object
) -> HttpResponse:
    context = {"run": opened.run, "labels": opened.labels, "form": form, **more}
    return render(request, "report/run_brought.html", context, status=status)
