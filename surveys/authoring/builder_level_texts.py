"""The sentences of the builder's forms for levels of sensitive areas and for public weights."""

from __future__ import annotations

from django.utils.translation import gettext as _


def levels_and_prior_texts() -> dict[str, str]:
    """Return the sentences by key, translated."""
    return {**_levels(), **_promises(), **_prior()}


def _levels() -> dict[str, str]:
    return {
        "levels": _("Levels of sensitivity"),
        "levels_hint": _(
            "The first level is the most sensitive one and takes the smallest ε. A report from a level says "
            "that the place is in no earlier one. No two levels share a cell."
        ),
        "level_first": _("Level {number}, the most sensitive"),
        "level_number": _("Level {number}"),
        "level_none": _("In no level"),
        "level_none_about": _(
            "A report from here is the exact place, and proves that somebody was in none of the areas."
        ),
        "level_drawn": _("What is drawn on the map goes to"),
        "level_add": _("Add a level"),
        "level_up": _("Make more sensitive: {name}"),
        "level_down": _("Make less sensitive: {name}"),
        "level_rectangle": _("Rectangle {number} of level {level}"),
        "level_empty": _("No rectangle yet: draw one on the map, or add one and type its edges."),
        "level_about_first": _("Somebody here can deny it against every other place of the map."),
        "level_about": _(
            "Somebody here can deny it against places of level {number}, of later levels and of none; not "
            "against those of earlier levels."
        ),
    }


def _promises() -> dict[str, str]:
    return {
        "level_bound_first": _(
            "No place of the map makes a report from this level more than {gamma} times likelier than "
            "another does."
        ),
        "level_bound": _(
            "No place of this level, of later ones or of none makes a report from this level more than "
            "{gamma} times likelier than another does."
        ),
        "level_window": _(
            "Of 100 places here {near} are sent from {across} × {up} metres around them, the others from "
            "anywhere in this level or an earlier one. The level is {share} of 100 cells of the map."
        ),
        "level_error": _("A report is {error} metres off, as a root mean square."),
        "level_nobody": _("The public weights have nobody here, so no error is predicted."),
        "level_outside": _(
            "Of 100 places here {exact} are sent exactly, the others from one of the levels. {share} of 100 "
            "cells of the map are in no level."
        ),
        "level_no_outside": _("Every cell of the map is in a level."),
    }


def _prior() -> dict[str, str]:
    return {
        "prior": _("Where people are known to be: public weights"),
        "prior_taken": _("Public weights: {count} rows"),
        "prior_about": _(
            "The windows are chosen for the least error. Without weights places count as spread evenly; with "
            "the weights of a census, of opening hours or of an earlier report they fit where people are."
        ),
        "prior_public": _(
            "Weights have to be public, or come from the report of an earlier disguised survey. Never take "
            "them from answers to this survey: the chosen windows would tell of those answers."
        ),
        "prior_source": _("Where the weights come from"),
        "prior_source_hint": _("Kept with the survey. For instance the name and the year of a census."),
        "prior_table": _("Table of weights, or GeoJSON"),
        "prior_shape": _(
            "A header and rows: longitude, latitude, weight for cells, or west, south, east, north, weight "
            "for regions, in degrees. Weights are 0 or more, in any unit. GeoJSON: points and rectangles "
            "with a property “weight”. At most 10,000 rows."
        ),
        "prior_file": _("Or a file: CSV, or GeoJSON"),
        "prior_take": _("Check and take the table"),
        "prior_drop": _("Do without weights"),
    }
