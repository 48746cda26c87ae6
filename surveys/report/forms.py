"""Forms of the report: the thresholds of a run, and the filters of its tables."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Final

from django import forms
from django.http import QueryDict
from django.utils.translation import gettext_lazy as _

from mining.thresholds import LONGEST, Sides, Thresholds
from privacy.survey.design import Design
from surveys.figures.itemsets import SORTS as ITEMSET_SORTS
from surveys.figures.itemsets import ItemsetQuery
from surveys.figures.measures import ENDS, SHOWN
from surveys.figures.rule_query import LIMITS, NONE, RULES_PER_PAGE, SIDES, SIZES, SORTS, RuleQuery
from surveys.formats.table_links import Text
from surveys.models import Run, Verdict, Version
from surveys.questionnaire.labels import LONGEST_TEXT, Labels, question_names

_LONGEST_NAME: Final = 80


def complaints_of(form: forms.Form) -> list[str]:
    """Name each field of a filter that was left out and why, and each name that means nothing."""
    unknown = [name for name in form.data if name not in form.fields]
    return [
        *(
            f"{form[name].label}: {error}"
            for name in form.errors
            if name in form.fields
            for error in form.errors[name]
        ),
        *(str(_("“%(name)s” means nothing here.") % {"name": name[:_LONGEST_NAME]}) for name in unknown),
    ]


def _given(form: forms.Form) -> dict[str, Any]:
    """Return what could be read of a filter; a query has defaults for what was left empty."""
    return {name: value for name, value in form.cleaned_data.items() if value not in (None, "")}


_END_LABELS: Final = {
    "from": _("%(measure)s from"),
    "to": _("%(measure)s to"),
}
_RANGE_ERRORS: Final = {
    "min_value": _("%(show_value)s is too little. Write at least %(limit_value)s."),
    "max_value": _("%(show_value)s is too much. Write at most %(limit_value)s."),
}


class MineForm(forms.Form):
    """The thresholds of a run on one of a survey's designs."""

    version = forms.TypedChoiceField(label=_("Design"), coerce=int)
    support = forms.FloatField(
        label=_("Support from"), min_value=0.001, max_value=1, initial=0.05,
        help_text=_("Share of all people. Combinations that fewer people have are not listed."),
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
    antecedent = forms.MultipleChoiceField(
        label=_("Questions allowed before the arrow"), required=False, widget=forms.CheckboxSelectMultiple
    )
    consequent = forms.MultipleChoiceField(
        label=_("Questions allowed after the arrow"), required=False, widget=forms.CheckboxSelectMultiple
    )

    def __init__(self, versions: list[Version], *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        for each in self.fields.values():
            each.error_messages |= _RANGE_ERRORS
        self.versions = {version.pk: version for version in versions}
        self.fields["version"].choices = [  # type: ignore[attr-defined]  # a choice field
            (version.pk, f"{version.number} · {version.design_id[:8]}") for version in versions
        ]
        questions: dict[str, str] = {}
        for version in versions:
            for question_name in question_names(version, version.to_design()):
                questions.setdefault(question_name.key, f"{question_name.text} ({question_name.key})")
        for side in ("antecedent", "consequent"):
            self.fields[side].choices = list(questions.items())  # type: ignore[attr-defined]
            self.fields[side].initial = list(questions)

    def chosen_version(self) -> Version:
        """Return the version whose design is to be mined."""
        return self.versions[self.cleaned_data["version"]]

    def full_clean(self) -> None:
        """Have the page open at the first field that is wrong: the form stands far down on it."""
        super().full_clean()
        wrong = next((name for name in self.errors if name in self.fields), None)
        if wrong is not None:
            self.fields[wrong].widget.attrs["autofocus"] = True

    def thresholds(self) -> Thresholds:
        """Return what was filled in."""
        values, version = self.cleaned_data, self.chosen_version()
        design = version.to_design()
        return Thresholds(
            support=values["support"],
            confidence=values["confidence"],
            lift=values["lift"],
            max_size=values["max_size"],
            sides=Sides(
                antecedent=items_of_questions(design, values["antecedent"]),
                consequent=items_of_questions(design, values["consequent"]),
            ),
        )


def items_of_questions(design: Design, keys: Iterable[str]) -> tuple[int, ...] | None:
    """Return the items of these questions; None, which allows all, if every question or none is named."""
    numbers = {number for number, question in enumerate(design.questions) if question.key in set(keys)}
    if len(numbers) in (0, len(design.questions)):
        return None
    return tuple(item.index for item in design.items if item.question in numbers)


class RuleFilterForm(forms.Form):
    """Which rules the table shows, and in which order; it lives in the page's address."""

    text = forms.CharField(label=_("Words in its questions"), required=False, max_length=LONGEST_TEXT)
    item = forms.TypedChoiceField(label=_("Item"), coerce=int, empty_value=None, required=False)
    side = forms.ChoiceField(label=_("on"), choices=SIDES, required=False)
    length = forms.TypedChoiceField(label=_("Items"), coerce=int, empty_value=None, required=False)
    holds = forms.ChoiceField(
        label=_("Test"), choices=(("", _("any")), ("yes", _("holds")), ("no", _("not shown"))), required=False
    )
    redundant = forms.ChoiceField(
        label=_("Explained by a shorter rule"),
        choices=(("", _("any")), ("yes", _("redundant")), ("no", _("not redundant"))),
        required=False,
    )
    maximal = forms.ChoiceField(
        label=_("Its itemset"),
        choices=(("", _("any")), ("yes", _("maximal")), ("no", _("in a longer one"))),
        required=False,
    )
    verdict = forms.ChoiceField(
        label=_("Verdict"),
        choices=(("", _("any")), (NONE, _("none")), *Verdict.Opinion.choices),
        required=False,
    )
    measures = forms.ChoiceField(
        label=_("Measures in the table"),
        choices=(("", _("support, confidence, lift")), ("all", _("all five, with ± and truth"))),
        required=False,
    )
    predicted = forms.ChoiceField(
        label=_("Also show"),
        choices=(("", _("nothing else")), ("yes", _("predicted from pairs"))),
        required=False,
    )
    size = forms.TypedChoiceField(
        label=_("Rules on a page"),
        choices=((number, str(number)) for number in SIZES),
        coerce=int,
        empty_value=None,
        required=False,
    )
    sort = forms.ChoiceField(
        choices=((name, name) for name in SORTS), required=False, widget=forms.HiddenInput
    )
    page = forms.IntegerField(min_value=1, required=False, widget=forms.HiddenInput)

    @classmethod
    def of_run(cls, data: QueryDict, run: Run, labels: Labels) -> RuleFilterForm:
        """Return the form that an address fills in, on the page of a run."""
        return cls(data, items=labels.choices(), longest=run.thresholds.max_size)

    def __init__(self, given: Mapping[str, Any], *, items: list[tuple[int, str]], longest: int) -> None:
        # The list shows what is in force, and in a form that was sent that is what the address says.
        shown = {"size": RULES_PER_PAGE, **{name: given[name] for name in given}}
        super().__init__(shown)
        self.fields["item"].choices = [("", _("any")), *items]  # type: ignore[attr-defined]
        lengths = [(size, str(size)) for size in range(2, longest + 1)]
        self.fields["length"].choices = [("", _("any")), *lengths]  # type: ignore[attr-defined]
        for name, (of, end) in LIMITS.items():
            words = {"measure": SHOWN[of].label}
            self.fields[name] = forms.FloatField(
                label=_END_LABELS[end] % words,
                required=False,
                widget=forms.TextInput(attrs={"inputmode": "decimal", "size": "6"}),
            )

    def query(self) -> RuleQuery:
        """Return the query; what cannot be read falls back to its default, and `complaints` says so."""
        self.is_valid()
        limits = {name: value for name, value in _given(self).items() if name in LIMITS}
        others = {name: value for name, value in _given(self).items() if name not in LIMITS}
        return RuleQuery(limits=tuple(limits.items()), **others)

    def complaints(self) -> list[str]:
        """Say what could not be read, field by field."""
        return complaints_of(self)

    def limits(self) -> list[tuple[Text, list[forms.BoundField | None]]]:
        """Return the measures with the fields of their limits, as the form shows them in a table."""
        rows: dict[str, list[forms.BoundField | None]] = {}
        for name, (of, end) in LIMITS.items():
            rows.setdefault(of, [None] * len(ENDS))[ENDS.index(end)] = self[name]
        return [(SHOWN[of].label, cells) for of, cells in rows.items()]


class ItemsetFilterForm(forms.Form):
    """Which itemsets the table shows; it lives in the page's address."""

    text = forms.CharField(label=_("Words in its questions"), required=False, max_length=LONGEST_TEXT)
    item = forms.TypedChoiceField(label=_("Item"), coerce=int, empty_value=None, required=False)
    size = forms.TypedChoiceField(label=_("Items"), coerce=int, empty_value=None, required=False)
    least = forms.FloatField(label=_("Support at least"), required=False)
    sort = forms.ChoiceField(choices=ITEMSET_SORTS, required=False, widget=forms.HiddenInput)
    page = forms.IntegerField(min_value=1, required=False, widget=forms.HiddenInput)

    def __init__(self, *args: Any, items: list[tuple[int, str]], longest: int, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["item"].choices = [("", _("any")), *items]  # type: ignore[attr-defined]
        sizes = [(size, str(size)) for size in range(1, longest + 1)]
        self.fields["size"].choices = [("", _("any")), *sizes]  # type: ignore[attr-defined]

    def query(self) -> ItemsetQuery:
        """Return the query; what cannot be read falls back to its default."""
        self.is_valid()
        return ItemsetQuery(**_given(self))

    def complaints(self) -> list[str]:
        """Say what could not be read, field by field."""
        return complaints_of(self)
