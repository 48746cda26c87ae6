"""Which changes of form are proposed for the questions of a design."""

import itertools
from collections.abc import Collection, Iterator
from dataclasses import replace
from typing import Any

import pytest

from privacy.planning.design_forms import DesignDraft
from privacy.planning.forms import (
    FormChange,
    forms_of_design,
    joined,
    merged_key,
    possible_orders,
    questions_between,
)
from privacy.planning.use import Goal
from privacy.survey.block import Block
from privacy.survey.conditions import Condition
from privacy.survey.design import Design, Question
from privacy.survey.group_policy import GroupPolicy

CHOICE = Question(key="age", kind="single", options=("a", "b", "c"), unrelated=(3334, 3333, 3333))
LINES = [Question(key=key, kind="yes_no", options=(), unrelated=(5000,)) for key in ("x", "y")]
DESIGN = Design(
    blocks=(Block(key="b", protected=True, truth_probability=5000, questions=(CHOICE, *LINES)),),
    group=GroupPolicy(),
    use="live",
)
STEMS = {"age": "", "x": "acts", "y": "acts"}


def codes(*wanted: str, **more: Collection[Any]) -> list[str]:
    aim = Goal(people=400, wanted=wanted)
    return [form.code for form in forms_of_design(DESIGN, aim, stems=STEMS, **more)]


def test_lists_come_first_and_stars_are_never_left_out() -> None:
    alike = ["leave_out,x", "leave_out,y"]
    assert codes() == ["one_answer,acts", "merge,age,b,c", "lines,age", "leave_out,age", *alike]
    assert codes("age=a") == ["one_answer,acts", "merge,age,b,c", "one_option,age,a", *alike]
    assert codes("x") == ["merge,age,b,c", "lines,age", "leave_out,age", "leave_out,y"]


def test_an_answer_that_gives_none_is_only_merged_with_another_such_one() -> None:
    assert not [code for code in codes(apart={"age=c"}) if code.startswith("merge")], "nothing would be asked"
    assert "merge,age,b,c" in codes(apart={"age=b", "age=c"})
    assert not [code for code in codes(apart={"age=b"}) if code.startswith("merge")]


def test_opposites_are_never_merged() -> None:
    """The plan proposed to merge "Yes" and "No"."""
    assert "merge,age,b,c" in codes()
    assert "merge,age,a,b" in codes(opposed=[frozenset({"age=b", "age=c"})])
    both = [frozenset({"age=a", "age=b"}), frozenset({"age=b", "age=c"})]
    assert not [code for code in codes(opposed=both) if code.startswith("merge")]


def test_a_list_of_one_line_is_not_sent_as_one_answer() -> None:
    """It is one already."""
    for stems, is_offered in (({"x": "acts", "y": "acts"}, True), ({"x": "acts", "y": "words"}, False)):
        kinds = {form.kind for form in forms_of_design(DESIGN, Goal(people=400), stems=stems)}
        assert ("one_answer" in kinds) == is_offered


def test_a_star_can_move_to_the_end_but_not_out_of_its_list() -> None:
    """Two neighbours share a part more easily; a line stays in its list."""
    assert codes("age=a", "x")[-1] != "after,x,age"
    plain = replace(DESIGN.blocks[0], questions=(*LINES, CHOICE))
    design = replace(DESIGN, blocks=(plain,))
    found = forms_of_design(design, Goal(people=400, wanted=("x", "age=a")), stems={})
    assert [form.code for form in found][-2:] == ["after,age,x", "after,x,y"]


def between(*moved: Block, before: tuple[Block, ...] = ()) -> Design:
    """Return three protected questions, the first before other blocks and two after them."""
    first, *last = (replace(LINES[0], key=key) for key in ("one", "two", "three"))
    parts = (replace(DESIGN.blocks[0], key="p", questions=(first,)),
             replace(DESIGN.blocks[0], key="q", questions=tuple(last)))  # fmt: skip
    return replace(DESIGN, blocks=(*before, parts[0], *moved, parts[1]))


def plain(key: str, count: int = 1, **members: Any) -> Block:
    questions = tuple(replace(CHOICE, key=f"{key}{number}", unrelated=()) for number in range(count))
    return Block(key=key, protected=False, truth_probability=10_000, questions=questions, **members)


def test_up_to_four_questions_between_protected_ones_move_behind_them() -> None:
    design = between(plain("age", 2), plain("sex", 2))
    keys = ["age0", "age1", "sex0", "sex1"]
    assert list(questions_between(design)) == [(keys, "three")]
    assert list(possible_orders(design, Goal(people=400), {})) == [("age0", ("three", *keys[1:]))]
    assert list(questions_between(between(plain("age", 3), plain("sex", 2)))) == []
    # Questions at the start or the end are not between protected ones.
    ends = replace(design, blocks=(plain("age"), *design.blocks[:1], plain("sex")))
    assert list(questions_between(ends)) == []


@pytest.mark.parametrize(
    ("stars", "moves"),
    [
        ("b", [("b", ("e",))]),
        ("bc", [("b", ("e", "c"))]),
        # The first and the last question have such neighbours already.
        ("a", []),
        ("e", []),
        ("ab", []),
        # Two stars move next to each other: the second after the first, or the first before the second.
        ("bd", [("d", ("b",)), ("b", ("c",))]),
        ("ae", [("e", ("a",)), ("a", ("d",))]),
        # A line of a list does not leave it.
        ("x", []),
        ("bx", []),
    ],
)
def test_stars_move_to_the_end_or_next_to_each_other(stars: str, moves: list[Any]) -> None:
    block = replace(DESIGN.blocks[0], questions=tuple(replace(LINES[0], key=key) for key in "abcde"))
    lines = replace(DESIGN.blocks[0], key="x", questions=(replace(LINES[0], key="x"),))
    design = replace(DESIGN, blocks=(block, plain("sex", 5), lines))
    assert list(possible_orders(design, Goal(people=400, wanted=tuple(stars)), {"x": "acts"})) == moves


def test_questions_with_a_condition_do_not_move() -> None:
    asked_if = Condition(question="way0", options=("a",))
    way, age = plain("way"), plain("age")
    assert list(questions_between(between(age, before=(way,)))) == [(["age0"], "three")]
    assert list(questions_between(between(replace(age, asked_if=asked_if), before=(way,)))) == []


def test_questions_stored_as_answered_keep_their_form() -> None:
    design = replace(DESIGN, blocks=(plain("sex"), *DESIGN.blocks))
    found = [form.code for form in forms_of_design(design, Goal(people=400), stems=STEMS)]
    assert found == codes()


def test_answers_that_something_names_stay_and_complete_lists_are_not_summed_up() -> None:
    assert codes(named={"age"}, complete={"acts"}) == ["leave_out,age", "leave_out,x", "leave_out,y"]


@pytest.mark.parametrize("code", ["lines,age", "merge,age,60,70", "leave_out,q"])
def test_a_code_is_read_again(code: str) -> None:
    assert FormChange.of_code(code).code == code


def merges(options: tuple[str, ...]) -> Iterator[tuple[FormChange, ...]]:
    """Yield every sequence of merges of two neighbours that leaves at least two answers."""
    yield ()
    if len(options) == 2:
        return
    for place, pair in enumerate(itertools.pairwise(options)):
        left = (*options[:place], merged_key(pair[0]), *options[place + 2 :])
        for rest in merges(left):
            yield (FormChange(kind="merge", key="age", options=pair), *rest)


def groups(forms: tuple[FormChange, ...]) -> list[str]:
    """Return the answers that are left of six, each with the first ones that it merges."""
    options = tuple("abcdef")
    asked = replace(CHOICE, options=options, unrelated=(1667, 1667, 1667, 1667, 1666, 1666))
    block = replace(DESIGN.blocks[0], questions=(asked, LINES[0]))
    draft = DesignDraft(questions=replace(DESIGN, blocks=(block,)), goal=Goal(people=400))
    made = draft.formed(forms)
    assert isinstance(made, DesignDraft)
    left = made.questions.questions[0].options
    return [made.names.get(f"age={option}", f"={option}").partition("=")[2] for option in left]


def test_merges_are_joined_to_one_per_answer_with_the_same_result() -> None:
    """All sequences, also those that merge merged answers with each other."""
    sequences = [*merges(tuple("abcdef"))]
    # 5 * 4 * 3 * 2 of four merges, and their beginnings.
    assert len(sequences) == 1 + 5 + 20 + 60 + 120
    for forms in sequences:
        whole = joined(forms)
        assert groups(whole) == groups(forms), [form.code for form in forms]
        # Each answer is merged once, and each change is needed.
        named = [option for form in whole for option in form.options]
        assert sorted(named) == sorted({each for each in named if len(each) == 1})


def test_other_changes_stay_beside_joined_merges() -> None:
    first, second = (FormChange(kind="merge", key=key, options=("a", "b")) for key in ("age", "job"))
    out = FormChange(kind="leave_out", key="x")
    last = FormChange(kind="merge", key="age", options=("a+", "c"))
    assert joined([first, second, out, last]) == (replace(first, options=("a", "b", "c")), second, out)


def test_answers_are_not_merged_to_one_whose_key_is_taken() -> None:
    """Otherwise the key of the merged answer would be another one, and the change could not be joined."""
    taken = replace(CHOICE, options=("a", "b", "b+"))
    block = replace(DESIGN.blocks[0], questions=(taken,))
    found = forms_of_design(replace(DESIGN, blocks=(block,)), Goal(people=400), stems={})
    assert [form.code for form in found if form.kind == "merge"] == ["merge,age,a,b"]
