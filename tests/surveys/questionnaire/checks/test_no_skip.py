"""Protected parts without a skip."""

from surveys.questionnaire.findings import Level
from tests.fixtures.checked_surveys import codes, findings_of, protected, yes_no


def test_a_part_without_a_skip_needs_a_stated_reason() -> None:
    asked = (yes_no("steal"), yes_no("smoke"))
    (found,) = findings_of(protected("b", *asked, no_skip=None))
    assert (found.code, found.level, found.path) == ("no_skip", Level.REFUSE, "blocks[0]")
    assert codes(protected("b", *asked, no_skip="Asked by the board.")) == []
    assert codes(protected("b", *asked, refusal=2000)) == []
