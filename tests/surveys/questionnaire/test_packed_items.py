from surveys.questionnaire.packed_items import pack_items


def test_packed_itemsets_match_complete_item_numbers_only() -> None:
    assert ",1," in pack_items((1, 11))
    assert ",1," not in pack_items((11, 21))
