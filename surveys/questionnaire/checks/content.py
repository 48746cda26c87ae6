"""Content that a protected part must not have: facts that others know, and answers that exclude each other.

A known fact gives its whole part away: an attacker who sees it match knows that the row is the true one.
Mutually exclusive answers produce drawn rows that cannot be true of anyone, which reveals that they were
drawn.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from typing import Any, Final

from django.utils.translation import gettext as _

from privacy.coins import SCALE
from privacy.risk.adversaries import exclusive_decoys
from privacy.survey.design import Block, Design
from surveys.questionnaire.arms import WORDINGS
from surveys.questionnaire.checks.finding import Finding, Level
from surveys.questionnaire.checks.looks import as_read, looks_exclusive, suggests_quasi_identifier


def check_content(document: Mapping[str, Any], design: Design) -> Iterator[Finding]:
    """Yield findings on the questions of the protected parts of a definition.

    Parameters
    ----------
    document : mapping
        A definition that can be published.
    design : Design
        Its design, with blocks and questions in the same order.
    """
    for number, (entry, block) in enumerate(zip(document["blocks"], design.blocks, strict=True)):
        path = f"blocks[{number}]"
        if not block.protected:
            continue
        if block.is_scale:
            yield from _no_skip(entry, block, path)
            continue
        if not is_anchor(entry, block):
            yield from _known_facts(entry, path)
            yield from _no_skip(entry, block, path)
        yield from _declared_exclusive(entry, design, number, path)
        yield from _seeming_exclusive(entry, block, path)


def is_anchor(entry: Mapping[str, Any], block: Block) -> bool:
    """Return whether a block is an anchor: one question of prevalence 0 or 1."""
    questions = entry["questions"]
    return (
        len(questions) == 1
        and block.questions[0].can_be_anchor
        and questions[0]["prevalence"][0] in (0, SCALE)
    )


def _no_skip(entry: Mapping[str, Any], block: Block, path: str) -> Iterator[Finding]:
    if block.refusal is None and not entry.get("no_skip"):
        yield Finding(
            level=Level.REFUSE,
            code="no_skip",
            path=path,
            message=_("respondents cannot choose “Prefer not to say” here, and the part does not say why"),
            remedy=_("offer “Prefer not to say”, or write the reason into the part"),
        )


def _known_facts(entry: Mapping[str, Any], path: str) -> Iterator[Finding]:
    for number, question in enumerate(entry["questions"]):
        here = f"{path}.questions[{number}]"
        if question.get("known") is True:
            yield Finding(
                level=Level.REFUSE,
                code="known_fact",
                path=here,
                message=_(
                    "%(key)s is marked as a fact that others know: someone who sees it match can "
                    "conclude that the whole part is true"
                )
                % {"key": question["key"]},
                remedy=_("ask it in an unprotected part, or leave it out"),
            )
        elif "known" not in question:
            words = suggests_quasi_identifier(
                _said(question), (option["text"] for option in question.get("options", ()))
            )
            if words is not None:
                yield Finding(
                    level=Level.WARN,
                    code="looks_known",
                    path=here,
                    message=_("%(key)s seems to ask for something that others know (“%(words)s”)")
                    % {"key": question["key"], "words": words},
                    remedy=_("state whether others know it; if so, ask it in an unprotected part"),
                )


def _said(question: Mapping[str, Any]) -> dict[str, str]:
    """Return the text a respondent reads of a question; a short question may leave the rest to its help."""
    more = {f"{language} help": text for language, text in (question.get("help") or {}).items()}
    return {**question["text"], **more}


def _declared_exclusive(
    entry: Mapping[str, Any], design: Design, number: int, path: str
) -> Iterator[Finding]:
    block = design.blocks[number]
    stated = {
        key: share
        for question, designed in zip(entry["questions"], block.questions, strict=True)
        for key, share in zip(designed.item_keys, question["prevalence"], strict=True)
    }
    for position, keys in enumerate(entry.get("exclusive", [])):
        total = sum(stated[key] for key in keys)
        if total > SCALE:
            yield Finding(
                level=Level.WARN,
                code="exclusive_shares",
                path=f"{path}.exclusive[{position}]",
                message=_(
                    "at most one of %(keys)s can be true, but their expected shares add up to "
                    "%(total)s of 100"
                )
                % {"keys": _listed(keys), "total": f"{total / 100:g}"},
                remedy=_(
                    "state shares that add up to at most 100; the odds that respondents read are "
                    "right only then"
                ),
            )
        (decoys,) = exclusive_decoys(design, [keys])
        if not decoys.share:
            # Options that a device never draws together reveal nothing.
            continue
        yield Finding(
            level=Level.REFUSE,
            code="exclusive",
            path=f"{path}.exclusive[{position}]",
            message=_(
                "%(keys)s cannot be true together, but %(share)s of 100 random rows of part "
                "%(part)s contain two of them, which reveals that they are random"
            )
            % {"keys": _listed(keys), "share": _of_hundred(decoys.share), "part": block.key},
            remedy=_("ask them as one question with one answer, or in separate parts"),
        )


def _seeming_exclusive(entry: Mapping[str, Any], block: Block, path: str) -> Iterator[Finding]:
    for number, (question, designed) in enumerate(zip(entry["questions"], block.questions, strict=True)):
        if designed.kind == "yes_no" and len(block.questions) > 1 and looks_exclusive(question["text"]):
            yield Finding(
                level=Level.REFUSE,
                code="exclusive_option",
                path=f"{path}.questions[{number}]",
                message=_(
                    "%(key)s excludes the other answers of its part, and random rows would contain both"
                )
                % {"key": question["key"]},
                remedy=_("leave it out: respondents to whom none of the others applies answer no to each"),
            )
        if designed.kind != "multi":
            continue
        for position, option in enumerate(question["options"]):
            if looks_exclusive(option["text"]):
                yield Finding(
                    level=Level.REFUSE,
                    code="exclusive_option",
                    path=f"{path}.questions[{number}].options[{position}]",
                    message=_(
                        "the option %(option)s of %(key)s excludes the others, and random rows "
                        "would tick it together with them"
                    )
                    % {"option": option["key"], "key": question["key"]},
                    remedy=_(
                        "leave it out: the page offers “None of these” anyway, and you can let "
                        "respondents skip the part"
                    ),
                )


def _of_hundred(share: Fraction) -> str:
    return f"{float(100 * share):.0f}"


def _listed(keys: Sequence[str]) -> str:
    return ", ".join(keys)


def check_repeated(document: Mapping[str, Any]) -> Iterator[Finding]:
    """Find each question that one person is asked twice, if one of the two is protected.

    A warning if both are protected; if the other one is sent undisguised, it reveals the answer and is
    refused.
    """
    before: list[tuple[set[tuple[Any, ...]], str, Mapping[str, Any]]] = []
    for number, block in enumerate(document["blocks"]):
        for position, question in enumerate(block["questions"]):
            own = _readings(question)
            for other, key, earlier in before:
                protected = block["protected"] + earlier["protected"]
                if not protected or not own & other or _exclude(block, earlier):
                    continue
                words = {"key": question["key"], "other": key}
                both = protected == 2
                yield Finding(
                    level=Level.WARN if both else Level.REFUSE,
                    code="asked_twice",
                    path=f"blocks[{number}].questions[{position}]",
                    message=(
                        _(
                            "%(key)s asks the same as %(other)s: comparing the two answers shows "
                            "which rows are random"
                        )
                        if both
                        else _(
                            "%(key)s asks the same as %(other)s, but only one of them is "
                            "disguised: respondents are asked both, and the undisguised answer "
                            "reveals the other"
                        )
                    )
                    % words,
                    remedy=_("ask it once")
                    if both
                    else _("ask it once, or ask the two parts in different groups of an experiment"),
                )
                break
            before.append((own, question["key"], block))


def _exclude(*blocks: Mapping[str, Any]) -> bool:
    """Return whether two parts depend on different answers to one question, so that no one gets both."""
    first, second = (_needed(block.get("asked_if")) for block in blocks)
    return any(not first[key] & second[key] for key in first.keys() & second.keys())


def _needed(condition: Mapping[str, Any] | None) -> dict[str, set[str]]:
    """Return by question the answers of which every respondent who is asked gave one."""
    terms = [] if condition is None else condition.get("all", [condition])
    return {term["question"]: set(term["options"]) for term in terms if "question" in term}


def _readings(question: Mapping[str, Any]) -> set[tuple[Any, ...]]:
    """Return all texts of a question in each language, including its help and options, in all wordings."""
    options = question.get("options", ())
    worded = question.get(WORDINGS, {"texts": {}})["texts"].values()
    return {
        (
            language,
            as_read(text).casefold(),
            as_read((question.get("help") or {}).get(language, "")),
            *(as_read(option.get("text", {}).get(language, "")) for option in options),
        )
        for texts in (question.get("text", {}), *worded)
        for language, text in texts.items()
    }


_LEFT: Final = re.compile(
    r"[$#]\{[^{}]{0,100}\}|\{\{[^{}]{0,100}\}\}|<[^\s<>]{1,100}>|\[(?:Field|QID|Q\d)[^\[\]]{0,60}\]"
)


def leftovers(text: str) -> tuple[str, ...]:
    """Return what another program would put something else in place of.

    Examples
    --------
    >>> leftovers("You said ${hit}. Are you sure?")
    ('${hit}',)
    """
    return tuple(_LEFT.findall(text))


def check_leftovers(document: Mapping[str, Any]) -> Iterator[Finding]:
    """Refuse texts that respondents would read with a placeholder in them.

    Parameters
    ----------
    document : mapping
        A definition that can be published.
    """
    for number, block in enumerate(document["blocks"]):
        path = f"blocks[{number}]"
        yield from _found(path, block.get("title"), block.get("help"))
        for position, question in enumerate(block["questions"]):
            options = (option.get("text") for option in question.get("options") or ())
            yield from _found(
                f"{path}.questions[{position}]", question.get("text"), question.get("help"), *options
            )


def _found(path: str, *texts: object) -> Iterator[Finding]:
    said = [
        text for each in texts if isinstance(each, dict) for text in each.values() if isinstance(text, str)
    ]
    found = next((left for text in said for left in leftovers(text)), None)
    if found is not None:
        yield Finding(
            level=Level.REFUSE,
            code="leftover",
            path=path,
            message=_("%(text)s is left over from another program, and respondents would see it")
            % {"text": found},
            remedy=_("reword the text without it"),
        )
