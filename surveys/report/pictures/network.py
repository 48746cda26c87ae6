"""The network of a few rules: items on an ellipse, each rule a numbered circle between them."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Final

from django.utils.safestring import SafeString

from surveys.charts import svg
from surveys.questionnaire.labels import Labels

WIDTH, HEIGHT = 960.0, 600.0
_ACROSS, _UP = 225.0, 235.0
_DISTANCE: Final = 27.0
_ROUNDS: Final = 80
_LONGEST_LABEL: Final = 32

Items = tuple[int, ...]
Point = tuple[float, float]


@dataclass(frozen=True, kw_only=True)
class NetworkRule:
    """One rule of the picture.

    Attributes
    ----------
    rank : int
        What stands in its circle.
    text : str
        What it says to those who point at it.
    clear : bool
        Whether the interval of its lift does not hold 1.
    address : str
        Of its page; empty in a picture to be saved.
    """

    rank: int
    antecedent: Items
    consequent: Items
    support: float
    raises: bool
    clear: bool
    text: str
    address: str = ""


def network_svg(
    rules: Sequence[NetworkRule], labels: Labels, *, title: str, paper: bool = False
) -> SafeString:
    """Return the picture; lines lead from the antecedent to the rule, arrows from it to the consequent."""
    drawing = svg.drawing(
        WIDTH, HEIGHT, title=title, paper=paper, role="group" if _linked(rules) else "img", in_its_size=True
    )
    items = item_order(rules)
    places = {item: _on_ellipse(position, len(items)) for position, item in enumerate(items)}
    centres = rule_places(rules, places)
    for rule, centre in zip(rules, centres, strict=True):
        for item in rule.antecedent:
            svg.line(drawing, *places[item], *centre, css="edge", stroke=svg.STRONG, stroke_width="1.25")
        for item in rule.consequent:
            _arrow(drawing, centre, places[item])
    for item in items:
        _draw_item(drawing, labels.items[item].short, places[item])
    largest = max((rule.support for rule in rules), default=1.0)
    for rule, centre in zip(rules, centres, strict=True):
        _draw_rule(drawing, rule, centre, largest)
    return svg.rendered(drawing)


def item_order(rules: Sequence[NetworkRule]) -> list[int]:
    """Return the items in an order round the ellipse in which those of one rule are near each other.

    Notes
    -----
    From the order of first appearance on, two items change places as long as that makes the lines between
    items of the same rule shorter: the same rules always give the same order.
    """
    groups = [(*rule.antecedent, *rule.consequent) for rule in rules]
    items = list(dict.fromkeys(item for group in groups for item in group))
    spots = [_on_ellipse(position, len(items)) for position in range(len(items))]
    at = {item: position for position, item in enumerate(items)}
    of = {item: [group for group in groups if item in group] for item in items}

    def length(first: int, other: int) -> float:
        """Lines of the rules that hold either item; those of both twice, before and after alike."""
        return sum(
            math.dist(spots[at[first]], spots[at[second]])
            for group in (*of[first], *of[other])
            for first, second in combinations(group, 2)
        )

    better = True
    while better:
        better = False
        for first, other in combinations(items, 2):
            before = length(first, other)
            at[first], at[other] = at[other], at[first]
            if length(first, other) < before - 1e-6:
                better = True
            else:
                at[first], at[other] = at[other], at[first]
    return sorted(items, key=at.__getitem__)


def rule_places(rules: Sequence[NetworkRule], places: dict[int, Point]) -> list[Point]:
    """Return a place for each rule: the middle of its items, moved apart where circles would touch."""
    centres = []
    for turn, rule in enumerate(rules):
        around = [places[item] for item in (*rule.antecedent, *rule.consequent)]
        x, y = (sum(values) / len(around) for values in zip(*around, strict=True))
        # Nearer to the left side, so that a rule and its reverse stand apart; and never two in one place.
        first = places[rule.antecedent[0]]
        centres.append((x + 0.12 * (first[0] - x) + 0.01 * turn, y + 0.12 * (first[1] - y)))
    for _round in range(_ROUNDS):
        for index in range(len(centres)):
            for other in range(index + 1, len(centres)):
                centres[index], centres[other] = _pushed(centres[index], centres[other])
    return centres


def _pushed(first: Point, other: Point) -> tuple[Point, Point]:
    distance = math.dist(first, other)
    if distance >= _DISTANCE:
        return first, other
    along = (
        ((other[0] - first[0]) / distance, (other[1] - first[1]) / distance) if distance > 0 else (1.0, 0.0)
    )
    half = (_DISTANCE - distance) / 2
    return (
        (first[0] - along[0] * half, first[1] - along[1] * half),
        (other[0] + along[0] * half, other[1] + along[1] * half),
    )


def _on_ellipse(index: int, of: int) -> Point:
    angle = 2 * math.pi * index / max(of, 1) - math.pi / 2
    return (round(WIDTH / 2 + _ACROSS * math.cos(angle), 2), round(HEIGHT / 2 + _UP * math.sin(angle), 2))


def _arrow(drawing: svg.Part, start: Point, end: Point) -> None:
    """Draw a line that ends in a head before the item's point."""
    distance = math.dist(start, end) or 1.0
    x, y = (end[0] - start[0]) / distance, (end[1] - start[1]) / distance
    tip, back = (end[0] - 7 * x, end[1] - 7 * y), (end[0] - 17 * x, end[1] - 17 * y)
    svg.line(drawing, *start, *back, css="edge edge--out", stroke=svg.ACCENT, stroke_width="1.75")
    corners = (tip, (back[0] - 4.5 * y, back[1] + 4.5 * x), (back[0] + 4.5 * y, back[1] - 4.5 * x))
    points = " ".join(f"{x:.2f},{other:.2f}" for x, other in corners)
    drawing.add("polygon", {"points": points, "class": "mark", "fill": svg.ACCENT})


def _draw_item(drawing: svg.Part, label: str, at: Point) -> None:
    svg.circle(drawing, *at, 5, css="node", fill=svg.INK)
    shown = label if len(label) <= _LONGEST_LABEL else label[: _LONGEST_LABEL - 1] + "…"
    side = (at[0] - WIDTH / 2) / _ACROSS
    anchor = "middle" if abs(side) < 0.15 else "start" if side > 0 else "end"
    over = -12 if at[1] < HEIGHT / 2 else 20
    x, y = (at[0], at[1] + over) if anchor == "middle" else (at[0] + math.copysign(11, side), at[1] + 4)
    svg.text(drawing, x, y, shown, css="strong", text_anchor=anchor)


def _draw_rule(drawing: svg.Part, rule: NetworkRule, at: Point, largest: float) -> None:
    link = (
        {"class": "rule", "href": rule.address, "aria-label": rule.text}
        if rule.address
        else {"class": "rule"}
    )
    part = drawing.add("a" if rule.address else "g", link)
    part.add("title", text=rule.text)
    colour, css = (svg.ACCENT, "mark") if rule.raises else (svg.WARN, "mark mark--below")
    radius = 9 + 4 * math.sqrt(max(rule.support, 0.0) / largest) if largest > 0 else 9.0
    svg.circle(
        part, *at, radius, css=css if rule.clear else f"{css} mark--ring",
        fill=colour if rule.clear else svg.PAPER, stroke=colour, stroke_width="1.75",
    )  # fmt: skip
    words = svg.text(
        part,
        at[0],
        at[1] + 4,
        str(rule.rank),
        css="rank rank--on" if rule.clear else "rank",
        text_anchor="middle",
    )
    words.attributes |= {
        "fill": svg.PAPER if rule.clear else svg.INK,
        "font-size": "11",
        "font-weight": "600",
    }


def _linked(rules: Sequence[NetworkRule]) -> bool:
    return any(rule.address for rule in rules)
