"""A panel's addresses and codes are read strictly, and change the wording only."""

import pytest

from surveys.questionnaire.definition import definition_parse, definition_read
from tests.fixtures.devices import shipped_definition


@pytest.mark.parametrize(
    "stated",
    [
        "https://panel.example/done",
        "https://panel.example/done?who={id}&code=C1",
        "https://panel.example:8443/{id}",
        "https://xn--mnchen-3ya.example/#{id}",
        "C1X7",
        "DONE-2026",
    ],
)
def test_panel_addresses_and_codes_change_the_wording_but_not_the_design(stated: str) -> None:
    plain = definition_parse(shipped_definition("workplace"))
    parsed = definition_parse(shipped_definition("workplace", panel=stated))
    assert parsed.wording == {**plain.wording, "panel": stated}
    assert parsed.design.design_id == plain.design.design_id
    assert parsed.wording_id != plain.wording_id


@pytest.mark.parametrize(
    "stated",
    [
        "http://panel.example/done",
        "javascript:alert(1)//{id}",
        "https://{id}.panel.example/",
        "https://panel.example@{id}/",
        "https://somebody:secret@panel.example/",
        "https:///done",
        "https://[::1/",
        "https://panel.example/{id}/{id}",
        "https://panel.example/{name}",
        "https://panel.example/a b",
        'https://panel.example/"',
        "https://panel.example/" + "a" * 500,
        "ab",
        "a code",
        "",
        7,
        ["https://panel.example/"],
        {"address": "https://panel.example/"},
    ],
)
def test_invalid_panels_are_refused_at_their_path(stated: object) -> None:
    reading = definition_read(shipped_definition("workplace", panel=stated))
    assert reading.definition is None
    assert [problem.path for problem in reading.problems] == ["panel"]


def test_an_omitted_panel_does_not_change_the_digest() -> None:
    plain = definition_parse(shipped_definition("workplace"))
    assert definition_parse(shipped_definition("workplace", panel=None)).wording_id == plain.wording_id
    assert "panel" not in plain.wording
