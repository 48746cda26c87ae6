"""Forms on the pages of people: invite and change an account."""

from __future__ import annotations

from typing import Any

from django import forms
from django.contrib.auth.validators import UnicodeUsernameValidator
from django.utils.translation import gettext_lazy as _

from surveys.accounts.roles import ROLE_TEXTS, Role


class PersonForm(forms.Form):
    """Name and roles of a member of the staff."""

    full_name = forms.CharField(
        label=_("Full name"), max_length=150, required=False, help_text=_("Optional.")
    )
    email = forms.EmailField(
        label=_("E-mail"),
        required=False,
        help_text=_(
            "Optional. If the operator has set this up, administrators with an address get an "
            "e-mail when something is wrong with this server. No one else gets e-mail."
        ),
    )
    roles = forms.TypedMultipleChoiceField(
        label=_("Roles"),
        coerce=Role,
        choices=[(role.value, text) for role, text in ROLE_TEXTS.items()],
        widget=forms.CheckboxSelectMultiple,
        help_text=_("Choose at least one role."),
        error_messages={
            "required": _("Choose at least one role. Without a role, an account cannot do anything.")
        },
    )

    def values(self) -> dict[str, Any]:
        """Return the submitted values as keyword arguments of the services."""
        return {**self.cleaned_data, "roles": frozenset(self.cleaned_data["roles"])}


class InviteForm(PersonForm):
    """Name, address and roles of a new account."""

    name = forms.CharField(
        label=_("Login name"),
        max_length=150,
        validators=[UnicodeUsernameValidator()],
        help_text=_("Letters, digits and @ . + - _. You cannot change it later."),
        widget=forms.TextInput(
            attrs={"autocomplete": "off", "autocapitalize": "none", "spellcheck": "false"}
        ),
    )

    field_order = ("name", "full_name", "email", "roles")
