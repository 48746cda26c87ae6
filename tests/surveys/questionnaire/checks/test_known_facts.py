"""Facts that others know, in protected parts."""

import pytest

from surveys.questionnaire.checks.known_facts import suggests_quasi_identifier
from surveys.questionnaire.findings import Level
from tests.fixtures.checked_surveys import codes, findings_of, protected, several, unprotected, yes_no


def test_known_facts_are_refused_with_what_they_reveal() -> None:
    (found,) = findings_of(protected("b", yes_no("steal"), yes_no("smoke", known=True)))
    assert (found.code, found.level, found.path) == ("known_fact", Level.REFUSE, "blocks[0].questions[1]")
    # p/(p + (1-p) q) = .5/(.5 + .25).
    assert "smoke" in found.message
    assert "can conclude that the whole part is true" in found.message


def test_known_facts_are_allowed_in_open_parts() -> None:
    question = {"key": "age", "kind": "yes_no", "text": {"en": "Were you born before 1990?"}}
    assert codes(unprotected("you", question), protected("b", yes_no("steal"))) == []


@pytest.mark.parametrize(
    "text",
    [
        {"en": "How old were you when you moved here?"},
        {"en": "Are you a woman?"},
        {"en": "Gender"},
        {"en": "Are you over 40?"},
        {"en": "What is your postal code?"},
        {"en": "Which city do you work in, and is it far?"},
        {"en": "Are you 18 or older?"},
        {"en": "In your twenties?"},
        {"en": "Where are you from?"},
        {"en": "Do you live in Berlin?"},
        {"en": "Are you married?"},
        {"en": "What is your a\u00adge?"},
        {"en": "Ｈｏｗ  ｏｌｄ are you?"},
        {"en": "您是90后吗？"},
        {"en": "您年满三十了吗？"},
        {"en": "您 的 年齡"},
        {"en": "你属什么生肖？"},
        {"en": "您是哪里人？"},
        {"en": "您是女士吗？"},
        {"en": "您结婚了吗？"},
        {"en": "Did it happen?", "zh-hans": "你的年龄超过三十吗？"},
        {"en": "Did it happen?", "zh-hans": "你是男性吗？"},
    ],
)
def test_questions_about_age_sex_or_place_are_flagged(text: dict[str, str]) -> None:
    changes = {"languages": list(text)} if len(text) > 1 else {}
    question = yes_no("q", text=text)
    if len(text) > 1:
        assert suggests_quasi_identifier(text) is not None
        return
    assert codes(protected("b", question), **changes) == [("looks_known", "blocks[0].questions[0]")]
    assert codes(protected("b", {**question, "known": False}), **changes) == []


@pytest.mark.parametrize(
    "text",
    [
        "Have you ever cheated in an exam?",
        "Did you manage to stop?",
        "Do you feel old?",
        "Do you work over 50 hours a week?",
        "你作过弊吗？",
        "Are you content with your sex life?",
        "Were you harassed by a male colleague?",
        "Do you live in fear of someone?",
        "Are you under 20 hours of work a week?",
        "您最近压力有多大？",
        "你被男性骚扰过吗？",
        "您是否伤害过与您住在一起的人？",
        "您是否与已婚人士交往过？",
    ],
)
def test_other_questions_are_not_flagged_as_known(text: str) -> None:
    assert suggests_quasi_identifier({"en": text}) is None


@pytest.mark.parametrize(
    "text",
    [
        "How old were you when you first drank?",
        "Have you been raped since you turned 18?",
        "Did your husband beat you in the city where you were born?",
    ],
)
def test_sensitive_questions_with_a_word_for_a_known_fact_are_not_flagged(text: str) -> None:
    assert suggests_quasi_identifier({"en": text}) is not None
    assert codes(protected("b", yes_no("q", text={"en": text}))) == []


def test_options_also_identify_quasi_identifiers() -> None:
    sexes = {**several("s", "Male", "Female", unrelated=[5000] * 2, prevalence=[5000] * 2), "kind": "single"}
    assert codes(protected("b", sexes)) == [("looks_known", "blocks[0].questions[0]")]
    assert suggests_quasi_identifier({"en": "Which?", "zh-hans": "哪一个？"}, [{"zh-hans": "女"}]) == "女"
    assert suggests_quasi_identifier({"en": "Which?"}, [{"en": "Female managers"}]) is None


def test_help_texts_are_checked_for_known_facts_too() -> None:
    question = yes_no("over", text={"en": "Over forty?"}, help={"en": "Your age on the day of this survey."})
    assert codes(protected("b", question)) == [("looks_known", "blocks[0].questions[0]")]
