"""Questions become one answer and each answer again; nothing is lost on the way."""

import copy
from typing import Any

import pytest

from privacy.planning.protection import PROTECTIONS
from surveys.errors.error import SurveyError
from surveys.imports.drafts.imported_drafts import draft_of
from surveys.imports.drafts.one_answer_drafts import with_filter
from surveys.imports.pasted_text import read_paste
from surveys.questionnaire.definition import definition_parse, definition_read
from surveys.questionnaire.one_answer import (
    AGAIN,
    AT_LEAST,
    HOW_MANY,
    POINTS,
    SET_ASIDE,
    _way_of,
    earlier_rule,
    with_each_answer,
    with_one_answer,
)
from tests.fixtures.composite_drafts import composite_document, text
from tests.fixtures.composite_templates import ready_template
from tests.fixtures.devices import shipped_definition
from tests.vectors.composite_designs import DESIGNS

MEDIUM = PROTECTIONS["medium"]


def options(*names: str) -> list[dict[str, Any]]:
    return [{"key": name, "text": text(name)} for name in names]


def part(*questions: dict[str, Any], **stated: Any) -> dict[str, Any]:
    return {
        "key": "acts",
        "title": text("Acts"),
        "protected": True,
        "truth_probability": 4000,
        "refusal": 1234,
        "questions": [*questions],
        **stated,
    }


def act(key: str, **stated: Any) -> dict[str, Any]:
    own = {"key": key, "kind": "yes_no", "text": text(key), "unrelated": [4000], "prevalence": [1500]}
    return own | stated


OFTEN: dict[str, Any] = {
    "key": "often",
    "kind": "single",
    "text": text("How often"),
    "help": text("In a year"),
    "look": "rating",
    "options": options("never", "once", "more"),
    "unrelated": [3000, 3000, 4000],
    "prevalence": [8000, 1000, 1000],
}
WHERE: list[dict[str, Any]] = [
    {
        "key": f"where_{place}",
        "kind": "yes_no",
        "stem": "where",
        "text": text(place),
        "unrelated": [5000],
        "prevalence": [1000],
    }
    for place in ("home", "work")
]
STEM: dict[str, Any] = {"key": "where", "text": text("Where did it happen"), "help": text("Since January")}
DRINKS: dict[str, Any] = {
    "key": "drinks",
    "kind": "number",
    "text": text("How many drinks"),
    "number": {"mechanism": "square_wave", "epsilon": 1.38, "low": 0, "high": 99, "bin": 10},
}
MIXED = part(act("hit"), act("kicked", known=False), OFTEN, *WHERE, exclusive=[["hit", "kicked"]])
NUMBER = {"key": "acts", "title": text("Drinks"), "protected": True, "refusal": True, "questions": [DRINKS]}


def draft(*parts: dict[str, Any]) -> dict[str, Any]:
    has_list = any("stem" in question for part_ in parts for question in part_["questions"] if question != 7)
    lists = {"stems": [STEM]} if has_list else {}
    return shipped_definition(blocks=[*parts], group={"policy": "protected"}, **lists)


@pytest.mark.parametrize("way", [AT_LEAST, HOW_MANY, POINTS])
@pytest.mark.parametrize("one", [MIXED, NUMBER], ids=["mixed", "number"])
def test_one_press_makes_one_answer_that_can_be_published_and_one_takes_it_back(
    one: dict[str, Any], way: str
) -> None:
    before = draft(one, part(act("other"), key="others"))
    kept = copy.deepcopy(before)
    after, key = with_one_answer(before, "acts", way, protection=MEDIUM)
    definition = definition_parse(after)
    (sent,) = definition.design.blocks[0].questions
    assert sent.key == key
    assert sent.computed is not None
    assert [each.key for each in sent.computed.components] == [each["key"] for each in one["questions"]]
    assert definition.design.blocks[0].refusal is not None
    again = with_each_answer(after, key, protection=MEDIUM)
    assert again["blocks"] == before["blocks"] == kept["blocks"]
    assert again.get("stems") == before.get("stems")
    # Once more: the answer comes back as well, with its keys, levels and probabilities.
    back, _key = with_one_answer(again, "acts", AGAIN, protection=MEDIUM)
    assert back["blocks"] == after["blocks"]
    assert with_each_answer(back, key, protection=MEDIUM)["blocks"] == before["blocks"]
    assert earlier_rule(again, [each["key"] for each in one["questions"]])


@pytest.mark.parametrize("name", [name for name in DESIGNS if name != "a number"])
def test_each_rule_survives_being_sent_as_each_answer(name: str) -> None:
    before = composite_document(name)
    key = next(
        question["key"]
        for block in before["blocks"]
        for question in block["questions"]
        if "computed" in question
    )
    each = with_each_answer(before, key, protection=MEDIUM)
    changed = next(
        block for block, was in zip(each["blocks"], before["blocks"], strict=False) if block != was
    )
    assert definition_read(each).problems == ()
    rule = next(
        question for block in before["blocks"] for question in block["questions"] if question["key"] == key
    )
    # A tick-all component is a list now, and numbers have parts of their own.
    kinds = {question["kind"] for block in each["blocks"] for question in block["questions"]}
    assert "multi" not in kinds
    assert ("stems" in each) == any(one["kind"] == "several" for one in rule["computed"]["components"])
    back, again = with_one_answer(each, changed["key"], AGAIN, protection=MEDIUM)
    assert len(back["blocks"]) == len(before["blocks"])
    assert again == key
    restored = next(
        question for block in back["blocks"] for question in block["questions"] if question["key"] == key
    )
    assert restored == rule


def test_texts_that_changed_meanwhile_stay() -> None:
    after, key = with_one_answer(draft(MIXED), "acts", POINTS, protection=MEDIUM)
    component = after["blocks"][0]["questions"][0]["computed"]["components"][0]
    component["text"]["en"] = "Has anyone hit you?"
    each = with_each_answer(after, key, protection=MEDIUM)
    assert each["blocks"][0]["questions"][0] == MIXED["questions"][0] | {
        "text": {**text("hit"), "en": "Has anyone hit you?"}
    }
    each["blocks"][0]["questions"][0]["text"]["en"] = "Did anyone hit you?"
    back, _key = with_one_answer(each, "acts", AGAIN, protection=MEDIUM)
    again = back["blocks"][0]["questions"][0]["computed"]["components"][0]
    assert again["text"]["en"] == "Did anyone hit you?"


def test_several_answers_are_made_from_chosen_questions_and_keep_their_order() -> None:
    acts = [act(f"act{number}") for number in range(1, 7)]
    one, first = with_one_answer(
        draft(part(*acts)), "acts", AT_LEAST, protection=MEDIUM, keys=["act1", "act2"]
    )
    two, second = with_one_answer(one, "acts", AT_LEAST, protection=MEDIUM, keys=["act4", "act5"])
    assert [each["key"] for each in two["blocks"][0]["questions"]] == [first, "act3", second, "act6"]
    assert first != second
    # The title of the part does not name them, so their questions do.
    texts = {each["key"]: each["text"]["en"] for each in acts}
    named = [two["blocks"][0]["questions"][place]["text"]["en"] for place in (0, 2)]
    assert named == [f"{texts['act1']} / {texts['act2']}", f"{texts['act4']} / {texts['act5']}"]
    each = with_each_answer(with_each_answer(two, first, protection=MEDIUM), second, protection=MEDIUM)
    assert each["blocks"] == draft(part(*acts))["blocks"]


def test_the_rule_for_gaps_is_filled_in() -> None:
    acts = [act(f"act{number}") for number in range(1, 12)]
    rules = {
        way: with_one_answer(draft(part(*acts)), "acts", way, protection=MEDIUM)[0]["blocks"][0]["questions"][
            0
        ]["computed"]
        for way in (AT_LEAST, HOW_MANY, POINTS)
    }
    assert {way: rule["missing"] for way, rule in rules.items()} == {
        AT_LEAST: {"at_most": 2, "as": "no_points"},
        HOW_MANY: {"at_most": 2, "as": "no_points"},
        POINTS: {"at_most": 2, "as": "mean"},
    }


def test_points_of_each_kind_count_what_is_true() -> None:
    document, _key = with_one_answer(draft(MIXED), "acts", AT_LEAST, protection=MEDIUM, least=3)
    hit, _kicked, often, home, _work = document["blocks"][0]["questions"][0]["computed"]["components"]
    assert hit["points"] == [0, 1]
    assert [option["points"] for option in often["options"]] == [0, 1, 1]
    assert home["text"]["en"] == "Where did it happen? – home?"
    assert "stems" not in document
    assert document["blocks"][0]["questions"][0]["computed"]["levels"][1] == {"option": "yes", "from": 3}
    number, _key = with_one_answer(draft(NUMBER), "acts", AT_LEAST, protection=MEDIUM)
    (drinks,) = number["blocks"][0]["questions"][0]["computed"]["components"]
    assert drinks["bands"] == [{"from": 1, "to": 99, "points": 1}]


def test_levels_of_how_many_have_texts_in_the_languages_of_the_survey() -> None:
    acts = [act(f"act{number}") for number in range(1, 4)]
    document = draft(part(*acts)) | {"languages": ["en", "zh-hans", "fr"]}
    after, _key = with_one_answer(document, "acts", HOW_MANY, protection=MEDIUM)
    assert after["blocks"][0]["questions"][0]["options"][2]["text"] == {
        "en": "2 or more",
        "zh-hans": "2 个或更多",
        "fr": "2+",
    }


def test_an_instructed_component_is_not_sent_as_an_answer_of_its_own() -> None:
    document, key = with_one_answer(draft(part(act("a"), act("b"))), "acts", AT_LEAST, protection=MEDIUM)
    composite = document["blocks"][0]["questions"][0]
    check = {"key": "check", "kind": "yes_no", "text": text("Choose no here"), "instructed": "no"}
    composite["computed"]["components"].append(check)
    definition_parse(document)
    each = with_each_answer(document, key, protection=MEDIUM)
    assert [question["key"] for question in each["blocks"][0]["questions"]] == ["a", "b"]
    back, _key = with_one_answer(each, "acts", AGAIN, protection=MEDIUM)
    assert back["blocks"][0]["questions"][0]["computed"]["components"][2] == check


@pytest.mark.parametrize(
    ("code", "stated", "call"),
    [
        ("one_answer.gone", {}, {"part": "other"}),
        ("one_answer.gone", {}, {"keys": ["nobody"]}),
        ("one_answer.gone", {}, {"way": "product"}),
        ("one_answer.gone", {}, {"way": AGAIN}),
        ("one_answer.least", {}, {"least": 3}),
        ("one_answer.least", {}, {"least": 0}),
        ("one_answer.open", {"protected": False}, {}),
        ("one_answer.many", {"questions": [act(f"act{number}") for number in range(41)]}, {}),
        ("one_answer.unready", {"questions": [7]}, {}),
    ],
)
def test_refusals_name_what_to_do(code: str, stated: dict[str, Any], call: dict[str, Any]) -> None:
    document = draft(part(act("a"), act("b"), **stated))
    arguments = {"part": "acts", "way": AT_LEAST} | call
    with pytest.raises(SurveyError) as refused:
        with_one_answer(document, protection=MEDIUM, **arguments)
    assert refused.value.case == code
    assert refused.value.remedy


def test_what_is_set_aside_is_no_part_of_the_survey() -> None:
    document = draft(MIXED)
    kept = document | {SET_ASIDE: [{"anything": 1}, "else"]}
    assert definition_parse(kept).design == definition_parse(document).design
    assert definition_parse(kept).wording_id == definition_parse(document).wording_id
    after, _key = with_one_answer(kept, "acts", AT_LEAST, protection=MEDIUM)
    assert definition_parse(after)


def test_answers_that_share_a_filter_are_sent_as_each_answer_together_and_come_back_together() -> None:
    acts = [act(key) for key in ("ever", "hit", "kicked", "pushed")]
    one, first = with_one_answer(
        draft(part(*acts)), "acts", AT_LEAST, protection=MEDIUM, keys=["ever", "hit"]
    )
    both, second = with_one_answer(one, "acts", AT_LEAST, protection=MEDIUM)
    ever = both["blocks"][0]["questions"][0]["computed"]["components"][0]
    ever["shared"] = True
    followed = {"asked_if": {"component": "ever", "options": ["yes"]}}
    for question in both["blocks"][0]["questions"]:
        question["text"] = text(question["key"])
        question["computed"]["components"][-1] |= followed
    both["blocks"][0]["questions"][1]["computed"]["components"].insert(0, copy.deepcopy(ever))
    assert definition_read(both).problems == ()
    for pressed in (first, second):
        each = with_each_answer(both, pressed, protection=MEDIUM)
        assert definition_read(each).problems == ()
        assert [question["key"] for question in each["blocks"][0]["questions"]] == [
            "ever", "hit", "kicked", "pushed",
        ]  # fmt: skip
        again, key = with_one_answer(each, "acts", AGAIN, protection=MEDIUM)
        assert (again["blocks"][0]["questions"], key) == (both["blocks"][0]["questions"], first)
        next(one for one in each["set_aside"] if one.get("key") == second)["computed"]["other_half"] = first
        again, _key = with_one_answer(each, "acts", AGAIN, protection=MEDIUM)
        assert composites_in(again)[second]["computed"]["other_half"] == first


def aside(key: str, *keys: str, shared: str = "") -> dict[str, Any]:
    components = [act(own) | ({"shared": True} if own in shared else {}) for own in keys]
    return act(key) | {"computed": {"components": components}}


def test_all_answers_that_share_components_through_others_come_back_together() -> None:
    chain = [
        aside("left", *"st", shared="s"),
        aside("middle", *"su", shared="su"),
        aside("right", *"uv", shared="u"),
    ]
    document = draft(part(*map(act, "stuv"))) | {"set_aside": chain}
    assert earlier_rule(document, [*"suv"]) is None
    found = earlier_rule(document, [*"stuv"])
    assert found is not None
    assert found["key"] == "left"


def test_only_the_last_rule_of_a_name_comes_back() -> None:
    document = draft(part(*map(act, "abcd"))) | {"set_aside": [aside("score", *"ab"), aside("score", *"cd")]}
    assert earlier_rule(document, ["a", "b"]) is None
    assert earlier_rule(document, ["c", "d"]) is not None


def joined_with_another(document: dict[str, Any], key: str) -> dict[str, Any]:
    """Return a draft in which a part also asks something else, in front, as after a plan."""
    blocks = [
        entry | {"questions": [act("extra"), *entry["questions"]]} if entry["key"] == key else entry
        for entry in document["blocks"]
    ]
    return {**document, "blocks": blocks}


def composites_in(document: dict[str, Any]) -> dict[str, dict[str, Any]]:
    return {
        question["key"]: question
        for entry in document["blocks"]
        for question in entry["questions"]
        if "computed" in question
    }


def imported(name: str) -> dict[str, Any]:
    """Return a draft as imports make it: with a score that a text states, or a filter with two follow-ups."""
    if name == "filter":
        asked = part(act("bullied"), act("hit"), OFTEN, act("alone"), act("gone"))
        document = draft(asked) | {"languages": ["en", "zh-hans"]}
        return with_filter(document, "hit", {"often": ["yes"], "alone": ["yes"]})
    survey = read_paste(SCORE)
    for score in survey.scores:
        score.is_used = True
    return draft_of(survey)


SCORE = (
    "Mood\n\nHow often in the last month?\n\n0 = Never, 1 = Sometimes, 2 = Often\n\n"
    "1. Crying\n2. Enjoying things (R)\n3. Waking up too early\n\n"
    "Scoring: add up all items (item 2 is reversed). 0-1 low, 2-3 middle, 4-6 high.\n\n"
    "4. Have you ever talked to a doctor about this? yes / no"
)
IMPORTED = ("score", "filter")


@pytest.mark.parametrize("is_planned", [False, True], ids=["alone", "with another question"])
@pytest.mark.parametrize("way", [AGAIN, POINTS])
@pytest.mark.parametrize("name", [*IMPORTED, "violence", "drinking", "mood", "doping-any"])
def test_one_answer_each_answer_and_one_answer_again_is_the_same_rule(
    name: str, way: str, is_planned: bool
) -> None:
    before = imported(name) if name in IMPORTED else ready_template(name)
    assert composites_in(before)
    for key in composites_in(before):
        each = with_each_answer(before, key, protection=MEDIUM)
        if name == "filter":
            order = [question["key"] for question in each["blocks"][0]["questions"]]
            assert order == ["bullied", "hit", "often", "alone", "gone"]
        gone = {*composites_in(before)} - {*composites_in(each)}
        components = {
            component["key"]
            for own in gone
            for component in composites_in(before)[own]["computed"]["components"]
        }
        (part_key,) = {
            entry["key"]
            for entry in each["blocks"]
            for question in entry["questions"]
            if question["key"] in components
        }
        if is_planned:
            each = joined_with_another(each, part_key)
        if way == POINTS and any(_way_of(composites_in(before)[own]) != POINTS for own in gone):
            continue
        again, _key = with_one_answer(each, part_key, way, protection=MEDIUM)
        assert composites_in(again) == composites_in(before)


@pytest.mark.parametrize(
    ("path", "value"),
    [
        (("blocks", 0, "questions", 2, "options", 0), "x"),
        (("blocks", 0, "questions", 2, "options", 0), {}),
        (("blocks", 0, "questions", 0, "text"), {"en": 1.5}),
        (("blocks", 0, "questions", 2, "kind"), "number"),
        (("blocks", 0, "questions", 0, "computed"), {"components": [3]}),
        (("blocks", 0, "title"), {"en": 5}),
        (("blocks", 0), 5),
        (("stems",), "list"),
        (("rotations",), 5),
    ],
)
def test_a_draft_may_be_any_json_and_is_refused_with_a_remedy(path: tuple[Any, ...], value: Any) -> None:
    document = copy.deepcopy(draft(MIXED))
    target: Any = document
    for step in path[:-1]:
        target = target[step]
    target[path[-1]] = value
    for call in (
        lambda: with_one_answer(document, "acts", POINTS, protection=MEDIUM),
        lambda: with_each_answer(document, "acts", protection=MEDIUM),
    ):
        with pytest.raises(SurveyError) as refused:
            call()
        assert refused.value.case == "one_answer.unready"


@pytest.mark.parametrize(
    "entry",
    [5, {}, {"questions": 5}, {"questions": [], "part": 5}, {"questions": [{}], "part": {}},
     {"key": "k", "kind": "yes_no", "computed": {"components": [{"key": "hit"}]}, "lines": {"other": {}}},
     {"key": "k", "kind": "yes_no", "computed": {"components": [{"key": "hit"}]}, "lines": []}],
)  # fmt: skip
def test_what_no_press_set_aside_is_ignored(entry: Any) -> None:
    document = draft(MIXED) | {SET_ASIDE: [entry]}
    after, key = with_one_answer(document, "acts", POINTS, protection=MEDIUM)
    assert with_each_answer(after, key, protection=MEDIUM)["blocks"] == draft(MIXED)["blocks"]
