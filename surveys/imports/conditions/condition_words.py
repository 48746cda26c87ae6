"""Describe who is asked a question: after which answers to which questions."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.utils.translation import gettext as _

from surveys.formats.joints import list_text
from surveys.imports.drafts.questionnaire import Question, Questionnaire
from surveys.imports.formulas.form_conditions import terms_of
from surveys.questionnaire.languages import text_in


def condition_text(survey: Questionnaire, question: Question) -> str:
    """Return who is asked a question, in words; empty if everyone is.

    Examples
    --------
    >>> from surveys.imports.drafts.questionnaire import Part
    >>> first = Question(line=1, texts={"en": "Do you smoke?"}, key="smoke", kind="yes_no")
    >>> second = Question(line=2, texts={"en": "Where?"}, condition={"question": "smoke", "options": ["yes"]})
    >>> survey = Questionnaire(parts=[Part(line=0, texts={}, questions=[first, second])])
    >>> condition_text(survey, second), condition_text(survey, first)
    ('asked only if “Do you smoke?” is Yes', '')
    """
    condition = question.condition
    if not condition:
        return ""
    by_key = survey.by_key
    said = [_term(by_key, term) for term in terms_of(condition)]
    joined = (_(" and ") if "all" in condition else _(" or ")).join(filter(None, said))
    return _("asked only if %(conditions)s") % {"conditions": joined}


def answer_texts(question: Question) -> list[str]:
    """Return the answers to a question that can decide who is asked others, in words.

    Examples
    --------
    >>> answer_texts(Question(line=1, texts={"en": "Do you smoke?"}, kind="yes_no"))
    ['Yes', 'No']
    """
    return [text_in(option.texts) for option in question.options] or [_("Yes"), _("No")]


def _term(by_key: Mapping[str, Question], term: Mapping[str, Any]) -> str:
    key, options = str(term["question"]), [*term["options"]]
    decider = by_key.get(key)
    if decider is None:
        return ""
    name = text_in(decider.texts)
    line = next((option for option, own in decider.lines.items() if own == key), "")
    texts = {option.key: text_in(option.texts) for option in decider.options}
    if line:
        name = _("%(answer)s” in “%(question)s") % {"answer": texts.get(line, line), "question": name}
    if line or not texts:
        texts = {"yes": _("Yes"), "no": _("No")}
    answers = [texts.get(option, option) for option in options]
    last = _(" or ").join(filter(None, [list_text(answers[:-1]), answers[-1]]))
    return _("“%(question)s” is %(answers)s") % {"question": name, "answers": last}
