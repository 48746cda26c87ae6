"""Facts about the disguise of a number or a place, for comparing two versions."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any, Final

from django.utils.translation import gettext as _

from privacy.scales.window import WindowChannel
from privacy.survey.design_json import read_disguise
from surveys.authoring.place_facts import place_facts
from surveys.formats.disguise_bounds import epsilon_text
from surveys.formats.joints import series_text

Facts = Iterator[tuple[str, str]]
"""Names and texts."""


def disguise_facts(question: Mapping[str, Any]) -> Facts:
    """Yield the facts (name, text) about a number or a place in a stored design."""
    disguise = read_disguise(question["kind"], question["disguise"])
    yield _("mechanism"), disguise.mechanism
    if not disguise.is_as_answered:
        yield _("ε"), epsilon_text(disguise)
    yield from FACTS[question["kind"]](disguise)


def number_facts(channel: WindowChannel) -> Facts:
    """Yield the facts about the range and the bands of a number."""
    ticks = channel.range
    yield _("range"), f"{ticks.text(ticks.low)} – {ticks.text(ticks.high)}"
    yield _("bins"), str(ticks.bins)
    yield _("bands"), series_text(f"{first} – {last}" for first, last in channel.spans)


FACTS: Final[Mapping[str, Callable[[Any], Facts]]] = {
    "number": number_facts,
    "place": place_facts,
}
"""The facts about each kind with a disguise of its own."""
