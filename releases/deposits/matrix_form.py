"""The form of an expert's matrix: a number for each value and column, or a file in their place."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from django import forms
from django.forms import BoundField
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from privacy.sdc.utility_matrix import LEVELS
from releases.deposits.matrix import MatrixDraft, matrix_from_file

__all__ = ["MatrixForm"]

NAMES = {
    "very high": gettext_lazy("very high"),
    "high": gettext_lazy("high"),
    "medium": gettext_lazy("medium"),
    "low": gettext_lazy("low"),
    "very low": gettext_lazy("very low"),
}


class MatrixForm(forms.Form):
    """Numbers by value and column; of a matrix too large for a page a file only."""

    file = forms.FileField(
        label=gettext_lazy("A file in place of the numbers (CSV)"),
        required=False,
        widget=forms.FileInput(attrs={"accept": ".csv,text/csv"}),
    )

    def __init__(self, draft: MatrixDraft, *args: Any) -> None:
        super().__init__(*args)
        self.draft = draft
        if draft.by_file_only:
            return
        for row, (value, cells) in enumerate(draft.rows.items()):
            shown = value or _("missing")
            for column, (name, cell) in enumerate(zip(draft.names, cells, strict=True)):
                # What is no number is refused with its value and its column, as in a file.
                self.fields[f"u_{row}_{column}"] = forms.CharField(
                    initial=cell,
                    required=False,
                    max_length=40,
                    widget=forms.NumberInput(
                        attrs={
                            "min": 0,
                            "max": 1,
                            "step": "any",
                            "list": "levels",
                            "aria-label": f"{shown}, {name}",
                            "data-row": row,
                            "data-column": column,
                        }
                    ),
                )

    @property
    def levels(self) -> list[tuple[str, float]]:
        """The five levels of an expert, each with its number."""
        return [(str(NAMES[name]), number) for name, number in LEVELS.items()]

    @property
    def lines(self) -> Iterator[dict[str, Any]]:
        """Each value with its fields and their sum."""
        for row, value in enumerate(self.draft.rows):
            fields: list[BoundField] = [
                self[f"u_{row}_{position}"] for position in range(len(self.draft.names))
            ]
            yield {"value": value, "fields": fields, "sum": f"{sum(map(_number, fields)):.2f}"}

    @property
    def shares(self) -> list[str]:
        """What part of the loss each column makes, in percent."""
        sums = [0.0] * len(self.draft.names)
        for line in self.lines:
            sums = [total + _number(field) for total, field in zip(sums, line["fields"], strict=True)]
        whole = sum(sums)
        return [f"{100 * total / whole:.0f}" if whole else "–" for total in sums]

    def text(self) -> str:
        """What was written or given, as a file has it.

        Raises
        ------
        SurveyError
            As `matrix_from_file`.
        """
        given = self.cleaned_data.get("file")
        if given is not None:
            return matrix_from_file(given.read())
        return self.draft.text(
            {
                value: [
                    self.cleaned_data.get(f"u_{row}_{position}", "")
                    for position in range(len(self.draft.names))
                ]
                for row, value in enumerate(self.draft.rows)
            }
        )


def _number(field: BoundField) -> float:
    try:
        return float(field.value() or 0)
    except ValueError:
        return 0.0
