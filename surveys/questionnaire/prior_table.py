"""A public prior: a table of weighted points or rectangles, or GeoJSON, read into rows."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from django.utils.translation import gettext as _

from privacy.scales.area import DEGREE, Area
from privacy.scales.map_prior import HEAVIEST, LIMITS, MOST_ROWS, POINT, RECTANGLE
from surveys.errors.error import shown
from surveys.questionnaire.geojson import corners_of, features_of, is_number, name_of
from surveys.questionnaire.problems import DefinitionError, Problems

__all__ = ["prior_read"]

# Other names of the columns, as map programs write them.
_ALSO: Final = {"lon": "longitude", "lng": "longitude", "x": "longitude", "lat": "latitude", "y": "latitude"}
_MOST_REPORTED: Final = 20

Rows = list[list[float]]


def prior_read(text: str, area: Area | None = None) -> Rows:
    """Return the rows of a table or of GeoJSON, each (longitude, latitude, weight) or (west, ..., weight).

    Parameters
    ----------
    text : str
        A table with a header and commas, semicolons or tabs between its cells; or a GeoJSON feature
        collection of points and of rectangles along the axes, each with a property ``weight``.
    area : Area, optional
        The map, if it is known yet: every row has to lie on it.

    Raises
    ------
    DefinitionError
        What is wrong, the first twenty; each path names row and column.
    """
    reader = _Reader(area)
    stripped = text.lstrip("\ufeff").strip()
    if stripped[:1] in ("{", "["):
        _geojson(stripped, reader)
    elif stripped:
        _table(stripped, reader)
    reader.finish()
    if reader.problems.listed:
        raise DefinitionError(reader.problems.listed[:_MOST_REPORTED])
    return reader.rows


@dataclass
class _Reader:
    """Checks rows one by one, whatever they were written as."""

    area: Area | None
    rows: Rows = field(default_factory=list)
    problems: Problems = field(default_factory=Problems)

    def add(self, row: str, names: Sequence[str], values: Sequence[object]) -> None:
        """Keep a row that can be used; note what is wrong with another one."""
        numbers: list[float] = []
        for name, value in zip(names, values, strict=True):
            here = _("%(row)s, column %(column)s") % {"row": row, "column": name}
            limit = LIMITS.get(name)
            if not is_number(value):
                self._refuse(here, _("%(value)s is no number"), value)
            elif limit is not None and abs(value) > limit:
                self._refuse(here, _("%(value)s is no coordinate"), value)
            elif limit is None and not 0 <= value <= HEAVIEST:
                self._refuse(here, _("%(value)s is no weight"), value)
            else:
                numbers.append(float(value))
        if len(numbers) == len(names) and self._lies_right(row, numbers[:-1]):
            self.rows.append(numbers)

    def finish(self) -> None:
        """Note what is wrong with the rows as a whole."""
        count = len(self.rows)
        if count > MOST_ROWS:
            self.problems.add(
                _("the table"),
                _("it has %(count)s rows") % {"count": count},
                _("join them to at most %(most)s") % {"most": MOST_ROWS},
            )
        elif not self.problems.listed and not any(row[-1] for row in self.rows):
            self.problems.add(
                _("the table"),
                _("it has no row with a weight above 0"),
                _("give a header and rows of points or rectangles, or GeoJSON features"),
            )

    def _lies_right(self, row: str, corners: Sequence[float]) -> bool:
        west, south, east, north = corners if len(corners) == 4 else (*corners, *corners)
        if len(corners) == 4 and (west >= east or south >= north):
            self.problems.add(
                row, _("its edges are in the wrong order"), _("give west below east and south below north")
            )
            return False
        area = self.area
        if area is not None and (
            west * DEGREE > area.east
            or east * DEGREE < area.west
            or south * DEGREE > area.north
            or north * DEGREE < area.south
        ):
            self.problems.add(row, _("it lies outside the map"), _("take it out, or enlarge the map"))
            return False
        return True

    def _refuse(self, where: str, message: str, value: object) -> None:
        remedy = _("write degrees, and weights of 0 or more")
        self.problems.add(where, message % {"value": shown(value)}, remedy)


def _table(text: str, reader: _Reader) -> None:
    first = text.splitlines()[0]
    mark = max((",", ";", "\t"), key=first.count)
    lines = csv.reader(io.StringIO(text), delimiter=mark)
    header = [_ALSO.get(name.strip().lower(), name.strip().lower()) for name in next(lines)]
    names = next((kind for kind in (POINT, RECTANGLE) if set(kind) <= set(header)), None)
    if names is None:
        reader.problems.add(
            _("row %(number)s") % {"number": 1},
            _("the header names %(names)s") % {"names": shown(", ".join(header))},
            _("name the columns longitude, latitude, weight, or west, south, east, north, weight"),
        )
        return
    places = [header.index(name) for name in names]
    for cells in lines:
        if any(cell.strip() for cell in cells):
            row = _("row %(number)s") % {"number": lines.line_num}
            texts = [cells[at].strip() if at < len(cells) else "" for at in places]
            reader.add(row, names, [_number(text, mark) for text in texts])


def _number(text: str, mark: str) -> float | str:
    """Return what a cell says: a number, or the text if it is none."""
    try:
        return float(text.replace(",", ".") if mark != "," else text)
    except ValueError:
        return text


def _geojson(text: str, reader: _Reader) -> None:
    try:
        document = json.loads(text)
    except (ValueError, RecursionError) as error:
        reader.problems.add(
            _("the table"),
            _("it begins like GeoJSON and cannot be read: %(error)s") % {"error": error},
            _("mend it, or give a table"),
        )
        return
    for number, feature in enumerate(features_of(document), start=1):
        row = name_of(feature, number)
        corners = corners_of(feature)
        if corners is None:
            reader.problems.add(
                row,
                _("it is no point and no rectangle along the axes"),
                _("give a Point, or a Polygon of four corners; cut other shapes into rectangles"),
            )
            continue
        properties = feature.get("properties") if isinstance(feature, Mapping) else None
        weight = properties.get("weight") if isinstance(properties, Mapping) else None
        reader.add(row, POINT if len(corners) == 2 else RECTANGLE, [*corners, weight])
