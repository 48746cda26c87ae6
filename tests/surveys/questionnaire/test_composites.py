"""Composite questions in definition files: texts are wording, the rule is design; refusals with paths."""

import copy
import json
from typing import Any

import pytest

from privacy.survey.composite_parts import MOST_COMPONENTS
from surveys.questionnaire.aim import Aim
from surveys.questionnaire.checks.leftovers import check_leftovers
from surveys.questionnaire.composites import open_references
from surveys.questionnaire.definition import definition_parse
from surveys.questionnaire.document import DefinitionError
from surveys.questionnaire.draft_plan import planned_document
from surveys.questionnaire.filled_texts import with_texts
from surveys.questionnaire.neutral_questions import neutral_questions
from surveys.questionnaire.plan_changes import protected_questions
from surveys.questionnaire.readable import readable_questions
from surveys.questionnaire.rule_words import rules_in_words
from surveys.questionnaire.sensitive import choosable_questions, with_sensitive
from surveys.respondent.client_documents import build_documents
from tests.fixtures.composite_drafts import composite_document, screening_document, text
from tests.vectors.composite_designs import DESIGNS, TOGETHER


@pytest.mark.parametrize("name", [*DESIGNS, *TOGETHER])
def test_a_definition_states_each_worked_example(name: str) -> None:
    design = (DESIGNS | TOGETHER)[name]
    document = composite_document(name, group={"policy": design.group.policy})
    parsed = definition_parse(document)
    assert parsed.design == design
    assert parsed.design.design_id == design.design_id
    assert parsed.document == document


def test_texts_of_components_are_wording_only() -> None:
    document = composite_document("every member")
    first = definition_parse(document)
    component = rule_in(document)["components"][1]
    component["text"]["en"] = "Which of these"
    component["options"][0]["text"]["zh-hans"] = "别的"
    component["help"] = text("Tick any")
    rule_in(document)["components"][3]["number"]["unit"] = text("years")
    second = definition_parse(document)
    assert second.design.design_id == first.design.design_id
    assert second.wording_id != first.wording_id
    [words] = [
        question["components"]
        for block in second.wording["blocks"]
        for question in block["questions"]
        if "components" in question
    ]
    assert [entry["key"] for entry in words] == ["ever", "which", "check", "age", "often", "since"]
    assert words[1]["text"]["en"] == "Which of these"
    assert words[1]["help"] == text("Tick any")
    assert words[3]["unit"] == text("years")
    assert "points" not in str(second.wording)


def test_points_of_0_may_be_left_out() -> None:
    document = composite_document("AUDIT-C")
    for component in rule_in(document)["components"]:
        del component["options"][0]["points"]
    assert definition_parse(document).design == DESIGNS["AUDIT-C"]


def rule_in(document: dict[str, Any]) -> dict[str, Any]:
    rule: dict[str, Any] = document["blocks"][-1]["questions"][-1]["computed"]
    return rule


IN = "blocks[0].questions[0].computed"


@pytest.mark.parametrize(
    ("change", "path", "words"),
    [
        (lambda rule: rule.pop("missing"), f"{IN}.missing", "missing"),
        (lambda rule: rule.update(missing={"at_most": "0", "as": "mean"}), f"{IN}.missing", "whole number"),
        (lambda rule: rule.update(weights=[1]), f"{IN}.weights", "unknown member"),
        (lambda rule: rule["components"][0].pop("text"), f"{IN}.components[0].text", "missing"),
        (
            lambda rule: rule["components"][0]["text"].pop("zh-hans"),
            f"{IN}.components[0].text.zh-hans",
            "missing",
        ),
        (lambda rule: rule["components"][0].update(points=["0", "1"]), f"{IN}.components[0]", "whole number"),
        (lambda rule: rule["components"][0].update(kind="place"), f"{IN}.components[0]", "unknown"),
        (
            lambda rule: rule["components"][1].update(asked_if={"component": "paid", "options": ["yes"]}),
            f"{IN}.components[1]",
            "not asked earlier",
        ),
        (lambda rule: rule["levels"][2].update({"from": 1}), f"{IN}.levels[2].from", "two levels"),
        (lambda rule: rule["levels"][2].update({"from": 4}), f"{IN}.levels[2].from", "no answers lead"),
        (lambda rule: (rule["levels"].pop(), rule.pop("base")), IN, "no level leads"),
        (
            lambda rule: [each.pop("points") for each in rule["components"]],
            f"{IN}.components",
            "every answer",
        ),
        (
            lambda rule: rule["components"].extend(
                copy.deepcopy(rule["components"][0]) | {"key": f"c{number}"} for number in range(38)
            ),
            f"{IN}.components",
            "41 entries",
        ),
        (lambda rule: rule.update(base=1), f"{IN}.base", "key"),
        (lambda rule: rule.update(steps="core"), f"{IN}.steps", "list"),
    ],
)
def test_refusals_name_the_place_and_a_remedy(change: Any, path: str, words: str) -> None:
    document = composite_document("bribe")
    change(rule_in(document))
    with pytest.raises(DefinitionError) as caught:
        definition_parse(document)
    found = {problem.path: problem for problem in caught.value.problems}
    assert path in found, list(found)
    assert words in f"{found[path].message} {found[path].remedy}"
    assert found[path].remedy


def test_an_open_part_and_a_tick_all_question_cannot_have_components() -> None:
    document = composite_document("bribe")
    block = document["blocks"][0]
    block |= {"protected": False}
    for name in ("truth_probability", "refusal"):
        del block[name]
    for name in ("unrelated", "prevalence"):
        del block["questions"][0][name]
    with pytest.raises(DefinitionError, match="protect the part"):
        definition_parse(document)
    document = composite_document("bribe")
    document["blocks"][0]["questions"][0]["kind"] = "multi"
    with pytest.raises(DefinitionError, match="cannot be computed from components"):
        definition_parse(document)


def test_a_plan_keeps_the_rule_and_never_opens_a_composite_question() -> None:
    definition = definition_parse(screening_document())
    assert protected_questions(definition) == []
    assert [question["key"] for question in choosable_questions(definition.document)] == []
    planned = planned_document(definition, Aim(people=2_000, wanted=("any",)))
    before, after = (
        {
            question["key"]: question.get("computed")
            for block in document["blocks"]
            for question in block["questions"]
        }
        for document in (definition.document, planned)
    )
    assert after == before
    assert definition_parse(planned).design.mechanism == 7
    # Asking to open everything changes nothing.
    assert with_sensitive(definition.document, ()) == definition.document


def test_what_a_rule_uses_is_listed_as_readable_and_cannot_be_protected() -> None:
    (found,) = readable_questions(screening_document())
    assert (found.key, found.can_be_protected) == ("sex", False)
    (plain,) = readable_questions(screening_document(blocks=screening_document()["blocks"][:1]))
    assert plain.can_be_protected


RULES = [None, 7, [], {"uses": 1}, {"components": [3, {"asked_if": "x"}, {"asked_if": {"all": 1}}]}]


@pytest.mark.parametrize("rule", RULES)
def test_malformed_rules_of_drafts_refer_to_nothing(rule: object) -> None:
    assert open_references({"computed": rule}) == set()


def neutral_document(count: int = 2, **members: Any) -> dict[str, Any]:
    """Return the survey on bribes, whose two follow-ups depend on contact, with neutral questions."""
    document = composite_document("bribe")
    rule_in(document)["neutral"] = [{"text": text(f"harmless {number}")} for number in range(count)]
    rule_in(document).update(members)
    return document


def test_neutral_questions_are_wording_and_leave_the_design_as_it_was() -> None:
    before, after = definition_parse(composite_document("bribe")), definition_parse(neutral_document())
    assert after.design.design_id == before.design.design_id
    assert after.wording_id != before.wording_id
    assert "neutral" not in str(after.design.to_json())
    (question,) = after.wording["blocks"][0]["questions"]
    assert question["neutral"] == [text("harmless 0"), text("harmless 1")]
    assert "neutral" not in before.wording["blocks"][0]["questions"][0]
    words = build_documents(after.design, after.wording, survey="s", practice=True, by_invitation=False)
    (sent,) = json.loads(words.words_in("zh-hans"))["blocks"][0]["questions"]
    assert sent["neutral"] == ["harmless 0？", "harmless 1？"]
    lines = rules_in_words(after.design, after.wording)["bribe"].lines
    assert any("see a neutral question instead" in line for line in lines)


@pytest.mark.parametrize(
    ("neutral", "path", "message"),
    [
        ([{"text": text("one")}], "", "1 neutral questions cannot replace 2 follow-ups"),
        ([], "", "0 neutral questions cannot replace 2 follow-ups"),
        ([{"text": text(key)} for key in "abc"], "", "of 3 neutral questions at most 2 are ever shown"),
        ("tea?", "", '"tea?" is not a list'),
        (["tea?"] * 2, "[0]", '"tea?" is not an object'),
        ([{"text": text("a")}, {"text": {"en": "Tea?"}}], "[1].text.zh-hans", "the text is missing"),
        ([{"text": text("a"), "points": [0, 1]}] * 2, "[0].points", "unknown member"),
        ([{"text": text("a")}] * 41, "", "it has 41 entries"),
    ],
)
def test_neutral_questions_that_cannot_replace_the_follow_ups_are_refused(
    neutral: object, path: str, message: str
) -> None:
    document = neutral_document(neutral=neutral)
    with pytest.raises(DefinitionError) as refused:
        definition_parse(document)
    first = refused.value.problems[0]
    assert first.path == f"blocks[0].questions[0].computed.neutral{path}"
    assert message in first.message


def test_neutral_questions_without_follow_ups_are_refused() -> None:
    document = composite_document("AUDIT-C")
    rule_in(document)["neutral"] = [{"text": text("a")}]
    with pytest.raises(DefinitionError, match="no component depends on another one; remove them"):
        definition_parse(document)


def test_practice_surveys_fill_in_missing_texts_of_neutral_questions() -> None:
    document = neutral_document(neutral=[{}, {"text": {"en": "Tea?"}}])
    filled = with_texts(document)
    assert rule_in(filled)["neutral"][1]["text"] == {"en": "Tea?", "zh-hans": "Tea?"}
    assert definition_parse(filled).wording["blocks"][0]["questions"][0]["neutral"][1]["en"] == "Tea?"


def test_placeholders_of_other_programs_are_found_in_components_and_neutral_questions() -> None:
    for place in ("components", "neutral"):
        document = neutral_document()
        rule_in(document)[place][0]["text"]["en"] = "Did ${name} ask you?"
        (found,) = check_leftovers(document)
        assert found.path == "blocks[0].questions[0]"


def test_ready_made_neutral_questions_suffice_for_every_rule_and_are_distinct() -> None:
    ready = neutral_questions()
    assert len(ready) == MOST_COMPONENTS - 1
    for language in ("en", "zh-hans"):
        texts = [entry["text"][language] for entry in ready]
        assert len(set(texts)) == len(texts)
        assert all(each.endswith("?" if language == "en" else "？") and len(each) <= 60 for each in texts)
    assert neutral_questions(3, ["zh-hans"]) == [
        {"text": {"zh-hans": entry["text"]["zh-hans"]}} for entry in ready[:3]
    ]
    assert neutral_questions(1, ["en", "de"]) is None


def together(name: str) -> dict[str, Any]:
    return composite_document(name)


def rules_in(document: dict[str, Any]) -> list[dict[str, Any]]:
    return [question["computed"] for question in document["blocks"][-1]["questions"]]


def test_a_shared_filter_states_false_or_nothing_elsewhere() -> None:
    document = together("two follow-ups of one filter")
    design = definition_parse(document).design
    assert design.mechanism == 8
    rules_in(document)[0]["components"][1]["shared"] = False
    assert definition_parse(document).design.design_id == design.design_id


FOLLOW_UPS = "two follow-ups of one filter"


@pytest.mark.parametrize(
    ("name", "change", "path", "words"),
    [
        (
            FOLLOW_UPS,
            lambda one, other: other["components"][0].update(points=[-1, 1]),
            "blocks[0]",
            "differently: points",
        ),
        (
            FOLLOW_UPS,
            lambda one, other: other["components"][0].update(text=text("Another")),
            "blocks[0].questions[1].computed.components[0]",
            "other texts in another question",
        ),
        (
            FOLLOW_UPS,
            lambda one, other: other["components"][0].update(help=text("More")),
            "blocks[0].questions[1].computed.components[0]",
            "people see it once",
        ),
        (
            FOLLOW_UPS,
            lambda one, other: [rule["components"][0].pop("shared") for rule in (one, other)],
            "blocks[0]",
            "impossible pairs of answers",
        ),
        (
            FOLLOW_UPS,
            lambda one, other: other["components"][0].pop("shared"),
            "blocks[0]",
            "in two answers of one part, hit and kicked",
        ),
        (
            FOLLOW_UPS,
            lambda one, other: other["components"][1].pop("asked_if"),
            "blocks[0].questions[1].computed",
            "does not decide whether others are asked",
        ),
        (
            FOLLOW_UPS,
            lambda one, other: (
                other["components"][0].update(key="own"),
                other["components"][1]["asked_if"].update(component="own"),
            ),
            "blocks[0]",
            "only question hit contains it",
        ),
        (
            FOLLOW_UPS,
            lambda one, other: other["components"][0].update(shared="yes"),
            "blocks[0].questions[1].computed.components[0]",
            "bool",
        ),
        (
            FOLLOW_UPS,
            lambda one, other: one["components"][1].update(shared=True, kind="several"),
            "blocks[0].questions[0].computed.components[1]",
            "cannot be shared",
        ),
        ("index and placebo", lambda one, other: other.update(placebo_of="placebo"), "blocks[0]", "no other"),
        ("index and placebo", lambda one, other: other.update(placebo_of="gone"), "blocks[0]", "'gone'"),
        ("index and placebo", lambda one, other: one.update(placebo_of="placebo"), "blocks[0]", "itself a"),
        (
            "index and placebo",
            lambda one, other: other.update(placebo_of=["index"]),
            "blocks[0].questions[1].computed.placebo_of",
            "not the key of a question",
        ),
        ("two halves", lambda one, other: one.update(other_half="even"), "blocks[0]", "only one of two"),
        (
            "two halves",
            lambda one, other: one["components"].extend(
                {"key": f"more{n}", "kind": "yes_no", "points": [0, 1], "text": text(f"m{n}")} for n in "ab"
            ),
            "blocks[0]",
            "every second component",
        ),
    ],
)
def test_composites_of_one_part_that_do_not_go_together_are_refused(
    name: str, change: Any, path: str, words: str
) -> None:
    document = copy.deepcopy(together(name))
    change(*rules_in(document))
    with pytest.raises(DefinitionError) as caught:
        definition_parse(document)
    found = {problem.path: f"{problem.message}; {problem.remedy}" for problem in caught.value.problems}
    assert words in found.get(path, ""), found


def test_a_follow_up_of_another_questions_component_names_the_way_to_share_it() -> None:
    document = together(FOLLOW_UPS)
    del rules_in(document)[1]["components"][0]
    with pytest.raises(DefinitionError, match="state a component of another question of the part here too"):
        definition_parse(document)


def test_a_filter_shared_with_another_part_is_refused() -> None:
    document = together(FOLLOW_UPS)
    other = copy.deepcopy(document["blocks"][0]) | {"key": "c"}
    for question in other["questions"]:
        question["key"] += "2"
        question["computed"]["components"][1]["key"] += "2"
    document["blocks"].append(other)
    with pytest.raises(DefinitionError, match="move these questions to one part"):
        definition_parse(document)
    for question in other["questions"]:
        question["computed"]["components"][0].pop("shared")
        break
    with pytest.raises(DefinitionError, match="ever"):
        definition_parse(document)


def test_composite_questions_of_one_part_have_40_components_each() -> None:
    document = together("index and placebo")
    for rule in rules_in(document):
        first = rule["components"][0]
        rule["components"] = [
            first | {"key": f"{first['key']}-{number}", "text": text(f"{first['key']} {number}")}
            for number in range(40)
        ]
    assert definition_parse(document).design.mechanism == 7
    rules_in(document)[0]["components"].append(rules_in(document)[1]["components"][0] | {"key": "more"})
    with pytest.raises(DefinitionError, match="41 entries"):
        definition_parse(document)


def test_a_survey_has_at_most_500_questions_with_their_components() -> None:
    document = together("three forms")
    (question, *_more) = document["blocks"][0]["questions"]
    first = question["computed"]["components"][0]
    questions = []
    for number in range(12):
        own = copy.deepcopy(question) | {"key": f"q{number}", "text": text(f"q{number}")}
        own["computed"]["components"] = [
            first | {"key": f"c{number}-{at}", "text": text(f"c{number} {at}")} for at in range(40)
        ]
        questions.append(own)
    opened = [{"key": f"o{at}", "kind": "yes_no", "text": text(f"o{at}")} for at in range(20)]
    document["blocks"] = [
        {"key": "you", "title": text("you"), "protected": False, "questions": opened},
        document["blocks"][0] | {"questions": questions},
    ]
    assert len(definition_parse(document).design.questions) == 32
    opened.append(opened[0] | {"key": "o20", "text": text("o20")})
    with pytest.raises(DefinitionError) as caught:
        definition_parse(document)
    (problem,) = caught.value.problems
    assert (problem.path, "501 questions" in problem.message) == ("blocks", True)
    assert problem.remedy == "use at most 500"


def test_halves_and_placebo_need_the_same_answers() -> None:
    for name in ("two halves", "index and placebo"):
        document = together(name)
        question = document["blocks"][0]["questions"][1]
        options = [{"key": key, "text": text(key)} for key in ("no", "yes")]
        question |= {"kind": "single", "options": options, "unrelated": [5000, 5000]}
        question["prevalence"] = [5000, 5000]
        with pytest.raises(DefinitionError, match="the same kind and the same options"):
            definition_parse(document)


def test_halves_share_no_filter_and_have_one_cut_off() -> None:
    document = together(FOLLOW_UPS)
    rules_in(document)[1]["other_half"] = "hit"
    with pytest.raises(DefinitionError, match="yes/no questions"):
        definition_parse(document)
    for question in document["blocks"][0]["questions"]:
        question.pop("options")
        question |= {"kind": "yes_no", "unrelated": [5000], "prevalence": [5000]}
        question["computed"]["levels"] = [{"option": "no"}, {"option": "yes", "from": 2}]
    with pytest.raises(DefinitionError, match="use it in one half"):
        definition_parse(document)


def test_a_question_is_the_other_half_of_one() -> None:
    document = together("two halves")
    third = copy.deepcopy(document["blocks"][0]["questions"][1]) | {"key": "third", "text": text("third")}
    for component in third["computed"]["components"]:
        component["key"] += "-third"
    document["blocks"][0]["questions"].append(third)
    with pytest.raises(DefinitionError, match="let one question name it"):
        definition_parse(document)


def test_an_unknown_option_in_a_level_is_named_where_it_stands() -> None:
    """The base names the right option, so only the level is wrong."""
    document = composite_document("bribe")
    rule = document["blocks"][0]["questions"][0]["computed"]
    rule["levels"][1]["option"] = "contct"
    with pytest.raises(DefinitionError) as refusal:
        definition_parse(document)
    (problem,) = refusal.value.problems
    assert problem.path == "blocks[0].questions[0].computed.levels[1].option"
    assert problem.message == 'unknown option: "contct"'
    assert problem.remedy == "use one of no-contact, contact, bribe"


# Where a rule of a worked example is changed, to what, and what researchers read.
MISTAKES: list[tuple[str, tuple[str | int, ...], Any, str, str]] = [
    ("at least one of ten", ("levels", 1, "option"), "maybe", "unknown option", "one of no, yes"),
    ("bribe", ("levels", 1, "option"), "nope", "unknown option", "one of no-contact, contact, bribe"),
    ("bribe", ("base",), "x", "base: no level leads to", "neither the first nor the last"),
    ("a number", ("base",), "x", "is a number, so it has no level", "remove base"),
    ("at least one of ten", ("levels",), [], "any has no levels", "give the first level"),
    ("bribe", ("levels", 1), {"option": "contact"}, "'contact' has no start", "state from, its least sum"),
    ("bribe", ("levels", 1), {"option": "contact", "start": 1}, "unknown member start", "option, from"),
    ("bribe", ("levels", 1), {"from": 1}, "level lacks the member option", "state it"),
    ("bribe", ("levels", 1), "contact", "level = 'contact' is not an object", "write one with option"),
    ("bribe", ("missing", "at_most"), 3, "of 3 components at least one needs", "allow at most 2"),
    ("bribe", ("missing",), 0, "missing = 0 is not an object", "write one with at_most, as"),
    ("bribe", ("components", 0, "bands"), [1], "kind yes_no cannot have the member bands", "use a kind that"),
    ("AUDIT-C", ("components", 0, "points"), [0, 1], "single cannot have the member points", "remove it"),
    ("AUDIT-C", ("uses", 0, "points"), [0, 1], "points of sex = [0, 1] is not an object", '{"often": 2}'),
    ("bribe", ("components", 1, "asked_if", "options"), [], "names no option", "answers after which"),
    ("bribe", ("components", 1, "asked_if", "equals"), 1, "one component or one open", '{"component"'),
    ("a number", ("..", "number", "low"), 4, "sum can be 0 to 10, but the range is 4 to", "include 0 and 10"),
    ("bribe", ("..", "kind"), "multi", "kind multi cannot be computed", "yes_no, single or number"),
    (
        "every member", ("components", 3, "bands"),
        [{"from": 12, "to": 15, "points": 1}, {"from": 15, "to": 20, "points": 2}],
        "a band starts at 15, but earlier ones leave only 16 and more", "order the bands",
    ),
    ("PHQ-9 algorithm", ("steps", 0, "missing"), {"at_most": 2, "as": "mean"}, "of 2 comp", "at most 1"),
]  # fmt: skip


@pytest.mark.parametrize(("name", "place", "value", "message", "remedy"), MISTAKES)
def test_mistakes_are_named_with_what_to_write_instead(
    name: str, place: tuple[str | int, ...], value: Any, message: str, remedy: str
) -> None:
    document = composite_document(name)
    (question,) = [own for block in document["blocks"] for own in block["questions"] if "computed" in own]
    target: Any = question if place[0] == ".." else question["computed"]
    *above, last = place[1:] if place[0] == ".." else place
    for step in above:
        target = target[step]
    target[last] = value
    with pytest.raises(DefinitionError) as refused:
        definition_parse(document)
    texts = [(problem.message, problem.remedy) for problem in refused.value.problems]
    assert any(message in said and remedy in advice for said, advice in texts), texts
