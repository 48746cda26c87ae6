"""A published reliability of each scale for the text of a paper, because the data cannot show it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final

from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from privacy.survey.composite import Composite
from surveys.models import Run
from surveys.questionnaire.rule_words import composites_of, counts_yes, rules_in_words

PREFIX: Final = "reliability"
LONGEST: Final = 200


def scales_of(run: Run) -> dict[str, str]:
    """Return the text of each composite question whose reliability a paper reports, by key.

    Left out are questions for which one yes is enough, those with a filter, placebo indices, and halves,
    whose reliability the results show.
    """
    rules = composites_of(run.design)
    halves = {rule.other_half for rule in rules.values()} - {""}
    words = rules_in_words(run.design, run.version.wording)
    return {
        key: words[key].text
        for key, rule in rules.items()
        if key not in halves and not (rule.other_half or rule.placebo_of or rule.base or _is_any(rule))
    }


def _is_any(rule: Composite) -> bool:
    """Whether one yes decides the answer."""
    return counts_yes(rule) and len(rule.levels) == 2 and rule.levels[-1].start == 1


class ReliabilityForm(forms.Form):
    """One text for each scale, such as "α = .86" with its source."""

    def __init__(self, data: Mapping[str, str] | None, run: Run) -> None:
        super().__init__(data or None, prefix=PREFIX)
        self.scales = scales_of(run)
        for key, text in self.scales.items():
            self.fields[key] = forms.CharField(
                label=text,
                required=False,
                max_length=LONGEST,
                help_text=gettext_lazy("Such as: α = .86 in the validation study, with its reference."),
            )

    @property
    def stated(self) -> dict[str, str]:
        """The stated texts, by key of the question."""
        if not self.is_bound or not self.is_valid():
            return {}
        return {key: text for key in self.scales if (text := self.cleaned_data[key])}

    def sentences(self) -> Iterator[str]:
        """Yield a sentence for each scale, with a gap in brackets where the text is missing."""
        stated = self.stated
        for key, question in self.scales.items():
            yield _("Published reliability of “%(question)s”: %(reliability)s.") % {
                "question": question,
                "reliability": stated.get(key, "").rstrip(".。") or _("[write it here, with its source]"),
            }
