import pytest
from hypothesis import given
from hypothesis import strategies as st

from surveys.questionnaire.labels import labels_of, pack_items, question_names, unpack_items
from tests.cast.runs import published


@given(st.lists(st.integers(0, 4000), unique=True).map(sorted).map(tuple))
def test_packed_items_are_read_back_as_they_were(items: tuple[int, ...]) -> None:
    assert unpack_items(pack_items(items)) == items


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
