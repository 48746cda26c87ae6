"""The page that turns another tool's file into a closed survey.

``embed/file.html`` [embed:answers]
    ``form``; ``problem``; once a file was looked at ``read`` (`FileRead`), ``columns`` (each column that can
    become an open question, and whether it is chosen), ``wrong`` (lines that cannot be read, each with its
    column and reason), ``leave_out``; ``problems`` where a check refused the survey.
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
from surveys.access.form_page import FormPage
from surveys.access.permissions import get_builder, get_surveys_for_builder, signed
from surveys.authoring.drafts import free_slug
from surveys.authoring.forms import AddressField
from surveys.embed.frame import frame_digest, version_mark
from surveys.embed.reading import REASONS, FileRead, HostFile, file_read, versions_named
from surveys.embed.taking_in import columns_named, file_take_in
from surveys.errors.core_refusals import sentences
from surveys.imports.table_reading import table_read
from surveys.models import Survey, Version
from surveys.questionnaire.definition import Definition, definition_parse, definition_read
from surveys.questionnaire.document import MOST_BYTES, DefinitionError, document_parse
from surveys.respondent.client_documents import published_roots

_MOST_BYTES: Final = 50_000_000
_MOST_CELLS: Final = 20_000_000
MOST_SAID: Final = 5
"""Number of problems of a definition that are shown."""
_MOST_WRONG: Final = 50


class _ManyFiles(forms.FileInput):
    allow_multiple_selected = True


class _Definitions(forms.FileField):
    """Uploaded definition files, parsed."""

    widget = _ManyFiles(attrs={"accept": ".json"})

    def clean(self, data: Any, initial: Any = None) -> list[Definition]:
        """Read each of them."""
        try:
            return [_uploaded(super(_Definitions, self).clean(file, initial)) for file in data or ()]
        except PrivacyError as error:
            raise forms.ValidationError(sentences(error)) from error
        except DefinitionError as error:
            raise forms.ValidationError(list(map(str, error.problems[:MOST_SAID]))) from error


class FileForm(forms.Form):
    """A tool's file, the definitions of its strings, and the name of the new survey."""

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
    slug = AddressField(help_text=_("Of the new survey."), required=False)
    reason = forms.CharField(
        label=_("Reason for publishing anyway"),
        help_text=_("It is printed in every report."),
        max_length=2_000,
        required=False,
        widget=forms.Textarea(attrs={"rows": 2}),
    )


class AnswersPage(FormPage):
    """Reads a tool's file, asks which columns become open questions, and imports it.

    Between the two steps the server keeps nothing: the browser holds the file, and sends it again.
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
            # The form already shows a free name.
            form.data = self.request.POST.copy()
            form.data["slug"] = form.cleaned_data["slug"] or _free(read)
            return self._looked_at(form, read, {column.name for column in read.columns if column.is_proposed})
        chosen = self.request.POST.getlist("open")
        try:
            done = file_take_in(
                read,
                columns_named(read, chosen),
                slug=form.cleaned_data["slug"] or _free(read),
                reason=form.cleaned_data["reason"],
                owner=get_builder(self.request.user),
                leave_out="leave_out" in self.request.POST,
                **signed(self.request),
            )
        except PrivacyError as error:
            return self._looked_at(form, read, set(chosen), problem=sentences(error))
        except DefinitionError as error:
            return self._looked_at(form, read, set(chosen), problems=error.problems[:MOST_SAID])
        return redirect("report:survey", done.version.survey.slug)

    def form_invalid(self, form: Any) -> HttpResponse:
        """Show the form with its errors, and with the contents of the files if these are valid."""
        if form.errors.keys() & {"file", "definitions"}:
            return super().form_invalid(form)
        try:
            return self._looked_at(form, self._read(form), set(self.request.POST.getlist("open")), status=422)
        except PrivacyError as error:
            return self.refused(form, error)

    def _read(self, form: FileForm) -> FileRead:
        given = form.cleaned_data["file"]
        table = table_read(
            given.name, given.read(), most_bytes=_MOST_BYTES, most_cells=_MOST_CELLS
        ).labelled()
        file = HostFile(name=given.name, table=table)
        given_too = {frame_digest(definition): definition for definition in form.cleaned_data["definitions"]}
        known = dict(_known(file, get_surveys_for_builder(self.request.user)))
        return file_read(file, {**given_too, **known}, named=self.request.POST.getlist("strings"))

    def _looked_at(
        self, form: FileForm, read: FileRead, chosen: set[str], *, status: int = 200, **refusal: Any
    ) -> HttpResponse:
        """Show the contents of the file, and why it was not imported."""
        columns = [(column, column.name in chosen) for column in read.columns]
        wrong = [(each, gettext(REASONS[each.reason])) for each in read.wrong[:_MOST_WRONG]]
        return self.page(
            form,
            status=422 if refusal else status,
            read=read,
            columns=columns,
            wrong=wrong,
            leave_out="leave_out" in self.request.POST,
            **refusal,
        )


def _uploaded(file: Any) -> Definition:
    return definition_parse(document_parse(file.read(MOST_BYTES + 1), name=file.name))


def _known(file: HostFile, surveys: QuerySet[Survey]) -> Iterator[tuple[str, Definition]]:
    """Yield digest and published definition of each version of these surveys that a file names."""
    named = versions_named(file)
    for root, pk in published_roots(Version.objects.filter(survey__in=surveys)):
        if version_mark(root) in named:
            definition = definition_read(Version.objects.get(pk=pk).definition).definition
            if definition is not None:
                yield root, definition


def _free(read: FileRead) -> str:
    return free_slug(read.parts[0].definition.slug)
