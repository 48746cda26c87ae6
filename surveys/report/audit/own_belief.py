"""The reader's own prior on the page of risks, and the largest posterior it can become."""

from __future__ import annotations

from collections.abc import Mapping
from decimal import Decimal
from fractions import Fraction
from typing import Any

from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from surveys.figures.audit.audited_survey import AuditedSurvey
from surveys.questionnaire.aim import promise_to

__all__ = ["BeliefForm", "posteriors"]


class BeliefForm(forms.Form):
    """Prior probability of an answer."""

    before = forms.DecimalField(
        label=gettext_lazy("Belief before, %"),
        help_text=gettext_lazy("About any property of a person, such as one answer or several together."),
        min_value=Decimal("0.01"),
        max_value=Decimal("99.99"),
        decimal_places=2,
        max_digits=4,
    )


def posteriors(
    audited: AuditedSurvey, given: Mapping[str, Any]
) -> tuple[BeliefForm, list[tuple[str, float]]]:
    """Return the form, and the largest posterior by one answer and by everything; none without a prior.

    Notes
    -----
    O rho1/(1 + (O - 1) rho1), O the odds of the promise to respondents who are strongly disguised.
    """
    form = BeliefForm(given if "before" in given else None)
    if not form.is_valid():
        return form, []
    prior = Fraction(form.cleaned_data["before"]) / 100
    made = promise_to(audited.design, direct=False)
    if made is None:
        return form, []
    limits = [(_("One disguised answer"), made.answer), (_("Everything one device sends"), made.everything)]
    return form, [(name, float(odds * prior / (1 + (odds - 1) * prior))) for name, odds in limits]
