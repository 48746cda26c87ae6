"""The same question keeps its key if a draft is made again from a changed text."""

from typing import Any

import pytest

from surveys.imports.drafts.imported_drafts import draft_and_keys
from surveys.imports.drafts.kept_keys import keep_keys
from surveys.imports.pasted_text import read_paste

CHINESE = "睡眠\n1. 您抽烟吗？\n- 从不\n- 有时\n2. 您喝酒吗？\n- 从不\n- 有时\n3. 您失眠吗？\n- 从不\n- 有时"


def made(text: str, *documents: dict[str, Any]) -> dict[str, Any]:
    """Return the draft of a text, made again from earlier drafts."""
    reading = read_paste(text)
    keep_keys(reading, documents)
    return draft_and_keys(reading)[0]


def keys_in(document: dict[str, Any]) -> dict[str, str]:
    """Return the keys of the questions by their first text."""
    return {
        next(iter(each["text"].values())): each["key"]
        for block in document["blocks"]
        for each in block["questions"]
    }


def test_the_same_text_gives_the_same_draft() -> None:
    for text in (
        CHINESE,
        "Work\n1. Have you lied?\n2. Why?\n- a\n- b\n3. Why?\n- c\n- d",
        "Drugs\n1. Which have you used? (tick all that apply)\n☐ Cannabis\n☐ Heroin\n☐ None of these",
    ):
        first, _keys = draft_and_keys(read_paste(text))
        assert made(text, first) == first


def test_components_of_a_score_keep_their_keys() -> None:
    def scored(text: str, *documents: dict[str, Any]) -> list[str]:
        reading = read_paste(text)
        (score,) = reading.scores
        score.is_used = True
        keep_keys(reading, documents)
        document, _keys = draft_and_keys(reading)
        made_again.append(document)
        (question,) = (each for block in document["blocks"] for each in block["questions"])
        return [question["key"], *(each["key"] for each in question["computed"]["components"])]

    made_again: list[dict[str, Any]] = []
    text = "情绪\n0 从不, 1 有时, 2 经常\n\t0\t1\t2\n1. 低落\t0\t1\t2\n2. 无聊\t0\t1\t2\n3. 疲倦\t0\t1\t2"
    text += "\n\nScore: 0-2 low, 3-6 high"
    first = scored(text)
    assert scored(text, made_again[0]) == first
    swapped = text.replace("1. 低落", "1. 失眠").replace("3. 疲倦", "3. 低落")
    again = scored(swapped, made_again[0])
    assert again[3] == first[1]
    assert again[1] not in first


def test_a_key_from_a_place_does_not_go_to_another_question() -> None:
    """Without English words, a key is a place: a new first question got the key of the old one."""
    first = made(CHINESE)
    again = made(CHINESE.replace("1. 您抽烟吗", "1. 您打鼾吗？\n- 从不\n- 有时\n2. 您抽烟吗"), first)
    before, after = keys_in(first), keys_in(again)
    assert {text: after[text] for text in before} == before
    assert after["您打鼾吗？"] not in before.values()


def test_a_key_from_the_first_words_does_not_go_to_another_question() -> None:
    first = made("Sleep\n1. Have you taken a pill to fall asleep?")
    again = made("Sleep\n1. Have you taken a pill to fall in love with someone at work?", first)
    assert not {*keys_in(first).values()} & {*keys_in(again).values()}


def test_a_corrected_question_keeps_its_key() -> None:
    first = made("睡眠\n1. 您最近一个月有没有吃安眠药帮助入睡？\n- 从不\n- 有时")
    again = made("睡眠\n1. 您最近一个月有没有吃安眠药来帮助入睡？\n- 从不\n- 有时", first)
    assert [*keys_in(first).values()] == [*keys_in(again).values()]


def test_answers_keep_their_keys_too() -> None:
    first = made(CHINESE)
    again = made(CHINESE.replace("- 从不\n- 有时\n2.", "- 从不\n- 很少\n- 有时\n2."), first)

    def answers(document: dict[str, Any]) -> dict[str, str]:
        (own,) = (
            each["options"] for block in document["blocks"] for each in block["questions"]
            if "您抽烟吗？" in each["text"].values()
        )  # fmt: skip
        return {next(iter(option["text"].values())): option["key"] for option in own}

    before, after = answers(first), answers(again)
    assert {text: after[text] for text in before} == before
    assert after["很少"] not in before.values()


def test_lines_of_a_list_keep_their_keys() -> None:
    text = "药物\n1. 您用过哪些？（可多选）\n☐ 大麻\n☐ 海洛因\n☐ 可卡因"
    first = made(text)
    again = made(text.replace("☐ 大麻", "☐ 酒精\n☐ 大麻"), first)
    before, after = keys_in(first), keys_in(again)
    assert len(before) == 3
    assert {name: after[name] for name in before} == before
    assert after["酒精"] not in before.values()


def test_conditions_name_the_new_keys() -> None:
    text = (
        "Work\n1. Do you smoke? [open]\n2. (only if 1 = yes) How often?\n- daily\n- weekly\n3. Do you drink?"
    )
    first = made(text)
    again = made(text.replace("Do you smoke?", "Does anyone smoke where you live?"), first)
    (condition,) = (block["asked_if"] for block in again["blocks"] if "asked_if" in block)
    assert condition["question"] in keys_in(again).values()
    assert condition["question"] == keys_in(again)["Does anyone smoke where you live?"]
    assert condition["question"] not in keys_in(first).values()


@pytest.mark.parametrize(
    "document", [{}, {"blocks": 3}, {"blocks": [{"questions": [7, {"key": 3}, {"key": "a", "text": 4}]}]}]
)
def test_a_malformed_draft_is_ignored(document: dict[str, Any]) -> None:
    assert len(keys_in(made(CHINESE, document))) == 3


def test_a_published_version_keeps_its_keys_for_its_questions() -> None:
    """A restored question counts as before; no other question may use its key."""
    first = made(CHINESE)
    without = made(CHINESE.replace("\n3. 您失眠吗？\n- 从不\n- 有时", ""), first)
    other = made(CHINESE.replace("您失眠吗", "您打鼾吗"), without, first)
    assert keys_in(other)["您打鼾吗？"] not in keys_in(first).values()
    assert keys_in(made(CHINESE, without, first)) == keys_in(first)
