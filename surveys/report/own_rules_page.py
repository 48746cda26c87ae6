"""The page of a run that tests a list of rules from elsewhere."""

from __future__ import annotations

from typing import Any

from django import forms
from django.http import HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext_lazy

from surveys.access.form_page import FormPage
from surveys.access.permissions import get_run_for_report, staff_page
from surveys.errors.core_refusals import sentences
from surveys.errors.error import SurveyError
from surveys.figures.brought_rules import rules_named, rules_tested
from surveys.figures.rule_list import MOST_CHARACTERS, RuleList, rule_list
from surveys.report.run_page import opened_run
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


class BroughtRulesPage(FormPage):
    """Asks for a list of rules, and shows which of them hold here; nothing of it is stored."""

    template_name = "report/run_brought.html"
    form_class = RuleListForm

    def prepare(self) -> HttpResponse | None:
        """Go through the reviewer's door; where there are no results, lead to the run's own page."""
        run_id = self.kwargs["run_id"]
        opened = opened_run(get_run_for_report(self.request.user, run_id))
        if opened is None:
            return redirect("report:run", run_id)
        self.opened = opened
        return None

    def service(self, form: RuleListForm) -> HttpResponse:
        """Test the rules."""
        run, labels = self.opened
        sides = form.list()
        rules, others = rules_named(sides.rules, labels, run.version.to_design())
        lines = [(line, sentences(error)) for line, error in others]
        if not rules:
            return self.page(form, others=lines, status=422)
        tested = rules_tested(run, rules)
        table = {
            # The surest first, those without figures last.
            "lines": sorted(tested.rules, key=lambda rule: (rule.measures is None, rule.p_value)),
            "holding": sum(rule.holds for rule in tested.rules),
            "family": tested.family,
            "correction": CORRECTIONS[tested.correction],
            "level": 100 * tested.level,
            "others": lines,
            # The file says that answers to this survey suggested the rules.
            "from_here": run.survey.slug in sides.surveys,
        }
        return self.page(form, table=table)

    def get_context_data(self, **more: Any) -> dict[str, Any]:
        """Return run and labels beside the form."""
        return super().get_context_data(run=self.opened.run, labels=self.opened.labels, **more)


brought_rules = staff_page(BroughtRulesPage.as_view())
