"""Bars of groups of people: a name, a figure and its picture."""

from __future__ import annotations

from typing import NamedTuple

from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from privacy.printed import Measured
from surveys.formats.interval_chart import share_bar
from surveys.formats.people_of_100 import people_of_100, share_with_interval
from surveys.report.sentences.findings import Phrase


class GroupBar(NamedTuple):
    """A group of people, its figure, and its picture.

    Attributes
    ----------
    name, figure : str
    picture : SafeString or None
        None if there are too few answers.
    ends : (str, str), optional
        What the two ends of the picture stand for; None for shares, which go from 0 to 100 everywhere.
    """

    name: str
    figure: str
    picture: SafeString | None
    ends: tuple[str, str] | None = None


def pair_bars(by: Phrase, having: Measured, others: Measured | None) -> list[GroupBar]:
    """Return a bar for people with an answer and one for all others, with their shares of the outcome."""
    parts = [(by.bar, having), *([(_("all others"), others)] if others is not None else [])]
    return [bar_of(name, share, _share_or_range(share)) for name, share in parts]


def _share_or_range(share: Measured) -> str:
    if share.estimable:
        return share_with_interval(share.value, share.low, share.high)
    return _("too few to say: %(low)s to %(high)s") % people_of_100(share.value, share.low, share.high)


def bar_of(name: str, estimate: Measured, text: str) -> GroupBar:
    """Return a group with its figure and its bar; without the bar if there are too few answers."""
    if not estimate.estimable:
        return GroupBar(name, text, None)
    caption = _("%(name)s: %(figure)s") % {"name": name, "figure": text}
    return GroupBar(name, text, share_bar(estimate.value, estimate.low, estimate.high, text=caption))
