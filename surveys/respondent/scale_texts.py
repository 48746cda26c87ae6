"""Texts of the respondents' client about numbers, dates and places."""

from __future__ import annotations

from typing import Final

from django.utils.translation import gettext_lazy as _

NUMBER: Final = {
    # A number that comes first needs these; a date, a slider and a place need `SCALE` too.
    "number_label": _("A number from {low} to {high}"),
    "number_counts": _("Counts as:"),
    "number_from_to": _("{low} to {high}"),
    "number_empty": _("Write a number to go on."),
    "number_not_a_number": _("This is not a number. Write digits, such as 12."),
    "number_too_fine": _("Write at most {decimals} digits after the point."),
    "number_whole": _("Write a whole number."),
    "number_outside": _("This is outside the range. Write a number from {low} to {high}."),
    "number_how": _(
        "This device sends a random number. Your number only makes some numbers more likely, so "
        "no one can be sure what you wrote."
    ),
    "scale_whole": _("This part needs an answer. If you prefer not to answer, close this page."),
    "scale_may_skip": _("You can choose “Prefer not to say”."),
}

SCALE: Final = {
    # Numbers.
    "number_slide": _("Move the slider, or fill in the field next to it."),
    "number_about": _("about {number}"),
    "number_beyond": _("outside the range, because of random noise"),
    "number_up": _("“up”, sent more often for larger numbers"),
    "number_down": _("“down”, sent more often for smaller numbers"),
    # Dates.
    "date_label": _("A date from {low} to {high}"),
    "date_written": _("Write it like this: {example}"),
    "date_up": _("“up”, sent more often for later dates"),
    "date_down": _("“down”, sent more often for earlier dates"),
    "date_empty": _("Give a date to go on."),
    "date_not_a_number": _("This is not a date. Write one like {example}."),
    "date_outside": _("This is outside the range. Give a date from {low} to {high}."),
    "date_how": _(
        "This device sends a random date. Your date only makes some dates more likely, so no one "
        "can be sure what you wrote."
    ),
    # Places.
    "place_tag": _("Disguised inside the sensitive areas"),
    "place_map": _("Map"),
    "place_hint": _("Tap the place on the map. You can also type coordinates."),
    "place_closer": _("Zoom in"),
    "place_wider": _("Zoom out"),
    "place_latitude": _("Latitude"),
    "place_longitude": _("Longitude"),
    "place_at": _("latitude {latitude}, longitude {longitude}"),
    "place_inside": _("inside a sensitive area"),
    "place_outside": _("outside the sensitive areas"),
    "place_beyond": _("This place is outside the map. The nearest place on the map is used:"),
    "place_empty": _("Choose a place on the map, or type both coordinates, to go on."),
    "place_how": _(
        "This device sends a random place. Your place only makes some places more likely, so no "
        "one can be sure where it was."
    ),
    "place_how_areas": _("Only the dashed areas on the map are protected. They are the same for everyone."),
    "place_exact": _(
        "Outside the dashed areas your exact place is sent, {share} times in 100. It is not disguised, and "
        "shows that you were in none of the areas. Otherwise a random place inside is sent."
    ),
    "place_likely": _(
        "If you were in a dashed area, a place inside is always sent. Someone who suspects, "
        "50:50, that you were in one could become at most {m}% sure from this part alone."
    ),
    "place_where": _(
        "The exact place inside stays hidden. Someone who suspects two places there, 50:50, could "
        "become at most {m}% sure from this part alone."
    ),
    "place_levels": _(
        "The dashed areas have {count} levels. A place sent from one of them shows that you were "
        "not in a more sensitive one. Beyond that, someone who suspects two places, 50:50, could "
        "become at most {m}% sure from this part alone."
    ),
    "place_own": _("Do not mark your home or another private address."),
    "place_again": _("If other surveys ask this too, each answer reveals more about you."),
    "place_network": _(
        "We do not store your internet address or the time. Your internet provider may see that you visited "
        "this page."
    ),
    "place_short": _("Only the dashed areas of the map are protected. A place outside them is sent exactly."),
    "place_sent_exact": _(
        "This place is outside the dashed areas. It was sent exactly, and shows where you were."
    ),
    # Skipping.
    "scale_skip": _(
        "No one can be sure that you skipped: “skipped” is also sent for {lost} in 100 people who answer."
    ),
    "scale_skip_sent": _(
        "It can mean any answer: “skipped” is also sent for {lost} in 100 people who answer."
    ),
    "place_skip": _(
        "A skip is disguised like a place inside: “skipped” is also sent for {lost} in 100 people "
        "who answer. Someone who suspects a skip or a place, 50:50, could become at most {m}% sure "
        "from this part alone. A place outside shows that you did not skip."
    ),
    "place_skip_levels": _(
        "A skip is disguised like a place in the most sensitive areas: “skipped” is also sent for {lost} in "
        "100 people who answer. Someone who suspects a skip or a place, 50:50, could become at most {m}% "
        "sure from this part alone. A place elsewhere shows that you did not skip."
    ),
    "place_exact_skip": _(
        "Outside the dashed areas your exact place is sent, {share} times in 100. It is not disguised, and "
        "shows that you were in none of the areas. Otherwise “skipped” or a random place inside is sent."
    ),
    "place_likely_skip": _(
        "If you were in a dashed area, a place inside is sent, or “skipped” at random. Someone "
        "who suspects, 50:50, that you were in one could become at most {m}% sure from this part alone."
    ),
}
