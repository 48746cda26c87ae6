"""Definitions without a frame."""

from typing import Any

import pytest

from surveys.embed.frame_promise import check_framed
from surveys.errors.error import SurveyError
from surveys.questionnaire.definition import definition_parse
from tests.fixtures.devices import shipped_definition
from tests.fixtures.embed_frames import framed, of_everyday, three, yes_no


@pytest.mark.parametrize(
    ("document", "case"),
    [
        (shipped_definition("workplace"), "frame.part"),
        (framed(yes_no("a"), protected=True), None),
        ({**three(), "group": {"policy": "choice"}, "practice": True}, "frame.group"),
        (of_everyday("place"), "frame.place"),
    ],
    ids=["several parts", "one", "people choose", "a place"],
)
def test_frames_need_exactly_one_protected_block_without_a_map(
    document: dict[str, Any], case: str | None
) -> None:
    design = definition_parse(document).design
    if case is None:
        assert check_framed(design, {}).one_of_100 == 80
        return
    with pytest.raises(SurveyError) as caught:
        check_framed(design, {})
    assert caught.value.case == case
