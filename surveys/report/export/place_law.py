"""The disguise of a place in words."""

from __future__ import annotations

import math
from fractions import Fraction

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from privacy.scales.planar_level import PlanarLevel
from privacy.scales.planar_window import PlanarWindowChannel
from surveys.formats.numbers import count_text
from surveys.report.export.scale_law import ScaleLaw, probability_text


class PlaceLaw(ScaleLaw):
    """Describe the disguises of places."""

    def disguise_text(self, disguise: PlanarWindowChannel) -> str:
        """Describe how a device disguises a place."""
        area, several = disguise.area, len(disguise.levels) > 1
        parts = [
            _("a place, one of %(columns)s × %(rows)s cells.")
            % {"columns": count_text(area.columns), "rows": count_text(area.rows)},
            *(
                _level(level, number if several else None)
                for number, level in enumerate(disguise.levels, start=1)
            ),
        ]
        if several:
            parts.append(
                _(
                    "At each earlier level, a place of a later level was first replaced, with the "
                    "remaining probability, by a place of that level."
                )
            )
        if sum(level.cells for level in disguise.levels) < area.columns * area.rows:
            probability = 1 - math.prod((level.truth for level in disguise.levels), start=Fraction(1))
            parts.append(
                _(
                    "A place outside the sensitive cells was replaced with probability %(chance)s "
                    "by one of them, drawn in the same way. Otherwise it was sent as it is."
                )
                % {"chance": probability_text(probability)}
            )
        return " ".join(parts)

    def sent_text(self, disguise: PlanarWindowChannel) -> str:
        """Describe the values in the question's column."""
        return _(
            "the cell that was sent: %(columns)s × its row + its column, counted from 0 in the south-west"
        ) % {"columns": count_text(disguise.area.columns)}


def _level(level: PlanarLevel, number: int | None) -> str:
    cells = (
        _("sensitive cells")
        if number is None
        else _("sensitive cells of level %(number)s") % {"number": number}
    )
    facts = {"count": level.cells, "cells": cells, "chance": probability_text(level.truth)}
    if level.tiles:
        sizes, tiles = [across * up for across, up in level.sizes], sum(map(math.prod, level.tiles))
        return _(
            "The %(count)s %(cells)s are divided into %(tiles)s tiles of %(least)s to %(most)s cells. A "
            "place in them was sent with probability %(chance)s as a cell of its own tile, otherwise as a "
            "cell of any tile, each equally likely. Within a tile, all cells were equally likely."
        ) % {
            **facts,
            "tiles": count_text(tiles),
            "least": count_text(min(sizes)),
            "most": count_text(max(sizes)),
        }
    return _(
        "A place in the %(count)s %(cells)s was sent with probability %(chance)s as a cell drawn uniformly "
        "from the window of %(window)s around it, otherwise as a cell drawn uniformly from all %(cells)s."
    ) % {
        **facts,
        "window": ngettext("%(size)s cell", "%(size)s cells", level.window)
        % {"size": count_text(level.window)},
    }
