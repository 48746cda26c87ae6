"""Print the findings of the checks."""

from collections.abc import Iterable, Iterator
from typing import Final

from surveys.errors.error import in_sentences
from surveys.questionnaire.document import Finding, Level

LEVELS: Final = {Level.REFUSE: "stops", Level.WARN: "warns"}
"""A finding's level as the documentation calls it."""


def finding_lines(findings: Iterable[Finding]) -> Iterator[str]:
    """Yield a line for each finding: its level, place, problem and remedy."""
    for finding in findings:
        place = finding.path or "the survey"
        yield f"{LEVELS[finding.level]}: {place}: {in_sentences(finding.message, finding.remedy)}"
