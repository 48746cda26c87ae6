"""Form of a planned questionnaire of yes/no questions, in percent and whole numbers."""

from __future__ import annotations

import re
from decimal import Decimal
from typing import Any, Final

from django import forms
from django.utils.translation import gettext_lazy as _

from privacy.coins import SCALE
from privacy.planning.planned_survey import MOST_QUESTIONS, PlannedSurvey
from surveys.errors.error import field_error

_SIZES: Final = re.compile(r"\s*\d{1,2}((\s*+[,，、]\s*|\s++)\d{1,2})*\s*")
_SHARES: Final = re.compile(r"\s*\d{1,3}(\.\d{1,2})?((\s*+[,，、]\s*|\s++)\d{1,3}(\.\d{1,2})?)*\s*", re.ASCII)
MOST_RESPONDENTS: Final = 1_000_000_000
# They are computed within a request.
MOST_MADE_UP: Final = 2_000


def percent_field(
    label: Any,
    hint: Any = "",
    *,
    low: str = "0.01",
    high: str = "99.99",
    digits: int = 5,
    required: bool = True,
) -> forms.DecimalField:
    """Return a field for a chance or a share in percent, with two decimals."""
    return forms.DecimalField(
        label=label,
        help_text=hint,
        required=required,
        min_value=Decimal(low),
        max_value=Decimal(high),
        decimal_places=2,
        max_digits=digits,
    )


class MadeUpForm(forms.Form):
    """So many made-up people, and which of them."""

    n = forms.IntegerField(label=_("Made-up people"), min_value=10, max_value=MOST_MADE_UP)
    turn = forms.IntegerField(min_value=1, max_value=MOST_RESPONDENTS)

    START: Final[dict[str, Any]] = {"n": 500, "turn": 1}


class PlanForm(forms.Form):
    """A planned survey, from the address."""

    p = percent_field(
        _("Truth probability p (%)"),
        _("How often a part is sent as it was answered."),
    )
    theta = percent_field(_("Unrelated probability θ (%)"), _("How often a drawn answer says yes."))
    blocks = forms.CharField(
        label=_("Questions of each part"), help_text=_("One number for each part: 3, 2."), max_length=200
    )
    prevalence = forms.CharField(
        label=_("Expected yes (%)"),
        help_text=_("Your guess: one for all questions, or one for each part: 20, 10."),
        max_length=400,
    )
    n = forms.IntegerField(
        label=_("Respondents n"), help_text=_("How many you expect."), min_value=1, max_value=MOST_RESPONDENTS
    )
    k = percent_field(
        _("The others' share, k (%)"), _("0 if everyone is strongly disguised."), low="0", high="99"
    )
    light = percent_field(
        _("Their truth probability (%)"),
        _("Of those lightly disguised; 100 if their answers are sent undisguised."),
        high="100",
    )
    error = percent_field(
        _("Wanted standard error (points)"),
        _("Of the share of one item; tells how many respondents it takes."),
        high="50",
    )
    ceiling = forms.DecimalField(
        label=_("Ceiling of ε for a person"),
        help_text=_("Over all parts. Tells the largest p and the largest part below it."),
        min_value=Decimal("0.01"),
        max_value=50,
        decimal_places=2,
        max_digits=5,
    )

    START: Final[dict[str, Any]] = {
        "p": 50,
        "theta": 50,
        "blocks": "3, 2",
        "prevalence": "20",
        "n": 1000,
        "k": 0,
        "light": 100,
        "error": 2,
        "ceiling": 3,
    }

    def clean_blocks(self) -> tuple[int, ...]:
        """Read the sizes."""
        text: str = self.cleaned_data["blocks"]
        if _SIZES.fullmatch(text) is None:
            raise field_error("plan.blocks")
        sizes = tuple(int(size) for size in re.findall(r"\d+", text))
        if 0 in sizes or sum(sizes) > MOST_QUESTIONS:
            raise field_error("plan.questions", most=MOST_QUESTIONS)
        return sizes

    def clean_prevalence(self) -> tuple[int, ...]:
        """Read one share, or one for each part, in ten-thousandths."""
        text: str = self.cleaned_data["prevalence"]
        if _SHARES.fullmatch(text) is None:
            raise field_error("plan.percentages")
        shares = tuple(int(Decimal(share) * (SCALE // 100)) for share in re.findall(r"[\d.]+", text))
        if not all(0 < share < SCALE for share in shares):
            raise field_error("plan.range")
        sizes = self.cleaned_data.get("blocks")
        if sizes is not None and len(shares) not in (1, len(sizes)):
            raise field_error("plan.shares", count=len(sizes))
        return shares

    def clean(self) -> dict[str, Any]:
        """Refuse a light strength that is none."""
        values = super().clean() or self.cleaned_data
        if values.get("k") and values.get("light", 100) <= values.get("p", 0):
            self.add_error("light", field_error("plan.light"))
        return values

    def planned(self) -> PlannedSurvey:
        """Return the planned survey; the form must be valid."""
        values = self.cleaned_data
        scale = SCALE // 100
        return PlannedSurvey(
            truth_probability=int(values["p"] * scale),
            unrelated=int(values["theta"] * scale),
            block_sizes=values["blocks"],
            prevalence=values["prevalence"],
            n=values["n"],
            direct_share=float(values["k"]) / 100,
            light=int(values["light"] * scale) if values["k"] and values["light"] < 100 else None,
            error=float(values["error"]) / 100,
        )
