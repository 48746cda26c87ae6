"""The grouped matrix: antecedents of similar lift on the same consequents stand together.

Left sides are compared by their lifts over the right sides and joined by Ward's method until few groups are
left; the same rules always give the same groups.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import median
from typing import Final

import numpy as np
import scipy
from django.utils.safestring import SafeString

from surveys.charts import svg
from surveys.formats.figures import number
from surveys.questionnaire.labels import Labels

MOST_GROUPS: Final = 8
MOST_CONSEQUENTS: Final = 10
# A lift beyond e^3 or below e^-3 tells nothing more about which left sides are alike.
_FURTHEST: Final = 3.0
LEFT, TOP, CELL_WIDTH, CELL_HEIGHT, RIGHT, BOTTOM = 290.0, 100.0, 92.0, 70.0, 106.0, 12.0
# What a label may take of the picture: to the left of its row, and above its column, where it rises by 28
# degrees: 150 along it are 132 to the right of the column's middle, and 70 up.
_ROW_LABEL: Final = 266.0
_COLUMN_LABEL: Final = 150.0

Items = tuple[int, ...]


@dataclass(frozen=True, kw_only=True)
class MatrixRule:
    """One rule with the figures that the matrix draws, all of them estimable.

    Attributes
    ----------
    clear : bool
        Whether the test of "lift is 1" rejects, on the side where the estimate lies.
    """

    antecedent: Items
    consequent: Items
    support: float
    lift: float
    lift_low: float
    lift_high: float
    clear: bool


@dataclass(frozen=True, kw_only=True)
class MatrixCell:
    """The rules of one group of antecedents with one consequent.

    Attributes
    ----------
    lift, low, high, support : float
        Medians over the rules: of the lift, of the ends of its interval, of the support.
    rules : int
    clear : int
        Rules whose lift is clearly above or below 1.
    """

    lift: float
    low: float
    high: float
    support: float
    rules: int
    clear: int


@dataclass(frozen=True, kw_only=True)
class GroupedMatrix:
    """Groups of antecedents, consequents, and the cells where both meet.

    Attributes
    ----------
    groups : tuple of tuple of Items
        The group with the strongest rule first.
    consequents : tuple of Items
    cells : dict of (int, int) to MatrixCell
        By number of group and of right side.
    left_out : int
        Rules with right sides beyond the first ten.
    """

    groups: tuple[tuple[Items, ...], ...]
    consequents: tuple[Items, ...]
    cells: dict[tuple[int, int], MatrixCell]
    left_out: int


def grouped_matrix(rules: Sequence[MatrixRule]) -> GroupedMatrix:
    """Group the antecedents of rules.

    Notes
    -----
    A left side is the vector of its ln(lift) over the right sides, 0 where the rule is not listed, as if the
    left side changed nothing. Distances are Euclidean.
    """
    common = Counter(rule.consequent for rule in rules)
    consequents = sorted(common, key=lambda items: (-common[items], items))[:MOST_CONSEQUENTS]
    across = {items: position for position, items in enumerate(consequents)}
    shown = [rule for rule in rules if rule.consequent in across]
    antecedents = list(dict.fromkeys(rule.antecedent for rule in shown))
    down = {items: position for position, items in enumerate(antecedents)}
    profiles = np.zeros((len(antecedents), len(consequents)))
    for rule in shown:
        # A lift of 0 or below, which an estimate can be, is as far down as the scale goes.
        logarithm = math.log(rule.lift) if rule.lift > 0 else -_FURTHEST
        profiles[down[rule.antecedent], across[rule.consequent]] = max(-_FURTHEST, min(_FURTHEST, logarithm))
    group_of = _groups(profiles)
    strongest = {
        group: max(rule.lift for rule in shown if group_of[down[rule.antecedent]] == group)
        for group in set(group_of)
    }
    order = sorted(strongest, key=lambda group: (-strongest[group], group))
    gathered: dict[tuple[int, int], list[MatrixRule]] = {}
    for rule in shown:
        row = order.index(group_of[down[rule.antecedent]])
        gathered.setdefault((row, across[rule.consequent]), []).append(rule)
    return GroupedMatrix(
        groups=tuple(
            tuple(items for items in antecedents if group_of[down[items]] == group) for group in order
        ),
        consequents=tuple(consequents),
        cells={cell: _cell(members) for cell, members in gathered.items()},
        left_out=len(rules) - len(shown),
    )


def group_label(group: Sequence[Items], labels: Labels, widest: float = math.inf) -> str:
    """Name a group by its commonest items, and say how many antecedents are in it, in `widest` px."""
    if len(group) == 1:
        return svg.cut(labels.short(group[0]), widest)
    common = Counter(item for items in group for item in items)
    first = sorted(common, key=lambda item: (-common[item], item))[0]
    count = f" ({len(group)})"
    # However long a name is, the count stays.
    return f"{svg.cut(f'{labels.items[first].short} …', widest - svg.text_width(count))}{count}"


def matrix_svg(matrix: GroupedMatrix, labels: Labels, *, title: str, paper: bool = False) -> SafeString:
    """Return the picture: a circle for each cell, its area by support, its lift with the interval below it.

    Filled where most of its rules have an interval of lift without 1; of the accent above 1, warm below.
    """
    width = LEFT + len(matrix.consequents) * CELL_WIDTH + RIGHT
    height = TOP + len(matrix.groups) * CELL_HEIGHT + BOTTOM
    drawing = svg.drawing(width, height, title=title, paper=paper, in_its_size=True)
    for row, group in enumerate(matrix.groups):
        y = TOP + row * CELL_HEIGHT
        svg.line(drawing, 8, y, width - RIGHT, y, css="grid", stroke=svg.LINE)
        number = f"{row + 1}. "
        label = f"{number}{group_label(group, labels, _ROW_LABEL - svg.text_width(number))}"
        svg.text(drawing, LEFT - 12, y + CELL_HEIGHT / 2 + 4, label, css="strong", text_anchor="end")
    for column, items in enumerate(matrix.consequents):
        x, y = LEFT + (column + 0.5) * CELL_WIDTH, TOP - 10
        words = svg.text(drawing, x, y, svg.cut(f"→ {labels.short(items)}", _COLUMN_LABEL), css="strong")
        words.attributes["transform"] = f"rotate(-28 {x:g} {y:g})"
    largest = max((cell.support for cell in matrix.cells.values()), default=1.0)
    for (row, column), cell in matrix.cells.items():
        x, y = LEFT + (column + 0.5) * CELL_WIDTH, TOP + row * CELL_HEIGHT + 22
        _draw_cell(drawing, cell, x, y, largest)
    return svg.rendered(drawing)


def _draw_cell(drawing: svg.Part, cell: MatrixCell, x: float, y: float, largest: float) -> None:
    part = drawing.add("g", {"class": "cell"})
    part.add("title", text=f"{cell.rules} × {number(cell.lift, 2)}")
    colour, css = (svg.ACCENT, "mark") if cell.lift >= 1 else (svg.WARN, "mark mark--below")
    radius = 3 + 13 * math.sqrt(max(cell.support, 0.0) / largest) if largest > 0 else 3.0
    clear = 2 * cell.clear > cell.rules
    svg.circle(
        part, x, y, radius, css=css if clear else f"{css} mark--ring", fill=colour if clear else "none",
        stroke=colour, stroke_width="1.5",
    )  # fmt: skip
    svg.text(part, x, y + 28, number(cell.lift, 2), css="strong", text_anchor="middle")
    ends = svg.text(
        part, x, y + 39, f"[{number(cell.low, 2)}, {number(cell.high, 2)}]", css="small", text_anchor="middle"
    )
    ends.attributes["font-size"] = "10"


def _groups(profiles: np.ndarray) -> list[int]:
    """Return the number of the group of each antecedent."""
    if len(profiles) < 2:
        return [1] * len(profiles)
    return [
        int(group)
        for group in scipy.cluster.hierarchy.fcluster(
            scipy.cluster.hierarchy.linkage(profiles, "ward"), MOST_GROUPS, "maxclust"
        )
    ]


def _cell(rules: Sequence[MatrixRule]) -> MatrixCell:
    return MatrixCell(
        lift=median(rule.lift for rule in rules),
        low=median(rule.lift_low for rule in rules),
        high=median(rule.lift_high for rule in rules),
        support=median(rule.support for rule in rules),
        rules=len(rules),
        clear=sum(rule.clear for rule in rules),
    )
