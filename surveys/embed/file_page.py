"""The page that turns another survey tool's file into a closed survey.

``embed/file.html`` [embed:answers]
    ``form``; ``problem``; after a file was read: ``read`` (`FileRead`), ``columns`` (each column that can
    become an open question, and whether it is chosen), ``wrong`` (invalid lines, each with its column and
    reason), ``leave_out``; ``problems`` if a check refused the survey.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

from django import forms
from django.db.models import QuerySet
from django.http import HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from privacy.errors import PrivacyError
from surveys.accounts.authorship import by_and_now
from surveys.accounts.form_page import FormPage
from surveys.accounts.permissions import get_builder, get_surveys_for_builder
from surveys.authoring.survey_address import AddressField, free_slug
from surveys.embed.answer_string import version_mark
from surveys.embed.file_import import columns_by_name, file_take_in
from surveys.embed.frame_promise import frame_digests
from surveys.embed.reading import (
    IMPOSSIBLE,
    REASONS,
    FileRead,
    HostFile,
    file_read,
    suspects_of,
    version_marks,
)
from surveys.errors.error import sentences
from surveys.imports.files.uploaded_tables import table_read
from surveys.models import Survey, Version
from surveys.questionnaire.definition import Definition, definition_parse, definition_read
from surveys.questionnaire.document import DefinitionError
from surveys.questionnaire.parsed_document import MOST_DOCUMENT_BYTES, document_parse
from surveys.respondent.client_documents import published_roots

_MOST_BYTES: Final = 50_000_000
_MOST_CELLS: Final = 20_000_000
MOST_SAID: Final = 5
"""Maximum number of a definition's problems to show."""
_MOST_WRONG: Final = 50


class _ManyFiles(forms.FileInput):
    allow_multiple_selected = True


class _Definitions(forms.FileField):
    """Uploaded definition files, parsed."""

    widget = _ManyFiles(attrs={"accept": ".json"})

    def clean(self, data: Any, initial: Any = None) -> list[Definition]:
        """Parse each uploaded file."""
        try:
            return [_read_upload(super(_Definitions, self).clean(file, initial)) for file in data or ()]
        except PrivacyError as error:
            raise forms.ValidationError(sentences(error)) from error
        except DefinitionError as error:
            raise forms.ValidationError(list(map(str, error.problems[:MOST_SAID]))) from error


class FileForm(forms.Form):
    """A tool's file, the definitions of its frames, and the address of the new survey."""

    file = forms.FileField(
        label=_("The tool’s file"),
        help_text=_("CSV, .xlsx, .sav or .dta, as the tool exports it, of at most 50 MB."),
        widget=forms.FileInput(attrs={"accept": ".csv,.tsv,.txt,.xlsx,.sav,.zsav,.dta"}),
    )
    definitions = _Definitions(
        label=_("Definitions of the parts"),
        help_text=_(
            "Not needed for a part of your own survey on this server. Otherwise, choose the "
            "definition that the frame was made from. For several parts, choose all of them "
            "together."
        ),
        required=False,
    )
    slug = AddressField(help_text=_("Address of the new survey."), required=False)
    reason = forms.CharField(
        label=_("Reason for publishing anyway"),
        help_text=_("It is printed in every report."),
        max_length=2_000,
        required=False,
        widget=forms.Textarea(attrs={"rows": 2}),
    )


class AnswersPage(FormPage):
    """Read a tool's file, ask which columns become unprotected questions, and import it.

    The server stores nothing between the two steps. The browser keeps the file and sends it again.
    """

    template_name = "embed/file.html"
    form_class = FileForm

    def prepare(self) -> None:
        """Check that the user may build surveys."""
        get_builder(self.request.user)

    def service(self, form: FileForm) -> HttpResponse:
        """Show the contents of the file, or create the survey."""
        read = self._read(form)
        if "take" not in self.request.POST:
            # Fill in an unused address.
            form.data = self.request.POST.copy()
            form.data["slug"] = form.cleaned_data["slug"] or _unused_slug(read)
            return self._contents_page(
                form, read, {column.name for column in read.columns if column.is_proposed}
            )
        open_names = self.request.POST.getlist("open")
        try:
            done = file_take_in(
                read,
                columns_by_name(read, open_names),
                slug=form.cleaned_data["slug"] or _unused_slug(read),
                reason=form.cleaned_data["reason"],
                owner=get_builder(self.request.user),
                leave_out="leave_out" in self.request.POST,
                **by_and_now(self.request),
            )
        except PrivacyError as error:
            return self._contents_page(form, read, set(open_names), problem=sentences(error))
        except DefinitionError as error:
            return self._contents_page(form, read, set(open_names), problems=error.problems[:MOST_SAID])
        return redirect("report:survey", done.version.survey.slug)

    def form_invalid(self, form: Any) -> HttpResponse:
        """Show the form with its errors, and with the contents of the files if these are valid."""
        if form.errors.keys() & {"file", "definitions"}:
            return super().form_invalid(form)
        try:
            return self._contents_page(
                form, self._read(form), set(self.request.POST.getlist("open")), status=422
            )
        except PrivacyError as error:
            return self.problem_page(form, error)

    def _read(self, form: FileForm) -> FileRead:
        upload = form.cleaned_data["file"]
        table = table_read(
            upload.name, upload.read(), most_bytes=_MOST_BYTES, most_cells=_MOST_CELLS
        ).with_labels()
        file = HostFile(name=upload.name, table=table)
        from_uploads = {
            digest: definition
            for definition in form.cleaned_data["definitions"]
            for digest in frame_digests(definition)
        }
        by_digest = dict(_known_versions(file, get_surveys_for_builder(self.request.user)))
        return file_read(file, {**from_uploads, **by_digest}, names=self.request.POST.getlist("strings"))

    def _contents_page(
        self, form: FileForm, read: FileRead, choice: set[str], *, status: int = 200, **refusal: Any
    ) -> HttpResponse:
        """Show the contents of the file, and why it was not imported."""
        columns = [(column, column.name in choice) for column in read.columns]
        wrong = [(each, gettext(REASONS[each.reason])) for each in read.wrong[:_MOST_WRONG]]
        return self.page(
            form,
            status=422 if refusal else status,
            read=read,
            columns=columns,
            wrong=wrong,
            suspects=suspects_of(read),
            unread=any(each.reason != IMPOSSIBLE for each in read.wrong),
            leave_out="leave_out" in self.request.POST,
            **refusal,
        )


def _read_upload(file: Any) -> Definition:
    return definition_parse(document_parse(file.read(MOST_DOCUMENT_BYTES + 1), name=file.name))


def _known_versions(file: HostFile, surveys: QuerySet[Survey]) -> Iterator[tuple[str, Definition]]:
    """Yield digest and definition of each version of these surveys that strings in the file name."""
    marks = version_marks(file)
    for root, pk in published_roots(Version.objects.filter(survey__in=surveys)):
        if version_mark(root) in marks:
            definition = definition_read(Version.objects.get(pk=pk).definition).definition
            if definition is not None:
                yield root, definition


def _unused_slug(read: FileRead) -> str:
    return free_slug(read.parts[0].definition.slug)
