"""The sentences of the builder's forms for numbers and places. See `builder_texts`."""

from __future__ import annotations

from typing import Final

from django.utils.translation import gettext_lazy as _

SCALE_TEXTS: Final = {
    # Numbers and places.
    "add_number": _("Add a number"),
    "add_place": _("Add a place"),
    "scale_block": _("A number or a place is always a separate part."),
    "scale_skip_cost": _(
        "To hide skips, {lost} of 100 answers are also sent as “skipped”. If no one skips, "
        "errors grow by a factor of {more}. ε does not change."
    ),
    "scale_epsilon": _("ε"),
    "scale_epsilon_hint": _(
        "From 0.01 to 20. Up to 2 protects well. From 5, a single answer is almost revealed."
    ),
    "privacy_apart": _("sensitive areas only"),
    "privacy_scale": _(
        "No answer makes any report more than {gamma} times as likely as another answer does."
    ),
    "privacy_scale_apart": _(
        "Exact outside the sensitive areas. Inside them, no place makes any report more than "
        "{gamma} times as likely as another place does. Not included in the sum."
    ),
    "privacy_scale_levels": _(
        "Places in no level are exact. A report from a level shows that the place is in no "
        "earlier level. Among the remaining places, none makes it more than {gamma} times as "
        "likely as another does. Not included in the sum."
    ),
    # Their mechanisms.
    "mechanism": _("Mechanism"),
    "mechanism_name_square_wave": _("Square wave"),
    "mechanism_name_hybrid": _("Hybrid"),
    "mechanism_name_keep": _("Keep the bin or draw any"),
    "mechanism_name_utility_square": _("Square, sensitive areas"),
    "mechanism_name_utility_square_equal_area": _("Rectangles of one area, sensitive areas"),
    "mechanism_name_utility_grid": _("Tiles, sensitive areas"),
    "mechanism_name_levels": _("Several levels of sensitive areas"),
    "mechanism_name_square": _("Square, whole map"),
    "mechanism_name_grid": _("Tiles, whole map"),
    "mechanism_square_wave": _("Best for a distribution: values near the true one are more likely."),
    "mechanism_hybrid": _("Best for a mean: smallest worst-case error."),
    "mechanism_keep": _("For rules: ranges of the number become items."),
    "mechanism_utility_square": _("Protects the sensitive areas. Most places outside them are sent exactly."),
    "mechanism_utility_square_equal_area": _("The same, better for narrow areas."),
    "mechanism_utility_grid": _("The same, with fixed tiles inside the sensitive areas."),
    "mechanism_levels": _("To change the areas of a level and their ε, edit the definition file (Export)."),
    "mechanism_square": _("Protects every place on the map equally, but is less accurate."),
    "mechanism_grid": _("Protects every place on the map equally, with fixed tiles."),
    # Numbers.
    "number_hint": _("Ask for the age or year, not the date of birth: a full date identifies people."),
    "number_low": _("Smallest answer"),
    "number_high": _("Largest answer"),
    "number_bin": _("Width of a bin"),
    "number_bin_hint": _(
        "Answers in the same bin count as the same answer. Bins must divide the range evenly."
    ),
    "number_decimals": _("Decimals"),
    "number_unit": _("Unit"),
    "calendar": _("Kind of answer"),
    "calendar_none": _("A number"),
    "calendar_month": _("A month"),
    "calendar_day": _("A date"),
    "date_low": _("Earliest answer"),
    "date_high": _("Latest answer"),
    "date_bin_month": _("Months in a bin"),
    "date_bin_day": _("Days in a bin"),
    "date_bin_month_hint": _(
        "Dates in the same bin count as the same answer. Bins must divide the range evenly."
    ),
    "date_bin_day_hint": _(
        "Dates in the same bin count as the same answer. Bins must divide the range evenly."
    ),
    "look_number": _("A field"),
    "look_slider": _("A slider"),
    "look_slider_about": _(
        "Next to a field. It starts without a number, so that no one sends one by accident."
    ),
    "purpose": _("What do you want to know?"),
    "purpose_distribution": _("The distribution"),
    "purpose_distribution_about": _("How many people are in each part of the range."),
    "purpose_average": _("The average"),
    "purpose_average_about": _("One number for all people, with the smallest error."),
    "purpose_together": _("How it relates to other answers"),
    "purpose_together_about": _(
        "Ranges of the number become items in rules with other answers. You define them below."
    ),
    "strength_of_number": _("How well this number is protected"),
    "strength_number_own": _("Expert setting below"),
    "bands": _("Ranges that can be part of rules"),
    "bands_hint": _("Each runs from the start of a bin to the end of a bin. Optional."),
    "band_number": _("Range {number}"),
    "band_from": _("From"),
    "band_to": _("To (included)"),
    "band_add": _("Add a range"),
    # Places.
    "area": _("Edges of the map, in degrees"),
    "edge_west": _("West"),
    "edge_south": _("South"),
    "edge_east": _("East"),
    "edge_north": _("North"),
    "cell": _("Size of a cell, metres"),
    "cell_hint": _(
        "Places are never sent more precisely than this. Use at least the accuracy of phones, "
        "10 to 50 metres."
    ),
    "outline_of_map": _("Outline of the map"),
    "outline_geojson": _("GeoJSON polygon, shown to respondents"),
    "outline_wrong": _("This is not JSON. Paste a GeoJSON polygon, or leave it empty."),
    "rectangles_overlap": _("Overlapping rectangles are merged: they count as one area, and each cell once."),
    "areas_import": _("Rectangles from GeoJSON"),
    "areas_import_about": _(
        "Polygons with edges along north and east become rectangles, in WGS 84. Other shapes "
        "are listed, with the rectangle around them."
    ),
    "areas_geojson": _("GeoJSON"),
    "areas_file": _("Or a GeoJSON file"),
    "areas_widen": _("Use the surrounding rectangle for all other shapes"),
    "areas_take": _("Check and add them"),
    "areas_taken": _("Rectangles added: {count}"),
    "sensitive": _("Sensitive areas"),
    "sensitive_hint": _(
        "Public kinds of places that are the same for everyone, such as the clinics of a town. "
        "Draw rectangles on the map, or enter their edges. Never mark places of individuals, "
        "because the map itself would reveal them."
    ),
    "place_told": _(
        "We explain to respondents that a place outside is sent exactly and proves that they "
        "were in none of these areas, and that a place inside makes it likely that they were in"
        " one."
    ),
    "map_draw": _("Map. Draw a rectangle on it, or add one below and enter its edges."),
    "map_keys": _(
        "Drag from corner to corner. With the keyboard: arrow keys move a mark, with Shift by "
        "ten steps. Enter sets one corner, then the other. Escape starts again."
    ),
    "map_at": _("{longitude}, {latitude}"),
    "map_to": _("Corner set. To {longitude}, {latitude}"),
    "map_needs_area": _("Type the four edges of the map above. Then you can draw rectangles here."),
    "rectangle_number": _("Rectangle {number}"),
    "rectangle_add": _("Add a rectangle"),
    "rectangle_item": _("Use it in rules"),
    "rectangle_name": _("Its name in rules"),
    # Designs by p and θ.
    "design_other": _(
        "Other designs, such as Warner’s or Kuk’s, are also pairs of p and θ. Change them here "
        "or in the definition file. The values are in docs/other-designs.md."
    ),
}
