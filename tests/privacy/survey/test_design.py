import hashlib
import pickle
from dataclasses import replace
from fractions import Fraction
from typing import Any

import pytest

from privacy.scales.number_range import NumberRange
from privacy.scales.numeric_mechanisms import shift
from privacy.survey.column_names import asked_name, group_name, skipped_name
from privacy.survey.design import Condition, Design, GroupPolicy, Question
from privacy.survey.layout import Layout
from privacy.survey.rotation import Rotation
from tests.fixtures.refusals import refused
from tests.vectors.composite_designs import acts, sent
from tests.vectors.designs import CHOICE, DESIGNS, assigned, choice, live, opened, shielded, study, yes_no
from tests.vectors.scale_designs import scale_block

AFFAIR = shielded("a", 6000, yes_no("affair", 5000))


@pytest.mark.parametrize(("p", "named"), [(0, "p = 0"), (10_000, "p = 1 (10000 ten-thousandths)")])
def test_only_live_designs_need_a_truth_probability_between_0_and_1(p: int, named: str) -> None:
    block = shielded("a", p, yes_no("affair", 5000))
    assert study(block).blocks[0].truth_probability == p
    with refused("truth_probability", "block a", named):
        live(block)


@pytest.mark.parametrize("p", [1, 9999])
def test_live_designs_allow_extreme_truth_probabilities_within_0_and_1(p: int) -> None:
    assert live(shielded("a", p, yes_no("affair", 5000))).blocks[0].truth_probability == p


@pytest.mark.parametrize(
    ("changes", "code"),
    [
        ({"blocks": ()}, "empty_design"),
        ({"blocks": "a"}, "malformed"),
        ({"blocks": ("a",)}, "malformed"),
        ({"group": "choice"}, "malformed"),
        ({"use": "test"}, "use"),
        ({"mechanism": 2}, "mechanism"),
        ({"mechanism": True}, "mechanism"),
    ],
    ids=repr,
)
def test_malformed_designs_are_rejected(changes: dict[str, Any], code: str) -> None:
    parts: dict[str, Any] = {"blocks": (AFFAIR,), "group": GroupPolicy(), "use": "live"}
    with refused(code):
        Design(**(parts | changes))


def test_block_keys_and_question_keys_are_unique_in_the_design() -> None:
    with refused("duplicate_key", "block key", "'a'"):
        live(AFFAIR, opened("a", yes_no("x")))
    with refused("duplicate_key", "question key", "'affair'"):
        live(AFFAIR, opened("b", yes_no("affair")))
    with refused("duplicate_key", "question key", "'x'"):
        live(opened("b", yes_no("x"), yes_no("x")))


@pytest.mark.parametrize(
    ("blocks", "size"),
    [
        ([opened(f"b{n}", yes_no(f"q{n}")) for n in range(101)], "101 blocks"),
        ([opened("b", *(yes_no(f"q{n}") for n in range(501)))], "501 questions"),
        ([opened("b", *(choice(f"q{n}", options=200) for n in range(20)), yes_no("q"))], "4001 items"),
    ],
)
def test_oversized_designs_are_rejected(blocks: list[Any], size: str) -> None:
    with refused("too_large", size):
        live(*blocks)


def test_the_largest_design_fits_one_generator_call_and_576_bytes() -> None:
    # Multiple choice needs a draw and a bit for each item; no other kind needs more.
    questions = [choice(f"q{n}", *(5000,) * 8, multi=True) for n in range(500)]
    design = live(*(shielded(f"b{n}", 5000, *questions[5 * n : 5 * n + 5], refusal=1) for n in range(100)))
    assert (len(design.items), len(design.questions), len(design.blocks)) == (4000, 500, 100)
    assert design.draws + 16 <= 65_536 // 4
    assert Layout(design).n_bytes == 576


def test_columns_list_items_then_asked_questions_then_answered_blocks() -> None:
    design = DESIGNS["open between, assigned"]
    keys = [item.key for item in design.items]
    assert keys == [
        "age=o0", "age=o1", "age=o2", "city", "pets=o0", "pets=o1", "pets=o2", "affair",
        "children=o0", "children=o1", "children=o2", "children=o3", "children=o4",
        "mood=o0", "mood=o1", "mood=o2",
    ]  # fmt: skip
    assert [item.index for item in design.items] == list(range(16))
    assert design.item("pets=o1").question == 2
    assert design.item("pets=o1").option == 1
    assert design.item("mood=o2").block == 3
    assert [design.asked_column(question) for question in range(6)] == list(range(16, 22))
    assert [design.answered_column(block) for block in range(4)] == list(range(22, 26))
    assert design.n_columns == 26
    assert design.first_questions == (0, 3, 4, 5)
    assert [design.block_of(question) for question in range(6)] == [0, 0, 0, 1, 2, 3]
    assert design.question_number("mood") == 5


def test_only_open_or_routed_questions_can_be_missing() -> None:
    design = DESIGNS["routed, choice"]
    missing = {question.key: design.can_be_missing(n) for n, question in enumerate(design.questions)}
    assert missing == {
        "married": True, "age": True, "affair": True, "unhappy": True, "why": True, "drugs": True,
        "vote": False,
    }  # fmt: skip


def test_unknown_items_and_questions_are_rejected_by_name() -> None:
    with refused("unknown_item", "'affair=yes'"):
        live(AFFAIR).item("affair=yes")
    with refused("unknown_question", "'x'"):
        live(AFFAIR).question_number("x")


@pytest.mark.parametrize("column", [-2, 1])
def test_out_of_range_columns_raise_index_error(column: int) -> None:
    with pytest.raises(IndexError):
        live(AFFAIR).asked_column(column)
    with pytest.raises(IndexError):
        live(AFFAIR).answered_column(column)


@pytest.mark.parametrize("name", DESIGNS)
def test_designs_keep_their_id_through_json(name: str) -> None:
    design = DESIGNS[name]
    again = Design.from_json(design.to_json())
    assert again == design
    assert again.design_id == design.design_id


def test_the_design_id_is_the_digest_of_the_canonical_json() -> None:
    text = (
        '{"blocks":[{"asked_if":null,"key":"a","protected":true,"questions":[{"key":"affair",'
        '"kind":"yes_no","options":[],"unrelated":[5000]}],"refusal":null,"truth_probability":6000}],'
        '"group":{"direct_share":null,"policy":"protected"},"mechanism":1,"use":"live"}'
    )
    assert live(AFFAIR).design_id == hashlib.sha256(text.encode()).hexdigest()


def test_every_change_to_the_design_changes_its_id() -> None:
    design = live(AFFAIR, shielded("b", 5000, choice("mood", 4000, 6000)), group=GroupPolicy(policy="choice"))
    first, second = design.blocks
    variants = [
        design,
        replace(design, blocks=(second, first)),
        replace(design, use="study"),
        replace(design, group=GroupPolicy()),
        replace(design, group=GroupPolicy(policy="assigned", direct_share=1)),
        replace(design, blocks=(replace(first, truth_probability=6001), second)),
        replace(design, blocks=(replace(first, refusal=1), second)),
        replace(design, blocks=(first, replace(second, questions=(choice("mood", 4001, 5999),)))),
    ]
    assert len({variant.design_id for variant in variants}) == len(variants)


def test_design_hashes_are_cached_but_not_pickled() -> None:
    """Strings hash differently in another process, so a pickled hash would be wrong there."""
    design = next(iter(DESIGNS.values()))
    again = replace(design)
    assert hash(design) == hash(again)
    assert design == again
    arrived = pickle.loads(pickle.dumps(design))
    assert "_hash" in vars(design)
    assert "_hash" not in vars(arrived)
    assert hash(arrived) == hash(design)


def test_column_names_avoid_existing_question_keys() -> None:
    plain = live(shielded("b", 3000, yes_no("a", 6000)), group=CHOICE)
    assert (group_name(plain), skipped_name("b", plain), asked_name("b", plain)) == (
        "group",
        "b.skipped",
        "b.asked",
    )
    taken = live(shielded("b", 3000, yes_no("group", 6000), yes_no("b.skipped", 6000)), group=CHOICE)
    assert (group_name(taken), skipped_name("b", taken)) == ("group_", "b.skipped_")


ARMS = Question(key="told", kind="single", options=("short", "long"), unrelated=(), shares=(3000, 7000))


def test_an_experiment_is_alone_in_an_unconditional_block_of_its_own() -> None:
    own = opened("told", ARMS)
    design = live(own, AFFAIR)
    assert design.arms == (0,)
    assert replace(design, invited="told", mechanism=0).invited_shares == {"short": 3000, "long": 7000}
    four = [opened(f"b{number}", replace(ARMS, key=f"k{number}")) for number in range(4)]
    assert live(*four[:3], AFFAIR).arms == (0, 1, 2)
    for code, make in (
        ("arms", lambda: live(opened("told", ARMS, yes_no("old")), AFFAIR)),
        ("arms", lambda: live(opened("o", yes_no("old")), replace(own, asked_if=OLD), AFFAIR)),
        ("arms", lambda: live(opened("told", replace(ARMS, key="group")), AFFAIR)),
        ("arms", lambda: live(*four, AFFAIR)),
        ("invited_arm", lambda: replace(design, invited="other", mechanism=0)),
    ):
        with refused(code):
            make()


OLD = Condition(question="old", options=("yes",))


def test_an_invitation_may_decide_the_strength_unless_it_is_rare() -> None:
    light = replace(AFFAIR, light=8000)
    design = live(light, group=assigned(2500))
    assert design.has_two_strengths
    assert replace(design, invited="group", mechanism=0).invited_shares == {"light": 2500, "strong": 7500}
    with refused("invited_arm"):
        replace(live(light, group=assigned(999)), invited="group", mechanism=0)
    with refused("invited_arm"):
        replace(live(AFFAIR, group=assigned(2500)), invited="group", mechanism=0)
    with refused("light"):
        live(light)
    with refused("light"):
        live(light, shielded("b", 6000, yes_no("late", 5000)), group=CHOICE)


def test_draws_of_blocks_multiply_and_those_of_a_rotation_do_not() -> None:
    """Two of four questions: one pair in six. Two of three blocks: one pair in three."""
    four = tuple(yes_no(f"q{number}", 5000) for number in range(4))
    rotating = replace(shielded("a", 6000, *four), questions_per_person=2)
    design = live(rotating, *(shielded(key, 6000, yes_no(f"x{key}", 5000)) for key in "bcd"))
    design = replace(design, rotations=(Rotation(blocks=("b", "c", "d"), parts_per_person=2),), mechanism=0)
    chances = {
        (0,): (1, 2),
        (0, 1): (1, 6),
        (4,): (2, 3),
        (4, 6): (1, 3),
        (0, 3, 4, 5): (1, 18),
        (4, 5, 6): (0, 1),
    }
    assert {asked: design.drawn_together(asked) for asked in chances} == {
        asked: Fraction(*chance) for asked, chance in chances.items()
    }
    assert (design.in_rotation("b"), design.in_rotation("a"), design.rotates) == (True, False, True)
    assert not live(AFFAIR).rotates


def test_a_live_number_needs_a_bound() -> None:
    shifted = scale_block("n", shift(NumberRange(low=0, high=9), 3))
    assert study(shifted).blocks == (shifted,)
    with refused("disguise"):
        live(shifted)


def test_draws_of_blocks_and_of_their_questions_multiply() -> None:
    """Each device asks two of three questions of one block, and one of the two last blocks."""
    drawn = shielded("many", 5000, *(yes_no(key, 5000) for key in "xyz"))
    parts = [shielded(key, 5000, yes_no(key, 5000)) for key in ("late", "later")]
    design = Design(
        blocks=(
            opened("you", yes_no("city"), yes_no("pets")),
            replace(drawn, questions_per_person=2),
            AFFAIR,
            *parts,
        ),
        group=GroupPolicy(policy="protected"),
        use="live",
        rotations=(Rotation(blocks=("late", "later"), parts_per_person=1),),
    )
    assert design.drawn_together([0, 1, 5]) == 1
    assert [design.drawn_together([question]) for question in (2, 4)] == [Fraction(2, 3)] * 2
    assert design.drawn_together([2, 3]) == Fraction(1, 3)
    assert design.drawn_together([6]) == Fraction(1, 2)
    assert design.drawn_together([2, 3, 7]) == Fraction(1, 6)
    assert design.drawn_together([6, 7]) == 0
    missing = [question for question in range(8) if design.can_be_missing(question)]
    assert missing == [0, 1, 2, 3, 4, 6, 7]
    assert design.rotates
    assert live(replace(drawn, questions_per_person=2)).rotates
    assert not live(drawn).rotates


def test_a_design_rotates_if_its_blocks_or_their_questions_do():
    first, second = (
        shielded("b", 6000, yes_no("x", 5000)),
        shielded("c", 6000, yes_no("y", 5000), yes_no("z", 5000)),
    )
    turns = Rotation(blocks=("b", "c"), parts_per_person=1)
    some = replace(second, questions_per_person=1)
    designs = {"neither": live(first, second), "questions": live(first, some)}
    designs["blocks"] = replace(designs["neither"], rotations=(turns,), mechanism=0)
    assert {name: own.rotates for name, own in designs.items()} == {
        "neither": False,
        "questions": True,
        "blocks": True,
    }
    missing = {name: [own.can_be_missing(number) for number in range(3)] for name, own in designs.items()}
    assert missing == {"neither": [False] * 3, "questions": [False, True, True], "blocks": [True] * 3}


def test_questions_of_later_blocks_are_drawn_as_their_booklets_say():
    """Of the second block, y is in two of three booklets, and y and z together in one."""
    questions = [yes_no(key, 5000) for key in ("y", "z", "u")]
    listed = replace(
        shielded("c", 6000, *questions), questions_per_person=2, booklets=((0, 1), (0, 2), (1, 2))
    )
    design = live(shielded("b", 6000, yes_no("x", 5000)), listed)
    drawn = {(0,): 1, (1,): Fraction(2, 3), (1, 2): Fraction(1, 3), (0, 3): Fraction(2, 3), (1, 2, 3): 0}
    assert {numbers: design.drawn_together(numbers) for numbers in drawn} == drawn


def test_a_group_that_is_not_allowed_has_no_design():
    affair = live(AFFAIR)
    assert not affair.sends_undisguised
    assert affair.in_group(direct=True) is None
    assert affair.in_group(direct=False) == affair
    chosen = replace(affair, group=GroupPolicy(policy="choice"))
    assert chosen.sends_undisguised
    assert chosen.in_group(direct=True) is None
    listed = Design(blocks=[AFFAIR], group=GroupPolicy(), use="live")
    assert listed.blocks == (AFFAIR,)


def test_a_component_of_a_computed_answer_is_refused_by_the_name_of_its_question():
    design = live(sent("acts", acts("slapped", "pushed")))
    with refused("unknown_item", "slapped", "acts"):
        design.item("slapped")
    with refused("unknown_item", "kicked"):
        design.item("kicked")


def test_a_list_of_rotations_is_stored_as_a_tuple() -> None:
    """Equal designs have equal digests, and can be keys of a cache."""
    blocks = (shielded(key, 5000, yes_no(f"x{key}", 5000)) for key in "abcd")
    turns = Rotation(blocks=("a", "b", "c"), parts_per_person=2)
    plain = replace(live(*blocks), rotations=(turns,), mechanism=0)
    listed = replace(plain, rotations=[turns])
    assert {listed: 1}[plain] == 1
