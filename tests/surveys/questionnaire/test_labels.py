import pytest

from surveys.questionnaire.labels import labels_of, pack_items, question_names
from tests.fixtures import devices
from tests.fixtures.devices import shipped_definition
from tests.fixtures.runs import published


def test_an_item_is_found_in_a_packed_itemset_and_never_inside_another_number() -> None:
    assert ",1," in pack_items((1, 11))
    assert ",1," not in pack_items((11, 21))


@pytest.mark.django_db
def test_items_are_named_by_question_and_option() -> None:
    version = published()
    labels = labels_of(version, version.to_design())
    assert labels.short((1, 2)) == "age: 40 or older, late"
    assert labels.keys((1, 2)) == "age=old & late"
    assert [item.protected for item in labels.items] == [False, False, True, True, True]
    assert labels.items[1].text == "How old are you?"
    assert labels.choices()[4] == (4, "drink")


@pytest.mark.django_db
def test_a_name_says_what_its_question_asks_and_what_its_items_stand_for() -> None:
    version = published()
    names = question_names(version, version.to_design())
    assert [name.key for name in names[:2]] == ["age", "late"]
    assert (names[0].text, names[0].answers) == (
        "How old are you?",
        (("age=young", "Below 40"), ("age=old", "40 or older")),
    )
    assert (names[1].text, names[1].answers) == ("Are you often late?", (("late", "yes"),))


@pytest.mark.django_db
def test_a_question_that_nobody_named_is_called_by_its_text() -> None:
    """A report on ``question-5 -> question-3`` has to be decoded."""
    texts = {
        "question-1": "Have you kept a mistake of your own to yourself in the past year?",
        "question-2": "Did you sleep badly?",
        "question-3": "Did you sleep badly?",
        "thirst": "Are you thirsty?",
    }
    questions = [
        {
            "key": key,
            "kind": "yes_no",
            "known": False,
            "text": {"en": text, "zh-hans": text},
            "unrelated": [5000],
            "prevalence": [2000],
        }
        for key, text in texts.items()
    ]
    blocks = [shipped_definition()["blocks"][1] | {"key": "all", "questions": questions}]
    version = devices.published(shipped_definition(slug="unnamed", blocks=blocks))
    labels = labels_of(version, version.to_design())
    assert [item.short for item in labels.items] == [
        "Have you kept a mistake of your own to…",
        "Did you sleep badly (question-2)",
        "Did you sleep badly (question-3)",
        "thirst",
    ]
    # Files and commands call them as before.
    assert labels.keys((0, 3)) == "question-1 & thirst"
