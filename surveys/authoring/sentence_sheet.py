"""The sheet of all sentences that respondents read: to print, to fill in, and to upload for one survey.

``authoring/sentences.html`` [sentences]
    ``survey``, ``language``, ``address`` (the pronoun, if there are two), ``rows`` (each sentence with its
    note and text), ``own`` (how many sentences are this survey's), ``lacks`` (how many on promise and skips
    are missing), ``form`` (`SheetForm`), ``problem`` (why a file was refused). POST redirects to the page.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping
from typing import Any, Final

from django import forms
from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_http_methods, require_safe

from surveys.accounts.authorship import by_and_now
from surveys.accounts.permissions import get_survey_for_builder, staff_page
from surveys.authoring.drafts import draft_save
from surveys.errors.error import SurveyError, sentences
from surveys.formats.file_responses import whole_file
from surveys.formats.workbook import XLSX, workbook_write
from surveys.imports.files.uploaded_tables import MOST_TABLE_BYTES, table_read
from surveys.models import Survey
from surveys.questionnaire.document import DefinitionError
from surveys.questionnaire.formality import address_word
from surveys.questionnaire.languages import language_of, tags_of
from surveys.questionnaire.own_sentences import FORMAT, MARKUP, MOST_CHARACTERS, SENTENCES, sentences_in
from surveys.respondent.sheet_sentences import Sentence, now_in, stated_sentences

SENTENCE, WHERE, ENGLISH = "sentence", "where", "English"
"""Columns of the sheet; the last one is named after the language."""
_PLACEHOLDER: Final = re.compile(r"%\(\w+\)s|%%|\{\w+\}")
_WORD: Final = re.compile(r"[^\W\d_]{3,}")


def sheet_rows(wording: Mapping[str, Any], tag: str) -> list[dict[str, str]]:
    """Return the rows of the sheet to fill in."""
    return [
        {SENTENCE: sentence.key, WHERE: sentence.note, ENGLISH: sentence.english, tag: text}
        for sentence, text in now_in(wording, tag)
    ]


def sheet_read(name: str, raw: bytes, tag: str, wording: Mapping[str, Any] | None = None) -> dict[str, Any]:
    """Return the sentences of a filled-in sheet that differ from the shipped ones, for a definition.

    Parameters
    ----------
    name, raw
        Of the file.
    tag : str
        Language.
    wording : mapping, optional
        The draft, which may state a form of address.

    Raises
    ------
    SurveyError
        ``sheet.columns``, ``sheet.half``, ``sheet.unknown``, ``sheet.english``, ``sheet.direction``,
        ``sheet.placeholder``, ``sheet.extra``, ``sheet.markup``, ``sheet.long``; or the file cannot be read.
    """
    table = table_read(name, raw)
    missing = [column for column in (SENTENCE, ENGLISH, tag) if column not in table.header]
    if missing:
        raise SurveyError("sheet.columns", missing[0], column=missing[0])
    rows = [dict(zip(table.header, line, strict=True)) for line in table.rows()]
    by_key = {row[SENTENCE].strip(): row for row in rows}
    plain = {name: value for name, value in (wording or {}).items() if name != SENTENCES}
    shipped = {sentence.key: (sentence, text) for sentence, text in now_in(plain, tag)}
    for key, row in by_key.items():
        if key not in shipped:
            raise SurveyError("sheet.unknown", key, key=key[:40], english=row[ENGLISH][:80])
    if absent := [key for key in shipped if key not in by_key]:
        raise SurveyError(
            "sheet.half", len(absent), count=len(absent), english=shipped[absent[0]][0].english[:80]
        )
    texts = {}
    for key, (sentence, text) in shipped.items():
        row = by_key[key]
        given = row[tag].strip()
        if row[ENGLISH].strip() != sentence.english.strip():
            raise SurveyError("sheet.english", row[ENGLISH], english=sentence.english[:80])
        if given and given != text:
            _check(sentence, given)
            texts[key] = given
    return stated_sentences(texts, tag, plain)


def _check(sentence: Sentence, given: str) -> None:
    """Refuse a text that is English, or lacks or adds a placeholder, or has markup."""
    english = sentence.english[:80]
    if len(given) > MOST_CHARACTERS:
        raise SurveyError("sheet.long", len(given), most=MOST_CHARACTERS, english=english)
    if MARKUP.search(given):
        raise SurveyError("sheet.markup", given, english=english)
    if given == sentence.english and len(_WORD.findall(_PLACEHOLDER.sub("", given))) > 2:
        raise SurveyError("sheet.direction", given, english=english)
    wanted, found = Counter(_PLACEHOLDER.findall(sentence.english)), Counter(_PLACEHOLDER.findall(given))
    # A form for one or two things may say their number in words.
    may_lack = sentence.category not in ("", "other")
    if extra := [*(found - wanted)]:
        raise SurveyError("sheet.extra", extra[0], placeholder=extra[0], english=english)
    if (lacking := [*(wanted - found)]) and not may_lack:
        raise SurveyError("sheet.placeholder", lacking[0], placeholder=lacking[0], english=english)


class SheetForm(forms.Form):
    """A filled-in sheet, the number of people who checked its language, and the revision of the draft.

    It is one form, so that no button saves one and loses the other.
    """

    file = forms.FileField(
        label=gettext_lazy("The filled-in sheet"),
        help_text=gettext_lazy("The workbook from this page, or a CSV file with the same columns."),
        widget=forms.FileInput(attrs={"accept": ".xlsx,.csv"}),
        required=False,
    )
    readers = forms.IntegerField(
        label=gettext_lazy("Native speakers who have read all sentences"), min_value=0, max_value=1_000
    )
    passed = forms.IntegerField(
        label=gettext_lazy("Other people who answered both questions on understanding correctly"),
        help_text=gettext_lazy("The two questions are at the end of the preview and of practice surveys."),
        min_value=0,
        max_value=1_000,
    )
    revision = forms.IntegerField(min_value=0, widget=forms.HiddenInput)


def with_sentences(document: Mapping[str, Any], tag: str, own: Mapping[str, Any]) -> dict[str, Any]:
    """Return a draft with its own sentences in a language. Changed sentences must be read again."""
    stated = document.get(SENTENCES) or {"format": FORMAT, "languages": {}}
    checks = {other: check for other, check in stated.get("checks", {}).items() if other != tag}
    return {
        **document,
        SENTENCES: {**stated, "languages": {**stated["languages"], tag: own}, "checks": checks},
    }


def with_checks(document: Mapping[str, Any], tag: str, *, readers: int, passed: int) -> dict[str, Any]:
    """Return a draft that states how many people checked its sentences in a language."""
    stated = document.get(SENTENCES) or {"format": FORMAT, "languages": {}}
    check = {"readers": readers, "passed": passed}
    return {**document, SENTENCES: {**stated, "checks": {**stated.get("checks", {}), tag: check}}}


@staff_page
@require_http_methods(["GET", "HEAD", "POST"])
def sentence_sheet(request: HttpRequest, slug: str, tag: str) -> HttpResponse:
    """Show the sheet; store an uploaded sheet and the number of people who checked it."""
    survey = _survey(request, slug, tag)
    if request.method != "POST":
        return _page(request, survey, tag)
    form = SheetForm(request.POST, request.FILES, initial=_initial(survey, tag))
    if not form.is_valid():
        return _page(request, survey, tag, form=form, status=422)
    values, document = form.cleaned_data, survey.definition
    if upload := values["file"]:
        try:
            own = sheet_read(upload.name, upload.read(MOST_TABLE_BYTES + 1), tag, document)
        except SurveyError as error:
            return _page(request, survey, tag, form=form, problem=sentences(error), status=422)
        document = with_sentences(document, tag, own)
    # Earlier numbers are about the earlier sentences.
    if not upload or {"readers", "passed"} & {*form.changed_data}:
        document = with_checks(document, tag, readers=values["readers"], passed=values["passed"])
    try:
        draft_save(survey, document, revision=values["revision"], **by_and_now(request))
    except SurveyError as error:
        return _page(request, survey, tag, problem=sentences(error), status=409)
    except DefinitionError as error:
        return _page(request, survey, tag, problem=str(error), status=422)
    messages.success(request, _("Saved in the draft. Respondents see these sentences after you publish it."))
    return redirect("authoring:sentences", survey.slug, tag)


def _survey(request: HttpRequest, slug: str, tag: str) -> Survey:
    survey = get_survey_for_builder(request.user, slug)
    if tag not in tags_of(survey.definition) or tag == "en":
        raise Http404
    return survey


def _initial(survey: Survey, tag: str) -> dict[str, int]:
    checks = (survey.definition.get(SENTENCES) or {}).get("checks", {}).get(tag, {})
    return {"readers": 0, "passed": 0, **checks, "revision": survey.revision}


def _page(
    request: HttpRequest,
    survey: Survey,
    tag: str,
    *,
    form: SheetForm | None = None,
    problem: str = "",
    status: int = 200,
) -> HttpResponse:
    survey.refresh_from_db()
    own = sentences_in(survey.definition, tag)
    context = {
        "survey": survey,
        "language": language_of(tag),
        "address": address_word(survey.definition, tag),
        "rows": now_in(survey.definition, tag),
        "own": len(own.get("sentences", ())),
        "lacks": own.get("lacks", 0),
        "form": form or SheetForm(initial=_initial(survey, tag)),
        "problem": problem,
    }
    return render(request, "authoring/sentences.html", context, status=status)


@staff_page
@require_safe
def sentence_file(request: HttpRequest, slug: str, tag: str) -> HttpResponse:
    """Send the sheet as a workbook to fill in."""
    survey = _survey(request, slug, tag)
    rows = sheet_rows(survey.definition, tag)
    return whole_file(workbook_write(rows), XLSX, f"{slug}-sentences-{tag}.xlsx")
