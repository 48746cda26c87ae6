"""Write what a survey can find, in sentences for the people who build it and for its board."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any, Final, Protocol

from django.utils.translation import get_language
from django.utils.translation import gettext as _

from privacy.survey.design import Design
from surveys.questionnaire.languages import text_in
from surveys.questionnaire.use import Use

__all__ = ["chance_of_ten", "item_names", "points", "use_sentences"]

_LONGEST: Final = 60


class Worded(Protocol):
    """A design with the texts of its questions: a definition, or what was published of one."""

    @property
    def design(self) -> Design: ...

    @property
    def wording(self) -> Mapping[str, Any]: ...


def item_names(worded: Worded) -> dict[str, str]:
    """Return what each item is called, by its key: its question, and the option of a choice."""
    language = get_language() or "en"
    wordings = [question for block in worded.wording["blocks"] for question in block["questions"]]
    names = {}
    for item in worded.design.items:
        wording = wordings[item.question]
        question = _short(text_in(wording["text"], language) or wording["key"])
        options = wording.get("options") or ()
        option = text_in(options[item.option]["text"], language) if options else ""
        names[item.key] = f"{question} – {option}" if option else question
    return names


def _short(text: str) -> str:
    return text if len(text) <= _LONGEST else f"{text[: _LONGEST - 1].rstrip()}…"


def points(share: float) -> str:
    """Write a half-width or a difference in points, rounded up: what is promised must hold.

    Examples
    --------
    >>> points(.0817), points(.24), points(.0044)
    ('8.2', '24', '0.5')
    """
    value = math.ceil(1000 * share - 1e-6) / 10
    return f"{value:.1f}".removesuffix(".0")


def chance_of_ten(power: float) -> str:
    """Write a power as people say a chance, rounded down.

    Examples
    --------
    >>> chance_of_ten(.83), chance_of_ten(.07), chance_of_ten(.995)
    ('8 times in 10', 'less than once in 10 times', 'nearly always')
    """
    times = math.floor(10 * power + 1e-9)
    if power >= 0.99:
        return _("nearly always")
    if times == 0:
        return _("less than once in 10 times")
    if times == 1:
        return _("once in 10 times")
    return _("%(times)s times in 10") % {"times": times}


def use_sentences(use: Use, names: Mapping[str, str]) -> list[str]:
    """Return what can be found, one thought a sentence.

    Parameters
    ----------
    use : Use
    names : mapping of str to str
        What items are called, by their keys.
    """
    people = f"{use.aim.people:,}"
    if not use.half_widths:
        return [_("With %(people)s people: no share is disguised.") % {"people": people}]
    wanted = [use.half_widths[key] for key in use.aim.wanted if key in use.half_widths]
    others = [width for key, width in use.half_widths.items() if key not in use.aim.wanted]
    sentences = [
        _("With %(people)s people: shares within ±%(points)s points.")
        % {"people": people, "points": points(max(wanted or others))}
    ]
    if wanted and others and max(others) > max(wanted) + 0.005:
        sentences.append(
            _("The other shares are within ±%(points)s points.") % {"points": points(max(others))}
        )
    if use.aim.is_pair:
        sentences.append(_pair_sentence(use, names))
    return sentences


def _pair_sentence(use: Use, names: Mapping[str, str]) -> str:
    first, second = (names[key] for key in use.aim.wanted)
    named = {"first": first, "second": second}
    if use.asked_together == 0:
        return _("Nobody is asked both “%(first)s” and “%(second)s”.") % named
    if use.difference is None:
        return (
            _("“%(second)s” by “%(first)s”: not even the largest difference is found 8 times in 10.") % named
        )
    return _("“%(second)s” by “%(first)s”: a difference of %(points)s points is found 8 times in 10.") % {
        **named,
        "points": math.ceil(100 * use.difference - 1e-6),
    }
