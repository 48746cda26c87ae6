"""Notes on faults of an XLSForm: repairs, pyxform's objections, and texts without a language."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from django.utils.translation import gettext as _

from surveys.errors.error import short_json
from surveys.formats.joints import list_text, short_text
from surveys.imports.drafts.questionnaire import LOST, Questionnaire
from surveys.imports.files.form_repairs import Repair
from surveys.imports.files.reader_process import cell_name, is_text
from surveys.imports.lines.text_languages import UNKNOWN
from surveys.questionnaire.languages import language_of

_LONGEST: Final = 300
_BARE: Final = "default"
"""Name of the language of texts without one, in pyxform's tree."""


def note_faults(survey: Questionnaire, repairs: Sequence[Repair], objection: str) -> None:
    """Note what was changed or left out because pyxform refuses it, with its reason.

    Parameters
    ----------
    survey : Questionnaire
    repairs : sequence of Repair
    objection : str
        What pyxform says about the form as a whole; empty if it accepts it.
    """
    for each in repairs:
        survey.note(
            each.row if each.sheet == "survey" else 0,
            each.message,
            each.remedy,
            effect=LOST if each.is_lost else "changed",
            cause=f"{each.change} {each.sheet} {each.column}",
            where=cell_name(each.sheet, each.row or None, each.column or None),
        )
    if objection:
        survey.note(
            0,
            _("the form has a fault: %(said)s") % {"said": _shortened(objection)},
            _("check the questions that it concerns"),
            where=cell_name("survey"),
        )


def note_texts_without_language(
    survey: Questionnaire, headers: Mapping[str, Sequence[str]], tags: Mapping[str, str], default: str
) -> None:
    """Note columns of texts without a language in a form with languages, and columns in the same language.

    Parameters
    ----------
    survey : Questionnaire
    headers : mapping of str to sequence of str
        Headers by sheet.
    tags : mapping of str to str
        Tag of each language of the form, by its name.
    default : str
        Language of texts without one.
    """
    language = tags.get(_BARE, default)
    if not {*tags} - {_BARE}:
        return
    for sheet, names in headers.items():
        for column in ("label", "hint"):
            by_tag: dict[str, list[str]] = {}
            for name in names:
                spoken = name.partition("::")[2]
                if name.startswith(f"{column}::") and spoken != _BARE and (tag := tags.get(spoken)):
                    by_tag.setdefault(tag, []).append(name)
            for alike in by_tag.values():
                if len(alike) > 1:
                    survey.note(
                        0,
                        _(
                            "these columns have the same language, so the first text in each row is used: "
                            "%(columns)s"
                        )
                        % {"columns": _list(alike)},
                        _("leave one of them, or name another language"),
                        effect=LOST,
                        where=cell_name(sheet),
                    )
            if column in names and not language.startswith(UNKNOWN):
                _note_bare(survey, cell_name(sheet, None, column), language, is_spare=language in by_tag)


def _note_bare(survey: Questionnaire, where: str, language: str, *, is_spare: bool) -> None:
    """Note how a column of texts without a language is read."""
    words = {"language": language_of(language).name}
    if is_spare:
        message = _("texts without a language are used only where the text in %(language)s is missing")
    else:
        message = _("texts without a language are read as %(language)s")
    survey.note(
        0,
        message % words,
        _("put them into a column with their language, such as label::English (en)"),
        effect=LOST if is_spare else "changed",
        where=where,
    )


def note_unused_columns(survey: Questionnaire, unused: Mapping[str, Sequence[str]]) -> None:
    """Note the columns that are not imported, in one note for each sheet and effect.

    Parameters
    ----------
    survey : Questionnaire
    unused : mapping of str to sequence of str
        Headers by sheet.
    """
    for sheet, headers in unused.items():
        texts = [header for header in headers if is_text(header)]
        others = [header for header in headers if header not in texts]
        if texts:
            survey.note(
                0,
                _("these text columns are left out because their headers are unknown: %(columns)s")
                % {"columns": _list(texts)},
                _("name each column after its content and language, such as label::English (en)"),
                effect=LOST,
                where=cell_name(sheet),
            )
        if others:
            survey.note(
                0,
                _("these columns have no effect here: %(columns)s") % {"columns": _list(others)},
                "",
                where=cell_name(sheet),
            )


def _list(headers: Sequence[str]) -> str:
    return list_text(list(map(short_json, headers)))


def _shortened(text: str) -> str:
    return short_text(" ".join(text.split()), _LONGEST)
