"""Arm questions in a definition: parsed into design and wording, or refused with a message."""

from typing import Any

import pytest

from surveys.questionnaire.definition import Definition, definition_parse
from surveys.questionnaire.document import DefinitionError
from tests.fixtures.checked_surveys import document_of, protected, unprotected, yes_no


def arm(key: str = "told", **shares: int) -> dict[str, Any]:
    shares = shares or {"short": 4000, "long": 6000}
    options = [{"key": option, "share": share} for option, share in shares.items()]
    return {"key": key, "kind": "arm", "options": options}


def texts(**by_arm: str) -> dict[str, dict[str, str]]:
    return {option: {"en": text} for option, text in by_arm.items()}


EXPLAINED = {"question": "told", "texts": texts(short="Brief. {odds}", long="At length. {odds} Indeed.")}
ASKED = {"question": "told", "texts": texts(short="Copied?", long="Did you, in earnest, copy?")}
PART = protected("b", yes_no("copied", wordings=ASKED), p=6000)


def read(*blocks: dict[str, Any], **more: Any) -> Definition:
    return definition_parse(document_of(*blocks, **more))


def problems(*blocks: dict[str, Any], **more: Any) -> list[str]:
    with pytest.raises(DefinitionError) as refused:
        read(*blocks, **more)
    return [f"{problem.path}: {problem.message}; {problem.remedy}" for problem in refused.value.problems]


def test_an_experiment_is_parsed_into_design_shares_and_wording_texts() -> None:
    found = read(unprotected("told", arm()), PART, explanations=EXPLAINED)
    (told,) = found.design.arms
    assert (found.design.mechanism, found.design.questions[told].shares) == (6, (4000, 6000))
    assert found.wording["explanations"] == EXPLAINED
    assert found.wording["blocks"][1]["questions"][0]["wordings"] == ASKED
    # Staff pages show its keys.
    assert found.wording["blocks"][0]["questions"][0]["options"][1] == {"key": "long", "text": {"en": "long"}}


def test_explanations_change_the_wording_but_not_the_design() -> None:
    plain = read(unprotected("told", arm()), protected("b", yes_no("copied"), p=6000))
    found = read(unprotected("told", arm()), PART, explanations=EXPLAINED)
    assert found.design.design_id == plain.design.design_id
    assert found.wording_id != plain.wording_id


def test_surveys_without_an_experiment_keep_their_digests() -> None:
    found = read(protected("b", yes_no("copied"), p=6000))
    assert (found.design.design_id, found.wording_id) == (
        "5e31db58ee0f16bffeb3a8dd52fd7db389cb3d29e662c4763660aeadcf8f6fde",
        "c39e31b341f28f1ba43cf29b28498b77ccf2353ebaaf71ed3e61c3599fb499b5",
    )


@pytest.mark.parametrize(
    ("question", "said"),
    [
        (arm(short=999, long=9001), "share of an arm of told = 999 is outside 1000..9000"),
        (arm(short=5000, long=4999), "add up to 9999"),
        (arm(short=10000), "is a choice with too few options: 1"),
        (arm(**{f"o{n}": 1500 for n in range(7)}), "at most 6"),
        ({**arm(), "options": []}, "options"),
        ({**arm(), "text": {"en": "Told?"}}, "text"),
    ],
)
def test_invalid_arms_are_refused(question: dict[str, Any], said: str) -> None:
    found = problems(unprotected("told", question), protected("b", yes_no("copied")))
    assert any(said in problem for problem in found), found


def test_arm_questions_need_their_own_unprotected_block() -> None:
    other = protected("b", yes_no("copied"))
    assert "is in a protected part" in problems(protected("told", arm()), other)[0]
    two = unprotected("told", arm(), {"key": "city", "kind": "yes_no", "text": {"en": "City?"}})
    assert "give it a separate part" in problems(two, other)[0]
    many = [unprotected(f"told{n}", arm(f"told{n}")) for n in range(4)]
    assert "use at most 3" in problems(*many, other)[0]


@pytest.mark.parametrize(
    ("short", "path"),
    [("Brief.", "explanations.texts.short.en"), ("{odds} {odds}", "explanations.texts.short.en")],
)
def test_an_explanation_that_omits_the_odds_is_refused(short: str, path: str) -> None:
    stated = {"question": "told", "texts": texts(short=short, long="{odds}")}
    (found,) = problems(unprotected("told", arm()), PART, explanations=stated)
    assert found.startswith(f"{path}: this explanation must contain the odds exactly once")


@pytest.mark.parametrize(
    ("stated", "path"),
    [
        ({"question": "copied", "texts": texts(short="{odds}", long="{odds}")}, "explanations.question"),
        ({"question": "told", "texts": texts(short="{odds}")}, "explanations.texts"),
        (
            {"question": "told", "texts": texts(short="{odds}", long="{odds}", other="{odds}")},
            "explanations.texts",
        ),
        ({"question": "told", "texts": "{odds}"}, "explanations"),
        ({"question": ["told"], "texts": {}}, "explanations"),
        ({"texts": {}}, "explanations.question"),
        (
            {"question": "told", "texts": {"short": {"en": ""}, "long": {"en": "{odds}"}}},
            "explanations.texts.short.en",
        ),
    ],
)
def test_explanations_for_unknown_arms_are_refused(stated: dict[str, Any], path: str) -> None:
    found = problems(unprotected("told", arm()), PART, explanations=stated)
    assert found[0].startswith(f"{path}: "), found


def test_wordings_without_arms_and_odds_without_protected_parts_are_refused() -> None:
    assert problems(PART)[0].startswith("blocks[0].questions[0].wordings.question: ")
    opened = unprotected("you", {"key": "city", "kind": "yes_no", "text": {"en": "City?"}})
    assert problems(unprotected("told", arm()), opened, explanations=EXPLAINED)[0].startswith(
        "explanations: no part has a disguise with a limit"
    )
