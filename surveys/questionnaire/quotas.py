"""Quotas in a definition: at most so many answers with one option of an open question."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final

from django.utils.translation import gettext as _

from privacy.survey.design import Design
from privacy.survey.question import Question
from surveys.errors.error import shown
from surveys.policy import LEAST_QUOTA
from surveys.questionnaire.problems import Problems, joined

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


def read_quotas(
    stated: Mapping[str, Any], question: Question, path: str, problems: Problems, *, protected: bool
) -> dict[str, dict[str, int]]:
    """Return what the wording of a question says of its quotas; nothing where none are stated.

    Parameters
    ----------
    stated : dict
        The question as the definition has it.
    question : Question
    path : str
        Of the question.
    problems : Problems
    protected : bool
        Whether its answers are disguised: then nobody can count them as they are.
    """
    given = stated.get(MEMBER)
    if given in (None, {}):
        return {}
    here = joined(path, MEMBER)
    if protected:
        problems.add(
            here,
            _("a quota is stated for a protected question"),
            _("leave it out, or ask it in an open part: a disguised answer counts for no group"),
        )
        return {}
    if question.kind == "multi":
        problems.add(
            here,
            _("a question with several answers cannot have a quota"),
            _("ask for one answer: then each person is of one group"),
        )
        return {}
    known = question.options or _YES_NO
    quotas = problems.members(given, here, needed=(), allowed=known)
    for key, most in (quotas or {}).items():
        if not isinstance(most, int) or isinstance(most, bool) or not 1 <= most <= MOST_QUOTA:
            problems.add(
                joined(here, key),
                _("%(value)s is no number of answers") % {"value": shown(most)},
                _("write a whole number, such as 200"),
            )
    if quotas is None or problems.below(here):
        return {}
    return {MEMBER: {key: quotas[key] for key in known if key in quotas}}


def check_quotas(wording: Mapping[str, Any], design: Design, problems: Problems, *, practice: bool) -> None:
    """Note impossible quotas: after a sensitive question, of a few people, never counted."""
    protected = [number for number, block in enumerate(design.blocks) if block.protected]
    for block, path, quotas in _placed(wording):
        here = joined(path, MEMBER)
        if protected and block > protected[0]:
            problems.add(
                here,
                _("a question with a quota comes after a protected part"),
                _("move its part before all protected ones: nobody is turned away after sensitive questions"),
            )
        if design.sends_undisguised and not practice:
            problems.add(
                here,
                _("some people's sensitive answers come undisguised, so nothing is counted before closing"),
                _("say light: true in group, or disguise everybody strongly; or leave the quotas out"),
            )
        for key, most in quotas.items():
            if most < LEAST_QUOTA and not practice:
                problems.add(
                    joined(here, key),
                    _("a quota of %(most)s is smaller than a batch") % {"most": most},
                    _("let at least %(least)s in: answers are counted in whole batches")
                    % {"least": LEAST_QUOTA},
                )


def _placed(wording: Mapping[str, Any]) -> Iterator[tuple[int, str, dict[str, int]]]:
    for block, part in enumerate(wording["blocks"]):
        for number, question in enumerate(part["questions"]):
            if MEMBER in question:
                yield block, f"blocks[{block}].questions[{number}]", question[MEMBER]
