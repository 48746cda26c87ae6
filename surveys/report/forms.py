"""What staff fill in: the thresholds of a run, and the filter of the rule table."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from mining.thresholds import LONGEST, Sides, Thresholds
from privacy.disguise.design import Design
from surveys.models import Version
from surveys.report.rules import MEASURES, SIDES, SORTS, RuleQuery


class MineForm(forms.Form):
    """The thresholds of a run on one of a survey's designs."""

    version = forms.TypedChoiceField(label=_("Design"), coerce=int)
    support = forms.FloatField(
        label=_("Support from"), min_value=0.001, max_value=1, initial=0.05,
        help_text=_("Share of all rows, as reconstructed. Itemsets and rules below are not listed."),
    )  # fmt: skip
    confidence = forms.FloatField(
        label=_("Confidence from"), min_value=0, max_value=1, initial=0, help_text=_("0 sets no threshold.")
    )
    lift = forms.FloatField(
        label=_("Lift from"), min_value=0, required=False, help_text=_("Empty sets no threshold.")
    )
    max_size = forms.IntegerField(
        label=_("Longest itemset"), min_value=1, max_value=LONGEST, initial=3,
        help_text=_("Items of a rule, both sides together."),
    )  # fmt: skip
    estimator = forms.ChoiceField(
        label=_("Estimator"),
        choices=(
            ("stratified", _("stratified: right though the groups differ")),
            ("pooled", _("pooled: as in the source, wrong if the groups differ")),
        ),
    )
    policy = forms.ChoiceField(
        label=_("Longer itemsets are built from"),
        choices=(
            ("inclusive", _("sets whose upper limit reaches the support")),
            ("estimate", _("sets whose estimate reaches the support")),
        ),
    )
    target = forms.ChoiceField(
        label=_("Intervals are about"),
        choices=(
            ("population", _("the population the respondents come from")),
            ("respondents", _("these respondents")),
        ),
    )
    correction = forms.ChoiceField(
        label=_("p-values are corrected by"),
        choices=(
            ("by", _("Benjamini-Yekutieli, whatever the dependence")),
            ("bh", _("Benjamini-Hochberg")),
            ("holm", _("Holm, against any false rule")),
            ("none", _("nothing")),
        ),
        required=False,
    )
    antecedent = forms.MultipleChoiceField(
        label=_("Questions allowed before the arrow"), required=False, widget=forms.CheckboxSelectMultiple
    )
    consequent = forms.MultipleChoiceField(
        label=_("Questions allowed after the arrow"), required=False, widget=forms.CheckboxSelectMultiple
    )
    longest_consequent = forms.IntegerField(
        label=_("Most items after the arrow"), min_value=1, max_value=LONGEST, required=False,
        help_text=_("Empty sets no limit."),
    )  # fmt: skip

    def __init__(self, versions: list[Version], *args: Any, truth_known: bool = False, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.versions = {version.pk: version for version in versions}
        self.fields["version"].choices = [  # type: ignore[attr-defined]  # a choice field
            (version.pk, f"{version.number} · {version.design_id[:8]}") for version in versions
        ]
        questions = dict.fromkeys(
            question.key for version in versions for question in version.to_design().questions
        )
        for side in ("antecedent", "consequent"):
            self.fields[side].choices = [(key, key) for key in questions]  # type: ignore[attr-defined]
            self.fields[side].initial = list(questions)
        if truth_known:
            self.fields["target"].initial = "respondents"

    def chosen_version(self) -> Version:
        """Return the version whose design is to be mined."""
        return self.versions[self.cleaned_data["version"]]

    def thresholds(self) -> Thresholds:
        """Return what was filled in."""
        given = self.cleaned_data
        design = self.chosen_version().to_design()
        return Thresholds(
            support=given["support"],
            confidence=given["confidence"],
            lift=given["lift"],
            max_size=given["max_size"],
            estimator=given["estimator"],
            policy=given["policy"],
            target=given["target"],
            correction=given["correction"] or "by",
            sides=Sides(
                antecedent=items_of_questions(design, given["antecedent"]),
                consequent=items_of_questions(design, given["consequent"]),
                longest_consequent=given["longest_consequent"],
            ),
        )


def items_of_questions(design: Design, keys: Iterable[str]) -> tuple[int, ...] | None:
    """Return the items of these questions; None, which allows all, if every question or none is named."""
    named = {number for number, question in enumerate(design.questions) if question.key in set(keys)}
    if len(named) in (0, len(design.questions)):
        return None
    return tuple(item.index for item in design.items if item.question in named)


class RuleFilterForm(forms.Form):
    """Which rules the table shows, and in which order; it lives in the page's address."""

    item = forms.TypedChoiceField(label=_("Item"), coerce=int, empty_value=None, required=False)
    side = forms.ChoiceField(label=_("on"), choices=SIDES, required=False)
    length = forms.TypedChoiceField(label=_("Items"), coerce=int, empty_value=None, required=False)
    measure = forms.ChoiceField(label=_("Measure"), choices=MEASURES, required=False)
    least = forms.FloatField(label=_("at least"), required=False)
    by = forms.ChoiceField(
        label=_("counting"),
        choices=(("value", _("the estimate")), ("low", _("the lower limit"))),
        required=False,
    )
    sort = forms.ChoiceField(choices=SORTS, required=False, widget=forms.HiddenInput)
    page = forms.IntegerField(min_value=1, required=False, widget=forms.HiddenInput)

    def __init__(self, *args: Any, items: list[tuple[int, str]], longest: int, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["item"].choices = [("", _("any")), *items]  # type: ignore[attr-defined]
        lengths = [(size, str(size)) for size in range(2, longest + 1)]
        self.fields["length"].choices = [("", _("any")), *lengths]  # type: ignore[attr-defined]

    def query(self) -> RuleQuery:
        """Return the query; what cannot be read falls back to its default, and the page says so."""
        self.is_valid()
        given = self.cleaned_data
        return RuleQuery(
            item=given.get("item"),
            side=given.get("side") or "either",
            length=given.get("length"),
            measure=given.get("measure") or "lift",
            least=given.get("least"),
            by=given.get("by") or "value",
            sort=given.get("sort") or "-lift",
            page=given.get("page") or 1,
        )
