"""Surveys in which most answers would be direct."""

import pytest

from surveys.questionnaire.findings import Level
from tests.fixtures.checked_surveys import findings_of, protected, yes_no


@pytest.mark.parametrize(("share", "level"), [(5000, None), (5100, Level.WARN), (10_000, Level.REFUSE)])
def test_a_survey_with_mostly_direct_answers_is_reported(share: int, level: Level | None) -> None:
    group = {"policy": "assigned", "direct_share": share}
    found = findings_of(protected("b", yes_no("steal")), group=group)
    assert [(one.code, one.level, one.path) for one in found] == (
        [] if level is None else [("direct_share", level, "group.direct_share")]
    )
