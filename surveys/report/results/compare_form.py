"""The form that chooses a comparison: an outcome, what divides people, and weights."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Final
from urllib.parse import urlencode

from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from privacy.errors import PrivacyError
from privacy.estimation.margin_cells import Margin
from surveys.errors.error import sentences
from surveys.questionnaire.arms import choices_of_arms
from surveys.report.opened_run import OpenedRun
from surveys.report.results.arm_effects import ArmText, arms_of, division_name
from surveys.report.results.choice import RANGE, Choice
from surveys.report.results.choices import choices_of
from surveys.report.results.comparison_text import ComparisonText
from surveys.report.results.margins import MOST_BYTES, Shares, margins_from_address, margins_of, margins_read
from surveys.report.sentences.findings import phrase_of
from surveys.runs.comparisons import compare_sides

ARMS: Final = "arms/"
"""Prefix of the choices that compare by arms, in the field that otherwise lists answers."""


class CompareForm(forms.Form):
    """An outcome and the answer to compare it by, or the arms to compare all answers by."""

    outcome = forms.ChoiceField(
        label=gettext_lazy("Answer to compare"),
        required=False,
        help_text=gettext_lazy("The share of people who gave this answer, or the average of a number."),
    )
    outcome_from = forms.CharField(label=gettext_lazy("from"), required=False, max_length=30)
    outcome_to = forms.CharField(label=gettext_lazy("to"), required=False, max_length=30)
    by = forms.ChoiceField(
        label=gettext_lazy("Compare by"),
        help_text=gettext_lazy("People who gave this answer are compared with all others who were asked."),
    )
    by_from = forms.CharField(label=gettext_lazy("from"), required=False, max_length=30)
    by_to = forms.CharField(label=gettext_lazy("to"), required=False, max_length=30)

    margins = forms.CharField(
        label=gettext_lazy("Shares in the population"),
        required=False,
        max_length=MOST_BYTES,
        widget=forms.Textarea(attrs={"rows": 3, "spellcheck": "false", "class": "mono"}),
        help_text=gettext_lazy(
            "For weights. One line per option: question, option, share. Leave empty to count "
            "every answer equally."
        ),
    )

    def __init__(self, data: Mapping[str, Any] | None, open_run: OpenedRun) -> None:
        run = open_run.run
        divisions = [(f"{ARMS}{by}", division_name(by)) for by in choices_of_arms(run.design)]
        if data is None and divisions:
            data = {"by": divisions[0][0]}
        super().__init__(data)
        self.design = run.design
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
        if not values.get("outcome") and "outcome" not in self.errors:
            self.add_error("outcome", self.fields["outcome"].error_messages["required"])
        for name in ("outcome", "by"):
            if values.get(name):
                try:
                    self.chosen[name] = self._choice(name, values)
                except PrivacyError as error:
                    self.refuse(name, error)
        if len(self.chosen) == 2:
            outcome, by = (self.chosen[name].side for name in ("outcome", "by"))
            asked = [self.design.items[item].question for item in (*outcome.items, *by.items)]
            if outcome == by:
                self.add_error("by", _("Choose a different answer from the one you compare."))
            elif len(asked) > len({*asked}) and not self.design.questions[asked[0]].is_several:
                self.add_error("by", _("No one can give both answers. Choose an answer to another question."))
        return values

    def refuse(self, field: str, error: PrivacyError) -> None:
        """Report an error next to its field, and keep it for the file views to raise."""
        self.refusal = error
        self.add_error(field, sentences(error))

    def address(self) -> str:
        """Return the comparison as a query string; the form must be valid."""
        names = ("by", "margins") if self.division else self.fields
        return urlencode([(name, self.cleaned_data[name]) for name in names if self.cleaned_data[name]])

    def table(self) -> ComparisonText | ArmText:
        """Return the requested comparison; the form must be valid.

        Raises
        ------
        PrivacyError
            As `surveys.runs.comparisons.compare_sides` and `surveys.runs.outcomes.arm_results`.
        """
        if self.division is not None:
            return arms_of(self.opened, self.division, self.weights)
        outcome, by = self.chosen["outcome"], self.chosen["by"]
        comparison = compare_sides(self.opened.run, by.side, outcome.side, self.weights)
        return ComparisonText(comparison=comparison, outcome=outcome, by=by, weighted=bool(self.weights))

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
