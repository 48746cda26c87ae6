"""How the same people changed between two times that one part asks about, in words and as records."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from privacy.estimation.two_times import TwoTimes
from privacy.printed import Measured
from surveys.formats.figures import SHARES
from surveys.formats.interval_chart import intervals_svg
from surveys.formats.joints import labelled, series_text
from surveys.formats.shown_counts import shown_count
from surveys.report.results.change_finding import change_finding, change_shift_text
from surveys.report.results.choice import Choice
from surveys.report.results.outcomes import COLUMNS, Cell, gap_interval, interval_text, named_figures
from surveys.report.sentences.findings import level_text
from surveys.report.sentences.group_bars import GroupBar
from surveys.report.sentences.verdict import Finding


@dataclass(frozen=True, kw_only=True)
class TimesText:
    """Two answers that ask one thing for two times, and the change of the same people.

    Parameters
    ----------
    found : TwoTimes
    then, outcome : Choice
        The answer for then, and the answer for now.
    """

    found: TwoTimes
    then: Choice
    outcome: Choice

    @property
    def title(self) -> str:
        """Both answers."""
        return _("From “%(then)s” to “%(now)s”") % {"then": self.then.name, "now": self.outcome.name}

    @property
    def finding(self) -> Finding:
        """Whether there is a net change, which change is ruled out, or how many people are missing."""
        return change_finding(self.found.net, self.outcome, same_people=True)

    @property
    def verdict(self) -> str:
        """The sentence of the finding."""
        return self.finding.sentence

    @property
    def _shares(self) -> list[tuple[str, str, Measured]]:
        """Each share: its key in files, its name, and its figure."""
        return [
            ("then", _("then: %(answer)s") % {"answer": self.then.words}, self.found.earlier),
            ("now", _("now: %(answer)s") % {"answer": self.outcome.words}, self.found.later),
            ("started", _("started: only now"), self.found.started),
            ("stopped", _("stopped: only then"), self.found.stopped),
        ]

    @property
    def rows(self) -> list[tuple[str, str]]:
        """Each share and the net change, with its interval."""
        lines = [
            (name, interval_text(figure, SHARES, self.outcome.text)) for _key, name, figure in self._shares
        ]
        return [*lines, (_("net change: started minus stopped"), gap_interval(self.outcome, self.found.net))]

    @property
    def people(self) -> str:
        """Number of people who were asked both."""
        return shown_count(self.found.net.n)

    @property
    def shift_text(self) -> str:
        """How far forged rows could have moved the net change; empty without any."""
        return change_shift_text(self.outcome, self.found.net.shift)

    @property
    def level_text(self) -> str:
        """The level of its intervals."""
        return level_text()

    @property
    def paper_sentences(self) -> list[str]:
        """Methods and results for a paper."""
        method = _(
            "We asked %(n)s respondents for two times, in one part under one coin. The net change is the "
            "mean difference of both unbiased scores, with a 95%% confidence interval by empirical "
            "likelihood (Owen 2001). Answers for then rest on recall."
        )
        figures = series_text(labelled(name, figure) for name, figure in self.rows)
        return [
            method % {"n": shown_count(self.found.net.n)},
            _("%(figures)s.") % {"figures": figures},
            self.verdict,
        ]

    @property
    def bars(self) -> list[GroupBar]:
        """A bar for each share."""
        return [
            self.outcome.bar(name, figure, interval_text(figure, SHARES, self.outcome.text))
            for _key, name, figure in self._shares
        ]

    def drawing(self) -> SafeString:
        """Draw all shares in one picture."""
        rows = [
            self.outcome.row(name, interval_text(figure, SHARES, self.outcome.text), figure)
            for _key, name, figure in self._shares
            if figure.estimable
        ]
        return intervals_svg(rows, title=self.title)

    def records(self) -> Iterator[dict[str, Any]]:
        """Yield a record for each share; that of now has the net change."""
        for key, _name, figure in self._shares:
            cell = Cell(choice=self.outcome, group=key, value=figure)
            record = dict.fromkeys(COLUMNS) | {
                "by": self.then.key,
                "by_label": self.then.name,
                "group": key,
                "role": "answer",
                "n": figure.n,
                "few_rows": self.found.few_rows,
                "weighted": False,
            }
            record |= cell.record()
            if key == "now":
                record |= named_figures("difference", self.found.net, self.outcome)
            yield record
