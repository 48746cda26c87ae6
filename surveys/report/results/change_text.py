"""The change of a share or a mean between two surveys, in words and as records."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from privacy.printed import Measured
from surveys.formats.figures import SHARES
from surveys.formats.interval_chart import intervals_svg
from surveys.formats.shown_counts import shown_count
from surveys.models import Run
from surveys.report.results.change_finding import change_finding, change_shift_text, is_clear_change
from surveys.report.results.choice import Choice
from surveys.report.results.outcomes import COLUMNS, Cell, gap_interval, interval_text, named_figures
from surveys.report.sentences.findings import level_text, share_sentence
from surveys.report.sentences.group_bars import GroupBar
from surveys.report.sentences.verdict import Finding
from surveys.runs.changes import FigureChange


@dataclass(frozen=True, kw_only=True)
class ChangeText:
    """One outcome in two surveys, and its change.

    Parameters
    ----------
    found : FigureChange
    outcome : Choice
    """

    found: FigureChange
    outcome: Choice

    @property
    def title(self) -> str:
        """Outcome and both surveys."""
        words = {"outcome": self.outcome.name, "first": self.names[0], "second": self.names[1]}
        return _("%(outcome)s: change from “%(first)s” to “%(second)s”") % words

    @property
    def names(self) -> tuple[str, str]:
        """Titles of the earlier and the later survey; with the run if they are equal."""
        runs = self.found.earlier, self.found.later
        first, second = (run.survey.title_text for run in runs)
        if first != second:
            return first, second
        named = [_("%(survey)s, run %(run)s") % {"survey": first, "run": run.pk} for run in runs]
        return named[0], named[1]

    @property
    def is_clear(self) -> bool:
        """Whether the interval of the change excludes 0, however forged answers moved it."""
        return is_clear_change(self.found.change)

    @property
    def verdict(self) -> str:
        """The sentence of the finding."""
        return self.finding.sentence

    @property
    def finding(self) -> Finding:
        """Whether there is a change, which change is ruled out, or how many people are missing."""
        return change_finding(self.found.change, self.outcome)

    @property
    def sentences(self) -> list[str]:
        """The figure in each survey."""
        template = _("“%(survey)s”: %(sentence)s")
        return [
            template % {"survey": name, "sentence": self._sentence(figure)}
            for name, figure in zip(self.names, self._figures, strict=True)
        ]

    def _sentence(self, figure: Measured) -> str:
        if self.outcome.is_mean or not figure.estimable:
            words = {
                "outcome": self.outcome.words,
                "figure": interval_text(figure, SHARES, self.outcome.text),
            }
            return _("%(outcome)s: %(figure)s.") % words
        return share_sentence(self.outcome.phrase, figure)

    @property
    def _figures(self) -> tuple[Measured, Measured]:
        return self.found.before, self.found.after

    @property
    def rows(self) -> list[tuple[str, str, str]]:
        """Each survey and both forms of the change: name, people, and figure with its interval."""
        lines = [
            (name, shown_count(figure.n), interval_text(figure, SHARES, self.outcome.text))
            for name, figure in zip(self.names, self._figures, strict=True)
        ]
        lines.append((_("change"), "", gap_interval(self.outcome, self.found.change)))
        lines.append(
            (
                _("change, if answers are negatively related"),
                "",
                gap_interval(self.outcome, self.found.opposed),
            )
        )
        return lines

    @property
    def notes(self) -> list[str]:
        """When the interval holds, and what else could be the reason for the change."""
        said = [
            _(
                "The interval holds if different people answered. It also holds if some answered both, "
                "unless their answers are negatively related: people who said yes before say it less often "
                "now than others do. No one can count who answered both, because rows have no names. The "
                "last row adds both errors, and holds for any relation."
            ),
            _(
                "If the same share of people denied it in both, the change would be larger, with the same "
                "sign. If more people denied it in one of them, that is part of the change, and no figure "
                "shows it."
            ),
        ]
        if self.found.has_other_strength:
            said.append(
                _(
                    "The surveys disguised this answer with different strengths. Each estimate allows for "
                    "its own. If people deny more under the weaker one, that is part of the change."
                )
            )
        if self.found.has_other_skip:
            said.append(
                _(
                    "Only one of the surveys lets people skip this part. People who skip count as not having "
                    "given the answer."
                )
            )
        if self.found.has_other_help:
            said.append(_("The help texts of the question differ."))
        return said

    @property
    def shift_text(self) -> str:
        """How far forged rows of both surveys could have moved the change; empty without any."""
        return change_shift_text(self.outcome, self.found.change.shift)

    @property
    def level_text(self) -> str:
        """The level of its intervals."""
        return level_text()

    @property
    def method(self) -> str:
        """How the change was estimated, for a paper."""
        method = _(
            "We estimated the change in %(quantity)s from “%(first)s” (n = %(before)s) to “%(second)s” "
            "(n = %(after)s) as the difference of both estimates. Its 95%% confidence interval combines the "
            "distances of both estimates from the ends of their intervals (Newcombe 1998, method 10). It "
            "holds unless answers of people who answered both surveys are negatively related. We could not "
            "count these people, because answers have no names."
        )
        words = {
            "quantity": self.outcome.quantity,
            "first": self.names[0],
            "second": self.names[1],
            "before": shown_count(self.found.before.n),
            "after": shown_count(self.found.after.n),
        }
        return method % words

    @property
    def paper_sentences(self) -> list[str]:
        """Methods and results for a paper."""
        return [self.method, *self.sentences, self.verdict]

    @property
    def bars(self) -> list[GroupBar]:
        """A bar for each survey."""
        figures = zip(self.names, self._figures, strict=True)
        return [
            self.outcome.bar(name, figure, interval_text(figure, SHARES, self.outcome.text))
            for name, figure in figures
        ]

    def drawing(self) -> SafeString:
        """Draw both figures in one picture."""
        rows = [
            self.outcome.row(name, interval_text(figure, SHARES, self.outcome.text), figure)
            for name, figure in zip(self.names, self._figures, strict=True)
            if figure.estimable
        ]
        return intervals_svg(rows, title=self.title)

    def records(self) -> Iterator[dict[str, Any]]:
        """Yield a record for the earlier survey, then one for the later, which has the change."""
        opposed = named_figures("difference", self.found.opposed, self.outcome)
        for role, run, figure in zip(("before", "after"), self._runs, self._figures, strict=True):
            is_later = role == "after"
            cell = Cell(
                choice=self.outcome,
                group=role,
                value=figure,
                difference=self.found.change if is_later else None,
            )
            record = dict.fromkeys(COLUMNS) | {
                "group": role,
                "compared_survey": run.survey.slug,
                "compared_run": run.pk,
                "role": "answer",
                "n": figure.n,
                "weighted": False,
            }
            record |= cell.record()
            if is_later:
                shift = self.found.change.shift
                known = shift is not None and math.isfinite(shift)
                record["difference_shift"] = self.outcome.gap(shift) if known and shift is not None else None
                for end in ("low", "high", "standard_error"):
                    record[f"opposed_{end}"] = opposed[f"difference_{end}"]
            yield record

    @property
    def _runs(self) -> tuple[Run, Run]:
        return self.found.earlier, self.found.later
