"""Pictures read back as geometry: boxes of texts, lines, marks. The places are those that were drawn."""

import itertools
import re
import xml.etree.ElementTree as ElementTree
from dataclasses import dataclass

from surveys.charts.svg import text_width

SPACE = "{http://www.w3.org/2000/svg}"
ASCENT, DESCENT = 9.5, 2.5


@dataclass(frozen=True)
class Box:
    left: float
    top: float
    right: float
    bottom: float
    words: str = ""

    def meets(self, other):
        return (
            self.left < other.right and other.left < self.right
            and self.top < other.bottom and other.top < self.bottom
        )  # fmt: skip

    def crossed_by(self, segment):
        """Whether a straight line runs through the inside (Liang and Barsky's clipping)."""
        (x1, y1), (x2, y2) = segment
        first, last = 0.0, 1.0
        for way, gap in (
            (x1 - x2, x1 - self.left), (x2 - x1, self.right - x1),
            (y1 - y2, y1 - self.top), (y2 - y1, self.bottom - y1),
        ):  # fmt: skip
            if way == 0 and gap <= 0:
                return False
            if way < 0:
                first = max(first, gap / way)
            elif way > 0:
                last = min(last, gap / way)
        return first < last


class Drawn:
    def __init__(self, svg):
        self.root = ElementTree.fromstring(svg)
        *_zero, self.width, self.height = map(float, self.root.attrib["viewBox"].split())

    def all(self, name):
        return [part for part in self.root.iter() if part.tag == SPACE + name]

    @property
    def texts(self):
        boxes = []
        for part in self.all("text"):
            x, y, wide = float(part.attrib["x"]), float(part.attrib["y"]), text_width(part.text)
            left = x - wide * {"middle": 0.5, "end": 1.0}.get(part.attrib.get("text-anchor"), 0.0)
            boxes.append(Box(left, y - ASCENT, left + wide, y + DESCENT, part.text))
        return boxes

    @property
    def lines(self):
        """All straight lines, of curves and of everything else."""
        found = [
            tuple((float(part.attrib[f"x{end}"]), float(part.attrib[f"y{end}"])) for end in (1, 2))
            for part in self.all("line")
        ]
        for places in self.curves:
            found += itertools.pairwise(places)
        return found

    @property
    def curves(self):
        """Places of each drawn curve, samples of curves beside their names among them."""
        return [
            [tuple(map(float, place.split(","))) for place in part.attrib["points"].split()]
            for part in self.all("polyline")
        ]

    @property
    def series(self):
        """By number: the groups that hold a curve with its marks, and the sample beside its name."""
        found = {}
        for part in self.all("g"):
            number = re.fullmatch(r"series series-(\d)", part.attrib.get("class", ""))
            if number:
                found.setdefault(int(number[1]), []).append(part)
        return found


def marks_of(group):
    """Shape and centre of each mark of a series."""
    found = []
    for part in group:
        name = part.tag.removeprefix(SPACE)
        if name == "circle":
            found.append(("circle", float(part.attrib["cx"]), float(part.attrib["cy"])))
        elif name in ("polygon", "path"):
            numbers = re.findall(r"-?[\d.]+", part.attrib.get("points") or part.attrib["d"])
            corners = list(zip(map(float, numbers[::2]), map(float, numbers[1::2]), strict=True))
            x = sum(corner[0] for corner in corners) / len(corners)
            y = (max(corner[1] for corner in corners) + min(corner[1] for corner in corners)) / 2
            shape = tuple((round(corner[0] - x, 1), round(corner[1] - y, 1)) for corner in corners)
            found.append(((name, shape), x, y))
    return found


def look_of(group):
    """What tells a series without its colour: the dash of its curve, the shape of its mark, full or open."""
    curves = [part for part in group if part.attrib.get("class") == "curve"]
    marks = [part for part in group if part.attrib.get("class") in ("full", "open")]
    return (
        curves[0].attrib.get("stroke-dasharray", "") if curves else None,
        (marks_of(group)[0][0], marks[0].attrib["class"]) if marks else None,
    )


def assert_readable(svg):
    """No text on another, none outside the picture, none crossed by a line; returns what was drawn."""
    drawn = Drawn(svg)
    texts = drawn.texts
    for place, box in enumerate(texts):
        assert 0 <= box.left < box.right <= drawn.width, box
        assert 0 <= box.top < box.bottom <= drawn.height, box
        for other in texts[:place]:
            assert not box.meets(other), (box, other)
        for segment in drawn.lines:
            assert not box.crossed_by(segment), (box, segment)
    return drawn
