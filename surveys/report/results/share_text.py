"""The share of people with at least one of several answers, among everyone, in words."""

from __future__ import annotations

import math
from collections.abc import Container, Iterator
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlencode

from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from privacy.estimation.composed_parts import MOST_RULE_ITEMS
from privacy.estimation.share_of_all import ShareOfAll
from privacy.survey.design import Design
from surveys.formats.interval_chart import intervals_svg
from surveys.formats.joints import list_text
from surveys.questionnaire.rule_words import composites_of
from surveys.report.opened_run import OpenedRun
from surveys.report.results.choice import Choice
from surveys.report.results.outcomes import COLUMNS, Cell, OutcomeRow
from surveys.report.sentences.findings import item_phrase, share_sentence
from surveys.report.sentences.group_bars import GroupBar

EVERYONE = "everyone"
"""Value of "Compare by" without a comparison."""


def united_answers(open_run: OpenedRun) -> Iterator[tuple[str, str]]:
    """Yield the composite yes/no answers of each part that has several: names, and a query of *Compare*.

    Placebo indices and halves are left out, and parts of which no one is asked everything.
    """
    design = open_run.run.design
    halves = {rule.other_half for rule in composites_of(design).values()}
    for number, block in enumerate(design.blocks):
        labels = [
            label
            for label in open_run.labels.items
            if design.items[label.index].block == number and _can_be_united(design, label.index, halves)
        ]
        if 2 <= len(labels) <= MOST_RULE_ITEMS and not block.is_rotating:
            query = urlencode({"any_of": [label.key for label in labels], "by": EVERYONE}, doseq=True)
            yield list_text(item_phrase(label).words for label in labels), query


def _can_be_united(design: Design, item: int, halves: Container[str]) -> bool:
    question = design.questions[design.items[item].question]
    rule = question.computed
    if rule is None or not question.is_binary:
        return False
    return not (rule.placebo_of or rule.other_half or question.key in halves)


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
    def bars(self) -> list[GroupBar]:
        """One bar."""
        (row,) = self.rows
        return [self.outcome.bar(cell.group, cell.value, cell.text) for cell in row.cells]

    @property
    def shift(self) -> float | None:
        """How far forged rows could have moved the share; None without any, or if without a limit."""
        shift = self.found.share.shift
        return shift if shift and math.isfinite(shift) else None

    def drawing(self) -> SafeString:
        """Draw the share."""
        (row,) = self.rows
        (cell,) = row.cells
        return intervals_svg([self.outcome.row(cell.group, cell.text, cell.value)], title=self.title)

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
