"""The form that filters and orders the table of rules, on its page and for its files."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from django import forms
from django.http import QueryDict
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from surveys.formats.joints import list_text
from surveys.formats.sort_links import Text
from surveys.models import Run, Verdict
from surveys.questionnaire.labels import Labels
from surveys.report.rules.filter_form import FilterForm
from surveys.report.rules.measures import ENDS, SHOWN, further_measures
from surveys.report.rules.rule_query import LIMITS, RULES_PER_PAGE, SIDES, SIZES, SORTS, RuleQuery
from surveys.report.rules.verdicts import WITHOUT_VERDICT

_END_LABELS: Final = {"from": gettext_lazy("%(measure)s from"), "to": gettext_lazy("%(measure)s to")}


def _yes_or_no(label: Text, yes: Text, no: Text) -> forms.ChoiceField:
    choices = (("", gettext_lazy("any")), ("yes", yes), ("no", no))
    return forms.ChoiceField(label=label, choices=choices, required=False)  # type: ignore[arg-type]  # lazy


class RuleFilterForm(FilterForm):
    """Filters and order of the table of rules."""

    side = forms.ChoiceField(label=gettext_lazy("on"), choices=SIDES, required=False)
    length = forms.TypedChoiceField(label=gettext_lazy("Items"), coerce=int, empty_value=None, required=False)
    holds = _yes_or_no(gettext_lazy("Test"), gettext_lazy("holds"), gettext_lazy("not shown"))
    redundant = _yes_or_no(
        gettext_lazy("Explained by a shorter rule"), gettext_lazy("redundant"), gettext_lazy("not redundant")
    )
    maximal = _yes_or_no(
        gettext_lazy("Its itemset"), gettext_lazy("maximal"), gettext_lazy("in a longer one")
    )
    verdict = forms.ChoiceField(
        label=gettext_lazy("Verdict"),
        choices=(
            ("", gettext_lazy("any")),
            (WITHOUT_VERDICT, gettext_lazy("none")),
            *Verdict.Opinion.choices,
        ),
        required=False,
    )
    measures = forms.ChoiceField(label=gettext_lazy("Measures in the table"), required=False)
    predicted = forms.ChoiceField(
        label=gettext_lazy("Also show"),
        choices=(("", gettext_lazy("nothing else")), ("yes", gettext_lazy("predicted from pairs"))),
        required=False,
    )
    size = forms.TypedChoiceField(
        label=gettext_lazy("Rules on a page"),
        choices=((number, str(number)) for number in SIZES),
        coerce=int,
        empty_value=None,
        required=False,
    )
    sort = forms.ChoiceField(
        choices=((name, name) for name in SORTS), required=False, widget=forms.HiddenInput
    )

    @classmethod
    def of_run(cls, data: QueryDict, run: Run, labels: Labels) -> RuleFilterForm:
        """Return the form for a run's page, filled in from the address."""
        return cls(data, items=labels.choices(), longest=run.thresholds.max_size)

    def __init__(self, values: Mapping[str, Any], *, items: list[tuple[int, str]], longest: int) -> None:
        # A bound form ignores `initial`, so put the default page size into its data.
        data = {"size": RULES_PER_PAGE, **{name: values[name] for name in values}}
        super().__init__(data)
        self.allow(item=items, length=((size, str(size)) for size in range(2, longest + 1)))
        self.fields["measures"].choices = [  # type: ignore[attr-defined]
            ("", gettext_lazy("support, confidence, lift")),
            ("all", gettext_lazy("all five, with ± and true values")),
            *((name, measure.label) for name, measure in further_measures().items()),
        ]
        self.fields["sort"].error_messages["invalid_choice"] = _("Use one of these: %s.") % list_text(SORTS)
        for name, (of, end) in LIMITS.items():
            self.fields[name] = forms.FloatField(
                label=_END_LABELS[end] % {"measure": SHOWN[of].label},
                required=False,
                widget=forms.TextInput(attrs={"inputmode": "decimal", "size": "6"}),
            )

    def query(self) -> RuleQuery:
        """Return the query; invalid fields get their defaults, and `complaints` lists them."""
        values = self.values()
        limits = tuple((name, values.pop(name)) for name in LIMITS if name in values)
        return RuleQuery(limits=limits, **values)

    def limits(self) -> list[tuple[Text, list[forms.BoundField | None]]]:
        """Return the measures with the fields of their limits, for a table in the form."""
        rows: dict[str, list[forms.BoundField | None]] = {}
        for name, (of, end) in LIMITS.items():
            rows.setdefault(of, [None] * len(ENDS))[ENDS.index(end)] = self[name]
        return [(SHOWN[of].label, cells) for of, cells in rows.items()]
