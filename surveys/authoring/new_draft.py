"""The page on which a draft starts: from a template, a copy, or a file.

``authoring/new.html`` [new]
    ``form`` (`NewForm`): fields ``source`` (scratch, template, duplicate, definition,
    xlsform), ``slug``, ``title``, ``template``, ``survey`` (the one to duplicate),
    ``file``;
    ``templates``: list of ``TemplateLine(name, title, about, languages, blocks, questions, epsilon)``;
    ``surveys``: list of (slug, title) that can be duplicated;
    ``problems``: errors in an uploaded file, each with ``path`` (or "sheet, row, column"),
    ``message``, ``remedy``. POST redirects to the builder, or shows the page again with status 422.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django import forms
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_http_methods

from surveys.accounts.permissions import by_and_now, get_builder, get_surveys_for_builder, staff_page
from surveys.authoring.aims import start_of
from surveys.authoring.drafts import AddressField, draft_create, free_slug, titled_slug
from surveys.authoring.import_report import import_form
from surveys.errors.error import SurveyError, field_error
from surveys.models import Survey
from surveys.questionnaire.definition import SLUG
from surveys.questionnaire.document import MOST_DOCUMENT_BYTES, DefinitionError
from surveys.questionnaire.readable import with_stated_protection
from surveys.questionnaire.templates import TEMPLATES, template_lines

SOURCES = (
    ("scratch", gettext_lazy("Start with an empty survey")),
    ("template", gettext_lazy("Start from a template")),
    ("duplicate", gettext_lazy("Duplicate a survey")),
    ("definition", gettext_lazy("Import a Sottovoce definition (JSON)")),
    ("xlsform", gettext_lazy("Import an XLSForm (XLSX)")),
)
# The input that each source needs besides the address. All other sources need a file.
_NEEDS = {"scratch": "title", "template": "template", "duplicate": "survey"}
_UNSTATED = {
    "title": gettext_lazy("Write a title. Respondents read it above every question."),
    "template": gettext_lazy("Choose one of the templates."),
    "survey": gettext_lazy("Choose the survey to duplicate."),
    "file": gettext_lazy("Choose a file."),
}


class NewForm(forms.Form):
    """How to start a new survey, and its name in addresses."""

    source = forms.ChoiceField(label=gettext_lazy("Start"), choices=SOURCES, initial="scratch")
    slug = AddressField(
        help_text=gettext_lazy(
            "Lower-case letters, digits and hyphens. It is part of the address that respondents open. "
            "Leave it empty to make one from the title."
        ),
        required=False,
    )
    title = forms.CharField(
        label=gettext_lazy("Title"),
        max_length=200,
        required=False,
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
    )
    template = forms.ChoiceField(
        label=gettext_lazy("Template"), choices=[(name, name) for name in TEMPLATES], required=False
    )
    survey = forms.ModelChoiceField(
        label=gettext_lazy("Survey"), queryset=Survey.objects.none(), to_field_name="slug", required=False
    )
    file = forms.FileField(
        label=gettext_lazy("File"),
        help_text=gettext_lazy(
            "A definition that Sottovoce exported, or an XLSForm. What Sottovoce cannot keep is listed "
            "by name before anything is published."
        ),
        required=False,
        widget=forms.FileInput(attrs={"accept": ".json,.xlsx,.xls"}),
    )

    def __init__(self, surveys: QuerySet[Survey], *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        field = self.fields["survey"]
        assert isinstance(field, forms.ModelChoiceField)  # noqa: S101  # for the type checker
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
        if file is not None and file.size > MOST_DOCUMENT_BYTES:
            raise field_error("too_large.upload", size=file.size, most=MOST_DOCUMENT_BYTES)
        return file

    def clean(self) -> dict[str, Any]:
        """Ask for the inputs of the source."""
        values = super().clean() or self.cleaned_data
        needed = _NEEDS.get(values.get("source", ""), "file")
        if "source" in values and not values.get(needed) and needed not in self.errors:
            self.add_error(needed, forms.ValidationError(_UNSTATED[needed]))
        return values


def _free_name(document: Mapping[str, Any], *, is_file: bool) -> str:
    """Return an unused address: the one that a definition file states, else one made from the title."""
    slug = document.get("slug")
    if is_file and isinstance(slug, str) and SLUG.fullmatch(slug):
        return free_slug(slug)
    return titled_slug(document.get("title"))


@staff_page
@require_http_methods(["GET", "HEAD", "POST"])
def new(request: HttpRequest) -> HttpResponse:
    """Create a survey: empty, or from a template, another survey or a file."""
    surveys = get_surveys_for_builder(request.user)
    form = NewForm(surveys, request.POST or None, request.FILES or None, initial={"source": "template"})
    problems: tuple[object, ...] = ()
    if form.is_valid():
        values = form.cleaned_data
        try:
            if values["source"] == "xlsform":
                return import_form(request, values["file"].read(MOST_DOCUMENT_BYTES + 1), slug=values["slug"])
            document, source = start_of(values)
            is_file = values["source"] == "definition"
            document, notes = with_stated_protection(document) if is_file else (document, ())
            survey = draft_create(
                document,
                slug=values["slug"] or _free_name(document, is_file=is_file),
                source=source,
                not_kept=notes,
                owner=get_builder(request.user),
                **by_and_now(request),
            )
        except DefinitionError as error:
            problems = error.problems
        except SurveyError as error_said:
            form.add_error("slug" if error_said.code in ("slug", "taken") else None, str(error_said))
        else:
            # A file's questions that are stored as answered, and skips to settle, are shown first.
            return redirect("authoring:readable" if notes else "authoring:plan", survey.slug)
    context = {
        "form": form,
        "templates": template_lines(),
        "surveys": [(survey.slug, survey.title_text) for survey in surveys],
        "problems": problems,
    }
    return render(request, "authoring/new.html", context, status=422 if form.is_bound else 200)
