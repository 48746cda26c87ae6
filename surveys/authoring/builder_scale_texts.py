"""The sentences of the builder's forms for numbers and places. See `builder_texts`."""

from __future__ import annotations

from typing import Final

from django.utils.translation import gettext_lazy as _

SCALE_TEXTS: Final = {
    # Numbers and places.
    "add_number": _("Add a number"),
    "add_place": _("Add a place"),
    "scale_block": _("A number or a place has this part to itself."),
    "scale_skip_cost": _(
        "To hide skips, {lost} of 100 answers are sent as “skipped” too. Where nobody skips, errors grow by "
        "the factor {more}; ε stays what it is."
    ),
    "scale_epsilon": _("ε"),
    "scale_epsilon_hint": _(
        "From 0.01 to 20. Up to 2 protects well; at 5 and more a single answer is nearly told."
    ),
    "privacy_apart": _("sensitive areas only"),
    "privacy_scale": _("No answer makes what is sent more than {gamma} times likelier than another does."),
    "privacy_scale_apart": _(
        "Exact outside the sensitive areas. Inside, no place makes what is sent more than {gamma} times "
        "likelier than another does. It stands apart from the sum."
    ),
    "privacy_scale_levels": _(
        "Exact in no level. A report from a level shows that the place is in no earlier one; of the places "
        "that are left, none makes it more than {gamma} times likelier than another does. It stands apart "
        "from the sum."
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
    "mechanism_square_wave": _("Best for a distribution: numbers near the true one are likelier."),
    "mechanism_hybrid": _("For a mean: the least error at worst."),
    "mechanism_keep": _("For rules: bands of the number become items."),
    "mechanism_utility_square": _(
        "Protects the sensitive areas; a place outside them is sent exactly, for most."
    ),
    "mechanism_utility_square_equal_area": _("The same, better for narrow areas."),
    "mechanism_utility_grid": _("The same with fixed tiles inside the sensitive areas."),
    "mechanism_levels": _("Change the areas of each level and their ε in the definition file (Export)."),
    "mechanism_square": _("Protects every place of the map alike; less accurate."),
    "mechanism_grid": _("Protects every place of the map alike, with fixed tiles."),
    # Numbers.
    "number_hint": _("Ask the age or the year, not the date of birth: a full date singles people out."),
    "number_low": _("Smallest answer"),
    "number_high": _("Largest answer"),
    "number_bin": _("Width of a bin"),
    "number_bin_hint": _("Answers in one bin are the same answer. Bins must fill the range."),
    "number_decimals": _("Decimals"),
    "number_unit": _("Unit"),
    "calendar": _("What is asked for"),
    "calendar_none": _("A number"),
    "calendar_month": _("A month"),
    "calendar_day": _("A date"),
    "date_low": _("Earliest answer"),
    "date_high": _("Latest answer"),
    "date_bin_month": _("Months in a bin"),
    "date_bin_day": _("Days in a bin"),
    "date_bin_month_hint": _("Dates in one bin are the same answer. Bins must fill the range."),
    "date_bin_day_hint": _("Dates in one bin are the same answer. Bins must fill the range."),
    "look_number": _("A field"),
    "look_slider": _("A slider"),
    "look_slider_about": _(
        "With the field beside it. It starts without a number, so that nobody sends one unawares."
    ),
    "purpose": _("What do you want to know?"),
    "purpose_distribution": _("The distribution"),
    "purpose_distribution_about": _("How many people are where in the range."),
    "purpose_average": _("The average"),
    "purpose_average_about": _("One figure for all people, with the least error."),
    "purpose_together": _("What it goes together with"),
    "purpose_together_about": _(
        "Bands of the number take part in rules with other answers. You state the bands below."
    ),
    "strength_of_number": _("How well this number is protected"),
    "strength_number_own": _("As experts set it below"),
    "bands": _("Bands that can take part in rules"),
    "bands_hint": _("Each from the beginning of a bin to the end of one. None is needed."),
    "band_number": _("Band {number}"),
    "band_from": _("From"),
    "band_to": _("To, included"),
    "band_add": _("Add a band"),
    # Places.
    "area": _("Edges of the map, in degrees"),
    "edge_west": _("West"),
    "edge_south": _("South"),
    "edge_east": _("East"),
    "edge_north": _("North"),
    "cell": _("Size of a cell, metres"),
    "cell_hint": _("A place is sent no finer than this. At least what telephones measure, 10 to 50 metres."),
    "outline_of_map": _("Outline of the map"),
    "outline_geojson": _("GeoJSON polygon, drawn for respondents"),
    "outline_wrong": _("This is no JSON. Paste a GeoJSON polygon, or leave it empty."),
    "rectangles_overlap": _(
        "Rectangles that overlap are taken together: they count as one area, and each cell once."
    ),
    "areas_import": _("Rectangles from GeoJSON"),
    "areas_import_about": _(
        "Polygons whose edges run north and east become rectangles, in WGS 84. A feature of another shape is "
        "named, with the rectangle around it."
    ),
    "areas_geojson": _("GeoJSON"),
    "areas_file": _("Or a GeoJSON file"),
    "areas_widen": _("Take the rectangle around every other shape"),
    "areas_take": _("Check and add them"),
    "areas_taken": _("Rectangles added: {count}"),
    "sensitive": _("Sensitive areas"),
    "sensitive_hint": _(
        "Public kinds of places, the same for everybody, such as the clinics of a town. Draw rectangles on "
        "the map, or type their edges. Never mark places of single persons: the map would be the secret."
    ),
    "place_told": _(
        "Respondents are told: a place outside is sent exactly and proves that they were in none of these "
        "areas; a place inside makes it likely that they were in one."
    ),
    "map_draw": _("Map. Draw a rectangle on it, or add one below and type its edges."),
    "map_keys": _(
        "Draw from corner to corner. With the keyboard: arrow keys move a mark, with Shift by ten steps; "
        "Enter sets one corner, then the other; Escape begins again."
    ),
    "map_at": _("{longitude}, {latitude}"),
    "map_to": _("Corner set. To {longitude}, {latitude}"),
    "map_needs_area": _("Type the four edges of the map above. Then you can draw rectangles here."),
    "rectangle_number": _("Rectangle {number}"),
    "rectangle_add": _("Add a rectangle"),
    "rectangle_item": _("Let it take part in rules"),
    "rectangle_name": _("Its name in rules"),
    # Designs by p and θ.
    "design_other": _(
        "Designs such as Warner's or Kuk's are pairs of p and θ too. Change them here or in the definition "
        "file; docs/other-designs.md says which."
    ),
}
