"""The reader's own prior on the page of risks, and the largest posterior it can become."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from django import forms
from django.utils.translation import get_language, gettext_lazy
from django.utils.translation import gettext as _

from privacy.risk.design_audit import rho2_of
from surveys.analysis.audit.audited_survey import AuditedSurvey
from surveys.formats.figures import number
from surveys.questionnaire.languages import text_in

__all__ = ["BeliefForm", "BeliefLine", "belief_lines"]


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


@dataclass(frozen=True, kw_only=True)
class BeliefLine:
    """A part, or all of them, and the largest posterior."""

    title: str
    after: str


def belief_lines(one: AuditedSurvey, given: Mapping[str, Any]) -> tuple[BeliefForm, tuple[BeliefLine, ...]]:
    """Return the form, and a line for each disguised part and for the whole; none where nothing is asked.

    Notes
    -----
    gamma rho1/(1 + (gamma - 1) rho1) for whoever is strongly disguised, whatever was believed of the rest.
    """
    form = BeliefForm(given if "before" in given else None)
    if not form.is_valid():
        return form, ()
    before = float(form.cleaned_data["before"]) / 100
    language = get_language() or "en"
    titles = {
        block.key: text_in(worded.get("title"), language) or block.key
        for block, worded in zip(one.design.blocks, one.version.wording["blocks"], strict=True)
    }
    found = [(titles.get(block.key, block.key), block.epsilon) for block in one.audit.blocks]
    found.append((_("All parts together"), one.audit.epsilon))
    return form, tuple(BeliefLine(title=title, after=_after(epsilon, before)) for title, epsilon in found)


def _after(epsilon: float, before: float) -> str:
    ((_before, after),) = rho2_of(epsilon, [before])
    return _("%(share)s %%") % {"share": number(100 * after, 1)}
