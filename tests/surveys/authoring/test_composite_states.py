"""States of composite questions as the builder shows them."""

from typing import Any

import pytest

from surveys.authoring.composite_states import composite_states
from tests.fixtures.composite_drafts import composite_document


@pytest.mark.parametrize(
    "value", [5, [], {}, {"components": [3]}, {"components": [{"options": [{"text": {"en": 1.5}}]}]}]
)
def test_the_builder_shows_nothing_of_a_rule_that_cannot_be_read(value: Any) -> None:
    document = composite_document("every member")
    question = document["blocks"][-1]["questions"][0]
    question["computed"] = value
    (state,) = composite_states(document).values()
    assert (state["low"], state["high"], state["slips"]) == (None, None, None)
    assert composite_states({"blocks": 5}) == {}


def test_a_text_that_is_no_text_does_not_hide_the_rest() -> None:
    document = composite_document("every member")
    (several,) = (
        each
        for each in document["blocks"][-1]["questions"][0]["computed"]["components"]
        if each["kind"] == "several"
    )
    several["options"][0]["text"]["en"] = 1.5
    assert [state["high"] for state in composite_states(document).values()] == [39]
