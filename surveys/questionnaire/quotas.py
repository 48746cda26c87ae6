"""Quotas in a definition: at most so many answers with one option of an open question."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from django.utils.translation import gettext as _

from privacy.survey.design import Design
from privacy.survey.question import Question
from surveys.policy import LEAST_QUOTA
from surveys.questionnaire.node import Node, questions_of

__all__ = ["MEMBER", "check_quotas", "quotas_of", "read_quotas"]

MEMBER: Final = "quotas"
MOST_QUOTA: Final = 10_000_000
_YES_NO: Final = ("no", "yes")


def quotas_of(wording: Mapping[str, Any]) -> dict[str, dict[str, int]]:
    """Return the quotas of a version: by question the most answers with each option that has a quota.

    >>> quotas_of({"blocks": [{"questions": [{"key": "sex", "quotas": {"woman": 200}}, {"key": "age"}]}]})
    {'sex': {'woman': 200}}
    """
    return {
        question["key"]: question[MEMBER]
        for block in wording["blocks"]
        for question in block["questions"]
        if MEMBER in question
    }


def read_quotas(stated: Node, question: Question, *, protected: bool) -> dict[str, dict[str, int]]:
    """Return what the wording of a question says of its quotas; nothing where none are stated.

    Parameters
    ----------
    stated : Node
        The member of the question.
    question : Question
    protected : bool
        Whether its answers are disguised: then nobody can count them as they are.
    """
    quotas = stated.value
    if quotas in (None, {}):
        return {}
    if protected:
        stated.wrong(
            _("a quota is stated for a protected question"),
            _("leave it out, or ask it in an open part: a disguised answer counts for no group"),
        )
        return {}
    if question.kind == "multi":
        stated.wrong(
            _("a question with several answers cannot have a quota"),
            _("ask for one answer: then each person is of one group"),
        )
        return {}
    known = question.options or _YES_NO
    for key, most in quotas.items() if stated.has_members((), known) else ():
        if not isinstance(most, int) or isinstance(most, bool) or not 1 <= most <= MOST_QUOTA:
            stated.at(key).wrong(
                _("%(value)s is no number of answers"), _("write a whole number, such as 200")
            )
    if stated.has_problems():
        return {}
    return {MEMBER: {key: quotas[key] for key in known if key in quotas}}


def check_quotas(survey: Node, design: Design) -> None:
    """Note impossible quotas: after a sensitive question, of a few people, never counted."""
    protected = [number for number, block in enumerate(design.blocks) if block.protected]
    is_practice = survey.value["practice"] is True
    for number, question in questions_of(survey):
        stated = question.at(MEMBER)
        if not stated.value:
            continue
        if protected and number > protected[0]:
            stated.wrong(
                _("a question with a quota comes after a protected part"),
                _("move its part before all protected ones: nobody is turned away after sensitive questions"),
            )
        if design.sends_undisguised and not is_practice:
            stated.wrong(
                _("some people's sensitive answers come undisguised, so nothing is counted before closing"),
                _("say light: true in group, or disguise everybody strongly; or leave the quotas out"),
            )
        for key, most in stated.value.items():
            if most < LEAST_QUOTA and not is_practice:
                stated.at(key).wrong(
                    _("a quota of %(most)s is smaller than a batch"),
                    _("let at least %(least)s in: answers are counted in whole batches"),
                    most=most,
                    least=LEAST_QUOTA,
                )
