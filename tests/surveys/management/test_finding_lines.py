"""A finding is one line: whether it stops publishing, its place, the problem and what to do."""

from surveys.management.finding_lines import computed_lines, finding_lines
from surveys.questionnaire.findings import Finding, Level


def test_each_finding_is_a_line_with_its_level_and_place() -> None:
    found = [
        Finding(level=Level.REFUSE, code="x", path="blocks[1]", message="p is too large", remedy="lower p"),
        Finding(level=Level.WARN, code="y", path="", message="people are unknown", remedy="state a number"),
    ]
    assert list(finding_lines(found)) == [
        "stops: blocks[1]: P is too large. Lower p.",
        "warns: the survey: People are unknown. State a number.",
    ]


def test_a_file_without_a_readable_definition_has_no_rules() -> None:
    assert list(computed_lines(None)) == []
