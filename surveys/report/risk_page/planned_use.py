"""What a survey can show with the number of answers that is planned, and under which assumptions."""

from __future__ import annotations

from dataclasses import replace

from django.utils.translation import gettext as _

from privacy.planning.use import Use, use_of
from privacy.survey.design import Design
from surveys.questionnaire.aim import Aim
from surveys.questionnaire.filter_choice_words import filter_choice_sentences
from surveys.questionnaire.use_words import condition_sentences, item_names, use_sentences
from surveys.runs.audit import AuditedSurvey


def plan_sentences(subject: AuditedSurvey, *, n: int | None = None) -> list[str]:
    """Return what the survey can show with n answers, or as many as are planned, and the assumptions."""
    use = planned_use(subject, n=n)
    if use is None:
        return [
            _(
                "The researcher did not say how many people will answer, so we cannot work out what the "
                "survey can show. The plan page asks for this number."
            )
        ]
    aim = aim_of(subject)
    sentences = use_sentences(use, item_names(subject, aim.labels)) + condition_sentences(subject.design)
    sentences += filter_choice_sentences(subject.design, aim, subject.version.wording)
    if use.half_widths:
        sentences.append(_assumption(use, subject.design))
    return sentences


def _assumption(use: Use, design: Design) -> str:
    """Say what the margins assume; attribute only real guesses to the researcher."""
    guessed, lacking = set[bool](), set[bool]()
    for number in {design.item(key).question for key in use.half_widths}:
        question = design.questions[number]
        missing = sum(key not in use.aim.shares for key in question.item_keys)
        guessed.add(missing < len(question.item_keys))
        # The share of a choice's last option follows from the others.
        lacking.add(missing > question.is_exhaustive)
    if not any(guessed):
        return (
            _("The margins assume that as many people answer, and that all answers are equally common.")
            if use.assumed
            else _("This assumes that as many people answer, and that all answers are equally common.")
        )
    if any(lacking):
        return _(
            "The margins assume that as many people answer, and use the researcher’s guesses. Answers "
            "without a guess count as equally common."
        )
    return _(
        "This assumes that as many people answer, and that answers are as common as the researcher expects."
    )


def aim_of(subject: AuditedSurvey) -> Aim:
    """Return the aim; without one, the default one with 0 people."""
    return (Aim.from_json(subject.version.aim) or Aim(people=0)).within(subject.design)


def planned_use(subject: AuditedSurvey, *, n: int | None = None) -> Use | None:
    """Return the expected precision with n answers, or with as many as are planned; None if unknown."""
    aim = aim_of(subject)
    aim = aim if n is None else replace(aim, people=n)
    return use_of(subject.design, aim) if aim.people else None
