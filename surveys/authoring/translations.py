"""A workbook of a draft's texts for translators: write it, and read it back."""

from __future__ import annotations

import copy
from collections.abc import Iterator
from typing import Any, Final

from django import forms
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_http_methods, require_safe

from surveys.accounts.authorship import by_and_now
from surveys.accounts.permissions import get_survey_for_builder, staff_page
from surveys.authoring.drafts import draft_save
from surveys.errors.error import SurveyError, in_sentences, short_json
from surveys.formats.file_responses import whole_file
from surveys.formats.joints import labelled
from surveys.formats.numbers import count_text
from surveys.formats.workbook import SHEET, XLSX, workbook_write
from surveys.imports.files.reader_process import cell_name
from surveys.imports.files.uploaded_tables import MOST_TABLE_BYTES, table_read
from surveys.models import Survey
from surveys.questionnaire.composites import SET_ASIDE, SOURCE
from surveys.questionnaire.document import DefinitionError, Problem, Problems, member_path
from surveys.questionnaire.draft import draft_read
from surveys.questionnaire.headings import HEADINGS
from surveys.questionnaire.languages import tags_of

WHERE: Final = "where"
_MEMBERS: Final = ("title", "text", "help", "unit", SOURCE)


def texts_of(document: object, path: str = "") -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield path and texts of every multilingual entry: an object's own texts, then those of its members.

    The order is fixed here because PostgreSQL does not keep the order of members.

    Examples
    --------
    >>> texts = texts_of({"blocks": [{"key": "a", "title": {}, "questions": []}], "title": {"en": "Work"}})
    >>> [where for where, _own in texts]
    ['title', 'blocks[0].title']
    """
    if isinstance(document, list):
        for number, entry in enumerate(document):
            yield from texts_of(entry, f"{path}[{number}]")
    elif isinstance(document, dict):
        own = [name for name in _MEMBERS if name in document]
        # Questions that the survey does not ask now need no translation.
        for name in own + sorted(document.keys() - {*own, *(() if path else (SET_ASIDE, HEADINGS))}):
            value, here = document[name], member_path(path, name)
            if isinstance(value, dict) and (name in _MEMBERS or path == "about"):
                yield here, value
            else:
                yield from texts_of(value, here)


def translations_file(document: dict[str, Any]) -> bytes:
    """Return the texts of a draft as a workbook: the place of each, and one column per language."""
    languages = tags_of(document)
    rows = [
        {WHERE: where} | {tag: text if isinstance(text := texts.get(tag), str) else "" for tag in languages}
        for where, texts in texts_of(document)
    ]
    return workbook_write(rows)


def translations_read(raw: bytes, document: dict[str, Any]) -> tuple[dict[str, Any], int]:
    """Return a draft with the texts of a workbook, and the number of changed texts.

    An empty cell keeps the draft's text.

    Parameters
    ----------
    raw : bytes
    document : dict
        The draft; it is not modified.

    Raises
    ------
    DefinitionError
        The sheet or column is missing, a column's language is not one of the draft's, or a place does not
        exist in the draft. All problems are reported at once, and nothing is imported.
    """
    problems = Problems()
    try:
        table = table_read("texts.xlsx", raw, sheet=SHEET)
    except SurveyError as error:
        raise DefinitionError([Problem(path="", message=error.message, remedy=error.remedy)]) from error
    if WHERE not in table.header:
        problems.add(
            "",
            _("sheet “%(sheet)s” with column “%(column)s” not found") % {"sheet": SHEET, "column": WHERE},
            _("fill in the file that you downloaded here"),
        )
        problems.raise_if_any()
    languages = tags_of(document)
    for header in table.header:
        if header and header != WHERE and header not in languages:
            problems.add(
                cell_name(SHEET, 1),
                _("not a language of this survey: %(value)s") % {"value": short_json(header)},
                _("add it in the builder, then download the file again"),
            )
    new_draft = copy.deepcopy(document)
    places, changed = dict(texts_of(new_draft)), 0
    for number, line in zip(table.lines.tolist(), table.rows(), strict=True):
        row = dict(zip(table.header, line, strict=True))
        cells = {tag: text for tag, text in row.items() if tag in languages and text}
        where = row[WHERE]
        if not cells:
            continue
        if where not in places:
            problems.add(
                cell_name(SHEET, number),
                _("the draft has no text %(where)s") % {"where": short_json(where)},
                _("the draft has changed: download the file again"),
            )
            continue
        for tag, text in cells.items():
            before = places[where].get(tag)
            if not isinstance(before, str) or before.strip() != text:
                places[where][tag] = text
                changed += 1
    problems.raise_if_any()
    return new_draft, changed


class TranslationForm(forms.Form):
    """A completed file of texts, and the revision of the draft that it changes."""

    file = forms.FileField()
    revision = forms.IntegerField(min_value=0)


@staff_page
@require_safe
def export(request: HttpRequest, slug: str) -> HttpResponse:
    """List the files of a draft."""
    return _page(request, get_survey_for_builder(request.user, slug))


def _page(request: HttpRequest, survey: Survey, *, status: int = 200, **more: Any) -> HttpResponse:
    context = {"survey": survey, "problems": draft_read(survey).problems, **more}
    return render(request, "authoring/export.html", context, status=status)


@staff_page
@require_http_methods(["GET", "HEAD", "POST"])
def texts(request: HttpRequest, slug: str) -> HttpResponse:
    """Send the texts of the draft, one column per language, or import them from a completed file."""
    survey = get_survey_for_builder(request.user, slug)
    if request.method != "POST":
        return whole_file(translations_file(survey.definition), XLSX, f"{slug}-texts.xlsx")
    form = TranslationForm(request.POST, request.FILES)
    if not form.is_valid():
        return _page(request, survey, status=422, wrong=[_("Choose the file that was filled in.")])
    values = form.cleaned_data
    try:
        document, count = translations_read(values["file"].read(MOST_TABLE_BYTES + 1), survey.definition)
        draft_save(survey, document, revision=values["revision"], **by_and_now(request))
    except DefinitionError as error:
        return _page(request, survey, status=422, wrong=list(map(_problem_text, error.problems)))
    except SurveyError as conflict:
        return _page(request, survey, status=409, error=conflict)
    message = ngettext(
        "One text was imported from the file.", "%(count)s texts were imported from the file.", count
    )
    messages.success(request, message % {"count": count_text(count)})
    return redirect("authoring:builder", slug)


def _problem_text(problem: Problem) -> str:
    """Describe a problem of a file: its position, the error, and the remedy."""
    message = labelled(problem.path, problem.message) if problem.path else problem.message
    return in_sentences(message, problem.remedy)
