"""Risk against loss over the lattice as a picture, beside a table that says the same."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from django.utils.translation import gettext as _

from anonymisation.charts.lattice import KINDS, Dot, Words, lattice_svg
from privacy.sdc.lattice import Tradeoff
from surveys.formats.figures import number

__all__ = ["lattice_document", "lattice_drawing"]


def lattice_document(tradeoff: Tradeoff | None) -> dict[str, Any]:
    """Return what is kept of a lattice that was looked at; nothing without global recoding.

    Of each node: levels, smallest group, records below k, records alone, share at risk, loss, and whether it
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
    """Draw the generalisations that were looked at, and the way to the one that was chosen.

    Parameters
    ----------
    lattice : mapping
        ``names``, ``size``, ``path`` and ``nodes``, as `lattice_document` writes them; empty without
        global recoding. Deposits of earlier versions have a path only.
    """
    if not lattice:
        return {}
    nodes = lattice["nodes"] if "nodes" in lattice else _earlier(lattice["path"])
    path = [tuple(levels if "nodes" in lattice else levels["levels"]) for levels in lattice["path"]]
    chosen = path[-1]
    rows = {tuple(node[0]): _row(node, chosen, path) for node in nodes}
    dots = {levels: _dot(row) for levels, row in rows.items()}
    words = Words(
        title=_("Risk and loss of all generalisations"),
        loss=_("information lost"),
        risk=_("share at risk"),
        path=_("path to the chosen one, step by step"),
        kinds=(_("does not reach k"), _("reaches k"), _("no finer one reaches k"), _("chosen")),
    )
    matter = [row for levels, row in rows.items() if levels in path or row["kind"] in KINDS[2:]]
    return {
        "names": lattice["names"],
        "size": lattice.get("size"),
        "looked_at": len(rows),
        "whole": len(rows) == lattice.get("size"),
        "picture": lattice_svg(list(dots.values()), [dots[levels] for levels in path], words),
        "rows": matter,
        "others": [row for row in rows.values() if row not in matter],
    }


def _earlier(path: Sequence[Mapping[str, Any]]) -> list[list[Any]]:
    """Read the path of an earlier version, which kept no smallest group, in the form of today's nodes."""
    return [
        [node["levels"], None, node["below_k"], node["alone"], node["at_risk"], node["ncp"], 0]
        for node in path
    ]


def _row(node: Sequence[Any], chosen: tuple[int, ...], path: Sequence[tuple[int, ...]]) -> dict[str, Any]:
    levels, smallest, below_k, alone, at_risk, loss, reached = node
    kind = "chosen" if tuple(levels) == chosen else KINDS[reached]
    said = {"chosen": _("chosen"), "minimal": _("no finer one reaches k"), "good": _("reaches k")}
    return {
        "step": sum(levels),
        "levels": levels,
        "kind": kind,
        "what": said.get(kind, _("on the path") if tuple(levels) in path else _("does not reach k")),
        "smallest": "–" if smallest is None else smallest,
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
