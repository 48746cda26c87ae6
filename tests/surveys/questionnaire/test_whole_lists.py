"""Lists of which each person is asked every line or none."""

from typing import Any

import pytest

from privacy.planning.layouts import Whole
from surveys.questionnaire.aim import Aim
from surveys.questionnaire.checks.lists import check_lists
from surveys.questionnaire.definition import definition_without_texts
from surveys.questionnaire.draft_plan import Plan, plan
from surveys.questionnaire.plan_changes import changes, costs
from surveys.questionnaire.stems import in_full
from surveys.questionnaire.whole_lists import is_other, whole_lists, whole_sentences
from tests.fixtures.checked_surveys import protected, yes_no
from tests.surveys.questionnaire.test_stems import document, line, stem

OTHER = line("o", text={"en": "Other drugs"})
BOXES = [stem() | {"look": "boxes"}]


def lists_of(of: dict[str, Any]) -> list[tuple[tuple[str, ...], tuple[str, ...], bool]]:
    return [(each.lines, each.referring, each.whole.has_one_coin) for each in whole_lists(of)]


def test_lists_with_lines_that_refer_to_the_others_stay_whole() -> None:
    part = protected("b", yes_no("x"), line("a"), line("c"))
    assert lists_of(document(part)) == []
    assert lists_of(document({**part, "exclusive": [["x", "a"]]})) == [(("a", "c"), ("a",), True)]
    assert lists_of(document(protected("b", line("a"), OTHER))) == [(("a", "o"), ("o",), False)]
    assert lists_of(document(part, stems=BOXES)) == [(("a", "c"), (), True)]
    # A list in two parts is one list, and a list of one line cannot be split.
    assert lists_of(document(protected("b", line("a")), protected("c", OTHER)))[0][0] == ("a", "o")
    assert lists_of(document(protected("b", OTHER))) == []


def test_the_planner_gets_the_keys() -> None:
    (found,) = whole_lists(document(protected("b", line("a"), OTHER)))
    assert found.whole == Whole(questions=("a", "o"))


@pytest.mark.parametrize(
    ("text", "is_one"),
    [
        ("Other", True),
        ("Any other drug", True),
        ("Something else", True),
        ("其他药物", True),
        ("Sonstiges", True),
        ("Eine andere Droge", True),
        ("Otra sustancia", True),
        ("D’autres médicaments", True),
        ("Qualcos’altro", True),
        ("Anders, namelijk", True),
        ("Outro", True),
        ("Inne leki", True),
        ("Другое", True),
        ("Diğer", True),
        ("Lainnya", True),
        ("अन्य", True),
        ("أخرى", True),
        ("Ein Anderssein", False),
        ("Autrement", False),
        ("Heroin", False),
        ("Each other", False),
        ("Otherwise", False),
        ("用过其他人的处方", False),
    ],
)
def test_a_line_other_is_recognised(text: str, is_one: bool) -> None:
    assert is_other({"en": text}) == is_one


def drafted(*lines: dict[str, Any], stems: Any = None, **members: Any) -> dict[str, Any]:
    """Return a draft of six yes/no questions and a list, both of which can be skipped."""
    six = protected("b", *(yes_no(f"q{number}") for number in range(6)), refusal=1000)
    return document(six, protected("l", *lines, refusal=1000, **members), stems=stems)


def planned(of: dict[str, Any], **aim: Any) -> Plan:
    definition = definition_without_texts(of)
    assert definition is not None
    found = plan(definition, Aim(**{"people": 400} | aim))
    assert found is not None
    return found


LINES = [line(f"l{number}") for number in range(7)]


@pytest.mark.soak
@pytest.mark.parametrize("people", [100, 400, 2000, 20_000])
@pytest.mark.parametrize("wanted", [(), ("q0", "q1"), ("l0",), ("q0", "l1")])
@pytest.mark.parametrize(
    ("stems", "exclusive"),
    [(None, None), (None, [["l0", "l1"]]), (BOXES, None)],
    ids=["other", "pair", "boxes"],
)
def test_no_plan_splits_a_list_whose_lines_belong_together(
    people: int, wanted: tuple[str, ...], stems: Any, exclusive: Any
) -> None:
    last = [] if stems or exclusive else [OTHER]
    members = {"exclusive": exclusive} if exclusive else {}
    found = planned(drafted(*LINES, *last, stems=stems, **members), people=people, wanted=wanted)
    design = found.definition.design
    keys = [question.key for question in design.questions]
    listed = [number for number, key in enumerate(keys) if key.startswith(("l", "o"))]
    # Everyone who is asked a line is asked all.
    assert {design.drawn_together([number]) for number in listed} == {design.drawn_together(listed)}
    assert not [each for each in check_lists(in_full(found.document), design) if each.code == "split_list"]
    if stems or exclusive:
        assert len({design.block_of(number) for number in listed}) == 1
    if exclusive:
        (block,) = (each for each in found.document["blocks"] if "exclusive" in each)
        assert block["exclusive"] == exclusive
    # The order of the lines stays.
    assert [key for key in keys if key.startswith(("l", "o"))] == [each["key"] for each in [*LINES, *last]]


def test_lists_without_such_a_line_take_turns() -> None:
    """±18.4 points with 400 people who may decline; the whole list of the same length costs more."""
    split, whole = planned(drafted(*LINES, line("l7"))), planned(drafted(*LINES, OTHER))
    assert max(split.use.half_widths.values()) < 0.185
    assert split.definition.design.blocks[0].is_rotating
    assert max(whole.use.half_widths.values()) > 2 * max(split.use.half_widths.values())
    assert not whole.is_useful


def test_the_plan_proposes_to_leave_the_line_out() -> None:
    definition = definition_without_texts(drafted(*LINES, OTHER))
    assert definition is not None
    found = changes(definition, Aim(people=400))
    left_out = [[form.code for form in change.forms] for change in found]
    assert ["leave_out,o"] in left_out, left_out


def test_the_cost_of_the_line_that_keeps_a_list_whole_is_its_own() -> None:
    """It was that of any other yes/no question, because these cost the same."""
    definition = definition_without_texts(drafted(*LINES, OTHER))
    assert definition is not None
    widest = {key: max(use.half_widths.values()) for key, use in costs(definition, Aim(people=400)).items()}
    assert widest["o"] < 0.185
    assert min(width for key, width in widest.items() if key != "o") > 2 * widest["o"]


def test_the_plan_says_what_stays_whole_and_why() -> None:
    (said,) = whole_sentences(drafted(*LINES, OTHER))
    assert said == (
        "Everyone who is asked the list “Which have you used?” is asked all of its 8 lines. “Other drugs” "
        "refers to the other lines, so they stay together. If you remove this line, each person can be asked "
        "some of the others."
    )
    (boxes,) = whole_sentences(drafted(*LINES, stems=BOXES))
    assert boxes.endswith("Its boxes are seen at once. With yes or no on each line, lines can take turns.")
    of = drafted(*LINES, OTHER)
    of["blocks"][1] = {"key": "l", "protected": False, "questions": of["blocks"][1]["questions"]}
    assert whole_sentences(of) == []
