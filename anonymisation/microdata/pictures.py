"""Pictures of releases: bars with their figures, and risk against loss over a lattice of generalisations.

Kinds are distinguished by shape and by shades of grey, not by colour.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, Literal

from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from privacy.sdc.lattice import Tradeoff
from surveys.formats import svg
from surveys.formats.figures import number, plain

WIDTH: Final = 400.0
EDGE, LINE, THICK, GAP = 6.0, 14.0, 10.0, 3.0
NAME: Final = 165.0
"""The widest label beside a bar; longer ones are cut, the table beside the picture has them whole."""


@dataclass(frozen=True, kw_only=True)
class Bar:
    """One bar.

    Attributes
    ----------
    label : str
        Beside it; empty for one that belongs to the label above.
    value : float
        At least 0.
    kind : int
        Place of its name among the `kinds` of the picture; the first is full, the second is hollow.
    """

    label: str
    value: float
    kind: int = 0


def bars_svg(
    bars: Sequence[Bar], *, title: str, kinds: Sequence[str] = (), most: float | None = None
) -> SafeString:
    """Return the picture.

    Parameters
    ----------
    bars : sequence of Bar
    title : str
    kinds : sequence of str
        Meanings of full and hollow bars.
    most : float, optional
        The natural end of the scale (1 for a share).
    """
    left = EDGE + min(NAME, max((svg.text_width(bar.label) for bar in bars), default=0.0)) + 8
    said = [plain(bar.value) for bar in bars]
    right = WIDTH - EDGE - max((svg.text_width(text) for text in said), default=0.0) - 4
    # Lengths of bars are compared, so they begin at 0.
    values = [0.0, *(bar.value for bar in bars)] + ([] if most is None else [most])
    across = svg.axis_around(values, start=left, end=right)
    y, places = EDGE + (LINE + 6 if kinds else 0), []
    for bar in bars:
        y += 5 if bar.label else 0
        places.append(y)
        y += THICK + GAP
    drawing = svg.drawing(
        WIDTH,
        y + EDGE,
        title=title,
        said="; ".join(
            " ".join(part for part in (bar.label, *kinds[bar.kind : bar.kind + 1], text) if part)
            for bar, text in zip(bars, said, strict=True)
        ),
    )
    drawing.attributes["class"] = "bars"
    _draw_kinds(drawing, kinds)
    for bar, text, position in zip(bars, said, places, strict=True):
        if bar.label:
            svg.text(drawing, left - 6, position + THICK - 1, svg.cut(bar.label, NAME), text_anchor="end")
        length = max(1.0, across.position(bar.value) - across.start) if bar.value > 0 else 0.0
        _draw_bar(drawing, left, position, length, bar.kind)
        svg.text(drawing, left + length + 4, position + THICK - 1, text)
    return svg.rendered(drawing)


def before_and_after(
    title: str, rows: Sequence[tuple[str, float, float]], *, most: float | None = None
) -> SafeString:
    """Draw two bars for each (name, before, after), the one before hollow.

    Parameters
    ----------
    title : str
    rows : sequence of tuple
    most : float, optional
        The natural end of the scale (1 for a share).
    """
    bars = []
    for label, before, after in rows:
        bars += [Bar(label=label, value=before, kind=1), Bar(label="", value=after)]
    return bars_svg(bars, title=title, kinds=(_("after"), _("before")), most=most)


def _draw_kinds(drawing: svg.Part, kinds: Sequence[str]) -> None:
    """Draw the legend: one bar of each kind with its name."""
    at = EDGE
    for kind, words in enumerate(kinds):
        _draw_bar(drawing, at, EDGE + 2, 16, kind)
        svg.text(drawing, at + 21, EDGE + 11, words)
        at += 21 + svg.text_width(words) + 12


def _draw_bar(drawing: svg.Part, x: float, y: float, length: float, kind: int) -> None:
    look = (
        {"class": "mark", "fill": svg.ACCENT, "stroke": svg.ACCENT},
        {"class": "mark--hollow", "fill": svg.PAPER, "stroke": svg.ACCENT},
    )[kind]
    box = {"x": f"{x:g}", "y": f"{y:g}", "width": f"{length:.1f}", "height": f"{THICK:g}"}
    drawing.add("rect", {**box, **look})


HEIGHT: Final = 372.0
LEFT, RIGHT, TOP, BOTTOM = 40.0, 16.0, 92.0, 40.0

Kind = Literal["below", "good", "minimal", "chosen"]
KINDS: Final[tuple[Kind, ...]] = ("below", "good", "minimal", "chosen")
"""Kinds in drawing order, the least important first."""


@dataclass(frozen=True, kw_only=True)
class Dot:
    """One generalisation; both shares in [0, 1], `said` is shown under the pointer."""

    loss: float
    risk: float
    kind: Kind
    said: str = ""


def lattice_svg(dots: Sequence[Dot], path: Sequence[Dot]) -> SafeString:
    """Return the picture.

    Parameters
    ----------
    dots : sequence of Dot
    path : sequence of Dot
        From the table as it is to the chosen node, in order; a dashed line.
    """
    drawing = svg.drawing(WIDTH, HEIGHT, title=_("Risk and loss of all generalisations"))
    bottom, right = HEIGHT - BOTTOM, WIDTH - RIGHT
    lost, risk = _("information lost"), _("share at risk")
    across = svg.axis_over([dot.loss for dot in (*dots, *path)], start=LEFT, end=right, most=1.0)
    up = svg.axis_over([dot.risk for dot in (*dots, *path)], start=bottom, end=TOP, most=1.0)
    for tick in up.ticks:
        css, stroke = ("axis", svg.STRONG) if tick == up.low else ("grid", svg.LINE)
        svg.line(drawing, LEFT, up.position(tick), right, up.position(tick), css=css, stroke=stroke)
        svg.text(drawing, LEFT - 6, up.position(tick) + 4, up.label(tick), text_anchor="end")
    for tick in across.ticks:
        svg.text(drawing, across.position(tick), bottom + 17, across.label(tick), text_anchor="middle")
    svg.text(drawing, right, HEIGHT - 6, f"{lost} →", text_anchor="end")
    svg.text(drawing, 4, TOP - 14, f"↑ {risk}")
    _key(drawing)
    for kind in KINDS[:2]:
        _marks(drawing, dots, kind, across, up)
    places = " ".join(f"{across.position(dot.loss):g},{up.position(dot.risk):g}" for dot in path)
    drawing.add("polyline", {"points": places, **_PATH})
    for kind in KINDS[2:]:
        _marks(drawing, dots, kind, across, up)
    return svg.rendered(drawing)


_PATH: Final = {
    "fill": "none", "stroke": svg.INK, "stroke-width": "1.25", "stroke-dasharray": "5 3", "class": "reach",
}  # fmt: skip


def _kinds() -> dict[Kind, str]:
    return {
        "below": _("does not reach k"),
        "good": _("reaches k"),
        "minimal": _("no finer one reaches k"),
        "chosen": _("chosen"),
    }


def _key(drawing: svg.Part) -> None:
    for position, (kind, name) in enumerate(_kinds().items()):
        x, y = 12 + (WIDTH - 12) / 2 * (position % 2), 14 + 18 * (position // 2)
        _mark(drawing, x, y, kind)
        svg.text(drawing, x + 12, y + 4, svg.cut(name, (WIDTH - 12) / 2 - 20))
    drawing.add("polyline", {"points": "4,50 22,50", **_PATH})
    svg.text(drawing, 28, 54, svg.cut(_("path to the chosen one, step by step"), WIDTH - 40))


def _marks(drawing: svg.Part, dots: Sequence[Dot], kind: Kind, across: svg.Axis, up: svg.Axis) -> None:
    # Generalisations with equal values in both share one point, and are drawn once.
    seen: dict[tuple[float, float], list[str]] = {}
    for dot in dots:
        if dot.kind == kind:
            seen.setdefault((across.position(dot.loss), up.position(dot.risk)), []).append(dot.said)
    for (x, y), said in seen.items():
        mark = _mark(drawing, x, y, kind)
        if any(said):
            mark.add("title", text="\n".join(filter(None, said)))


def _mark(parent: svg.Part, x: float, y: float, kind: Kind) -> svg.Part:
    if kind == "below":
        return svg.circle(parent, x, y, 1.75, css="mark--quiet", fill=svg.STRONG)
    if kind == "good":
        return svg.circle(
            parent, x, y, 3.5, css="mark--hollow", fill=svg.PAPER, stroke=svg.ACCENT, stroke_width="1.75"
        )
    if kind == "minimal":
        points = f"{x:g},{y - 6:g} {x + 5.5:g},{y + 4:g} {x - 5.5:g},{y + 4:g}"
        return parent.add("polygon", {"points": points, "fill": svg.ACCENT, "class": "mark"})
    return svg.diamond(
        parent, x, y, 7.5, css="mark--below", fill=svg.WARN, stroke=svg.PAPER, stroke_width="1.5"
    )


def lattice_document(tradeoff: Tradeoff | None) -> dict[str, Any]:
    """Return a searched lattice as JSON; empty without global recoding.

    For each node: levels, smallest group, records below k, records alone, share at risk, loss, and whether it
    is k-minimal (2), reaches k (1) or does not (0).
    """
    if tradeoff is None:
        return {}
    return {
        "names": list(tradeoff.names),
        "size": tradeoff.size,
        "path": [list(levels) for levels in tradeoff.path],
        "nodes": [
            [
                *(list(node.levels), node.smallest, node.below_k, node.alone),
                *(node.at_risk, node.loss, node.good + node.minimal),
            ]
            for node in tradeoff.nodes
        ],
    }


def lattice_drawing(lattice: Mapping[str, Any]) -> dict[str, Any]:
    """Draw the evaluated generalisations and the path to the chosen one.

    Parameters
    ----------
    lattice : mapping
        ``names``, ``size``, ``path`` and ``nodes``, as `lattice_document` writes them; empty without
        global recoding.
    """
    if not lattice:
        return {}
    path = [tuple(levels) for levels in lattice["path"]]
    rows = {tuple(node[0]): _row(node, path[-1], path) for node in lattice["nodes"]}
    dots = {levels: _dot(row) for levels, row in rows.items()}
    matter = [row for levels, row in rows.items() if levels in path or row["kind"] in KINDS[2:]]
    return {
        "names": lattice["names"],
        "size": lattice["size"],
        "looked_at": len(rows),
        "whole": len(rows) == lattice["size"],
        "picture": lattice_svg(list(dots.values()), [dots[levels] for levels in path]),
        "rows": matter,
        "others": [row for row in rows.values() if row not in matter],
    }


def _row(node: Sequence[Any], chosen: tuple[int, ...], path: Sequence[tuple[int, ...]]) -> dict[str, Any]:
    levels, smallest, below_k, alone, at_risk, loss, reached = node
    kind: Kind = "chosen" if tuple(levels) == chosen else KINDS[reached]
    on_path = kind == "below" and tuple(levels) in path
    return {
        "step": sum(levels),
        "levels": levels,
        "kind": kind,
        "what": _("on the path") if on_path else _kinds()[kind],
        "smallest": smallest,
        "below_k": below_k,
        "alone": alone,
        "at_risk": number(at_risk),
        "loss": number(loss),
        "place": (loss, at_risk),
    }


def _dot(row: Mapping[str, Any]) -> Dot:
    loss, risk = row["place"]
    said = "" if row["kind"] not in KINDS[2:] else f"{row['levels']}: {row['loss']}, {row['at_risk']}"
    return Dot(loss=loss, risk=risk, kind=row["kind"], said=said)
