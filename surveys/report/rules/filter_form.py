"""The form that filters a table; its values are in the address of the page."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Final

from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

LONGEST_TEXT: Final = 200
"""Maximum length of a search text."""

_LONGEST_NAME: Final = 80


class FilterForm(forms.Form):
    """Filters of a table, stored in the page's address."""

    text = forms.CharField(
        label=gettext_lazy("Words in the questions"), required=False, max_length=LONGEST_TEXT
    )
    item = forms.TypedChoiceField(label=gettext_lazy("Item"), coerce=int, empty_value=None, required=False)
    page = forms.IntegerField(min_value=1, required=False, widget=forms.HiddenInput)

    def allow(self, **choices: Iterable[tuple[object, object]]) -> None:
        """Set the choices of fields, with "any" first."""
        for name, options in choices.items():
            self.fields[name].choices = [("", _("any")), *options]  # type: ignore[attr-defined]

    def values(self) -> dict[str, Any]:
        """Return the valid values that are not empty; a query has defaults for the other fields."""
        self.is_valid()
        return {name: value for name, value in self.cleaned_data.items() if value not in (None, "")}

    def complaints(self) -> list[str]:
        """Name each invalid field with the reason, and each unknown parameter."""
        bad_fields = [name for name in self.errors if name in self.fields]
        unknown = [name for name in self.data if name not in self.fields]
        return [
            *(f"{self[name].label}: {error}" for name in bad_fields for error in self.errors[name]),
            *(_("Unknown setting: “%(name)s”.") % {"name": name[:_LONGEST_NAME]} for name in unknown),
        ]
