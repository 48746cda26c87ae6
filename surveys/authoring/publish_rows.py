"""The page that publishes asks three questions: can it answer, can someone be found, is the text complete.

Each row has one sentence and the button that fixes it. The template folds the details.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Final, TypeAlias
from urllib.parse import quote

from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from surveys.authoring.problem_places import PlacedProblem
from surveys.errors.error import in_sentences
from surveys.formats.joints import join_sentences, list_text
from surveys.formats.numbers import count_text
from surveys.questionnaire.draft import live_gaps_sentence
from surveys.questionnaire.findings import Level

ABOUT_ANSWERS: Final = frozenset(
    {
        "people_unknown",
        "too_few_asked",
        "share_imprecise",
        "difference_missed",
        "never_together",
        "few_together",
        "many_levels",
        "sum_imprecise",
        "slips",
        "placebo_unlike",
        "no_help",
    }
)
"""Codes of findings about what the survey can show."""

ABOUT_TEXT: Final = frozenset(
    {"leftover", "mixed_letters", "unused_stem", "split_list", "alike_answers", "asked_alone"}
)
"""Codes of findings about the texts. All others are about privacy."""

_Groups: TypeAlias = Sequence[tuple[bool, list[dict[str, str]]]]
"""Groups of findings, and whether they are refused, the worst first."""

_BY_PLAN: Final = frozenset({"too_few_asked", "share_imprecise", "difference_missed", "people_unknown"})
"""Codes of findings that the plan page fixes."""


class State(StrEnum):
    """The answer of a row."""

    GOOD = "good"
    WARN = "warn"
    BAD = "bad"
    UNKNOWN = "quiet"


@dataclass(frozen=True, kw_only=True)
class PublishRow:
    """One question and its answer.

    Attributes
    ----------
    about : str
        "answers", "privacy" or "text".
    question, sentence : str
    state : State
    action, address : str
        Label and address of the button.
    found : sequence of (bool, list of dict)
        Groups of findings, and whether they are refused, the worst first.
    """

    about: str
    question: str
    state: State
    sentence: str
    action: str
    address: str
    found: _Groups = ()

    @property
    def answer(self) -> str:
        """The answer in a word or two."""
        if self.about == "privacy":
            names = (_("protected"), _("please consider"), _("refused"), _("not known yet"))
        else:
            names = (_("yes"), _("please consider"), _("refused"), _("not known yet"))
        if self.about == "text" and self.state == State.BAD:
            return _("not yet")
        if self.about == "text" and self.state == State.WARN and not self.found:
            return _("for practice only")
        return dict(zip(State, names, strict=True))[self.state]


def publish_rows(
    slug: str,
    *,
    problems: Sequence[PlacedProblem],
    findings: Iterable[dict[str, str]],
    use: Sequence[str],
    promises: Sequence[str],
    unsettled: int,
    languages: Sequence[str],
    missing_for_live: Sequence[PlacedProblem] = (),
) -> list[PublishRow]:
    """Return the three rows.

    Parameters
    ----------
    slug : str
        The survey's address.
    problems : sequence of PlacedProblem
        What keeps the draft from being a survey.
    findings : iterable of dict
        As returned by `Finding.to_json`.
    use : sequence of str
        What the survey can show, in sentences; empty without a plan.
    promises : sequence of str
        What respondents read about their risk; empty if nothing is disguised.
    unsettled : int
        Number of questions that are stored as answered and are not plain background.
    languages : sequence of str
        Names of the survey's languages.
    missing_for_live : sequence of PlacedProblem
        The problems that prevent a complete practice draft from asking for real answers.
    """
    sorted_findings: dict[str, list[dict[str, str]]] = {"answers": [], "privacy": [], "text": []}
    for finding in findings:
        sorted_findings[_about(finding["code"])].append(finding)
    groups = {
        about: [
            (level == Level.REFUSE, group)
            for level in (Level.REFUSE, Level.WARN)
            for group in grouped_findings(own, level)
        ]
        for about, own in sorted_findings.items()
    }
    return [
        _answers_row(slug, groups["answers"], use, is_complete=not problems),
        _privacy_row(slug, groups["privacy"], promises, unsettled, is_complete=not problems),
        _text_row(slug, groups["text"], problems, languages, missing_for_live),
    ]


def grouped_findings(findings: Sequence[dict[str, str]], level: Level) -> list[list[dict[str, str]]]:
    """Group the findings of one level by code and remedy.

    Parameters
    ----------
    findings : sequence of dict
        As returned by `Finding.to_json`.
    level : Level
    """
    alike: dict[tuple[str, str], list[dict[str, str]]] = {}
    for finding in findings:
        if finding["level"] == level:
            alike.setdefault((finding["code"], finding["remedy"]), []).append(finding)
    return list(alike.values())


def _about(code: str) -> str:
    return "answers" if code in ABOUT_ANSWERS else "text" if code in ABOUT_TEXT else "privacy"


def _answers_row(slug: str, found: _Groups, use: Sequence[str], *, is_complete: bool) -> PublishRow:
    """Return whether the survey can show what it is for."""
    sentence, state = _said(found)
    if not found and not is_complete:
        sentence, state = _("The answer appears once the text is complete."), State.UNKNOWN
    elif not found and use:
        sentence = use[0]
    elif not found:
        sentence, state = _("Plan your survey to see which effects it can find."), State.WARN
    action, address = _fix(slug, found)
    if not found or found[0][1][0]["code"] in _BY_PLAN:
        action = _("Change plan") if use else _("Plan your survey")
        address = reverse("authoring:plan", args=[slug])
    return PublishRow(
        about="answers",
        question=_("Can it answer?"),
        state=state,
        sentence=sentence,
        action=action,
        address=address,
        found=found,
    )


def _privacy_row(
    slug: str, found: _Groups, promises: Sequence[str], unsettled: int, *, is_complete: bool
) -> PublishRow:
    """Return whether someone can be found: by findings, readable questions, or else what respondents read."""
    sentence, state = _said(found)
    action, address = _fix(slug, found)
    if not found and unsettled:
        state, action = State.WARN, _("Protect or keep them")
        address = reverse("authoring:readable", args=[slug])
        sentence = ngettext(
            "%(count)s question is stored as given and is not plain background.",
            "%(count)s questions are stored as given and are not plain background.",
            unsettled,
        ) % {"count": count_text(unsettled)}
    elif not found:
        action, address = _("Privacy risk, for an ethics board"), reverse("audit:risk", args=[slug])
        if not is_complete:
            sentence, state = _("The answer appears once the text is complete."), State.UNKNOWN
        elif promises:
            sentence = promises[0]
        else:
            sentence, state = _("No question is protected: all answers are stored as given."), State.WARN
    return PublishRow(
        about="privacy",
        question=_("Can someone be found?"),
        state=state,
        sentence=sentence,
        action=action,
        address=address,
        found=found,
    )


def _text_row(
    slug: str,
    found: _Groups,
    problems: Sequence[PlacedProblem],
    languages: Sequence[str],
    missing_for_live: Sequence[PlacedProblem],
) -> PublishRow:
    """Return whether every text is there."""
    sentence, state = _said(found)
    action, address = _fix(slug, found)
    if problems:
        state = State.BAD
        sentence = ngettext(
            "%(count)s problem to fix. %(where)s: %(text)s",
            "%(count)s problems to fix. The first: %(where)s: %(text)s",
            len(problems),
        ) % {"count": count_text(len(problems)), "where": problems[0].where, "text": problems[0].text}
        action, address = _builder(slug, problems[0].path)
    elif missing_for_live and not found:
        state = State.WARN
        first = {"where": missing_for_live[0].where, "text": missing_for_live[0].text}
        sentence = join_sentences(
            [live_gaps_sentence(len(missing_for_live)), _("The first: %(where)s: %(text)s") % first]
        )
        action, address = _builder(slug, missing_for_live[0].path)
    elif not found:
        sentence = _("All texts are there, in %(languages)s.") % {"languages": list_text(languages)}
        action, address = _("What respondents will see"), reverse("authoring:preview", args=[slug])
    return PublishRow(
        about="text",
        question=_("Is the text complete?"),
        state=state,
        sentence=sentence,
        action=action,
        address=address,
        found=found,
    )


def _said(found: _Groups) -> tuple[str, State]:
    """Return the worst finding and its remedy as sentences, and the state of its row."""
    if not found:
        return "", State.GOOD
    is_refused, group = found[0]
    said = in_sentences(group[0]["message"], group[0]["remedy"])
    return said, State.BAD if is_refused else State.WARN


def _fix(slug: str, found: _Groups) -> tuple[str, str]:
    """Return the button that opens the place of the worst finding in the builder."""
    return _builder(slug, found[0][1][0]["path"] if found else "")


def _builder(slug: str, path: str) -> tuple[str, str]:
    anchor = f"#{quote(path)}" if path else ""
    return _("Fix it in the builder"), reverse("authoring:builder", args=[slug]) + anchor
