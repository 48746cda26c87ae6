"""The reader's own prior on the page of risks, and the largest posterior it can become."""

from __future__ import annotations

from collections.abc import Mapping
from decimal import Decimal
from typing import Any

from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from privacy.risk.design_audit import rho2_of
from surveys.figures.audit.audited_survey import AuditedSurvey
from surveys.questionnaire.labels import part_titles

__all__ = ["BeliefForm", "posteriors"]


class BeliefForm(forms.Form):
    """Prior probability of an answer."""

    before = forms.DecimalField(
        label=gettext_lazy("Believed before, %"),
        help_text=gettext_lazy("Of any property of a person, such as an answer or several together."),
        min_value=Decimal("0.01"),
        max_value=Decimal("99.99"),
        decimal_places=2,
        max_digits=4,
    )


def posteriors(
    audited: AuditedSurvey, given: Mapping[str, Any]
) -> tuple[BeliefForm, list[tuple[str, float]]]:
    """Return the form, and the largest posterior by each disguised part and by all; none without a prior.

    Notes
    -----
    gamma rho1/(1 + (gamma - 1) rho1) for a respondent who is strongly disguised, whatever was believed of
    the rest.
    """
    form = BeliefForm(given if "before" in given else None)
    if not form.is_valid():
        return form, []
    prior = float(form.cleaned_data["before"]) / 100
    titles = part_titles(audited.version)
    bounds = [(titles[block.key], block.epsilon) for block in audited.audit.blocks]
    bounds.append((_("All parts together"), audited.audit.epsilon))
    return form, [(title, rho2_of(epsilon, [prior])[0][1]) for title, epsilon in bounds]
