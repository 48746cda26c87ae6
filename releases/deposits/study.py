"""Describing the study of a deposit: its form, its page, and what is known of a survey already."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from django import forms
from django.forms import BoundField
from django.http import HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext_lazy

from releases.deposits.background import survey_background
from releases.deposits.drafts import study_save
from releases.deposits.steps import StepPage
from releases.microdata.description import FIELDS, LICENCES, NEEDED, SUBJECTS
from releases.models import Deposit
from surveys.models import Survey

__all__ = ["StudyForm", "StudyPage"]

LABELS: Final = {
    "title": (gettext_lazy("Title of the data"), ""),
    "creators": (
        gettext_lazy("Who made the data"),
        gettext_lazy(
            "A line for each: family name, given name; affiliation; ORCID. The last two can be left out."
        ),
    ),
    "abstract": (
        gettext_lazy("Abstract"),
        gettext_lazy("What was asked, of whom, and why. A few sentences."),
    ),
    "publisher": (gettext_lazy("Archive or institution that publishes it"), ""),
    "contact": (gettext_lazy("E-mail address for questions"), gettext_lazy("It is published.")),
    "universe": (
        gettext_lazy("About whom the data are"),
        gettext_lazy("For example: adults in private households."),
    ),
    "sampling": (gettext_lazy("How people were chosen"), ""),
    "start": (gettext_lazy("First day of collection"), ""),
    "end": (gettext_lazy("Last day of collection"), ""),
    "keywords": (gettext_lazy("Keywords"), gettext_lazy("With commas between them.")),
    "funding": (gettext_lazy("Funding"), gettext_lazy("A line for each: funder; number of the grant.")),
    "licence": (gettext_lazy("Licence"), ""),
    "subject": (gettext_lazy("Subject"), ""),
    "doi": (gettext_lazy("DOI"), gettext_lazy("Where the archive has given you one already.")),
}
_LINES: Final = {"creators": 3, "abstract": 5, "universe": 2, "sampling": 2, "funding": 2}
"""Fields of several lines, with how many are shown."""
_DAY: Final = {"type": "date"}


class StudyForm(forms.Form):
    """Fields of a description; all may stay empty."""

    def __init__(self, known: Mapping[str, str], *args: Any) -> None:
        super().__init__(*args)
        choices: dict[str, Any] = {
            "licence": [("", gettext_lazy("terms of the archive")), *((key, key) for key in LICENCES)],
            "subject": [(subject, subject) for subject in SUBJECTS],
        }
        for name in FIELDS:
            label, about = LABELS[name]
            said: dict[str, Any] = {
                "label": label,
                "help_text": about,
                "initial": known.get(name),
                "required": False,
            }
            if name in choices:
                self.fields[name] = forms.ChoiceField(choices=choices[name], **said)
                continue
            widget: forms.Widget = forms.TextInput(attrs=_DAY if name in ("start", "end") else {})
            if name in _LINES:
                widget = forms.Textarea(attrs={"rows": _LINES[name]})
            self.fields[name] = forms.CharField(widget=widget, max_length=20_000, **said)

    @property
    def needed(self) -> list[BoundField]:
        """The fields without which no archive takes a deposit."""
        return [self[name] for name in NEEDED]

    @property
    def more(self) -> list[BoundField]:
        """The other fields."""
        return [self[name] for name in FIELDS if name not in NEEDED]

    def clean(self) -> dict[str, Any]:
        """Refuse a description that lacks what every archive asks for; an empty one is none."""
        if set(self.chosen()) - {"subject"}:
            for name in NEEDED:
                if not self.cleaned_data.get(name):
                    self.add_error(name, self.fields[name].error_messages["required"])
        return self.cleaned_data

    def chosen(self) -> dict[str, str]:
        """What was written, field by field."""
        return {name: text for name, text in self.cleaned_data.items() if text}


class StudyPage(StepPage):
    """Asks what archives ask for of a study."""

    step, template_name = "study", "releases/study.html"

    def get_form(self, form_class: Any = None) -> StudyForm:
        """Return the form as it was filled, or with what is known."""
        return StudyForm(self.deposit.description or _known(self.deposit), *self.sent[:1])

    def service(self, form: Any) -> HttpResponse:
        """Keep the description."""
        study_save(self.deposit, form.chosen(), by=self.staff)
        return redirect("deposits:bounds", self.deposit.pk)


def _known(deposit: Deposit) -> dict[str, str]:
    """Return what a survey says of itself; of a table that was given nothing is known."""
    return {} if deposit.survey is None else _of_survey(deposit.survey)


def _of_survey(survey: Survey) -> dict[str, str]:
    study = survey_background(survey).study
    about = {key: next(iter(texts.values()), "") for key, texts in study.about.items()}
    known = {"title": "title", "creators": "researcher", "abstract": "purpose"}
    known |= {"universe": "population", "sampling": "frame"}
    said = {name: about.get(key, "") for name, key in known.items()}
    return {**said, "title": next(iter(study.title.values())), **dict(study.collected)}
