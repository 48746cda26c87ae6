"""The form that requests a run: its answers, thresholds, and the questions on each side of a rule."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from mining.thresholds import LONGEST_ITEMSET, Sides, Thresholds
from privacy.survey.design import Design
from surveys.models import Version
from surveys.questionnaire.labels import question_names
from surveys.runs.chapter_names import chapter_text
from surveys.runs.chapters import closed_chapters


class MineForm(forms.Form):
    """The thresholds of a run on one of a survey's designs."""

    version = forms.TypedChoiceField(label=gettext_lazy("Design"), coerce=int)
    chapter = forms.TypedChoiceField(
        label=gettext_lazy("Answers"),
        coerce=int,
        empty_value=None,
        required=False,
        help_text=gettext_lazy("Combinations of unprotected answers are shown by chapter."),
    )
    support = forms.FloatField(
        label=gettext_lazy("Support from"), min_value=0.001, max_value=1, initial=0.05,
        help_text=gettext_lazy("Minimum share of all people. Rarer combinations are not listed."),
    )  # fmt: skip
    confidence = forms.FloatField(
        label=gettext_lazy("Confidence from"),
        min_value=0,
        max_value=1,
        initial=0,
        help_text=gettext_lazy("0 sets no threshold."),
    )
    lift = forms.FloatField(
        label=gettext_lazy("Lift from"),
        min_value=0,
        required=False,
        help_text=gettext_lazy("Empty sets no threshold."),
    )
    max_size = forms.IntegerField(
        label=gettext_lazy("Longest itemset"), min_value=1, max_value=LONGEST_ITEMSET, initial=3,
        help_text=gettext_lazy("Items of a rule, both sides together."),
    )  # fmt: skip
    antecedent = forms.MultipleChoiceField(
        label=gettext_lazy("Questions allowed before the arrow"),
        required=False,
        widget=forms.CheckboxSelectMultiple,
    )
    consequent = forms.MultipleChoiceField(
        label=gettext_lazy("Questions allowed after the arrow"),
        required=False,
        widget=forms.CheckboxSelectMultiple,
    )

    def __init__(self, versions: list[Version], *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.versions = {version.pk: version for version in versions}
        self.fields["version"].choices = [  # type: ignore[attr-defined]  # a choice field
            (version.pk, f"{version.number} · {version.design_id[:8]}") for version in versions
        ]
        self.fields["chapter"].choices = [("", _("all answers"))] + [  # type: ignore[attr-defined]
            (chapter.number, chapter_text(chapter, versions[0].survey.time_zone))
            for chapter in (closed_chapters(versions[0].survey) if versions else ())
        ]
        questions: dict[str, str] = {}
        for version in versions:
            for question_name in question_names(version, version.to_design()):
                questions.setdefault(question_name.key, f"{question_name.text} ({question_name.key})")
        for side in ("antecedent", "consequent"):
            self.fields[side].choices = list(questions.items())  # type: ignore[attr-defined]
            self.fields[side].initial = list(questions)

    def chosen_version(self) -> Version:
        """Return the version whose design is to be mined."""
        return self.versions[self.cleaned_data["version"]]

    def full_clean(self) -> None:
        """Focus the first wrong field, because the form is far down on the page."""
        super().full_clean()
        wrong = next((name for name in self.errors if name in self.fields), None)
        if wrong is not None:
            self.fields[wrong].widget.attrs["autofocus"] = True

    def thresholds(self) -> Thresholds:
        """Return the thresholds from the form."""
        values, version = self.cleaned_data, self.chosen_version()
        design = version.to_design()
        return Thresholds(
            support=values["support"],
            confidence=values["confidence"],
            lift=values["lift"],
            max_size=values["max_size"],
            sides=Sides(
                antecedent=items_of_questions(design, values["antecedent"]),
                consequent=items_of_questions(design, values["consequent"]),
            ),
        )


def items_of_questions(design: Design, keys: Iterable[str]) -> tuple[int, ...] | None:
    """Return the items of these questions; None (all items) if all questions or none are named."""
    numbers = {number for number, question in enumerate(design.questions) if question.key in set(keys)}
    if len(numbers) in (0, len(design.questions)):
        return None
    return tuple(item.index for item in design.items if item.question in numbers)
