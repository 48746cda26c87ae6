"""The share of people with at least one of several answers, among everyone, in words."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from privacy.estimation.comparison import ShareOfAll
from surveys.formats.svg import IntervalRow, shares_svg
from surveys.report.results.choice import Choice, ends_of
from surveys.report.results.outcomes import COLUMNS, Cell, OutcomeRow
from surveys.report.sentences.findings import Bar, bar_of, share_sentence

EVERYONE = "everyone"
"""Value of "Compare by" without a comparison."""


@dataclass(frozen=True, kw_only=True)
class ShareText:
    """One outcome among everyone who was asked."""

    found: ShareOfAll
    outcome: Choice
    weighted: bool = False

    @property
    def title(self) -> str:
        """The outcome, as tables name it."""
        return self.outcome.name

    @property
    def sentence(self) -> str:
        """The share with its interval."""
        if not self.found.share.estimable:
            return _("There are too few answers to say how many people %(outcome)s.") % {
                "outcome": self.outcome.phrase.having
            }
        return share_sentence(self.outcome.phrase, self.found.share)

    @property
    def rows(self) -> list[OutcomeRow]:
        """The only group, without a difference and a p-value."""
        cell = Cell(choice=self.outcome, group=_("everyone"), value=self.found.share)
        return [OutcomeRow(name=self.outcome.name, p="", cells=(cell,))]

    @property
    def bars(self) -> list[Bar]:
        """One bar."""
        (row,) = self.rows
        return [bar_of(cell.group, cell.value, cell.text) for cell in row.cells]

    @property
    def shift(self) -> float | None:
        """How far forged rows could have moved the share; None without any, or if without a limit."""
        shift = self.found.shift
        return shift if shift and math.isfinite(shift) else None

    def drawing(self) -> SafeString:
        """Draw the share."""
        (row,) = self.rows
        (cell,) = row.cells
        drawn = [IntervalRow(name=cell.group, text=cell.text, **ends_of(cell.value))]
        return shares_svg(drawn, title=self.title, unit=_("people of 100"))

    def records(self) -> Iterator[dict[str, Any]]:
        """Yield the only record."""
        (row,) = self.rows
        (cell,) = row.cells
        yield (
            dict.fromkeys(COLUMNS)
            | {
                "group": EVERYONE,
                "role": "answer",
                "n": self.found.n,
                "n_used": self.found.n_used,
                "few_rows": self.found.few_rows,
                "weighted": self.weighted,
                "share_shift": self.shift,
            }
            | cell.record()
        )
