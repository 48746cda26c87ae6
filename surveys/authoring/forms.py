"""Forms of the pages that build surveys."""

from __future__ import annotations

from typing import Any, Final

from django import forms
from django.db.models import QuerySet
from django.utils.translation import gettext_lazy as _

from surveys.authoring.drafts import MOST_SLUG
from surveys.errors.error import field_error
from surveys.models import Survey
from surveys.questionnaire.definition import SLUG
from surveys.questionnaire.document import MOST_BYTES
from surveys.questionnaire.draft_reading import TEMPLATES

SOURCES = (
    ("scratch", _("Start with an empty survey")),
    ("template", _("Start from a template")),
    ("duplicate", _("Duplicate a survey")),
    ("definition", _("Import a Sottovoce definition (JSON)")),
    ("xlsform", _("Import an XLSForm (XLSX)")),
)
# Inputs of each source besides the address; the others need a file.
_NEEDS = {"scratch": "title", "template": "template", "duplicate": "survey"}
_UNSTATED = {
    "title": _("Write a title. Respondents read it above every question."),
    "template": _("Choose one of the templates."),
    "survey": _("Choose the survey to duplicate."),
    "file": _("Choose a file."),
}


def choices_set(form: forms.Form, name: str, choices: list[tuple[str, str]]) -> None:
    """Let a field of a form choose among these, by value and label."""
    form.fields[name].choices = choices  # type: ignore[attr-defined]  # of a field of choices


class AddressField(forms.RegexField):
    """The name that a survey has in addresses."""

    def __init__(self, **options: Any) -> None:
        super().__init__(
            label=_("Address"),
            regex=rf"^{SLUG.pattern}$",
            max_length=MOST_SLUG,
            error_messages={
                "invalid": _(
                    "Use lower-case letters, digits and hyphens. Start and end with a letter or digit."
                )
            },
            **options,
        )


class NewForm(forms.Form):
    """Where a new survey starts, and its name in addresses."""

    source = forms.ChoiceField(label=_("Start"), choices=SOURCES, initial="scratch")
    slug = AddressField(
        help_text=_(
            "Lower-case letters, digits and hyphens. It is part of the address that respondents open. "
            "Leave it empty to make one from the title."
        ),
        required=False,
    )
    title = forms.CharField(label=_("Title"), max_length=200, required=False)
    template = forms.ChoiceField(
        label=_("Template"), choices=[(name, name) for name in TEMPLATES], required=False
    )
    survey = forms.ModelChoiceField(
        label=_("Survey"), queryset=Survey.objects.none(), to_field_name="slug", required=False
    )
    file = forms.FileField(label=_("File"), required=False)

    def __init__(self, surveys: QuerySet[Survey], *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        field = self.fields["survey"]
        assert isinstance(field, forms.ModelChoiceField)  # nosec B101  # for the type checker
        field.queryset = surveys

    def clean_slug(self) -> str:
        """Refuse an address that is already in use."""
        slug: str = self.cleaned_data["slug"]
        if Survey.objects.filter(slug=slug).exists():
            raise field_error("taken.address")
        return slug

    def clean_file(self) -> Any:
        """Refuse a file that is larger than any definition."""
        file = self.cleaned_data["file"]
        if file is not None and file.size > MOST_BYTES:
            raise field_error("too_large.upload", size=file.size, most=MOST_BYTES)
        return file

    def clean(self) -> dict[str, Any]:
        """Ask for the inputs of the source."""
        values = super().clean() or self.cleaned_data
        needed = _NEEDS.get(values.get("source", ""), "file")
        if "source" in values and not values.get(needed) and needed not in self.errors:
            self.add_error(needed, forms.ValidationError(_UNSTATED[needed]))
        return values


WAYS_IN: Final = (
    ("open", _("Anyone with the address. One person can answer more than once.")),
    ("invitation", _("Invited people. Each needs a code, which works once.")),
)
"""Who can answer, which publishing settles for good."""


class PublishForm(forms.Form):
    """The reviewed revision of the draft, who can answer, and the reason to publish despite a failed check.

    The question "who can answer" is asked before the first version; without an answer nothing changes.
    """

    access = forms.ChoiceField(choices=WAYS_IN, required=False)
    revision = forms.IntegerField(min_value=0, widget=forms.HiddenInput)
    reason = forms.CharField(required=False, max_length=2000)


class CloseForm(forms.Form):
    """Whether sealed answers are still accepted after closing."""

    at_once = forms.BooleanField(
        label=_("Also stop accepting answers that were sealed before closing"), required=False
    )
    confirm = forms.CharField(label=_("Type the survey's address to confirm"), required=False, max_length=50)

    def __init__(self, survey: Survey, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        self._slug = survey.slug
        self.asks = not survey.practice and survey.receipts.filter(digest__isnull=False).exists()
        """Whether real people have answered, so that closing has to be confirmed."""

    def clean_confirm(self) -> str:
        """Compare the typed text with the survey's address."""
        typed: str = self.cleaned_data["confirm"]
        if self.asks and typed != self._slug:
            raise forms.ValidationError(
                _("This is not the survey's address. Type %(slug)s."), params={"slug": self._slug}
            )
        return typed
