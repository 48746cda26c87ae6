"""Notes on faults of an XLSForm: repairs, pyxform's objections, and texts without a language."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from django.utils.translation import gettext as _

from surveys.errors.error import short_json
from surveys.formats.joints import list_text
from surveys.imports.form_repairs import Repair
from surveys.imports.questionnaire import LOST, Questionnaire
from surveys.imports.reader_process import cell_name, is_text
from surveys.questionnaire.languages import language_of
from surveys.questionnaire.use_words import short_text

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
            _("the check of the form says: %(said)s") % {"said": _shortened(each.said)},
            effect=LOST if each.is_lost else "changed",
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
    """Note columns of texts without a language, next to a column in the same language.

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
    if language not in {tag for name, tag in tags.items() if name != _BARE}:
        return
    for sheet, names in headers.items():
        for column in ("label", "hint"):
            if column in names and any(each.startswith(f"{column}::") for each in names):
                survey.note(
                    0,
                    _("texts without a language are used only where the text in %(language)s is missing")
                    % {"language": language_of(language).name},
                    _("put them into a column with their language, such as label::English (en)"),
                    effect=LOST,
                    where=cell_name(sheet, None, column),
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
