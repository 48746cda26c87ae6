"""The disguise of a number in words."""

from __future__ import annotations

from fractions import Fraction

from django.utils.translation import gettext as _

from privacy.scales.window import WindowChannel
from surveys.formats.numbers import count_text
from surveys.report.export.scale_law import ScaleLaw, probability_text


class NumberLaw(ScaleLaw):
    """Describe the disguises of numbers."""

    def disguise_text(self, disguise: WindowChannel) -> str:
        """Describe how a device disguises a number."""
        total, bins = disguise.total, count_text(disguise.inputs)
        if disguise.retention_probability is not None:
            text = _(
                "a number in one of %(bins)s bins. With probability %(chance)s the device sent the "
                "bin of the answer, otherwise a bin drawn uniformly from all."
            ) % {
                "bins": bins,
                "chance": probability_text(disguise.retention_probability),
            }
        elif disguise.window:
            text = _(
                "a number in one of %(bins)s bins, sent as one of %(outputs)s values. Each of the "
                "%(window)s values in the window around the bin of the answer was sent with "
                "probability %(inside)s, each other value with probability %(outside)s."
            ) % {
                "bins": bins,
                "outputs": count_text(disguise.grid_outputs),
                "window": count_text(disguise.window),
                "inside": probability_text(Fraction(disguise.floor + disguise.peak, total)),
                "outside": probability_text(Fraction(disguise.floor, total)),
            }
        else:
            text = _("a number in one of %(bins)s bins, sent as “down” or “up”.") % {"bins": bins}
        if disguise.coin:
            lowest, highest = (
                Fraction(disguise.lean + disguise.step * position, total)
                for position in (0, disguise.inputs - 1)
            )
            text += " " + _(
                "The probability of “up” rises with the bin from %(low)s to %(high)s. The "
                "probabilities of “down” and “up” add up to %(both)s."
            ) % {
                "low": probability_text(lowest),
                "high": probability_text(highest),
                "both": probability_text(Fraction(disguise.coin, total)),
            }
        return text

    def sent_text(self, disguise: WindowChannel) -> str:
        """Describe the values in the question's column."""
        if not disguise.window:
            return _("0 means that “down” was sent, 1 “up”")
        ticks = disguise.range
        facts = {
            "first": ticks.text(ticks.low),
            "second": ticks.text(ticks.low + ticks.bin),
            "last": disguise.window - 1,
            "down": disguise.grid_outputs,
            "up": disguise.grid_outputs + 1,
        }
        if disguise.is_as_answered:
            return _("the bin of the answer: 0 begins at %(first)s, 1 at %(second)s, and so on") % facts
        if disguise.grid_outputs == disguise.inputs:
            text = _("the bin that was sent: 0 begins at %(first)s, 1 at %(second)s, and so on") % facts
        else:
            text = (
                _(
                    "the value that was sent: the window of bin b is b to b + %(last)s; "
                    "bin 0 begins at %(first)s, 1 at %(second)s, and so on"
                )
                % facts
            )
        return text + _("; %(down)s means “down”, %(up)s “up”") % facts if disguise.coin else text
