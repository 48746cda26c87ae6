"""What of an address could not be read: said on the page, which shows the rest."""

from __future__ import annotations

from typing import Final

from django import forms
from django.utils.translation import gettext as _

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
        *(_("“%(name)s” means nothing here.") % {"name": name[:_LONGEST_NAME]} for name in unknown),
    ]
