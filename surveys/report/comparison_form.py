"""Form of the page that compares: an answer, a range, a region or a mean, by another one."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any, Final
from urllib.parse import urlencode

from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from privacy.errors import PrivacyError
from privacy.estimation.composed_parts import MEAN, Part, Side
from privacy.estimation.margin_cells import Margin
from privacy.scales.planar_window import PlanarWindowChannel, Region
from privacy.scales.window import WindowChannel
from privacy.survey.design import Design
from surveys.errors.error import sentences
from surveys.estimates.places import regions_of
from surveys.models import Run
from surveys.questionnaire.labels import ItemLabel, Labels, question_names, short_names
from surveys.report.frequencies import Phrase, item_phrase, phrase_of
from surveys.report.weights import MOST_BYTES, Shares, margins_from_address, margins_of, margins_read

RANGE: Final = "range"
"""Ends the key of a choice of which the form gives the ends."""


@dataclass(frozen=True, kw_only=True)
class Choice:
    """What can be compared, or compared by.

    Attributes
    ----------
    key : str
        How addresses and files name it.
    name : str
        In titles and files.
    phrase : Phrase
        In sentences.
    group : str
        The question it belongs to.
    side : Side
    channel : WindowChannel or None
        Of a mean: what its values are written in.
    is_range : bool
        Whether the form gives its ends.
    """

    key: str
    name: str
    phrase: Phrase
    group: str
    side: Side
    channel: WindowChannel | None = None
    is_range: bool = False

    @property
    def words(self) -> str:
        """Its name in lists: the short name, else the question with the answer."""
        return self.phrase.words

    @property
    def is_mean(self) -> bool:
        """Whether it is a number's mean, and not a share."""
        return self.channel is not None

    def value(self, share: float) -> float:
        """Return a share as it is; a mean, given as a share of the range, in the unit of the answers."""
        return share if self.channel is None else float(self.channel.range.middle(0)) + self.gap(share)

    def gap(self, share: float) -> float:
        """Return a difference of two, or an error, likewise."""
        if self.channel is None:
            return share
        ticks = self.channel.range
        return share * float(ticks.middle(self.channel.inputs - 1) - ticks.middle(0))


def item_choice(label: ItemLabel) -> Choice:
    """Return the choice of an item."""
    return Choice(
        key=label.key,
        name=label.short,
        phrase=item_phrase(label),
        group=label.text,
        side=Side(items=(label.index,)),
    )


def choices_of(run: Run, labels: Labels) -> list[Choice]:
    """Return everything of a run that can be compared, in the order of its questions."""
    choices: list[Choice] = []
    names, stated = question_names(run.version, run.design), short_names(run.version)
    for number, question in enumerate(run.design.questions):
        own = [label for label in labels.items if run.design.items[label.index].question == number]
        disguise = question.disguise
        if isinstance(disguise, WindowChannel):
            choices += _of_number(
                number, names[number].text, question.key, disguise, stated.get(question.key)
            )
        elif isinstance(disguise, PlanarWindowChannel):
            choices += _of_place(
                number, names[number].text, question.key, disguise, own, stated.get(question.key)
            )
        else:
            choices += [item_choice(label) for label in own]
    return choices


def _of_number(
    number: int, text: str, key: str, channel: WindowChannel, stated: str | None
) -> Iterator[Choice]:
    mean = Side(parts=(Part(question=number, wanted=MEAN),))
    yield Choice(
        key=f"{key}:{MEAN}",
        name=_("%(question)s: on average") % {"question": stated or key},
        phrase=phrase_of(
            _("“%(question)s” on average") % {"question": stated or text}, is_named=stated is not None
        ),
        group=text,
        side=mean,
        channel=channel,
    )
    yield Choice(
        key=f"{key}:{RANGE}",
        name=stated or key,
        phrase=phrase_of(
            _("“%(question)s” from … to …") % {"question": stated or text}, is_named=stated is not None
        ),
        group=text,
        side=Side(parts=(Part(question=number, wanted=(0, channel.inputs - 1)),)),
        is_range=True,
    )


def _of_place(
    number: int,
    text: str,
    key: str,
    windows: PlanarWindowChannel,
    own: list[ItemLabel],
    stated: str | None,
) -> Iterator[Choice]:
    regions = regions_of(windows)
    choices: list[tuple[str, str, Region]] = [
        (label.key, label.option, region) for label, region in zip(own, regions.declared, strict=True)
    ]
    choices += [
        (f"{key}=sensitive-{position}", _("sensitive place %(place)s") % {"place": position}, region)
        for position, region in enumerate(regions.sensitive, start=1)
    ]
    for region_key, name, region in choices:
        yield Choice(
            key=region_key,
            name=f"{stated or key}: {name}",
            phrase=phrase_of(
                _("“%(question)s” %(answer)s") % {"question": stated or text, "answer": name},
                is_named=stated is not None,
            ),
            group=text,
            side=Side(parts=(Part(question=number, wanted=region),)),
        )


class WeightsForm(forms.Form):
    """Known shares in the population, as lines or as an address has them."""

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

    def __init__(self, data: Mapping[str, Any] | None, design: Design) -> None:
        super().__init__(data)
        self.design = design
        self.shares: Shares = {}
        self.weights: tuple[Margin, ...] = ()

    @property
    def has_open(self) -> bool:
        """Whether there are questions of which shares in the population can be given."""
        return any(not block.protected for block in self.design.blocks)

    def clean(self) -> dict[str, Any]:
        """Read the shares; what cannot be read is said beside its field."""
        values = super().clean() or {}
        text = (values.get("margins") or "").strip()
        if text:
            try:
                self.shares = margins_from_address(text) if "=" in text else margins_read(text)
                self.weights = margins_of(self.shares, self.design)
            except PrivacyError as error:
                self.add_error("margins", sentences(error))
        return values


class CompareForm(WeightsForm):
    """An outcome, and the answer that it is compared by."""

    outcome = forms.ChoiceField(
        label=gettext_lazy("Answer to compare"),
        help_text=gettext_lazy("The share of people who have it, or the average of a number."),
    )
    outcome_from = forms.CharField(label=gettext_lazy("from"), required=False, max_length=30)
    outcome_to = forms.CharField(label=gettext_lazy("to"), required=False, max_length=30)
    by = forms.ChoiceField(
        label=gettext_lazy("By"),
        help_text=gettext_lazy("Those who have it are compared with all others who were asked."),
    )
    by_from = forms.CharField(label=gettext_lazy("from"), required=False, max_length=30)
    by_to = forms.CharField(label=gettext_lazy("to"), required=False, max_length=30)

    def __init__(self, data: Mapping[str, Any] | None, run: Run, labels: Labels) -> None:
        super().__init__(data, run.design)
        self.run = run
        self.known = {choice.key: choice for choice in choices_of(run, labels)}
        outcomes = list(self.known.values())
        bys = [choice for choice in outcomes if not choice.is_mean]
        self.fields["outcome"].choices = [(choice.key, choice.words) for choice in outcomes]  # type: ignore[attr-defined]
        self.fields["by"].choices = [(choice.key, choice.words) for choice in bys]  # type: ignore[attr-defined]
        # An answer by another one of its own question says nothing.
        self.fields["by"].initial = next((by.key for by in bys if by.group != outcomes[0].group), None)

    @property
    def has_ranges(self) -> bool:
        """Whether the survey asks for a number."""
        return any(choice.is_range for choice in self.known.values())

    def clean(self) -> dict[str, Any]:
        """Read both sides too; what cannot be read is said beside its field."""
        values = super().clean()
        self.chosen: dict[str, Choice] = {}
        for name in ("outcome", "by"):
            if name in values:
                try:
                    self.chosen[name] = self._chosen(name, values)
                except PrivacyError as error:
                    self.add_error(name, sentences(error))
        if len(self.chosen) == 2 and self.chosen["outcome"].side == self.chosen["by"].side:
            self.add_error("by", _("Choose a different answer from the one you compare."))
        return values

    def address(self) -> str:
        """Return the comparison as the query of an address; only of a form that is valid."""
        return urlencode([(name, self.cleaned_data[name]) for name in self.fields if self.cleaned_data[name]])

    def _chosen(self, name: str, given: Mapping[str, Any]) -> Choice:
        choice = self.known[given[name]]
        if not choice.is_range:
            return choice
        (part,) = choice.side.parts
        channel = self.run.design.questions[part.question].disguise
        if not isinstance(channel, WindowChannel):
            raise TypeError("a range is one of a number")
        ticks, ends = channel.range, [given.get(f"{name}_{end}") or "" for end in ("from", "to")]
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
            side=Side(parts=(replace(part, wanted=(first, last)),)),
        )
