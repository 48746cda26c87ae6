"""The forms for the source of a table: a file, parts of a large file, or a survey."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy

from surveys.models import Survey


class BeginForm(forms.Form):
    """A file, or one of the user's surveys."""

    file = forms.FileField(
        label=gettext_lazy("Table: CSV, Excel, Parquet, SPSS or Stata"),
        help_text=gettext_lazy(
            "A header line, then one line for each person. CSV up to 1 GB, other formats up to 50 MB."
        ),
        required=False,
    )
    sheet = forms.CharField(
        label=gettext_lazy("Sheet of an Excel workbook"),
        help_text=gettext_lazy("Only needed if several sheets contain cells."),
        max_length=100,
        required=False,
    )
    survey = forms.ModelChoiceField(
        label=gettext_lazy("Or the answers of a closed survey"),
        queryset=Survey.objects.none(),
        to_field_name="slug",
        required=False,
        empty_label=gettext_lazy("none"),
    )

    def __init__(self, *args: Any, surveys: Sequence[Survey], **options: Any) -> None:
        super().__init__(*args, **options)
        field = self.fields["survey"]
        field.queryset = Survey.objects.filter(pk__in=[survey.pk for survey in surveys]).order_by("slug")  # type: ignore[attr-defined]
        if not surveys:
            del self.fields["survey"]


class PartForm(forms.Form):
    """A part of a large file."""

    release = forms.IntegerField(min_value=1, required=False)
    name = forms.CharField(max_length=500)
    number = forms.IntegerField(min_value=0, max_value=100_000)
    last = forms.BooleanField(required=False)
    part = forms.FileField()
