"""What the respondent's page says of numbers and places; it travels only with surveys that ask for one."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from django.utils.translation import gettext as _

from privacy.survey.question import SCALE_KINDS


def scale_texts(blocks: Sequence[Mapping[str, Any]] | None = None) -> dict[str, str]:
    """Return the sentences that these blocks of a stored design can come to need; without blocks, all."""
    found = {"scale_whole": _whole(), **_number(), **_place(), **_skip(), **_skipped_place()}
    if blocks is None:
        return found
    scales = [block for block in blocks if block["questions"][0]["kind"] in SCALE_KINDS]
    kinds = {block["questions"][0]["kind"] for block in scales}
    needed = {key for block in scales for key in _needed(block)}
    return {
        key: text
        for key, text in found.items()
        if (key in needed if key in _CHOSEN else key.split("_")[0] in kinds)
    }


def _needed(block: Mapping[str, Any]) -> Iterator[str]:
    """Yield which of the sentences that depend on more than the kind are said of a block."""
    (question,) = block["questions"]
    is_place, can_skip = question["kind"] == "place", block["refusal"] is not None
    yield "scale_skip_sent" if can_skip else "scale_whole"
    if not is_place:
        if can_skip:
            yield "scale_skip"
        if question["disguise"]["coin"] != "0":
            yield from ("number_up", "number_down")
        if question["disguise"]["window"] > 1 and not question["disguise"]["cyclic"]:
            yield from ("number_about", "number_beyond")
        return
    levels, area = question["disguise"]["levels"], question["disguise"]["area"]
    inside = sum(width * height for level in levels for _x, _y, width, height in level["rectangles"])
    is_exact, is_one = inside < area["columns"] * area["rows"], len(levels) == 1
    yield "place_where" if is_one else "place_levels"
    if can_skip:
        yield "place_skip_levels" if not is_one else "place_skip" if is_exact else "scale_skip"
    if is_exact:
        yield from ("place_tag", "place_how_areas", "place_short", "place_sent_exact")
        yield from (f"{name}_skip" if can_skip else name for name in ("place_exact", "place_likely"))
    else:
        yield from ("place_how", "place_odds")


_CHOSEN: Final = frozenset(
    {
        "scale_whole",
        "scale_skip",
        "scale_skip_sent",
        "number_about",
        "number_beyond",
        "number_down",
        "number_up",
        "place_exact",
        "place_exact_skip",
        "place_how",
        "place_how_areas",
        "place_levels",
        "place_likely",
        "place_likely_skip",
        "place_odds",
        "place_sent_exact",
        "place_short",
        "place_skip",
        "place_skip_levels",
        "place_tag",
        "place_where",
    }
)
"""Sentences that are said of some blocks of a kind only."""


def _whole() -> str:
    return _(
        "This part needs an answer. If you would rather not give one, close this page: nothing has been sent."
    )


def _skip() -> dict[str, str]:
    return {
        "scale_skip": _(
            "You can skip this part. The skip is disguised as well: “skipped” is also sent for {lost} of 100 "
            "people who answer, and for some who skip an answer drawn by chance is sent. Someone who wavered "
            "between a skip and an answer would by this part alone say at most {m} of 100 for one of them."
        ),
        "scale_skip_sent": _(
            "It may stand for any answer: “skipped” is also sent for {lost} of 100 people who answer. "
            "Someone who wavered between a skip and an answer would by this part alone say at most {m} of "
            "100 for one of them."
        ),
    }


def _skipped_place() -> dict[str, str]:
    return {
        "place_skip": _(
            "You can skip this part. The skip is disguised like a place inside: “skipped” is also sent for "
            "{lost} of 100 people who answer, wherever they were, and for some who skip a place inside drawn "
            "by chance is sent. After either, someone who wavered between a skip and a place would by this "
            "part alone say at most {m} of 100 for one of them. A place outside shows that you did not skip."
        ),
        "place_skip_levels": _(
            "You can skip this part. The skip is disguised like a place in the most sensitive areas: "
            "“skipped” is also sent for {lost} of 100 people who answer, wherever they were, and for some "
            "who skip a place in those areas drawn by chance is sent. After either, someone who wavered "
            "between a skip and a place would by this part alone say at most {m} of 100 for one of them. A "
            "place elsewhere shows that you did not skip."
        ),
        "place_exact_skip": _(
            "Outside them your place is sent exactly as you give it, in {share} of 100 cases, and shows that "
            "you were in none of them. In the other cases “skipped” or a place inside is sent, drawn by "
            "chance."
        ),
        "place_likely_skip": _(
            "Inside them a place inside is sent, or “skipped” by chance. A place inside makes it likely that "
            "you were in one: someone who held that for an even chance would by this part alone say {m} "
            "of 100."
        ),
    }


def _number() -> dict[str, str]:
    return {
        "number_label": _("A number from {low} to {high}"),
        "number_counts": _("Counts as:"),
        "number_from_to": _("{low} to {high}"),
        "number_about": _("about {number}"),
        "number_beyond": _("beyond the range, by chance"),
        "number_up": _("“up”, which larger numbers send more often"),
        "number_down": _("“down”, which smaller numbers send more often"),
        "number_empty": _("Write a number to go on."),
        "number_not_a_number": _("This is not a number. Write digits, such as 12."),
        "number_too_fine": _("This is too fine. Write at most {decimals} digits after the point."),
        "number_outside": _("This is outside the range. Write a number from {low} to {high}."),
        "number_how": _(
            "You answer truthfully; your device adds chance. It sends a number that is drawn by chance; "
            "yours only makes some numbers likelier than others. Nobody can see which number was yours."
        ),
        "number_odds": _(
            "No answer makes what is sent more than {ratio} times likelier than another answer does. Someone "
            "who wavered between two numbers would by this part alone say at most {m} of 100 for one of them."
        ),
    }


def _place() -> dict[str, str]:
    return {
        "place_tag": _("Disguised inside the sensitive areas"),
        "place_map": _("Map"),
        "place_hint": _(
            "Tap the map, or move the marker with the arrow keys, with Shift by ten cells. You can also type "
            "coordinates."
        ),
        "place_closer": _("Closer"),
        "place_wider": _("Wider"),
        "place_latitude": _("Latitude"),
        "place_longitude": _("Longitude"),
        "place_at": _("latitude {latitude}, longitude {longitude}"),
        "place_inside": _("inside a sensitive area"),
        "place_outside": _("outside the sensitive areas"),
        "place_beyond": _("This lies outside the map. The nearest place on it is taken:"),
        "place_empty": _("Choose a place on the map, or type both coordinates, to go on."),
        "place_how": _(
            "You answer truthfully; your device adds chance. It sends a place of this map that is drawn by "
            "chance; yours only makes the places around it likelier than others."
        ),
        "place_odds": _(
            "No place makes what is sent more than {ratio} times likelier than another place does. Someone "
            "who wavered between two places would by this part alone say at most {m} of 100 for one of them."
        ),
        "place_how_areas": _(
            "You answer truthfully; your device adds chance, and protects the sensitive areas only. They are "
            "the dashed ones on the map, the same for everybody."
        ),
        "place_exact": _(
            "Outside them your place is sent exactly as you give it, in {share} of 100 cases, and shows that "
            "you were in none of them. In the other cases a place inside is sent, drawn by chance."
        ),
        "place_likely": _(
            "Inside them a place inside is always sent, and it makes it likely that you were in one: someone "
            "who held that for an even chance would by this part alone say {m} of 100."
        ),
        "place_where": _(
            "Where in the sensitive areas you were stays open: someone who wavered between two places there "
            "would by this part alone say at most {m} of 100 for one of them."
        ),
        "place_levels": _(
            "The sensitive areas have {count} levels. A place that is sent from one of them shows that you "
            "were in no more sensitive one. Beyond that, someone who wavered between two places would by "
            "this part alone say at most {m} of 100 for one of them."
        ),
        "place_own": _(
            "A place that only you must hide, such as your home, is not what these areas are for. Do not "
            "give it if you do not want it known."
        ),
        "place_again": _("Answers to the same question in several surveys add up, and tell more."),
        "place_network": _(
            "Nothing is promised about the address of this device or the hour at which you send; they are "
            "not stored with the answer."
        ),
        "place_short": _(
            "Only the sensitive areas of the map are protected. A place outside them is sent exactly."
        ),
        "place_sent_exact": _(
            "This place lies outside the sensitive areas: it was sent exactly, and shows where you were."
        ),
    }
