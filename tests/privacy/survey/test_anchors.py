from typing import Any

import pytest

from privacy.errors import PrivacyError
from privacy.survey.anchors import ANCHOR_TEXTS, ANCHOR_TITLE, anchor_key, anchor_members, anchor_of
from privacy.survey.design import Design, Question
from privacy.survey.question import Anchor
from tests.vectors.designs import live, shielded, yes_no


def part(true_of: Anchor = "nobody", **changes: Any) -> dict[str, Any]:
    asked = {"key": anchor_key(true_of), "kind": "yes_no", "text": dict(ANCHOR_TEXTS[true_of])}
    return {"protected": True, "title": dict(ANCHOR_TITLE), "questions": [asked | changes]}


@pytest.mark.parametrize("true_of", ANCHOR_TEXTS)
@pytest.mark.parametrize("languages", [("en",), ("zh-hans",), ("en", "zh-hans")])
def test_check_questions_are_recognised_in_each_language(true_of: Anchor, languages: tuple[str, ...]) -> None:
    def said(text: Any) -> dict[str, str]:
        return {tag: text[tag] for tag in languages}

    block = part(true_of, text=said(ANCHOR_TEXTS[true_of])) | {"title": said(ANCHOR_TITLE)}
    assert anchor_of(block) == true_of


@pytest.mark.parametrize(
    "block",
    [
        {},
        part() | {"protected": False},
        part() | {"protected": 1},
        part() | {"title": None},
        part() | {"title": {}},
        part() | {"questions": None},
        part() | {"questions": [None]},
        part() | {"questions": []},
        part(text={}),
        part(text=None),
        part(text="I was born on 30 February."),
        part(text={"en": ["I was born on 30 February."]}),
        part(text={"en": "I was born on 30 February.", "de": "Ich habe abgeschrieben."}),
        part(key=["anchor-nobody"]),
    ],
)
def test_reworded_check_questions_are_not_recognised(block: dict[str, Any]) -> None:
    assert anchor_of(block) == ""


def test_stored_designs_accept_only_valid_anchor_values() -> None:
    (question,) = live(shielded("b", 6000, yes_no("anchor-nobody", 5000))).questions
    plain = {"key": question.key, "kind": "yes_no", "options": (), "unrelated": (5000,)}
    for value in ("somebody", None, ["nobody"]):
        with pytest.raises(PrivacyError):
            Question(**plain, anchor=value)  # type: ignore[arg-type]
    stored = live(shielded("b", 6000, Question(**plain, anchor="nobody"))).to_json()  # type: ignore[arg-type]
    assert Design.from_json(stored).questions[0].anchor == "nobody"
    stored["blocks"][0]["questions"][0]["anchor"] = ""
    with pytest.raises(PrivacyError, match="anchor"):
        Design.from_json(stored)


def test_check_questions_copy_the_coin_of_the_previous_protected_block() -> None:
    open_part = {"protected": False, "questions": []}
    assert anchor_members([open_part, {}], 1) is None
    coin = {"protected": True, "truth_probability": 2, "questions": [{"kind": "single", "key": "mood"}]}
    assert anchor_members([coin, open_part, {}], 2)["truth_probability"] == 2


@pytest.mark.parametrize("where", ["block", "help", "wordings"])
def test_a_check_question_with_further_texts_is_an_ordinary_one(where: str) -> None:
    text = {"en": "Think of last year."}
    block = part() | {"help": text} if where == "block" else part(**{where: text})
    assert anchor_of(block) == ""
