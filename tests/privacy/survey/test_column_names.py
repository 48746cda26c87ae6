"""Names of the columns that hold no answer."""

from privacy.survey.column_names import asked_name, group_name, skipped_name
from tests.privacy.estimation.designs import design, protected, yes_no


def test_names_are_plain_unless_a_question_has_them() -> None:
    plain = design(protected("b", 5000, yes_no("a", 5000)))
    assert (group_name(plain), skipped_name("b", plain), asked_name("b", plain)) == (
        "group",
        "b.skipped",
        "b.asked",
    )


def test_a_name_that_a_question_has_gets_another_end() -> None:
    taken = design(protected("b", 5000, yes_no("group", 5000), yes_no("group_", 5000)))
    assert group_name(taken) not in {"group", "group_"}
