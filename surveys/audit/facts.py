"""The audit of a run in two figures, for every page of its report."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from privacy.audit.sentences import percent

__all__ = ["Told", "told_by"]


@dataclass(frozen=True, kw_only=True)
class Told:
    """What the rows of a run tell at worst.

    Attributes
    ----------
    recognised : str
        Largest share, over the blocks, of protected rows that are recognised as true with over 95 %.
    worst_item, worst_share : str
        The item that one row makes surest, and how sure.
    """

    recognised: str
    worst_item: str
    worst_share: str


def told_by(summary: Mapping[str, Any]) -> Told | None:
    """Return the figures that a run stored; None where there is no audit yet, or nothing protected."""
    audit = summary.get("audit") or {}
    worst = next((item for item in audit.get("items", ()) if item["key"] == audit.get("worst_item")), None)
    if worst is None:
        return None
    return Told(
        recognised=percent(audit["recognised"]), worst_item=worst["key"], worst_share=percent(worst["worst"])
    )
