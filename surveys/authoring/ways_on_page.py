"""Ways to learn more from a draft as buttons beside "Publish", each with its number."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from urllib.parse import urlencode

from django.utils.translation import gettext as _

from surveys.models import Survey
from surveys.questionnaire.aim import Aim
from surveys.questionnaire.certainty import promise_sentence
from surveys.questionnaire.definition import Definition
from surveys.questionnaire.series import other_waves
from surveys.questionnaire.use_words import draft_payoff_sentences, item_names, use_sentences
from surveys.questionnaire.ways_on import ways_on

__all__ = ["WayLine", "payoff_lines", "way_lines"]


@dataclass(frozen=True, kw_only=True)
class WayLine:
    """One way: the button's name, what it gives, and what the page of the aim starts with."""

    name: str
    gives: str
    query: str


def way_lines(survey: Survey, definition: Definition) -> tuple[WayLine, ...]:
    """Return the ways on; none where the number of people is not stated."""
    aim = Aim.from_json(survey.aim)
    if aim is None:
        return ()
    return tuple(_lines(survey, definition, aim))


def payoff_lines(survey: Survey, definition: Definition) -> list[str]:
    """Return whether protection pays for what is wanted; nothing where no number of people is stated."""
    aim = Aim.from_json(survey.aim)
    if aim is None:
        return []
    return draft_payoff_sentences(definition.design, aim.within(definition.design), item_names(definition))


def _lines(survey: Survey, definition: Definition, aim: Aim) -> Iterator[WayLine]:
    names = item_names(definition)
    ways = ways_on(definition, aim, waves=other_waves(definition.series, but=survey))
    if ways.people is not None:
        yield WayLine(
            name=_("More people"),
            gives=(
                _("With %(people)s people the difference is found 8 times in 10.")
                if aim.is_pair
                else _("With %(people)s people it is within ±5 points.")
            )
            % {"people": f"{ways.people:,}"},
            query=f"?{urlencode({'people': ways.people})}",
        )
    if ways.fewer is not None:
        name = next(name for key, name in names.items() if key.partition("=")[0] == ways.fewer.question)
        yield WayLine(
            name=_("Fewer questions"),
            gives=" ".join(
                [_("Without “%(question)s”:") % {"question": name}, *use_sentences(ways.fewer.use, names)]
            ),
            query="",
        )
    if ways.lighter is not None:
        risked = ways.lighter.promise
        yield WayLine(
            name=_("Lighter"),
            gives=" ".join(
                [*use_sentences(ways.lighter.use, names), promise_sentence(risked) if risked else ""]
            ),
            query=f"?{urlencode({'strength': ways.lighter.use.aim.strength})}",
        )
