"""Changes to the plan of a draft: `privacy.planning.changes`, with documents, stems and saved layouts."""

from __future__ import annotations

import itertools
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, Final

from privacy.planning import changes as planning
from privacy.planning.changes import Change, WholeLines
from privacy.planning.forms import FormChange
from privacy.planning.use import Use, times_half_width
from privacy.survey.design import Design
from surveys.questionnaire.aim import Aim
from surveys.questionnaire.definition import Definition, definition_without_texts
from surveys.questionnaire.draft_plan import Plan, plan
from surveys.questionnaire.form_changes import possible_forms, with_forms
from surveys.questionnaire.readable import is_plain_background
from surveys.questionnaire.sensitive import choosable_questions, with_sensitive
from surveys.questionnaire.then_now import two_times
from surveys.questionnaire.waves import WaveLine
from surveys.questionnaire.whole_lists import whole_lists


@dataclass(frozen=True, kw_only=True)
class _Draft(planning.Draft[Plan]):
    """A draft to plan, and what `plan` needs besides."""

    definition: Definition
    stated: Aim
    waves: Sequence[WaveLine]
    made: Sequence[FormChange] = ()

    @property
    def aim(self) -> Aim:
        return self.stated

    @property
    def design(self) -> Design:
        return self.definition.design

    @cached_property
    def plan(self) -> Plan | None:
        return plan(self.definition, self.aim, waves=self.waves)

    def of(self, **aim: Any) -> _Draft:
        return replace(self, stated=replace(self.aim, **aim))

    def formed(self, forms: Sequence[FormChange]) -> _Draft | None:
        document, aim = with_forms(self.definition.document, self.definition.design, self.aim, forms)
        definition = definition_without_texts(document)
        if definition is None:
            return None
        made = (*self.made, *forms)
        return replace(self, definition=definition, stated=aim.within(definition.design), made=made)

    def possible_forms(self) -> Iterator[FormChange]:
        complete = [form.key for form in self.made if form.kind == "lines"]
        document, design = self.definition.document, self.definition.design
        return possible_forms(document, design, self.aim, complete=complete)

    def released(self) -> _Draft:
        return self.of(held="") if self.aim.held else self

    @cached_property
    def whole_lists(self) -> Sequence[WholeLines]:
        return [
            WholeLines(stem=each.stem, lines=each.lines, referring=each.referring)
            for each in whole_lists(self.definition.document)
        ]

    @property
    def plain(self) -> Sequence[str]:
        stars = {key.partition("=")[0] for key in self.aim.wanted}
        document, choosable = self.definition.document, set(protected_questions(self.definition))
        return [
            question["key"]
            for entry in document["blocks"]
            for question in entry["questions"]
            if question["key"] in choosable - stars and is_plain_background(document, entry, question)
        ]

    def storing(self, keys: Collection[str]) -> _Draft | None:
        kept = [key for key in protected_questions(self.definition) if key not in keys]
        definition = definition_without_texts(with_sensitive(self.definition.document, kept))
        return None if definition is None else replace(self, definition=definition)


def protected_questions(definition: Definition) -> list[str]:
    """Return the disguised questions that could be stored as answered instead."""
    choosable = {question["key"] for question in choosable_questions(definition.document)}
    return [
        question["key"]
        for entry in definition.document["blocks"]
        if entry["protected"]
        for question in entry["questions"]
        if question["key"] in choosable
    ]


def changes(
    definition: Definition, aim: Aim, *, waves: Sequence[WaveLine] = (), made: Sequence[FormChange] = ()
) -> tuple[Change[Plan], ...]:
    """Return at most three changes that let a draft be published; if it can be, those that help most.

    Parameters
    ----------
    definition, aim, waves
        As for `surveys.questionnaire.draft_plan.plan`; see `privacy.planning.changes.changes`.
    made : sequence of FormChange, optional
        Changes of form that were made before.
    """
    return planning.changes(_Draft(definition=definition, stated=aim, waves=waves, made=made))


_MOST_TIMES: Final = 2
"""Most pairs of questions that may ask one thing for two times and are laid out anew for a page."""


def times_changes(
    definition: Definition, aim: Aim, *, waves: Sequence[WaveLine] = ()
) -> Iterator[tuple[tuple[str, str], float, Change[Plan]]]:
    """Yield two questions that may ask one thing for two times, and the change that gives them one coin.

    Parameters
    ----------
    definition, aim, waves
        As for `surveys.questionnaire.draft_plan.plan`.

    Yields
    ------
    tuple of str
        The questions for then and for now (`surveys.questionnaire.then_now.two_times`).
    float
        Half-width of the net change as the draft is planned now.
    Change
        See `privacy.planning.changes.under_one_coin`.
    """
    draft = _Draft(definition=definition, stated=aim, waves=waves)
    if draft.plan is None:
        return
    for times in itertools.islice(two_times(definition.document, definition.design), _MOST_TIMES):
        change = planning.under_one_coin(draft, times)
        if change is not None:
            yield times, times_half_width(draft.plan.design, draft.plan.aim, times), change


def costs(definition: Definition, aim: Aim, *, waves: Sequence[WaveLine] = ()) -> dict[str, Use]:
    """Return the expected results without each protected question that is not starred, by its key.

    Parameters
    ----------
    definition, aim, waves
        As for `surveys.questionnaire.draft_plan.plan`.
    """
    return planning.costs(_Draft(definition=definition, stated=aim, waves=waves))
