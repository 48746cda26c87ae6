"""Say in words how a change of form changes a draft's questions."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from django.utils.translation import gettext as _

from privacy.planning.each_form import EACH_FORM
from privacy.planning.forms import NUMBER_LEVELS, FormChange
from privacy.survey.design import Design
from surveys.formats.joints import list_text, short_text
from surveys.formats.numbers import count_text
from surveys.questionnaire.aim import Aim
from surveys.questionnaire.composites import COMPONENTS, COMPUTED
from surveys.questionnaire.form_changes import with_forms
from surveys.questionnaire.languages import text_in
from surveys.questionnaire.open_filter import OPEN_FILTER
from surveys.questionnaire.stems import STEM, stem_text
from surveys.questionnaire.union_forms import forms_in

MANY: Final = 3
"""Most questions that the description of a change names. Pages name further ones in a separate sentence."""


def form_words(document: dict[str, Any], design: Design, aim: Aim, forms: Sequence[FormChange]) -> list[str]:
    """Return what each change does to the draft, in the page's language; questions left out come together.

    Parameters
    ----------
    document, design, aim
        The draft before the changes, as for `with_forms`.
    forms : sequence of FormChange
    """
    words, left_out = [], {}
    order = [question["key"] for entry in document["blocks"] for question in entry["questions"]]
    for form in forms:
        name = _name_of(document, aim, form.key, is_list=form.kind == "one_answer")
        if form.kind == "leave_out":
            left_out[form.key] = name
        else:
            words.append(_words(document, aim, form, name))
        document, aim = with_forms(document, design, aim, [form])
    in_order = sorted(left_out, key=lambda key: order.index(key) if key in order else len(order))
    return [*words, *_left_out_words([left_out[key] for key in in_order])]


def _words(document: Mapping[str, Any], aim: Aim, form: FormChange, name: str) -> str:
    options = _quoted_options(document, form)
    if form.kind == "levels":
        return _("Ask “%(name)s” as %(count)s levels") % {"name": name, "count": count_text(NUMBER_LEVELS)}
    if form.kind == "merge":
        return _("Merge the answers %(options)s to “%(name)s”") % {
            "options": list_text(options),
            "name": name,
        }
    if form.kind == "after":
        keys = (form.key, *form.options[1:])
        moved = list_text(f"“{_name_of(document, aim, key)}”" for key in keys)
        after = _name_of(document, aim, form.options[0])
        return _("Ask %(questions)s after “%(after)s”") % {"questions": moved, "after": after}
    if form.kind == "one_answer":
        return _("Send “%(name)s” as one answer: at least one of these") % {"name": name}
    if form.kind == EACH_FORM:
        forms = [f"“{short_text(text_in(text))}”" for text in forms_in(document, form.key).values()]
        return _("Send each form of “%(name)s” as one answer: %(forms)s") % {
            "name": name,
            "forms": list_text(forms),
        }
    if form.kind == OPEN_FILTER:
        return _("Store “%(name)s” as answered") % {"name": filter_name(document, form.key)}
    if form.kind == "lines":
        return _("Ask yes or no for each answer to “%(name)s”") % {"name": name}
    return _("Ask “%(name)s” with yes or no: %(option)s") % {"name": name, "option": "".join(options)}


def row_words(document: dict[str, Any], design: Design, aim: Aim, form: FormChange) -> str:
    """Return what a change does to a question, beside the question itself, without repeating its name.

    Parameters
    ----------
    document, design, aim
        The draft before the change, as for `with_forms`.
    form : FormChange
    """
    options = _quoted_options(document, form)
    match form.kind:
        case "levels":
            return _("Ask as %(count)s levels") % {"count": count_text(NUMBER_LEVELS)}
        case "merge":
            return _("Merge %(count)s answers") % {"count": count_text(len(options))}
        case "lines":
            return _("Ask yes or no for each answer")
        case "leave_out":
            return _("Leave it out")
        case "one_option":
            return _("Ask with yes or no: %(option)s") % {"option": "".join(options)}
    return form_words(document, design, aim, [form])[0]


def merged_options(document: Mapping[str, Any], form: FormChange) -> str:
    """Return the answers that a change merges, in words; empty for other changes.

    Parameters
    ----------
    document : mapping
        The draft before the change.
    form : FormChange
    """
    if form.kind != "merge":
        return ""
    return list_text(_quoted_options(document, form))


def filter_name(document: Mapping[str, Any], key: str) -> str:
    """Return the text of the filter of a composite question.

    Parameters
    ----------
    document : mapping
    key : str
        Key of the composite question.
    """
    texts = (
        text_in(question[COMPUTED][COMPONENTS][0].get("text") or {})
        for entry in document["blocks"]
        for question in entry["questions"]
        if question["key"] == key and COMPUTED in question
    )
    return short_text(next(texts, "") or key)


def _left_out_words(names: Sequence[str]) -> Iterator[str]:
    """Name the questions that are left out, or count them if a button would be long."""
    if len(names) > MANY:
        yield _("Leave out %(count)s questions") % {"count": count_text(len(names))}
    elif names:
        yield _("Leave out %(questions)s") % {"questions": list_text(f"“{name}”" for name in names)}


def _quoted_options(document: Mapping[str, Any], form: FormChange) -> list[str]:
    return [
        f"“{short_text(text_in(option['text']) or option['key'])}”"
        for entry in document["blocks"]
        for question in entry["questions"]
        if question["key"] == form.key
        for option in question.get("options") or ()
        if option["key"] in form.options
    ]


def _name_of(document: Mapping[str, Any], aim: Aim, key: str, *, is_list: bool = False) -> str:
    """Return the short name or the text of a question or, for a list, of its stem."""
    if is_list:
        stem = stem_text(document, {STEM: key})
        return short_text(text_in(stem) or key)
    texts = {
        question["key"]: text_in(question.get("text") or {}) or question["key"]
        for entry in document["blocks"]
        for question in entry["questions"]
    }
    return aim.labels.get(key) or short_text(texts.get(key, key))
