"""Findings call answers by their texts."""

from surveys.questionnaire.checks.entry_names import entry_name, item_names
from tests.vectors.designs import choice
from tests.vectors.designs import yes_no as asked


def test_a_long_text_is_cut_and_a_missing_one_is_its_key() -> None:
    long = "How often did you drink something before work during the last twelve months of the year?"
    name = entry_name({"key": "q", "text": {"en": long}})
    assert name.endswith("…")
    assert long.startswith(name[:-1])
    assert entry_name({"key": "worded-by-arm"}) == "worded-by-arm"


def test_the_items_of_a_choice_are_its_answers_and_a_yes_or_no_question_is_one() -> None:
    options = [
        {"key": f"o{place}", "text": {"en": text}} for place, text in enumerate(("Never", "Once", "Often"))
    ]
    entry = {"key": "age", "text": {"en": "How often?"}, "options": options}
    question = choice("age", options=3)
    assert list(item_names(entry, question).values()) == ["Never", "Once", "Often"]
    assert list(item_names(entry, question)) == list(question.item_keys)
    entry = {"key": "lied", "text": {"en": "Did you lie?"}}
    assert item_names(entry, asked("lied", 5000)) == {"lied": "Did you lie?"}
