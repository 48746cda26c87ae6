"""Invisible signs that change how a text reads are found; those that a script needs are not."""

import pytest

from surveys.questionnaire.signs import misleading_signs


@pytest.mark.parametrize(
    "text",
    [
        "Did you \u202eevas\u202c money?",
        "Did you \u202devas\u202c money?",
        "Did you ne\u200bver cheat?",
        "Did you never\u2060 cheat?",
        "\ufeffDid you cheat?",
        "Did you ch\u200deat?",
        "Did you ch\u200ceat?",
        "Did you cheat\u200d?",
        "Did you \u2067cheat\u2069?",
        "Did you cheat?\u200f",
        "Did you cheat?\u2028",
        "Did you\U000e0041 cheat?",
        "Did you \u3164 cheat?",
        "\u0645\u06cc\u200c",
        "\u0645\u06cc\u200ca",
        "\u202b\u0645\u06cc\u202c",
    ],
)
def test_signs_that_could_change_a_text_are_found(text: str) -> None:
    """They could make a title appear in another order than stored, or hide a word in a question."""
    found = misleading_signs(text)
    assert found
    assert all(not sign.isprintable() or sign == "\u3164" for sign in found)


@pytest.mark.parametrize(
    "text",
    [
        "Did you read\u00ading it?",
        "\u0622\u06cc\u0627 \u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u06cc\u062f\u061f",
        "\u0915\u094d\u200d\u0937",
        "\u0d28\u0d4d\u200d",
        "\u0dc1\u0dca\u200d\u0dbb\u0dd3",
        "\u0e44\u0e17\u0e22\u200b\u0e44\u0e17\u0e22",
        "\u05d4\u05d0\u05dd\u200f (A)?",
        "\u05d4\u05d0\u05dd \u2066A\u2069?",
        "\U0001f468\u200d\U0001f469\u200d\U0001f467",
        "\U0001f9d1\U0001f3fd\u200d\u2695\ufe0f",
        "\U0001f3f3\ufe0f\u200d\U0001f308",
        "\u0600\u0661\u0662",
    ],
)
def test_signs_that_a_script_needs_are_not(text: str) -> None:
    assert misleading_signs(text) == []
