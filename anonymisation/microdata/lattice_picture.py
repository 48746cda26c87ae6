"""Picture of a lattice: what each global recoding of a table loses, and which keep k-anonymity.

Kinds differ by shape and shades of grey, not by colour.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, Literal

from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from anonymisation.microdata.bars_picture import WIDTH
from privacy.sdc.lattice_tradeoff import Tradeoff
from surveys.formats import svg
from surveys.formats.numbers import number

HEIGHT: Final = 372.0
LEFT, RIGHT, TOP, BOTTOM = 40.0, 16.0, 92.0, 40.0
NodeKind = Literal["below", "good", "minimal", "chosen"]
NODE_KINDS: Final[tuple[NodeKind, ...]] = ("below", "good", "minimal", "chosen")
"""Kinds in drawing order, the least important first."""


@dataclass(frozen=True, kw_only=True)
class Dot:
    """One generalisation. Both shares are in [0, 1]; `text` is shown under the pointer."""

    loss: float
    risk: float
    kind: NodeKind
    text: str = ""


def lattice_svg(dots: Sequence[Dot], path: Sequence[Dot]) -> SafeString:
    """Draw the lattice.

    Parameters
    ----------
    dots : sequence of Dot
    path : sequence of Dot
        Dots of the dashed line from the original table to the chosen node.
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
    for kind in NODE_KINDS[:2]:
        _marks(drawing, dots, kind, across, up)
    places = " ".join(f"{across.position(dot.loss):g},{up.position(dot.risk):g}" for dot in path)
    drawing.add("polyline", {"points": places, **_PATH})
    for kind in NODE_KINDS[2:]:
        _marks(drawing, dots, kind, across, up)
    return svg.render_svg(drawing)


_PATH: Final = {
    "fill": "none", "stroke": svg.INK, "stroke-width": "1.25", "stroke-dasharray": "5 3", "class": "reach",
}  # fmt: skip


def _kinds() -> dict[NodeKind, str]:
    return {
        "below": _("does not reach k"),
        "good": _("reaches k"),
        "minimal": _("no finer one reaches k"),
        "chosen": _("chosen"),
    }


def _key(drawing: svg.SvgPart) -> None:
    for position, (kind, name) in enumerate(_kinds().items()):
        x, y = 12 + (WIDTH - 12) / 2 * (position % 2), 14 + 18 * (position // 2)
        _mark(drawing, x, y, kind)
        svg.text(drawing, x + 12, y + 4, svg.cut(name, (WIDTH - 12) / 2 - 20))
    drawing.add("polyline", {"points": "4,50 22,50", **_PATH})
    svg.text(drawing, 28, 54, svg.cut(_("path to the chosen one, step by step"), WIDTH - 40))


def _marks(drawing: svg.SvgPart, dots: Sequence[Dot], kind: NodeKind, across: svg.Axis, up: svg.Axis) -> None:
    # Generalisations with the same two values share a point, which is drawn once.
    seen: dict[tuple[float, float], list[str]] = {}
    for dot in dots:
        if dot.kind == kind:
            seen.setdefault((across.position(dot.loss), up.position(dot.risk)), []).append(dot.text)
    for (x, y), texts in seen.items():
        mark = _mark(drawing, x, y, kind)
        if any(texts):
            mark.add("title", text="\n".join(filter(None, texts)))


def _mark(parent: svg.SvgPart, x: float, y: float, kind: NodeKind) -> svg.SvgPart:
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

    Each node has levels, smallest class, records in classes below k, unique records, share at risk, loss, and
    2 if it is k-minimal, 1 if it reaches k, otherwise 0.
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
    matter = [row for levels, row in rows.items() if levels in path or row["kind"] in NODE_KINDS[2:]]
    return {
        "names": lattice["names"],
        "size": lattice["size"],
        "looked_at": len(rows),
        "whole": len(rows) == lattice["size"],
        "picture": lattice_svg(list(dots.values()), [dots[levels] for levels in path]),
        "rows": matter,
        "others": [row for row in rows.values() if row not in matter],
    }


def _row(node: Sequence[Any], best: tuple[int, ...], path: Sequence[tuple[int, ...]]) -> dict[str, Any]:
    levels, smallest, below_k, alone, at_risk, loss, outcome = node
    kind: NodeKind = "chosen" if tuple(levels) == best else NODE_KINDS[outcome]
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
    text = "" if row["kind"] not in NODE_KINDS[2:] else f"{row['levels']}: {row['loss']}, {row['at_risk']}"
    return Dot(loss=loss, risk=risk, kind=row["kind"], text=text)
