"""Forms of invitations."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from surveys.intake.payload import code_typed
from surveys.invite.codes import MOST_AT_ONCE
from surveys.invite.sheet import MOST_CARDS
from surveys.respondent.addresses import Address

_MOST_NAMED = 1_000


class MakeForm(forms.Form):
    """How many codes, in which language, and in which form."""

    number = forms.IntegerField(
        label=_("Number of codes"),
        min_value=1,
        max_value=MOST_AT_ONCE,
        error_messages={
            "min_value": _("%(show_value)s is not enough. Make at least one code."),
            "max_value": _(
                "%(show_value)s codes are too many at once. Make up to %(limit_value)s, then the rest."
            ),
        },
    )
    language = forms.ChoiceField(label=_("Language of the survey page"))
    form = forms.ChoiceField(
        label=_("Format"), choices=(("sheet", _("Sheet to print, with QR codes")), ("csv", _("Table (CSV)")))
    )

    def __init__(self, addresses: Iterable[Address], *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        field = self.fields["language"]
        assert isinstance(field, forms.ChoiceField)  # nosec B101  # for the type checker
        field.choices = [(address.language.tag, address.language.name) for address in addresses]

    def clean(self) -> dict[str, Any]:
        """Refuse a sheet that is too large for a browser."""
        values = super().clean() or self.cleaned_data
        if values.get("form") == "sheet" and values.get("number", 0) > MOST_CARDS:
            self.add_error(
                "number",
                forms.ValidationError(
                    _("A sheet can hold at most %(most)s codes. Choose the table, or make fewer codes."),
                    params={"most": MOST_CARDS},
                ),
            )
        return values


class RevokeForm(forms.Form):
    """Unused codes to revoke."""

    which = forms.ChoiceField(choices=(("named", _("These codes")), ("all", _("All unused codes"))))
    codes = forms.CharField(
        label=_("Codes, one per line"), required=False, max_length=100 * _MOST_NAMED, widget=forms.Textarea
    )
    confirm = forms.BooleanField(label=_("Yes, withdraw all unused codes"), required=False)

    def clean(self) -> dict[str, Any]:
        """Require valid codes, or confirmation that all are to be revoked."""
        values = super().clean() or self.cleaned_data
        lines = [line for line in values.get("codes", "").splitlines() if line.strip()]
        if values.get("which") == "all" and not values.get("confirm"):
            self.add_error("confirm", forms.ValidationError(_("Tick this box to withdraw all unused codes.")))
        if values.get("which") == "named":
            wrong = next((line for line in lines if code_typed(line) is None), None)
            if not lines:
                self.add_error("codes", forms.ValidationError(_("Enter at least one code.")))
            elif len(lines) > _MOST_NAMED:
                self.add_error(
                    "codes",
                    forms.ValidationError(_("The limit is %(most)s codes."), params={"most": _MOST_NAMED}),
                )
            elif wrong is not None:
                self.add_error(
                    "codes",
                    forms.ValidationError(
                        _("“%(line)s” is not an invitation code. Compare it with your list."),
                        params={"line": wrong[:40]},
                    ),
                )
        return {**values, "lines": lines}
