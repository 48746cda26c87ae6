"""How accurate each mechanism would be for a number or a place that somebody is still stating."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any, Final

from django.utils.translation import gettext as _

from privacy.disguise.windows import Windows
from privacy.errors import DesignError
from privacy.numbers import BY_EPSILON, stated_number, worst_variance
from privacy.places import proposals, share_worse_than
from privacy.places.stated import EVERYWHERE
from surveys.build.lone_definition import disguise_of
from surveys.build.outline import bounds_of, read_outline
from surveys.build.problems import Problems

# The error of a mean is told for so many answers.
ANSWERS: Final = 1_000
# A prediction looks at every cell for every window: more than these take too long while somebody types.
MOST_CELLS: Final = 40_000


def accuracy_of(kind: str, stated: object) -> dict[str, Any]:
    """Return the predicted error of every mechanism, the best first, as JSON.

    Parameters
    ----------
    kind : {"number", "place"}
    stated : dict
        The member of that name of a question of a definition; its mechanism does not matter.

    Returns
    -------
    dict
        ``lines``, each with ``name``, ``error`` (of one answer: metres, or the unit of the number), ``mean``
        (numbers: standard error of a mean of `ANSWERS` answers), ``offered`` (False for what only compares),
        ``everywhere`` (places: whether every place is protected); and ``worse``, for places with sensitive
        areas: the share of the map where the utility-optimised square is less accurate than the square.

    Raises
    ------
    PrivacyError
        What is wrong with the statement.
    """
    if not isinstance(stated, Mapping):
        raise DesignError("malformed", _("nothing is stated"), None, _("state range or area"))
    return _number(stated) if kind == "number" else _place(stated)


def _number(stated: Mapping[str, Any]) -> dict[str, Any]:
    plain = {name: value for name, value in stated.items() if name != "unit"}
    lines = []
    for name in BY_EPSILON:
        band = stated_number({**plain, "mechanism": name}).disguise
        error = math.sqrt(worst_variance(band)) if not band.cyclic else math.nan
        if math.isfinite(error):
            mean = error / math.sqrt(ANSWERS)
            lines.append({"name": name, "error": error, "mean": mean, "offered": True, "everywhere": True})
    lines.sort(key=lambda line: float(str(line["error"])))
    return {"lines": lines, "answers": ANSWERS}


def _place(stated: Mapping[str, Any]) -> dict[str, Any]:
    plain = {name: value for name, value in stated.items() if name not in ("outline", "mechanism")}
    if "area" not in plain and stated.get("outline") is not None:
        problems = Problems()
        rings = read_outline(stated["outline"], "outline", problems)
        if rings:
            plain["area"] = bounds_of(rings)
    sensitive = plain.pop("sensitive", None) or []
    whole, _keys = disguise_of("place", {**plain, "mechanism": "square"})
    assert isinstance(whole, Windows)  # nosec B101  # for the type checker
    if whole.area.cells > MOST_CELLS:
        raise DesignError(
            "too_large",
            _("the map has %(count)s cells") % {"count": whole.area.cells},
            whole.area.cells,
            _("take cells so large that there are at most %(most)s to see predictions here")
            % {"most": MOST_CELLS},
        )
    boxes, worse = [], None
    if sensitive:
        utility, _keys = disguise_of(
            "place", {**plain, "mechanism": "utility_square", "sensitive": sensitive}
        )
        assert isinstance(utility, Windows)  # nosec B101  # for the type checker
        boxes = list(utility.levels[0].rectangles)
        worse = share_worse_than(utility, whole)
    found = proposals(whole.area, float(plain["epsilon"]), boxes)
    lines = [
        {
            "name": one.name,
            "error": one.root_mean_square_error,
            "offered": one.windows is not None,
            "everywhere": one.protects_everywhere,
        }
        for one in found
    ]
    columns, rows = whole.area.columns, whole.area.rows
    cell = [round(side, 1) for side in whole.area.cell_metres]
    proposed = _proposed(lines, needs_areas=bool(sensitive))
    return {"lines": lines, "worse": worse, "cells": [columns, rows], "cell": cell, "proposed": proposed}


def _proposed(lines: list[dict[str, Any]], *, needs_areas: bool) -> str:
    """Return the most accurate that keeps the promise: areas where some are marked, else everywhere."""
    names = (
        line["name"] for line in lines if line["offered"] and (line["name"] in EVERYWHERE) != needs_areas
    )
    return str(next(names))
