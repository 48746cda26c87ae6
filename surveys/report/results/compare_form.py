"""The form that chooses a comparison: an outcome, what divides people or another survey, and weights."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, Final
from urllib.parse import urlencode

from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from privacy.errors import PrivacyError
from privacy.estimation.composed_parts import MOST_RULE_ITEMS
from privacy.estimation.margins import Margin
from surveys.errors.error import sentences
from surveys.formats.numbers import count_text
from surveys.formats.shown_counts import shown_count
from surveys.models import Run
from surveys.questionnaire.arm_groups import choices_of_arms
from surveys.questionnaire.labels import answer_name, part_titles
from surveys.questionnaire.then_now import may_be_two_times
from surveys.report.opened_run import OpenedRun
from surveys.report.results.arm_effects import ArmText, arms_of, division_name
from surveys.report.results.change_text import ChangeText
from surveys.report.results.choice import RANGE, Choice, any_choice, item_choice
from surveys.report.results.choices import choices_of
from surveys.report.results.comparison_text import ComparisonText
from surveys.report.results.share_text import EVERYONE, ShareText
from surveys.report.results.stated_margins import (
    MOST_MARGIN_BYTES,
    Shares,
    margins_from_address,
    margins_of,
    margins_read,
)
from surveys.report.results.times_text import TimesText
from surveys.report.sentences.findings import phrase_of
from surveys.runs.changes import change_of
from surveys.runs.comparisons import change_of_people, compare_sides, share_among_all
from surveys.runs.detectable import found_8_in_10
from surveys.runs.interim_or_final import standing_of
from surveys.runs.releasable_rows import releasable_design
from surveys.runs.withheld import withheld_of

ARMS: Final = "arms/"
"""Prefix of the choices that compare by arms, in the field that otherwise lists answers."""

THEN: Final = "then/"
"""Prefix of the choices that take an answer of the same part as the same thing, asked for then."""

OTHER: Final = "run/"
"""Prefix of the choices that compare with a run of another survey, in the same field."""


class CompareForm(forms.Form):
    """An outcome, and the answer or the other survey to compare it by; or arms that compare all answers."""

    outcome = forms.ChoiceField(
        label=gettext_lazy("Answer to compare"),
        required=False,
        help_text=gettext_lazy("The share of people who gave this answer, or the average of a number."),
    )
    outcome_from = forms.CharField(label=gettext_lazy("from"), required=False, max_length=30)
    outcome_to = forms.CharField(label=gettext_lazy("to"), required=False, max_length=30)
    any_of = forms.MultipleChoiceField(
        label=gettext_lazy("Or at least one of several answers"),
        required=False,
        widget=forms.CheckboxSelectMultiple,
        help_text=gettext_lazy(
            "Tick two to eight answers of one part. Then people who gave any of them are counted, instead of "
            "the answer above."
        ),
    )
    by = forms.ChoiceField(
        label=gettext_lazy("Compare by"),
        help_text=gettext_lazy("People who gave this answer are compared with all others who were asked."),
    )
    by_from = forms.CharField(label=gettext_lazy("from"), required=False, max_length=30)
    by_to = forms.CharField(label=gettext_lazy("to"), required=False, max_length=30)

    margins = forms.CharField(
        label=gettext_lazy("Shares in the population"),
        required=False,
        max_length=MOST_MARGIN_BYTES,
        widget=forms.Textarea(attrs={"rows": 3, "spellcheck": "false", "class": "mono"}),
        help_text=gettext_lazy(
            "For weights. One line per option: question, option, share. Leave empty to count "
            "every answer equally."
        ),
    )

    def __init__(
        self, data: Mapping[str, Any] | None, open_run: OpenedRun, others: Sequence[Run] = ()
    ) -> None:
        run = open_run.run
        divisions = [(f"{ARMS}{by}", division_name(by)) for by in choices_of_arms(run.design)]
        if data is None and divisions:
            data = {"by": divisions[0][0]}
        super().__init__(data)
        self.design = run.design
        self.thens = {f"{THEN}{key}": key for key in _items_with_company(open_run)}
        self.others = {f"{OTHER}{other.pk}": other for other in others}
        self.shares: Shares = {}
        self.weights: tuple[Margin, ...] = ()
        self.refusal: PrivacyError | None = None
        self.opened, self.chosen, self.has_arms = open_run, dict[str, Choice](), bool(divisions)
        self.choices = {choice.key: choice for choice in choices_of(run, open_run.labels)}
        outcomes = list(self.choices.values())
        bys = [choice for choice in outcomes if not choice.is_mean]
        options: dict[str, list[Any]] = {
            "outcome": [(choice.key, choice.words) for choice in outcomes],
            "by": [(choice.key, choice.words) for choice in bys],
        }
        if divisions:
            options["outcome"].insert(0, ("", _("all answers")))
            options["by"] = [(_("Groups of the experiment"), divisions), (_("Answers"), options["by"])]
            self.fields["by"].help_text = _(
                "Groups are compared in all answers. People who gave an answer are compared with all others "
                "who were asked."
            )
        united = _choices_under_one_coin(open_run)
        if united:
            options["any_of"] = united
            options["by"].append((EVERYONE, _("no one: only the share of everyone")))
        else:
            del self.fields["any_of"]
        extra = []
        asked = (self.data.get("by"), *(f"{THEN}{key}" for key in _items_for_then(open_run)))
        if listed := [(key, self.choices[item].words) for key, item in self.thens.items() if key in asked]:
            extra.append((_("Then and now: the same thing, asked for then"), listed))
        if others:
            listed = [(key, _run_name(other)) for key, other in self.others.items()]
            extra.append((_("Other waves and surveys"), listed))
        if extra:
            help_text = self.fields["by"].help_text
            more = _("An earlier time, another wave or another survey shows a change.")
            self.fields["by"].help_text = f"{help_text} {more}"
        if extra and not divisions:
            options["by"] = [(_("Answers"), options["by"])]
        options["by"] += extra
        for name, choices in options.items():
            self.fields[name].choices = choices  # type: ignore[attr-defined]  # a choice field
        # Comparing an answer by another one of the same question is pointless.
        self.fields["by"].initial = next((by.key for by in bys if by.group != outcomes[0].group), None)

    @property
    def has_open(self) -> bool:
        """Whether there are open questions, for which users can enter shares in the population."""
        return any(not block.protected for block in self.design.blocks)

    @property
    def division(self) -> str | None:
        """The arms by which all answers are compared; None if one answer is compared."""
        by = self.cleaned_data.get("by", "") if self.is_bound and self.is_valid() else ""
        return by.removeprefix(ARMS) if by.startswith(ARMS) else None

    @property
    def other(self) -> Run | None:
        """The run of another survey from which a change is wanted; the form must be valid."""
        return self.others.get(self.cleaned_data["by"])

    @property
    def is_of_two_times(self) -> bool:
        """Whether both answers ask one thing for two times; the form must be valid."""
        return self.cleaned_data["by"] in self.thens

    @property
    def is_of_everyone(self) -> bool:
        """Whether only the share of everyone is wanted; the form must be valid."""
        return self.cleaned_data["by"] == EVERYONE

    @property
    def has_ranges(self) -> bool:
        """Whether the survey asks for a number."""
        return any(choice.is_range for choice in self.choices.values())

    def clean(self) -> dict[str, Any]:
        """Also read both sides and the margins, and report errors next to their fields."""
        values = super().clean() or {}
        text = (values.get("margins") or "").strip()
        if text:
            try:
                self.shares = margins_from_address(text) if "=" in text else margins_read(text)
                self.weights = margins_of(self.shares, self.design)
            except PrivacyError as error:
                self.refuse("margins", error)
        if values.get("by", "").startswith(ARMS):
            return values
        if values.get("any_of"):
            self._unite(values["any_of"])
        elif not values.get("outcome") and "outcome" not in self.errors:
            self.add_error("outcome", self.fields["outcome"].error_messages["required"])
        elif values.get("by") == EVERYONE:
            self.add_error("by", _("The results page shows this share. Choose an answer to compare by."))
        if (values.get("by") in self.others or values.get("by") in self.thens) and self.weights:
            self.add_error("margins", _("A change has no weights. Leave this field empty."))
        for name in ("outcome", "by"):
            is_answer = values.get(name) and values[name] != EVERYONE and values[name] not in self.others
            if is_answer and name not in self.chosen:
                try:
                    chosen = {**values, name: self.thens.get(values[name], values[name])}
                    self.chosen[name] = self._choice(name, chosen)
                except PrivacyError as error:
                    self.refuse(name, error)
        if len(self.chosen) == 2:
            outcome, by = (self.chosen[name].side for name in ("outcome", "by"))
            asked = [self.design.items[item].question for item in (*outcome.items, *by.items)]
            if outcome == by or not {*by.items}.isdisjoint(outcome.at_least_one):
                self.add_error("by", _("Choose a different answer from the one you compare."))
            elif len(asked) > len({*asked}) and not self.design.questions[asked[0]].is_several:
                self.add_error("by", _("No one can give both answers. Choose an answer to another question."))
        if values.get("by") in self.thens and len(self.chosen) == 2 and not self._is_one_part():
            self.add_error("by", _("Choose two questions of one part, which ask one thing for two times."))
        return values

    def _is_one_part(self) -> bool:
        """Whether both answers are items of one part, which has one coin."""
        items = [self.chosen[name].side.items for name in ("outcome", "by")]
        return all(items) and len({self.design.items[item].block for own in items for item in own}) == 1

    def _unite(self, keys: list[str]) -> None:
        """Choose "at least one of" these answers as the outcome, or report why it has no figure."""
        items = [item for item in self.opened.labels.items if item.key in keys]
        if len(items) < 2:
            self.add_error("any_of", _("Tick at least two answers, or none."))
        elif len(items) > MOST_RULE_ITEMS:
            self.add_error(
                "any_of", _("Tick at most %(most)s answers.") % {"most": count_text(MOST_RULE_ITEMS)}
            )
        elif len({self.design.items[item.index].block for item in items}) > 1:
            problem = _(
                "These answers were not sent together, so they have no joint figure. Tick answers of one "
                "part."
            )
            self.add_error("any_of", problem)
        else:
            self.chosen["outcome"] = any_choice(items)

    def refuse(self, field: str, error: PrivacyError) -> None:
        """Report an error next to its field, and keep it for the file views to raise."""
        self.refusal = error
        self.add_error(field, sentences(error))

    def address(self) -> str:
        """Return the comparison as a query string; the form must be valid."""
        names = ("by", "margins") if self.division else self.fields
        given = {name: self.cleaned_data[name] for name in names if self.cleaned_data[name]}
        if "any_of" in given:
            given = {name: value for name, value in given.items() if not name.startswith("outcome")}
        return urlencode(given, doseq=True)

    def table(self) -> ComparisonText | ShareText | ArmText | ChangeText | TimesText:
        """Return the requested comparison; the form must be valid.

        Raises
        ------
        PrivacyError
            As `surveys.runs.comparisons.compare_sides`, `surveys.runs.comparisons.share_among_all`,
            `surveys.runs.arm_results.arm_results` and `surveys.runs.changes.change_of`.
        """
        if self.division is not None:
            return arms_of(self.opened, self.division, self.weights)
        outcome = self.chosen["outcome"]
        if self.other is not None:
            return ChangeText(found=change_of(self.opened.run, self.other, outcome.side), outcome=outcome)
        if self.is_of_everyone:
            found = share_among_all(self.opened.run, outcome.side, self.weights)
            return ShareText(found=found, outcome=outcome, weighted=bool(self.weights))
        by = self.chosen["by"]
        if self.is_of_two_times:
            times = change_of_people(self.opened.run, by.side, outcome.side)
            return TimesText(found=times, then=by, outcome=outcome)
        comparison = compare_sides(self.opened.run, by.side, outcome.side, self.weights)
        return ComparisonText(
            comparison=comparison,
            outcome=outcome,
            by=by,
            forged=withheld_of(self.opened.run).rows,
            weighted=bool(self.weights),
            is_interim=not standing_of(self.opened.run).is_final,
            detectable=found_8_in_10(
                releasable_design(self.opened.run.version), by.side, outcome.side, comparison
            ),
        )

    def _choice(self, name: str, values: Mapping[str, Any]) -> Choice:
        choice = self.choices[values[name]]
        channel = choice.ranged
        if channel is None:
            return choice
        (part,) = choice.side.parts
        ticks, ends = channel.range, [values.get(f"{name}_{end}") or "" for end in ("from", "to")]
        first = ticks.bin_of(ends[0]) if ends[0] else 0
        last = ticks.bin_of(ends[1]) if ends[1] else channel.inputs - 1
        low = ticks.text(ticks.low + first * ticks.bin)
        high = ticks.text(ticks.low + (last + 1) * ticks.bin - 1)
        key = choice.key.removesuffix(f":{RANGE}")
        is_named = choice.name != key
        words = {"question": choice.name if is_named else choice.group, "low": low, "high": high}
        return replace(
            choice,
            key=f"{key}={low}..{high}",
            name=_("%(question)s from %(low)s to %(high)s") % {**words, "question": choice.name},
            phrase=phrase_of(_("“%(question)s” from %(low)s to %(high)s") % words, is_named=is_named),
            side=replace(choice.side, parts=(replace(part, target=(first, last)),)),
        )


def _items_with_company(open_run: OpenedRun) -> list[str]:
    """Return the keys of items whose part disguises several questions with one coin."""
    design = open_run.run.design
    return [
        label.key
        for label in open_run.labels.items
        for block in (design.blocks[design.items[label.index].block],)
        if block.protected and block.has_coin and len(block.questions) > 1
    ]


def _items_for_then(open_run: OpenedRun) -> Iterator[str]:
    """Yield the items whose part has another question that may ask the same thing for another time."""
    parts = open_run.run.version.wording["blocks"]
    texts = [question["text"] for part in parts for question in part["questions"]]
    design = open_run.run.design
    for key in _items_with_company(open_run):
        item = design.item(key)
        others = [other.question for other in design.items if other.block == item.block]
        if any(
            may_be_two_times(texts[item.question], texts[other]) for other in others if other != item.question
        ):
            yield key


def _run_name(run: Run) -> str:
    """Name a run of another survey in the list."""
    n = run.n or 0
    words = {"survey": run.survey.title_text, "run": run.pk, "n": shown_count(n)}
    return (
        ngettext("%(survey)s (run %(run)s, %(n)s answer)", "%(survey)s (run %(run)s, %(n)s answers)", n)
        % words
    )


def _choices_under_one_coin(open_run: OpenedRun) -> list[tuple[str, str]]:
    """Return the answers of each protected part that sends several; of several parts, with their titles."""
    run = open_run.run
    titles, parts = part_titles(run.version), []
    for number, block in enumerate(run.design.blocks):
        items = [
            (label.key, item_choice(label).words)
            for label in open_run.labels.items
            if run.design.items[label.index].block == number
        ]
        if block.protected and block.has_coin and len(items) > 1:
            parts.append((titles[block.key], items))
    if len(parts) == 1:
        return parts[0][1]
    return [(key, answer_name(title, words)) for title, items in parts for key, words in items]
