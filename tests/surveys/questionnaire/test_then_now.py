"""Two questions may ask one thing for two times only if their texts differ in words for a time alone."""

from typing import Any

import pytest

from surveys.questionnaire.definition import definition_without_texts
from surveys.questionnaire.then_now import two_times
from tests.fixtures.checked_surveys import document_of, protected, unprotected, yes_no


def asked(key: str, text: str, tag: str = "en") -> dict[str, Any]:
    return {**yes_no(key), "text": {tag: text}}


def pairs(document: dict[str, Any]) -> list[tuple[str, str]]:
    definition = definition_without_texts(document)
    assert definition is not None
    return [*two_times(document, definition.design)]


def found(one: str, other: str, tag: str = "en") -> list[tuple[str, str]]:
    document = document_of(protected("p", asked("a", one, tag)), protected("q", asked("b", other, tag)))
    return pairs(document)


@pytest.mark.parametrize(
    ("then", "now", "tag"),
    [
        ("Did you smoke a year ago?", "Do you smoke now?", "en"),
        ("Were you in debt in the last 12 months?", "Are you in debt at the moment?", "en"),
        ("Have you hit someone in the past year?", "Have you hit someone this month?", "en"),
        ("Did you cheat in 2019?", "Did you cheat in 2024?", "en"),
        ("Did you pay bribes before?", "Do you pay bribes?", "en"),
        ("Were you bullied at school in 2019?", "Are you being bullied at school now?", "en"),
        ("Were you drinking at work a year ago?", "Do you drink at work now?", "en"),
        ("Have you been in debt in the past year?", "Are you in debt at present?", "en"),
        ("Did you use to gamble before?", "Do you gamble now?", "en"),
        ("你2019年作弊了吗？", "你2024年作弊了吗？", "zh-hans"),
        ("你一年前抽烟吗？", "你现在抽烟吗？", "zh-hans"),
        ("过去12个月你用过毒品吗？", "你目前用毒品吗？", "zh-hans"),
        ("Hast du 2019 geraucht?", "Hast du 2024 geraucht?", "de"),
    ],
)
def test_times_are_found_in_either_order_of_the_questions(then: str, now: str, tag: str) -> None:
    assert found(then, now, tag) == [("a", "b")]
    # Without a word for now or a year, the first question is the earlier one.
    is_named = now != "Do you pay bribes?"
    assert found(now, then, tag) == ([("b", "a")] if is_named else [("a", "b")])


@pytest.mark.parametrize(
    ("one", "other", "tag"),
    [
        ("Did you smoke a year ago?", "Do you drink now?", "en"),
        ("Do you smoke now?", "Do you smoke now?", "en"),
        ("Do you smoke?", "Did you smoke?", "en"),
        ("Have you ever smoked?", "Do you smoke now?", "en"),
        ("Did you hit your wife last year?", "Did you hit your child last year?", "en"),
        ("Now?", "A year ago?", "en"),
        ("Were you bribed in 2019?", "Did you bribe in 2024?", "en"),
        ("Have you been hit in the past year?", "Have you hit this month?", "en"),
        ("Were you cheated last year?", "Do you cheat now?", "en"),
        ("Would you cheat now?", "Did you cheat last year?", "en"),
        ("Will you smoke this year?", "Did you smoke last year?", "en"),
        ("Have you stolen more than 2000 euros?", "Have you stolen more than 1950 euros?", "en"),
        ("Have you paid a bribe of 2000 dollars?", "Have you paid a bribe of 1900 dollars?", "en"),
        ("Have you had an accident at work?", "Have you drunk alcohol at work this year?", "en"),
        ("Do you drink before work?", "Do you drink after work?", "en"),
        ("Hast du mehr als 2000 € gestohlen?", "Hast du mehr als 1950 € gestohlen?", "de"),
        ("你偷过2000元吗？", "你偷过1950元吗？", "zh-hans"),
        ("你去年被打过吗？", "你去年打过人吗？", "zh-hans"),
        ("你曾经抽烟吗？", "你现在抽烟吗？", "zh-hans"),
        ("Hast du vor einem Jahr geraucht?", "Rauchst du jetzt?", "de"),
    ],
)
def test_other_texts_are_not_taken_for_two_times(one: str, other: str, tag: str) -> None:
    assert found(one, other, tag) == []


def test_only_protected_questions_that_everyone_is_asked_are_two_times() -> None:
    then, now = asked("a", "Did you smoke a year ago?"), asked("b", "Do you smoke now?")
    plain = {name: then[name] for name in ("key", "kind", "text")}
    assert pairs(document_of(unprotected("p", plain), protected("q", now))) == []
    open_part = unprotected("o", {"key": "c", "kind": "yes_no", "text": {"en": "Are you well?"}})
    routed = {**protected("q", now), "asked_if": {"question": "c", "options": ["yes"]}}
    assert pairs(document_of(open_part, protected("p", then), routed)) == []
    assert pairs(document_of(open_part, protected("p", then), protected("q", now))) == [("a", "b")]
