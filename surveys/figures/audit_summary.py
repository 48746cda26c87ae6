"""The audit of a run in a few figures, for every page of its report."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from privacy.risk.report import percent

__all__ = ["AuditSummary", "audit_summary"]


@dataclass(frozen=True, kw_only=True)
class AuditSummary:
    """Worst cases of a run's audit.

    Attributes
    ----------
    recognised : str
        Largest share, over the blocks, of protected rows that are recognised as true with over 95 %; empty
        without blocks.
    worst_item, worst_share : str
        The item that one row makes surest, and how sure.
    scale, scale_recognised : str
        The number or place of which most rows give their answer away with over 95 %, and their share; empty
        where there is none.
    """

    recognised: str = ""
    worst_item: str = ""
    worst_share: str = ""
    scale: str = ""
    scale_recognised: str = ""


def audit_summary(summary: Mapping[str, Any]) -> AuditSummary | None:
    """Return the figures that a run stored; None where there is no audit yet, or nothing protected."""
    audit = summary.get("audit") or {}
    figures: dict[str, str] = {}
    worst = next((item for item in audit.get("items", ()) if item["key"] == audit.get("worst_item")), None)
    if worst is not None:
        figures |= {
            "recognised": percent(audit["recognised"]),
            "worst_item": worst["key"],
            "worst_share": percent(worst["worst"]),
        }
    # Audits of earlier versions of the program have no rows of numbers and places.
    measured = [part for part in audit.get("lone", ()) if part.get("rows")]
    if measured:
        highest = max(measured, key=lambda part: part["rows"]["sent"][-1])
        figures |= {"scale": highest["question"], "scale_recognised": percent(highest["rows"]["sent"][-1])}
    return AuditSummary(**figures) if figures else None
