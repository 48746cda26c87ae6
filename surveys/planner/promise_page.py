"""The page that finds the chances of a part from what it promises."""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from typing import Final, cast

from django import forms
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_safe

from privacy.channels.amplification import effective_epsilon
from privacy.coins import SCALE
from privacy.errors import PrivacyError
from privacy.planning.calibration import construct_block
from surveys.access.permissions import staff_page
from surveys.errors.core_refusals import sentences
from surveys.formats.figures import number
from surveys.planner.forms import percent_field

# Every theta is tried within a request.
MOST_QUESTIONS: Final = 20
START: Final = {"before": "5", "after": "50", "questions": "3", "share": "20", "theta": ""}
_PEOPLE: Final = 1000


class PromiseForm(forms.Form):
    """Largest posterior that a part promises."""

    before = percent_field(
        gettext_lazy("Believed before, % (ρ1)"),
        gettext_lazy("Whoever holds it for at most so likely …"),
        digits=4,
    )
    after = percent_field(
        gettext_lazy("At most after, % (ρ2)"),
        gettext_lazy("… never becomes so sure, whatever is sent."),
        digits=4,
    )
    questions = forms.IntegerField(
        label=gettext_lazy("Yes/no questions"),
        help_text=gettext_lazy("In one part, which share a coin."),
        min_value=1,
        max_value=MOST_QUESTIONS,
    )
    share = percent_field(gettext_lazy("Expected share of “yes”, %"), digits=4)
    theta = percent_field(
        gettext_lazy("“Yes” of drawn answers, % (θ)"),
        gettext_lazy("Empty: the most precise one."),
        digits=4,
        required=False,
    )

    def chance(self, name: str) -> Fraction:
        """Return a percentage as a share; the form must be valid."""
        return Fraction(self.cleaned_data[name]) / 100


@dataclass(frozen=True, kw_only=True)
class PromisedPart:
    """A part that keeps a promise, ready to print."""

    p: str
    theta: str
    gamma: str
    limit: str
    epsilon: str
    error: str


@staff_page
@require_safe
def promise(request: HttpRequest) -> HttpResponse:
    """Find the chances; what is promised stands in the address."""
    form = PromiseForm(request.GET if "before" in request.GET else START)
    part, problem = None, ""
    if form.is_valid():
        try:
            part = promised_part(form)
        except PrivacyError as error:
            problem = sentences(error)
    context = {"form": form, "found": part, "problem": problem}
    return render(request, "planner/promise.html", context, status=200 if part else 422)


def promised_part(form: PromiseForm) -> PromisedPart:
    """Return the part of least variance that keeps a promise.

    Raises
    ------
    PrivacyError
        ``rho``: the promise begins above its end. ``too_strict``: no chance keeps it.
    """
    values = form.cleaned_data
    block = construct_block(
        form.chance("before"),
        form.chance("after"),
        prevalences=[float(form.chance("share"))] * values["questions"],
        unrelated=None if values["theta"] is None else int(form.chance("theta") * SCALE),
    )
    # No chance of 1 keeps a promise, so there is a largest ratio.
    gamma = cast(Fraction, block.amplification)
    return PromisedPart(
        p=_written(block.truth_probability),
        theta=_written(block.unrelated),
        gamma=number(float(gamma), 3),
        limit=number(float(block.limit), 3),
        epsilon=number(effective_epsilon(gamma), 3),
        error=number(100 * block.standard_error / math.sqrt(_PEOPLE), 1),
    )


def _written(chance: int) -> str:
    return _("%(share)s %%") % {"share": f"{100 * chance / SCALE:.2f}"}
