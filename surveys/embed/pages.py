"""Pages about frames in other survey tools: set one up, and turn the tool's file into a closed survey.

``embed/file.html`` [embed:answers]
    ``form``; ``problem``; after a file was read: ``read`` (`FileRead`), ``columns`` (each column that can
    become an open question, and whether it is chosen), ``wrong`` (invalid lines, each with its column and
    reason), ``leave_out``; ``problems`` if a check refused the survey.
"""

from __future__ import annotations

import hashlib
import secrets
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import lru_cache
from mimetypes import guess_type
from pathlib import Path
from typing import Any, Final
from urllib.parse import urlsplit

import numpy as np
from django import forms
from django.conf import settings
from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import QuerySet
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.http.response import HttpResponseBase
from django.shortcuts import redirect, render
from django.urls import path, reverse
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _
from django.views.decorators.cache import cache_control
from django.views.decorators.clickjacking import xframe_options_exempt
from django.views.decorators.http import require_safe
from numpy.typing import NDArray

from mining.columns.bitmatrix import BitMatrix
from mining.columns.counting import CountCache
from mining.columns.row_patterns import sent_counts
from mining.columns.row_writer import impossible_rows
from mining.pipeline import check_reports, find_withheld
from privacy.errors import PrivacyError
from privacy.survey.design import Design
from surveys.accounts.permissions import (
    FormPage,
    by_and_now,
    get_builder,
    get_surveys_for_builder,
    staff_page,
)
from surveys.authoring.drafts import AddressField, free_slug
from surveys.authoring.lifecycle import survey_close
from surveys.authoring.publish import check_refusals, survey_import, survey_publish
from surveys.embed.frame import (
    Around,
    check_framed,
    frame_digest,
    frame_digests,
    frame_files,
    frame_headers,
    frame_promises,
    version_mark,
)
from surveys.embed.reading import (
    IMPOSSIBLE,
    MOST_OPEN,
    REASONS,
    Column,
    FileRead,
    HostFile,
    document_of,
    file_read,
    packed_rows,
    suspects_of,
    version_marks,
)
from surveys.errors.error import SurveyError, sentences
from surveys.imports.table_reading import table_read
from surveys.models import Batch, Survey, Version
from surveys.models.audit_event import ANSWERS_READ, audit_event_record
from surveys.questionnaire.aim import stated_promises
from surveys.questionnaire.checks.ceilings import site_ceilings
from surveys.questionnaire.checks.check import check_definition
from surveys.questionnaire.definition import Definition, definition_load, definition_parse, definition_read
from surveys.questionnaire.document import MOST_BYTES, DefinitionError, Finding, document_parse
from surveys.respondent.client_documents import documents_of, published_roots
from surveys.respondent.client_program import INDEX

ROWS_AT_A_TIME: Final = 1 << 16
"""Maximum number of rows in a batch."""


@dataclass(frozen=True, kw_only=True)
class ImportedRows:
    """The result of an import."""

    version: Version
    n: int
    batches: int


@transaction.atomic
def packed_import(
    definition: object,
    rows: NDArray[np.uint8],
    *,
    action: str,
    by: str,
    now: datetime,
    reason: str = "",
    left_out: int = 0,
) -> ImportedRows:
    """Create a closed survey from a definition and rows that devices packed.

    Parameters
    ----------
    definition : object
        The definition's JSON document.
    rows : ndarray of uint8, shape (n, bytes)
        Packed by the layout of the definition's design.
    action : str
        Action for the audit log.
    by : str
        User name for the audit log.
    now : datetime
    reason : str
        Why to publish although a check refuses the survey; see `survey_publish`.
    left_out : int
        Number of lines in the file that could not be read, for the audit log.

    Raises
    ------
    PrivacyError
        No device can send one of the rows; or ``misfit``: the rows contradict the design in every protected
        question, as if they were not disguised.
    DefinitionError, SurveyError
        As for `survey_import` and `survey_publish`.

    Notes
    -----
    Everything happens in one transaction. All rows are shuffled together, then split into batches.
    """
    slug = definition_parse(definition).slug
    # An existing draft has an author, and would be published too.
    if Survey.objects.filter(slug=slug).exists():
        raise SurveyError("survey.exists", slug, slug=slug)
    # The answers exist already, and the user chose each column that becomes readable by its name.
    version = survey_publish(
        survey_import(definition, by=by), by=by, now=now, reason=reason, is_readable_seen=True
    )
    design, data = version.to_design(), rows.tobytes()
    impossible = impossible_rows(design, data)
    if impossible is not None:
        raise impossible.error
    count_cache = CountCache(BitMatrix.from_rows(design, data))
    withheld = find_withheld(count_cache, lambda number: sent_counts(design, number, data))
    protected = [
        number for number in range(len(design.questions)) if design.blocks[design.block_of(number)].protected
    ]
    if all(number in withheld.questions for number in protected):
        check_reports(count_cache, lambda number: sent_counts(design, number, data))
    mixed_rows = np.random.default_rng(secrets.randbits(128)).permutation(rows)
    starts = range(0, len(rows), ROWS_AT_A_TIME)
    for start in starts:
        _batch_store(version, mixed_rows[start : start + ROWS_AT_A_TIME])
    survey_close(version.survey, by=by, now=now, at_once=True)
    detail = {"rows": len(rows), "batches": len(starts)} | ({"left_out": left_out} if left_out else {})
    audit_event_record(actor=by, action=action, target=slug, detail=detail)
    return ImportedRows(version=version, n=len(rows), batches=len(starts))


def _batch_store(version: Version, rows: NDArray[np.uint8]) -> None:
    """Store shuffled rows as one batch."""
    data = rows.tobytes()
    Batch.objects.create(version=version, n=len(rows), packed=data, digest=hashlib.sha256(data).hexdigest())


_SHOWN: Final = 10


@transaction.atomic
def file_take_in(
    read: FileRead,
    columns: Sequence[Column],
    *,
    slug: str,
    by: str,
    now: datetime,
    reason: str = "",
    owner: User | None = None,
    leave_out: bool = False,
) -> ImportedRows:
    """Create a closed survey "collected elsewhere" from a file that has been read.

    Parameters
    ----------
    read : FileRead
    columns : sequence of Column
        Columns that become unprotected questions.
    slug : str
        Name of the new survey in addresses.
    by, now, reason
        As for `packed_import`.
    owner : User, optional
        Owner of the survey; without one, only administrators have access.
    leave_out : bool
        Whether to drop lines that cannot be read. Lines that no device can send are always dropped. The audit
        log and every report state the number of all of them.

    Raises
    ------
    SurveyError
        ``host_file.wrong``: some lines cannot be read, and `leave_out` is false. Otherwise as for
        `packed_import`.

    Notes
    -----
    The tool's identifiers and times are not imported, and all rows are shuffled together. The order of the
    file is lost.
    """
    unread = [each for each in read.wrong if each.reason != IMPOSSIBLE]
    if unread and not leave_out:
        lines = ", ".join(str(each.number) for each in unread[:_SHOWN])
        raise SurveyError("host_file.wrong", lines, count=len(unread), lines=lines)
    done = packed_import(
        document_of(read, columns, slug=slug),
        packed_rows(read, columns),
        action=ANSWERS_READ,
        left_out=len(read.wrong),
        by=by,
        now=now,
        reason=reason,
    )
    Survey.objects.filter(pk=done.version.survey_id).update(owner=owner)
    return done


def columns_by_name(read: FileRead, names: Sequence[str]) -> tuple[Column, ...]:
    """Find columns by name.

    Raises
    ------
    SurveyError
        ``host_file.column``.
    """
    by_name = {column.name: column for column in read.columns}
    for name in names:
        if name not in by_name:
            raise SurveyError("host_file.column", name, name=name, most=MOST_OPEN, known=", ".join(by_name))
    return tuple(by_name[name] for name in dict.fromkeys(names))


def frame_folder(
    definition: Path, out: Path, around: Around, *, reason: str = ""
) -> tuple[str, tuple[Finding, ...]]:
    """Write a definition's frame to a folder, below a folder named by the digest of its design and words.

    Parameters
    ----------
    definition : Path
        A definition file with one protected part.
    out : Path
        A new or empty folder.
    around : Around
    reason : str
        Why to use the frame although a check refuses the definition. It is asked again when the answers
        are imported, and kept then.

    Returns
    -------
    str
        The version's digest, 64 hex digits: the frame is ``out/DIGEST/index.html``.
    tuple of Finding
        The findings of the checks.

    Raises
    ------
    DefinitionError, SurveyError
        As for `definition_parse`, `frame_promises`, `frame_files` and `check_refusals`; ``frame.folder``.
    """
    spec = definition_parse(definition_load(definition))
    promises, digest = frame_promises(spec), frame_digest(spec)
    files = frame_files(
        spec.design, spec.wording, around, digest=digest, promises=promises, practice=spec.practice
    )
    findings = check_definition(spec, ceilings=site_ceilings())
    check_refusals(findings, reason)
    if out.exists() and (not out.is_dir() or any(out.iterdir())):
        raise SurveyError("frame.folder", str(out), folder=out)
    below = out / digest
    for name, content in files.items():
        path = below / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
    return digest, findings


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
    return definition_parse(document_parse(file.read(MOST_BYTES + 1), name=file.name))


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


# A proxy checks these addresses, so they work on the frame origin too.
_HEALTH: Final = ("/live", "/ready", "/metrics")
_SCRIPT: Final = "text/javascript; charset=utf-8"


class FramesOnly:
    """Middleware that serves frames only on their own origin, and nothing else there.

    A frame uses the storage of its origin to remember that a respondent has answered. On an origin with
    surveys or staff pages, any other page of this server could read or erase that memory.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        frames = urlsplit(settings.SOTTOVOCE_FRAME_ORIGIN)
        is_frame = request.path_info.startswith("/embed/")
        is_here = bool(frames.netloc) and request.get_host() == frames.netloc
        if is_frame == is_here or request.path_info in _HEALTH:
            return self.get_response(request)
        names = (name for name in settings.ALLOWED_HOSTS if name[0] not in ".*" and name != frames.hostname)
        main = next(names, None)
        if is_frame or main is None or request.method not in ("GET", "HEAD"):
            return HttpResponse(status=404)
        port = "" if frames.port is None else f":{frames.port}"
        return HttpResponseRedirect(f"{request.scheme}://{main}{port}{request.get_full_path()}")


def around_here() -> Around | None:
    """Return which pages may show this server's frames; None if no page may."""
    if not (settings.SOTTOVOCE_FRAME_HOSTS and settings.SOTTOVOCE_FRAME_ORIGIN):
        return None
    return Around(
        hosts=tuple(settings.SOTTOVOCE_FRAME_HOSTS),
        site=settings.SOTTOVOCE_FRAME_SITE,
        shared_device=settings.SOTTOVOCE_FRAME_SHARED_DEVICE,
    )


def can_be_framed(design: Design) -> bool:
    """Return whether a frame can ask the questions of a design."""
    try:
        check_framed(design)
    except SurveyError:
        return False
    return True


@require_safe
@xframe_options_exempt
@cache_control(max_age=300)
def frame(request: HttpRequest, digest: str, name: str = INDEX) -> HttpResponse:
    """Serve a file of the frame for one version of an open survey."""
    around = around_here()
    files = None if around is None else _files_of(digest, around)
    if around is None or files is None:
        return HttpResponse(status=404)
    content = files.get(f"{name}{INDEX}" if name.endswith("/") else name)
    if content is None:
        return HttpResponse(status=404)
    kind = _SCRIPT if name.endswith(".js") else f"{guess_type(name)[0] or 'text/html'}; charset=utf-8"
    return HttpResponse(content, content_type=kind, headers=frame_headers(around))


def _files_of(digest: str, around: Around) -> dict[str, bytes] | None:
    versions = published_roots(Version.objects.filter(survey__state=Survey.State.OPEN))
    key = next((pk for root, pk in versions if root == digest), None)
    return None if key is None else _files(key, digest, around)


@lru_cache(maxsize=64)
def _files(pk: int, digest: str, around: Around) -> dict[str, bytes] | None:
    # Cached for good: versions never change, and an upgrade restarts the server.
    version = Version.objects.select_related("survey").get(pk=pk)
    design = version.to_design()
    if not can_be_framed(design):
        return None
    return frame_files(
        design,
        version.wording,
        around,
        digest=digest,
        practice=version.survey.practice,
        promises=stated_promises(version),
    )


@dataclass(frozen=True, kw_only=True)
class Adapter:
    """A script that shows a frame in survey tools.

    Attributes
    ----------
    files : tuple of str
        The script, and the files that it needs.
    tools : str
    was_run : bool
        Whether it was tested in the tools themselves, not only on a page that imitates their documented API.
    """

    files: tuple[str, ...]
    tools: str
    was_run: bool


ADAPTERS: Final = (
    Adapter(files=("form.js",), tools="HTML, oTree", was_run=True),
    Adapter(files=("surveyjs.js",), tools="SurveyJS", was_run=True),
    Adapter(files=("jspsych.js",), tools="jsPsych", was_run=True),
    Adapter(files=("form.js",), tools="LimeSurvey, Formbricks", was_run=False),
    Adapter(files=("qualtrics.js",), tools="Qualtrics", was_run=False),
    Adapter(files=("Redcap.php", "form.js"), tools="REDCap", was_run=False),
)


@staff_page
@require_safe
def use(request: HttpRequest) -> HttpResponse:
    """Show what a researcher's survey tool needs in order to show frames."""
    get_builder(request.user)
    context = {
        "shows": around_here() is not None,
        "surveys": [
            (survey.title_text, _frame(documents_of(version).root))
            for survey in get_surveys_for_builder(request.user).filter(state=Survey.State.OPEN)
            for version in survey.versions.order_by("-number")[:1]
            if can_be_framed(version.to_design())
        ],
        "scripts": ADAPTERS,
        "program": settings.PROGRAM,
    }
    return render(request, "embed/use.html", context)


@staff_page
@require_safe
def script(request: HttpRequest, adapter: str) -> HttpResponse:
    """Send an adapter script as a download."""
    get_builder(request.user)
    if not any(adapter in entry.files for entry in ADAPTERS):
        raise Http404
    kind = "text/javascript" if adapter.endswith(".js") else "text/plain"
    return HttpResponse(
        adapter_text(adapter),
        content_type=f"{kind}; charset=utf-8",
        headers={"Content-Disposition": f'attachment; filename="{adapter}"'},
    )


def adapter_text(name: str) -> str:
    """Return the single script file that shows a frame on another tool's pages."""
    return Path(__file__).with_name("adapters").joinpath(name).read_text(encoding="utf-8")


def _frame(digest: str) -> str:
    return f"{settings.SOTTOVOCE_FRAME_ORIGIN}{reverse('frame', args=[digest])}"


urlpatterns = [
    path("surveys/new/answers", staff_page(AnswersPage.as_view()), name="answers"),
    path("your-tool/", use, name="use"),
    path("your-tool/<str:adapter>", script, name="script"),
]
