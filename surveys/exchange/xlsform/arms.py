"""Experiments in a workbook: the shares of arms, and the texts that hang on an arm, as JSON in one cell."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, Final

from django.utils.translation import gettext as _

from surveys.errors.error import shown
from surveys.exchange.xlsform.workbook import Notes
from surveys.questionnaire.arms import ARM

__all__ = ["EXPLAINED", "RIGHTLY", "SHARES", "WORDED", "arm_question", "arm_text_cell", "arm_texts_of"]

SHARES: Final = "sotto_shares"
EXPLAINED: Final = "sotto_explanations"
WORDED: Final = "sotto_wordings"
RIGHTLY: Final = "sotto_right"


def arm_question(key: str, options: list[dict[str, Any]], shares: list[int]) -> dict[str, Any]:
    """Return the question of arms of a definition; shares that are too few are found by its check."""
    given = [*shares, *[0] * (len(options) - len(shares))]
    arms = [{"key": option["key"], "share": share} for option, share in zip(options, given, strict=False)]
    return {"key": key, "kind": ARM, "options": arms}


def arm_text_cell(stated: Mapping[str, Any] | None, column: str) -> dict[str, str]:
    """Return the cell of texts by arm; nothing where there are none."""
    return {column: json.dumps(stated, ensure_ascii=False)} if stated else {}


def arm_texts_of(cell: str, where: str, notes: Notes) -> Any:
    """Return what a cell says of texts by arm; None after noting that it cannot be read."""
    try:
        return json.loads(cell)
    except ValueError:
        notes.problems.add(
            where,
            _("%(value)s gives no texts by arm") % {"value": shown(cell)},
            _('write {"question": …, "texts": {"arm": {"en": "…"}, …}}'),
        )
        return None
