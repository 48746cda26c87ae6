from surveys.questionnaire.filled_texts import with_texts
from tests.fixtures.everyday import everyday_definition


def test_complete_definitions_stay_unchanged() -> None:
    document = everyday_definition()
    assert with_texts(document) == document


def test_missing_texts_of_practice_surveys_have_numbers_and_the_title_its_first_words() -> None:
    part = {"questions": [{"text": {"en": "Did you copy?"}}, {"options": [{"text": {"en": "Yes"}}, {}]}]}
    filled = with_texts({"languages": ["en", "zh-hans"], "title": {"en": ""}, "blocks": [part]})
    assert filled["title"] == {"en": "Did you copy?", "zh-hans": "Did you copy?"}
    second = filled["blocks"][0]["questions"][1]
    assert second["text"] == {"en": "Question 2", "zh-hans": "第 2 题"}
    assert second["options"][1]["text"] == {"en": "Answer 2", "zh-hans": "选项 2"}
