"""The form of an estimate from a file."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from django import forms
from django.forms import BoundField
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from surveys.elsewhere.estimating import study_estimate
from surveys.elsewhere.methods import BY_KEY, METHODS, Method
from surveys.elsewhere.results import Result
from surveys.tables.reading import MOST_BYTES, table_read


class MethodForm(forms.Form):
    """Which design the data have."""

    model = forms.ChoiceField(
        label=gettext_lazy("How the answers were disguised"),
        choices=[(method.key, method.name) for method in METHODS],
    )


class StudyForm(forms.Form):
    """The file, its columns, and what the design was."""

    file = forms.FileField(
        label=gettext_lazy("Table: CSV, Excel, Parquet, SPSS or Stata"),
        help_text=gettext_lazy("A header, then a line for each person. It is read, used and forgotten."),
    )

    def __init__(self, method: Method, data: Mapping[str, Any] | None = None, files: Any = None) -> None:
        super().__init__(data, files)
        self.method = method
        labels = _roles(method)
        for role in method.roles:
            name, hint = labels[role]
            self.fields[f"column_{role}"] = forms.CharField(label=str(name), help_text=hint, max_length=200)
        for key, label in method.chances:
            self.fields[f"chance_{key}"] = forms.CharField(
                label=str(label), help_text=_("Such as 0.7, 70 % or 1/6."), max_length=40
            )
        if method.number is not None:
            self.fields["number"] = forms.IntegerField(label=str(method.number), min_value=1, initial=1)
        if method.table is not None:
            self.fields["lines"] = forms.CharField(
                label=str(method.table),
                help_text=(
                    _("A line for each report: its name, a colon, its chance for each true answer.")
                    if method.key == "channel"
                    else _("A line for each: the answer, an equals sign, the chance. Such as: never = 1/6.")
                ),
                widget=forms.Textarea(attrs={"rows": 4}),
                max_length=5000,
            )
        self.fields["column_count"] = forms.CharField(
            label=_("Column of counts"),
            help_text=_("Only where a line stands for several people: how many."),
            required=False,
            max_length=200,
        )

        self.fields["missing"] = forms.CharField(
            label=_("What stands for a missing value"),
            help_text=_(
                "Texts, with commas between. Left empty, it is NA, NaN, NULL, a dot, refused, 不详 and "
                "拒答, and -9, 99 and 999 where no other number is near them."
            ),
            required=False,
            max_length=500,
        )

    @property
    def settings(self) -> Iterator[BoundField]:
        """The fields beside the file."""
        return (field for field in self if field.name != "file")

    def result(self) -> Result:
        """Estimate from what was given.

        Raises
        ------
        PrivacyError
            The file, a chance or the counts do not fit the design.
        """
        values = self.cleaned_data
        return study_estimate(
            self.method,
            table_read(values["file"].name, values["file"].read(MOST_BYTES + 1)),
            columns={
                name.removeprefix("column_"): values[name] for name in values if name.startswith("column_")
            },
            chances={
                name.removeprefix("chance_"): values[name] for name in values if name.startswith("chance_")
            },
            number=values.get("number"),
            lines=values.get("lines", ""),
            missing=[text.strip() for text in values["missing"].replace("，", ",").split(",")]
            if values["missing"]
            else None,
        )


def _roles(method: Method) -> dict[str, tuple[str, str]]:
    answers = {
        "kuk": _("How many red cards each person drew."),
        "list": _("How many items each person counts."),
        "item-sum": _("The number that each person reports."),
        "forced-categories": _("The answer that each person reports."),
        "channel": _("What each person reports."),
    }
    crosswise = method.key.startswith("crosswise")
    yes_no = _("yes and no, or 1 and 0.")
    if crosswise:
        yes_no = _("same and different, or 1 and 0: 1 is “same”.")
    elif method.key == "triangular":
        yes_no = _("1 for at least one “yes”, 0 for “no” to both.")
    group = _("Two values; the smaller one is sample 1.")
    if method.key in ("list", "item-sum"):
        group = _("1 for those who were shown the sensitive item, 0 for the others.")
    return {
        "answers": (_("Column of answers"), answers.get(method.key, yes_no)),
        "group": (_("Column of samples"), group),
        "anchor": (_("Column of the anchor"), yes_no),
    }


def method_of(key: str) -> Method:
    """Return the design with this key, the first one where there is none."""
    return BY_KEY.get(key, METHODS[0])
