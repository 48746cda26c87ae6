"""The page on which every draft starts: from a text or file, a template, a copy, or empty.

``authoring/new.html`` [new]
    ``form`` (`NewForm`) and how its text is read, as in `surveys.authoring.text_page`;
    ``templates``: list of ``TemplateLine(name, title, about, languages, blocks, questions, epsilon)``;
    ``surveys``: list of (slug, title) that can be copied;
    ``file_problems``: errors in a file, each with ``path`` (or "sheet, row, column"), ``message`` and
    ``remedy``.
    POST redirects to the plan, or an empty survey to the builder, shows the import report, or shows the page
    again with status 422.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from functools import partial
from typing import Any, Final

from django import forms
from django.contrib import messages
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.utils.translation import get_language, gettext_lazy
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from surveys.accounts.permissions import get_surveys_for_builder, staff_page
from surveys.authoring.draft_once import NewDraft, make_draft
from surveys.authoring.drafts import for_practice
from surveys.authoring.import_notes import ImportNote
from surveys.authoring.import_report import import_form
from surveys.authoring.imported_draft import Origin
from surveys.authoring.kept_pages import PART, kept_entries
from surveys.authoring.survey_address import AddressField, free_slug, titled_slug
from surveys.authoring.text_page import PastedForm, draft_from_text, text_page
from surveys.errors.error import SurveyError, field_error, short_json
from surveys.imports.file_kinds import file_kind, file_text
from surveys.imports.files.foreign_sources import foreign_json
from surveys.models import Survey
from surveys.questionnaire.definition import SLUG
from surveys.questionnaire.document import DefinitionError
from surveys.questionnaire.parsed_document import MOST_DOCUMENT_BYTES, document_parse
from surveys.questionnaire.stated_protection import with_stated_protection
from surveys.questionnaire.templates import (
    TEMPLATES,
    duplicate_document,
    scratch_document,
    template_document,
    template_lines,
)


class NewForm(PastedForm):
    """The start of a new survey: its field ``start`` after cleaning names how it starts."""

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
        label=gettext_lazy("Or choose a file"),
        help_text=gettext_lazy(
            "Text, an XLSForm, or a definition that Sottovoce exported. Sottovoce cannot read Word documents "
            "or PDF files: copy their text and paste it into the box. Before you publish, Sottovoce lists "
            "everything that it cannot keep."
        ),
        required=False,
        widget=forms.FileInput(attrs={"accept": ".txt,.md,.csv,.tsv,.json,.xlsx,.xls"}),
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
        """Choose the start by the pressed button, and refuse a missing entry and any that it would drop."""
        values = super().clean() or self.cleaned_data
        if PART in self.data:
            return values | {"start": "text"}
        given = {name for name in _DROPPED if _is_given(values.get(name))}
        start, needs, message = self._pressed_start(given)
        if needs not in given and needs not in self.errors and not values.get(needs):
            # The Enter key in the title field presses the first button.
            place = "pasted" if start == "title" and "make" in self.data else needs
            self.add_error(place, forms.ValidationError(message))
        for name in sorted(given - {needs}):
            is_read = name == "file" and start == "text"
            self.add_error(name, forms.ValidationError(_BOTH if is_read else _DROPPED[name]))
        return values | {"start": start}

    def _pressed_start(self, given: Collection[str]) -> tuple[str, str, Any]:
        """Return the start of the pressed button, the field it needs, and the message if that is empty."""
        for button, (name, message) in _OTHER_STARTS.items():
            if button in self.data:
                return name, name, message
        if "pasted" in given or ("read" in self.data and "file" not in {*given, *self.errors}):
            return "text", "pasted", _NOTHING
        if "file" in given or self.errors:
            return "file", "file", _NOTHING
        return "title", "title", _NOTHING


def _is_given(value: Any) -> bool:
    """Return whether a person wrote a text or chose a file."""
    return bool(value.strip()) if isinstance(value, str) else value is not None


_OTHER_STARTS: Final = {
    "template": ("template", gettext_lazy("Choose one of the templates.")),
    "copy": ("survey", gettext_lazy("Choose the survey to duplicate.")),
    "empty": ("title", gettext_lazy("Write a title. Respondents read it above every question.")),
}
"""For each button besides those of the text: the field that it needs, and what is said without it."""
_DROPPED: Final = {
    "pasted": gettext_lazy("This text would be lost. Create a draft from it, or empty the box."),
    "file": gettext_lazy(
        "This button does not use the file. Press it again to continue without the file, or choose the file "
        "again and press “Create draft”."
    ),
    "title": gettext_lazy(
        "Only “Start empty” uses this title. Empty this field. You can change the title in the builder."
    ),
}
"""Entries that only some buttons use, and the message if the pressed button would drop them."""
_NOTHING = gettext_lazy("Paste or write your questions, or choose a file.")
_BOTH = gettext_lazy(
    "The box also contains a text, so this file was not read. To use the file, empty the box and choose the "
    "file again."
)
_NO_TEXT = gettext_lazy(
    "This file is a complete survey, not a text to check. Choose it again and press “Create draft”."
)


def _free_name(document: Mapping[str, Any], *, is_file: bool) -> str:
    """Return an unused address: the one that a definition file states, else one made from the title."""
    slug = document.get("slug")
    if is_file and isinstance(slug, str) and SLUG.fullmatch(slug):
        return free_slug(slug)
    return titled_slug(document.get("title"))


@staff_page
@require_http_methods(["GET", "HEAD", "POST"])
def new(request: HttpRequest) -> HttpResponse:
    """Create a survey: from a text or file, a template, another survey, or empty."""
    surveys = get_surveys_for_builder(request.user)

    def show(form: PastedForm, *, status: int = 200, problems: Any = (), **about: Any) -> HttpResponse:
        more = {
            "templates": template_lines(),
            "surveys": [(survey.slug, survey.title_text) for survey in surveys],
            "file_problems": problems,
        }
        return text_page(request, form, "authoring/new.html", more, status=status, **about)

    initial = kept_entries(request, request.path) if request.method != "POST" else None
    form = NewForm(surveys, request.POST or None, request.FILES or None, initial=initial)
    if not form.is_valid():
        return show(form, status=422 if form.is_bound else 200)
    values = form.cleaned_data
    try:
        if values["start"] == "text":
            origin = Origin(source="text", slug=values["slug"], pasted=values["pasted"])
            return draft_from_text(request, form, origin, show)
        if values["start"] == "file":
            return _from_file(request, form, show)
        document, source = _start_of(values, form.languages)
        return _created(request, values, document, source)
    except DefinitionError as error:
        return show(form, problems=error.problems, status=422)
    except SurveyError as error_said:
        form.add_error("slug" if error_said.code in ("slug", "taken") else None, str(error_said))
        return show(form, status=422)


def _from_file(request: HttpRequest, form: NewForm, show: Callable[..., HttpResponse]) -> HttpResponse:
    """Create a survey from a file, or show what must be settled first.

    Raises
    ------
    DefinitionError, SurveyError
        The file cannot be read, or no draft can be made of it.
    """
    values, is_made = form.cleaned_data, "make" in request.POST
    raw, name = values["file"].read(MOST_DOCUMENT_BYTES + 1), values["file"].name
    kind = file_kind(raw, name)
    if kind == "xlsform":
        return import_form(request, raw, slug=values["slug"], is_made=is_made)
    if kind == "text":
        origin = Origin(source="text", slug=values["slug"], pasted=file_text(raw))
        if not is_made:
            messages.info(request, _("The text of “%(name)s” is now in the box.") % {"name": name})
        return draft_from_text(request, form, origin, partial(show, text=origin.pasted))
    document, notes = with_stated_protection(read_definition(raw))
    if not is_made:
        form.add_error("file", forms.ValidationError(_NO_TEXT))
        return show(form, status=422)
    return _created(request, values, document, "definition file", notes=notes)


def read_definition(raw: bytes) -> dict[str, Any]:
    """Return the document of a definition file; DefinitionError if it is something else."""
    document = document_parse(raw, name=_("the file"))
    if isinstance(document, dict) and "sotto" in document:
        return document
    if not (isinstance(document, dict) and "blocks" in document):
        raise DefinitionError([foreign_json()])
    raise DefinitionError.at("", "document.definition", value=short_json(document))


def _start_of(values: Mapping[str, Any], languages: Sequence[str]) -> tuple[dict[str, Any], str]:
    """Return the initial document without a text or file, and its origin for the audit log.

    ``languages`` are those of an empty survey; without them, it uses the language of the page.
    """
    start = values["start"]
    if start == "template":
        name = values["template"]
        return for_practice(template_document(name)), f"template {name}"
    if start == "survey":
        survey = values["survey"]
        return duplicate_document(survey), f"survey {survey.slug}"
    own = list(languages) or [get_language() or "en"]
    document = scratch_document(title=values["title"], languages=own)
    return for_practice(document), "scratch"


def _created(
    request: HttpRequest,
    values: Mapping[str, Any],
    document: dict[str, Any],
    source: str,
    *,
    notes: tuple[str, ...] = (),
) -> HttpResponse:
    """Save a draft; show the plan, or what comes before: a file's undisguised questions, or the builder.

    Without a question there is nothing to plan.
    """
    new = NewDraft(
        document=document,
        slug=values["slug"] or _free_name(document, is_file=values["start"] == "file"),
        source=source,
        not_kept=tuple(ImportNote(text=note) for note in notes),
        aim=values["survey"].aim if values["start"] == "survey" else None,
        following="readable" if notes else "plan" if document.get("blocks") else "builder",
    )
    return make_draft(request, new)
