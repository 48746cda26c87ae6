"""Say whether follow-ups of one filter are more precise as several answers or as one."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.utils.translation import gettext as _

from privacy.planning.filter_choice import filter_choices
from privacy.survey.design import Design
from surveys.formats.joints import list_text
from surveys.formats.numbers import count_text
from surveys.questionnaire.aim import Aim
from surveys.questionnaire.languages import text_in
from surveys.questionnaire.use_words import points


def filter_choice_sentences(design: Design, aim: Aim, wording: Mapping[str, Any]) -> list[str]:
    """Say whether follow-ups of one filter are more precise as several answers or as one.

    Parameters
    ----------
    design : Design
    aim : Aim
    wording : mapping
        Of the version or draft.
    """
    texts = {each["key"]: text_in(each["text"]) for block in wording["blocks"] for each in block["questions"]}
    return [
        (
            _(
                "%(questions)s depend on the same question. As %(count)s answers, their shares have margins "
                "of up to ±%(separate)s points; as one answer of all %(combinations)s combinations up to "
                "±%(combined)s. So several answers are more precise."
            )
            if choice.is_separate_narrower
            else _(
                "%(questions)s depend on the same question. As %(count)s answers, their shares have margins "
                "of up to ±%(separate)s points; as one answer of all %(combinations)s combinations up to "
                "±%(combined)s. So one answer is more precise: combine them into one single choice."
            )
        )
        % {
            "questions": list_text(f"“{texts[key] or key}”" for key in choice.questions),
            "count": count_text(len(choice.questions)),
            "separate": points(choice.separate),
            "combined": points(choice.combined),
            "combinations": count_text(choice.combinations),
        }
        for choice in filter_choices(design, aim.within(design))
    ]
