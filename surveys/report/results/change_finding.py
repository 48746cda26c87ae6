"""The sentence about a change: clear, ruled out, or how many more people are needed."""

from __future__ import annotations

import math

from django.utils.translation import gettext as _

from privacy.policy import USEFUL_DIFFERENCE
from privacy.printed import Measured
from surveys.formats.figures import DIFFERENCES, bounds_text
from surveys.report.results.choice import Choice
from surveys.report.results.outcomes import gap_interval
from surveys.report.sentences.verdict import Finding, VerdictKind, about_people, more_people


def change_shift_text(choice: Choice, shift: float | None) -> str:
    """Say how far forged rows could have moved a change; empty without any."""
    if shift == 0:
        return ""
    if shift is None or not math.isfinite(shift):
        return _("Forged answers could explain all of the change.")
    return _("Forged answers could have moved the change by up to %(gap)s.") % {"gap": choice.gap_text(shift)}


def is_clear_change(change: Measured) -> bool:
    """Whether the interval of a change excludes 0, however forged answers moved it."""
    shift = math.inf if change.shift is None else change.shift
    return change.estimable and (change.low > shift or change.high < -shift)


def change_finding(change: Measured, outcome: Choice, *, same_people: bool = False) -> Finding:
    """Return whether there is a change, which change is ruled out, or how many people are missing."""
    words = {
        "change": gap_interval(outcome, change),
        "low": outcome.gap_text(change.low, unit=False),
        "high": outcome.gap_text(change.high),
    }
    if is_clear_change(change):
        text = bounds_text(change.value, (change.low, change.high), DIFFERENCES, outcome.gap_text)
        words |= {"change": text} if text else {}
        return Finding(kind=VerdictKind.CLEAR, sentence=_("The change is %(change)s. It is clear.") % words)
    if not change.estimable:
        sentence = _("There are too few answers to say anything about a change.")
        return Finding(kind=VerdictKind.UNCERTAIN, sentence=sentence)
    if change.low > 0 or change.high < 0:
        template = _(
            "The change is %(change)s, but forged answers could explain it, so this is too uncertain to say."
        )
        return Finding(kind=VerdictKind.UNCERTAIN, sentence=template % words)
    shift = math.inf if change.shift is None else change.shift
    largest = max(abs(change.low), abs(change.high)) + shift
    if largest < USEFUL_DIFFERENCE:
        words["largest"] = outcome.largest_gap_text(largest)
        template = _("A change of more than %(largest)s is ruled out: it is between %(low)s and %(high)s.")
        return Finding(kind=VerdictKind.RULED_OUT, sentence=template % words)
    more = more_people(change.n, change.high - change.low, USEFUL_DIFFERENCE)
    if not more:
        template = _(
            "Too uncertain to say: the change is between %(low)s and %(high)s, and forged answers could have "
            "made it smaller or larger."
        )
        return Finding(kind=VerdictKind.UNCERTAIN, sentence=template % words)
    words["people"] = about_people(more)
    words["found"] = outcome.gap_text(USEFUL_DIFFERENCE, digits=0)
    template = (
        _(
            "Too uncertain to say: the change is between %(low)s and %(high)s. About %(people)s more people "
            "would be enough to find a change of %(found)s, or to rule it out."
        )
        if same_people
        else _(
            "Too uncertain to say: the change is between %(low)s and %(high)s. About %(people)s more people "
            "in each survey would be enough to find a change of %(found)s, or to rule it out."
        )
    )
    return Finding(kind=VerdictKind.UNCERTAIN, sentence=template % words)
