"""Changes since the wave before, for the report to print and the text for a paper."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from surveys.accounts.permissions import Visitor
from surveys.errors.error import SurveyError, sentences
from surveys.formats.joints import join_sentences
from surveys.formats.numbers import count_text
from surveys.models import Run
from surveys.questionnaire.aim import Aim
from surveys.questionnaire.series_membership import series_of
from surveys.report.opened_run import OpenedRun
from surveys.report.results.change_text import ChangeText
from surveys.report.results.choice import Choice
from surveys.report.results.choices import choices_of
from surveys.report.results.other_surveys import runs_of_other_surveys
from surveys.runs.changes import change_of, shared_questions

MOST_CHANGES: Final = 6
"""Most changes in print and paper; *Compare* has all. Starred answers come first."""


@dataclass(frozen=True, kw_only=True)
class SeriesChanges:
    """Changes of protected figures since the wave before.

    Attributes
    ----------
    found : tuple of ChangeText
    refused : tuple of str
        Why others cannot be stated.
    left_out : int
        Number of others, which only *Compare* states.
    """

    found: tuple[ChangeText, ...]
    refused: tuple[str, ...]
    left_out: int

    @property
    def lines(self) -> list[str]:
        """One line per change: both figures, and whether it is clear."""
        return [join_sentences([f"{text.title}.", *text.sentences, text.verdict]) for text in self.found]

    @property
    def notes(self) -> list[str]:
        """When the intervals hold, what else could be the reason, and what is not stated."""
        said = dict.fromkeys(note for text in self.found for note in text.notes)
        more = ngettext(
            "The Compare page shows %(count)s more change.",
            "The Compare page shows %(count)s more changes.",
            self.left_out,
        ) % {"count": count_text(self.left_out)}
        return [*said, *self.refused, *([more] if self.left_out else [])]

    @property
    def method(self) -> str:
        """How the changes were estimated, for a paper; empty without any."""
        if not self.found:
            return ""
        others = _("We estimated all other changes in the same way.") if len(self.found) > 1 else ""
        return join_sentences(filter(None, [self.found[0].method, others]))


def changes_since_the_wave_before(opened: OpenedRun, user: Visitor) -> SeriesChanges | None:
    """Return the changes since the latest earlier wave with results; None without one that `user` may read.

    Parameters
    ----------
    opened : OpenedRun
    user : User
    """
    run = opened.run
    series = series_of(run.survey)
    if not series or not user.is_authenticated:
        return None
    earlier = [
        each
        for each in runs_of_other_surveys(user, run)
        if series_of(each.survey) == series and each.version_id < run.version_id
    ]
    if not earlier:
        return None
    before = max(earlier, key=lambda each: each.version_id)
    found: list[ChangeText] = []
    refused: list[str] = []
    outcomes = [*_outcomes(opened, before)]
    for outcome in outcomes[:MOST_CHANGES]:
        try:
            found.append(ChangeText(found=change_of(run, before, outcome.side), outcome=outcome))
        except SurveyError as error:
            refused.append(sentences(error))
    return SeriesChanges(
        found=tuple(found),
        refused=tuple(dict.fromkeys(refused)),
        left_out=max(len(outcomes) - MOST_CHANGES, 0),
    )


def _outcomes(opened: OpenedRun, before: Run) -> Iterator[Choice]:
    """Yield the protected outcomes that both waves ask, those of starred questions first."""
    run = opened.run
    shared = set(shared_questions(run.design, before.design))
    aim = Aim.from_json(run.version.aim)
    wanted = set(() if aim is None else aim.wanted)
    choices = [
        choice
        for choice in choices_of(run, opened.labels)
        if not choice.is_range
        and (numbers := choice.side.questions(run.design))
        and set(numbers) <= shared
        and all(run.design.blocks[run.design.block_of(number)].protected for number in numbers)
        and not any(run.design.questions[number].anchor for number in numbers)
    ]
    yield from sorted(choices, key=lambda choice: not _keys(run, choice) & wanted)


def _keys(run: Run, choice: Choice) -> set[str]:
    items = {run.design.items[item].key for item in choice.side.items}
    return items | {run.design.questions[number].key for number in choice.side.questions(run.design)}
