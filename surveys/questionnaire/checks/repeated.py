"""Check for questions asked twice and answers offered twice, even if they are spelt differently."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from django.utils.translation import gettext as _

from surveys.questionnaire.arms import WORDINGS
from surveys.questionnaire.checks.entry_names import entry_name
from surveys.questionnaire.displayed import as_read
from surveys.questionnaire.findings import Finding, Level


def check_repeated(document: Mapping[str, Any]) -> Iterator[Finding]:
    """Find each question that one person is asked twice, if one of the two is protected.

    This warns if both are protected, and refuses if the other is not: its answer reveals the protected one.
    """
    before: list[tuple[set[tuple[Any, ...]], str, Mapping[str, Any]]] = []
    for number, block in enumerate(document["blocks"]):
        for position, question in enumerate(block["questions"]):
            own = _readings(question)
            for other, name, earlier in before:
                n_protected = block["protected"] + earlier["protected"]
                # Composite questions of one part that share a filter ask it once.
                twice = own & other - (_readings(question, shared=True) if earlier is block else set())
                if not n_protected or not twice or _exclude(block, earlier):
                    continue
                words = {"question": entry_name(question), "other": name}
                both = n_protected == 2
                yield Finding(
                    level=Level.WARN if both else Level.REFUSE,
                    code="asked_twice",
                    path=f"blocks[{number}].questions[{position}]",
                    message=(
                        _(
                            "“%(question)s” asks the same as “%(other)s”: comparing the two answers shows "
                            "which rows are random"
                        )
                        if both
                        else _(
                            "“%(question)s” asks the same as “%(other)s”, but only one of them is "
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
            before.append((own, entry_name(question), block))


def check_alike_answers(document: Mapping[str, Any]) -> Iterator[Finding]:
    """Find each answer that reads like an earlier one of its question, in any language of the survey."""
    for path, question in _with_components(document):
        before: dict[tuple[str, str], Mapping[str, Any]] = {}
        for position, option in enumerate(question.get("options") or ()):
            readings = [(tag, as_read(text).casefold()) for tag, text in (option.get("text") or {}).items()]
            alike = next((before[reading] for reading in readings if reading in before), None)
            before |= dict.fromkeys(readings, option)
            if alike is not None:
                yield Finding(
                    level=Level.WARN,
                    code="alike_answers",
                    path=f"{path}.options[{position}]",
                    message=_("“%(question)s” offers “%(answer)s” twice: people cannot tell the two apart")
                    % {"question": entry_name(question), "answer": entry_name(alike)},
                    remedy=_("give each answer its own words, or remove one of them"),
                )


def _with_components(document: Mapping[str, Any]) -> Iterator[tuple[str, Mapping[str, Any]]]:
    """Yield the path and the content of each question, and of the components of composite ones."""
    for number, block in enumerate(document["blocks"]):
        for position, question in enumerate(block["questions"]):
            path = f"blocks[{number}].questions[{position}]"
            components = question.get("computed", {}).get("components", ())
            # People see the answers of the components; those of the question are computed.
            yield from (
                [(f"{path}.computed.components[{at}]", each) for at, each in enumerate(components)]
                or [(path, question)]
            )


def _exclude(*blocks: Mapping[str, Any]) -> bool:
    """Return whether two parts require different answers to one question, so that no one is asked both."""
    first, second = (_implied_answers(block.get("asked_if")) for block in blocks)
    return any(not first[key] & second[key] for key in first.keys() & second.keys())


def _implied_answers(condition: Mapping[str, Any] | None) -> dict[str, set[str]]:
    """Return, by question, the answers that anyone who meets the condition must have chosen from."""
    terms = [] if condition is None else condition.get("all", [condition])
    return {term["question"]: set(term["options"]) for term in terms if "question" in term}


def _readings(question: Mapping[str, Any], *, shared: bool = False) -> set[tuple[Any, ...]]:
    """Return, for each language and wording, the text of a question with its help and options.

    A composite question is asked as its components; with `shared`, only those that it shares.
    """
    components = question.get("computed", {}).get("components", ())
    if components or shared:
        asked = (component for component in components if component.get("shared") or not shared)
        return {reading for component in asked for reading in _readings(component)}
    options = question.get("options", ())
    wordings = question.get(WORDINGS, {"texts": {}})["texts"].values()
    return {
        (
            language,
            as_read(text).casefold(),
            as_read((question.get("help") or {}).get(language, "")),
            *(as_read(option.get("text", {}).get(language, "")) for option in options),
        )
        for texts in (question.get("text", {}), *wordings)
        for language, text in texts.items()
    }
