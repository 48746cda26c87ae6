"""Print findings of the checks, and the rules of composite questions, as lines."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Final

from surveys.errors.error import in_sentences
from surveys.formats.joints import join_sentences
from surveys.questionnaire.findings import Finding, Level

if TYPE_CHECKING:
    from surveys.questionnaire.definition import Definition


LEVEL_TEXTS: Final = {Level.REFUSE: "stops", Level.WARN: "warns"}
"""A finding's level as the documentation calls it."""


def finding_lines(findings: Iterable[Finding]) -> Iterator[str]:
    """Yield a line for each finding: its level, place, problem and remedy."""
    for finding in findings:
        place = finding.path or "the survey"
        yield f"{LEVEL_TEXTS[finding.level]}: {place}: {in_sentences(finding.message, finding.remedy)}"


def computed_lines(definition: Definition | None) -> Iterator[str]:
    """Yield a line for each composite question: from what devices compute it, and what that rules out."""
    if definition is not None:
        # Imported here because the launcher must not load numpy.
        from surveys.questionnaire.rule_words import rules_in_words

        for rule in rules_in_words(definition.design, definition.wording).values():
            yield f"for good: “{rule.text}”: {join_sentences([rule.summary, *rule.sentences, rule.losses])}"
