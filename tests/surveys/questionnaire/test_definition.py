"""Definition files: accepted contents, and every refusal with its path and remedy."""

import copy
import json
from pathlib import Path
from typing import Any

import pytest

from privacy.scales.window import WindowChannel
from privacy.survey.design import ROTATION_MECHANISM, Condition, Design
from privacy.survey.rotation import Rotation
from surveys.questionnaire.definition import Definition, definition_load, definition_parse, definition_read
from surveys.questionnaire.document import DefinitionError
from surveys.questionnaire.findings import Level
from surveys.questionnaire.waves import WaveLine
from tests.fixtures.checked_surveys import document_of, findings_of, protected, unprotected, yes_no
from tests.fixtures.devices import shipped_definition
from tests.fixtures.everyday import everyday_definition
from tests.fixtures.rotating_drafts import rotating_document, ten_of

GONE = object()
BOTH = [{"question": "leads", "options": ["yes"]}, {"question": "years", "options": ["to-1"]}]


def changed(path: str, value: Any) -> dict[str, Any]:
    """Return the example with one member replaced, or removed by GONE; a path looks like "blocks/1/title"."""
    document = shipped_definition()
    *way, last = [int(step) if step.isdigit() else step for step in path.split("/")]
    place: Any = document
    for step in way:
        place = place[step]
    if value is GONE:
        del place[last]
    else:
        place[last] = value
    return document


def problems(document: object) -> dict[str, str]:
    with pytest.raises(DefinitionError) as caught:
        definition_parse(document)
    for problem in caught.value.problems:
        assert problem.message
        assert problem.remedy
        assert str(problem) in str(caught.value)
    return {problem.path: f"{problem.message}; {problem.remedy}" for problem in caught.value.problems}


def test_the_example_covers_every_question_kind_a_skip_and_a_route() -> None:
    definition = definition_parse(shipped_definition())
    design = definition.design
    assert {question.kind for question in design.questions} == {"yes_no", "single"}
    assert [block.protected for block in design.blocks] == [False, True, True]
    assert design.blocks[1].refusal == 589
    assert design.blocks[2].asked_if == Condition(question="leads", options=("yes",))
    assert [question.unrelated for question in design.blocks[0].questions] == [()] * 5
    assert (design.use, design.group.policy) == ("live", "protected")


@pytest.mark.parametrize("name", ["workplace", "marriage"])
def test_shipped_definitions_can_be_published(name: str) -> None:
    assert definition_parse(shipped_definition(name)).design.draws > 0


@pytest.mark.parametrize("title", [GONE, None, {}, {"en": "", "zh-hans": " "}])
def test_a_part_needs_no_title(title: object) -> None:
    definition = definition_parse(changed("blocks/1/title", title))
    assert ["title" in block for block in definition.wording["blocks"]] == [True, False, True]
    assert definition.design == definition_parse(shipped_definition()).design


@pytest.mark.parametrize("title", ["Unsaid", 7, {"en": 7}, {"en": "", "zh-hans": "没说"}])
def test_a_title_that_is_no_text_in_each_language_is_refused(title: object) -> None:
    found = problems(changed("blocks/1/title", title))
    assert found
    assert all(path.startswith("blocks[1].title") for path in found)


def test_design_and_wording_are_split_cleanly() -> None:
    definition = definition_parse(shipped_definition())
    wording = definition.wording
    assert set(wording) == {"title", "about", "blocks"}
    question = wording["blocks"][2]["questions"][0]
    assert question["key"] == "silenced"
    assert question["prevalence"] == [7000, 2000, 1000]
    assert question["help"] is None
    assert question["options"][0] == {"key": "never", "text": {"en": "Never", "zh-hans": "从未"}}
    assert wording["blocks"][0]["questions"][0]["prevalence"] == []
    assert "text" not in json.dumps(definition.design.to_json())


@pytest.mark.parametrize("name", ["population", "frame"])
def test_population_and_frame_are_optional_wording(name: str) -> None:
    stated, silent = shipped_definition(), changed(f"about/{name}", GONE)
    assert definition_parse(stated).wording["about"][name]["en"].startswith("An example")
    assert name not in definition_parse(silent).wording["about"]
    assert ids(stated)[0] == ids(silent)[0]
    assert "text is missing" in problems(changed(f"about/{name}/zh-hans", GONE))[f"about.{name}.zh-hans"]


def ids(document: dict[str, Any]) -> tuple[str, str]:
    definition: Definition = definition_parse(document)
    return definition.design.design_id, definition.wording_id


def test_probabilities_change_the_design_and_texts_change_only_the_wording() -> None:
    design, wording = ids(shipped_definition())
    assert ids(shipped_definition()) == (design, wording)
    other_design, same_wording = ids(changed("blocks/1/truth_probability", 4000))
    assert (other_design != design, same_wording) == (True, wording)
    for path, value in (
        ("blocks/1/title/en", "Unsaid"),
        ("blocks/1/questions/0/prevalence", [3001]),
        ("about/contact/zh-hans", "请来信。"),
    ):
        same_design, other_wording = ids(changed(path, value))
        assert (same_design, other_wording != wording) == (design, True)
    assert ids(changed("slug", "elsewhere")) == (design, wording)


def test_digests_ignore_the_order_of_members() -> None:
    document = shipped_definition()
    turned = json.loads(json.dumps(document), object_pairs_hook=lambda pairs: dict(reversed(pairs)))
    assert ids(turned) == ids(document)


@pytest.mark.parametrize(
    ("path", "value", "where", "says"),
    [
        ("sotto", 2, "sotto", "unknown format: 2"),
        ("sotto", True, "sotto", "unknown format: true"),
        ("slug", "Work place", "slug", '"Work place" cannot be part of an address'),
        ("slug", "a" * 51, "slug", "at most 50"),
        ("slug", None, "slug", "null"),
        ("practice", "no", "practice", "write true or false"),
        ("title", "Work", "title", "has no text in a language"),
        ("title", {"fr": "Travail"}, "title", "add a text in en or zh-hans"),
        ("title/en", " ", "title.en", 'expected text: " "'),
        ("title/zh-hans", GONE, "about.researcher.zh-hans", "the survey is not in this language"),
        ("about/ethics", GONE, "about.ethics", "it is missing"),
        ("about/ethics", {"en": "x", "zh-hans": ""}, "about.ethics.zh-hans", "expected text"),
        ("about/press", {"en": "x"}, "about.press", "unknown member"),
        ("about", [], "about", "[] is not an object"),
        ("group/policy", "all", "group.policy", "'all' is unknown"),
        ("group", {"policy": "assigned"}, "group.direct_share", "None is not a whole number"),
        ("group", {"policy": "choice", "direct_share": 3}, "group.direct_share", "leave it out"),
        ("group", None, "group", "null is not an object"),
        ("blocks", {}, "blocks", "{} is not a list"),
        ("blocks", [], "blocks", "the survey has no parts"),
        ("blocks/0", 7, "blocks[0]", "7 is not an object"),
        ("blocks/0/questions", [], "blocks[0].questions", "this part has no questions yet"),
        ("blocks/0/key", GONE, "blocks[0].key", "it is missing"),
        ("blocks/0/key", "a b", "blocks[0].key", "'a b' is not a key"),
        ("blocks/0/kind", "x", "blocks[0].kind", "unknown member"),
        ("blocks/0/protected", 0, "blocks[0].protected", "neither true nor false: 0"),
        ("blocks/0/truth_probability", 5000, "blocks[0].truth_probability", "5000"),
        ("blocks/0/refusal", 100, "blocks[0].refusal", "100"),
        ("blocks/1/truth_probability", GONE, "blocks[1].truth_probability", "it is missing"),
        ("blocks/1/truth_probability", 0, "blocks[1].truth_probability", "p = 0 carries no information"),
        (
            "blocks/1/truth_probability",
            10000,
            "blocks[1].truth_probability",
            "ten-thousandths) protects nothing",
        ),
        ("blocks/1/truth_probability", 0.5, "blocks[1].truth_probability", "0.5 is not a whole number"),
        ("blocks/1/refusal", 10000, "blocks[1].refusal", "10000 is outside"),
        ("blocks/1/no_skip", " ", "blocks[1].no_skip", "expected text"),
        ("blocks/1/no_skip", "x" * 5001, "blocks[1].no_skip", "5001 characters"),
        ("blocks/1/no_skip", {"en": "Why"}, "blocks[1].no_skip", "expected text"),
        ("blocks/1/questions", [], "blocks[1].questions", "has no question"),
        ("blocks/1/questions", None, "blocks[1].questions", "null is not a list"),
        ("blocks/1/title/zh-hans", GONE, "blocks[1].title.zh-hans", "the text is missing"),
        ("blocks/1/title/fr", "x", "blocks[1].title.fr", "the survey is not in this language"),
        ("blocks/2/asked_if", {"question": "leads"}, "blocks[2].asked_if.options", "it is missing"),
        ("blocks/2/asked_if/options", [], "blocks[2].asked_if", "names no option"),
        ("blocks/2/asked_if/options", ["maybe"], "blocks[2].asked_if", "'maybe' is unknown"),
        ("blocks/2/asked_if/question", "unreported", "blocks[2].asked_if", "is protected"),
        ("blocks/2/asked_if/question", "nothing", "blocks[2].asked_if", "no such question"),
        ("blocks/2/asked_if", {"all": []}, "blocks[2].asked_if.all", "joins 0 conditions"),
        ("blocks/2/asked_if", {"any": None}, "blocks[2].asked_if.any", "is not a list"),
        ("blocks/2/asked_if", {"all": [BOTH[0]], "any": BOTH}, "blocks[2].asked_if.any", "unknown member"),
        ("blocks/2/asked_if", {"all": [BOTH[0], BOTH[0]]}, "blocks[2].asked_if.all", "occurs twice"),
        (
            "blocks/2/asked_if",
            {"any": [BOTH[0], {"question": "years", "options": []}]},
            "blocks[2].asked_if.any[1]",
            "names no option",
        ),
        (
            "blocks/2/asked_if",
            {"any": [BOTH[0], {"question": "unreported", "options": ["yes"]}]},
            "blocks[2].asked_if",
            "is protected",
        ),
        ("blocks/2/key", "work", "blocks[2]", "occurs twice"),
        ("blocks/2/questions/0/key", "years", "blocks[2]", "occurs twice"),
        ("blocks/1/questions/0/key", "", "blocks[1].questions[0].key", "'' is not a key"),
        ("blocks/1/questions/0/kind", "free", "blocks[1].questions[0].kind", "'free' is unknown"),
        ("blocks/1/questions/0/text", GONE, "blocks[1].questions[0].text", "it is missing"),
        ("blocks/1/questions/0/text/en", 5, "blocks[1].questions[0].text.en", "expected text: 5"),
        ("blocks/1/questions/0/text/en", "a\x00b", "blocks[1].questions[0].text.en", "control characters"),
        ("blocks/1/questions/0/text/en", "\ud800", "blocks[1].questions[0].text.en", "control characters"),
        ("blocks/1/questions/0/text/en", "a" * 5001, "blocks[1].questions[0].text.en", "5001 characters"),
        ("stems/0/help/zh-hans", GONE, "stems[0].help.zh-hans", "missing"),
        ("blocks/1/questions/0/unrelated", GONE, "blocks[1].questions[0].unrelated", "it is missing"),
        ("blocks/1/questions/0/unrelated", [], "blocks[1].questions[0].unrelated", "give 1"),
        ("blocks/1/questions/0/unrelated", [0], "blocks[1].questions[0].unrelated", "= 0 is outside 1..9999"),
        ("blocks/1/questions/0/unrelated", [10000], "blocks[1].questions[0].unrelated", "10000 is outside"),
        ("blocks/1/questions/0/unrelated", [1, 2], "blocks[1].questions[0].unrelated", "give exactly 1"),
        ("blocks/2/questions/0/unrelated", [1, 2, 3], "blocks[2].questions[0].unrelated", "add up to 6"),
        (
            "blocks/0/questions/1/unrelated",
            [5000],
            "blocks[0].questions[1].unrelated",
            "unprotected question",
        ),
        (
            "blocks/0/questions/1/prevalence",
            [5000],
            "blocks[0].questions[1].prevalence",
            "unprotected question",
        ),
        ("blocks/1/questions/0/prevalence", GONE, "blocks[1].questions[0].prevalence", "it is missing"),
        ("blocks/1/questions/0/prevalence", [], "blocks[1].questions[0].prevalence", "give 1"),
        ("blocks/1/questions/0/prevalence", [-1], "blocks[1].questions[0].prevalence", "-1 is outside"),
        ("blocks/2/questions/0/prevalence", [1, 1, 1], "blocks[2].questions[0].prevalence", "add up to 3"),
        ("blocks/0/questions/0/options", [], "blocks[0].questions[0].options", "too few options: 0"),
        ("blocks/0/questions/0/options", "a", "blocks[0].questions[0].options", '"a" is not a list'),
        ("blocks/0/questions/0/options/1/key", "to-1", "blocks[0].questions[0].options", "occurs twice"),
        ("blocks/0/questions/0/options/1/text", GONE, "blocks[0].questions[0].options[1].text", "missing"),
        (
            "blocks/0/questions/0/options/1/value",
            3,
            "blocks[0].questions[0].options[1].value",
            "unknown member",
        ),
    ],
)
def test_each_problem_names_its_place_value_and_remedy(path: str, value: Any, where: str, says: str) -> None:
    found = problems(changed(path, value))
    assert where in found
    assert says in found[where]


def test_all_problems_are_reported_together() -> None:
    document = changed("about/ethics", GONE)
    document["blocks"][0]["questions"][0]["text"] = None
    document["blocks"][1]["questions"][0]["unrelated"] = [0]
    assert set(problems(document)) == {
        "about.ethics",
        "blocks[0].questions[0].text",
        "blocks[1].questions[0].unrelated",
    }


@pytest.mark.parametrize(
    ("path", "most", "entry"),
    [
        ("blocks", 100, {}),
        ("blocks/0/questions", 500, {}),
        ("blocks/0/questions/0/options", 200, {"key": "a", "text": {"en": "A", "zh-hans": "甲"}}),
    ],
)
def test_overlong_lists_are_refused(path: str, most: int, entry: Any) -> None:
    (problem,) = definition_read(changed(path, [entry] * (most + 1))).problems
    assert f"{most + 1} entries" in problem.message
    assert len(definition_read(changed(path, [entry] * most)).problems) >= 1


def test_at_most_500_problems_are_reported() -> None:
    document = {**shipped_definition(), **{f"member-{number}": 0 for number in range(600)}}
    assert len(definition_read(document).problems) == 500


@pytest.mark.parametrize("document", [None, 1, "text", [], [{}]])
def test_non_object_definitions_are_refused(document: object) -> None:
    assert "" in problems(document)


def test_parsing_does_not_change_the_document() -> None:
    document = shipped_definition()
    before = copy.deepcopy(document)
    definition_parse(document)
    assert document == before


@pytest.mark.parametrize(
    ("content", "says"),
    [
        (b"{", "line 1, column 2"),
        (b'{\n "sotto": 1,\n oops', "line 3, column 2"),
        (b"\xff", "not UTF-8: byte 0"),
        (b"PK\x03\x04\xff", "is a spreadsheet"),
        (b'{"a": NaN}', "NaN is not JSON"),
        (b'{"a": -Infinity}', "-Infinity is not JSON"),
        (b'{"slug": "a", "slug": "b"}', '"slug" occurs twice'),
        (b"[" * 100_000, "nested too deeply"),
        (b" " * 2_000_001, "more than 2,000,000 bytes"),
        (b"1" * 10_000, "a number that is too long"),
    ],
)
def test_invalid_json_is_refused_with_its_position(tmp_path: Path, content: bytes, says: str) -> None:
    path = tmp_path / "survey.json"
    path.write_bytes(content)
    with pytest.raises(DefinitionError, match=says):
        definition_load(path)


def test_missing_files_and_folders_are_refused(tmp_path: Path) -> None:
    for path in (tmp_path / "none.json", tmp_path):
        with pytest.raises(DefinitionError, match="cannot be read"):
            definition_load(path)


def test_a_definition_file_is_loaded_unchanged(tmp_path: Path) -> None:
    path = tmp_path / "survey.json"
    path.write_text(json.dumps(shipped_definition()), encoding="utf-8")
    assert definition_load(path) == shipped_definition()


def rated(look: object = "rating", place: tuple[int, int] = (0, 0)) -> dict[str, Any]:
    document = shipped_definition()
    document["blocks"][place[0]]["questions"][place[1]]["look"] = look
    return document


def test_a_look_changes_the_wording_but_not_the_design() -> None:
    plain, look = definition_parse(shipped_definition()), definition_parse(rated())
    assert look.design.design_id == plain.design.design_id
    assert look.wording_id != plain.wording_id
    assert look.wording["blocks"][0]["questions"][0]["look"] == "rating"
    assert "look" not in plain.wording["blocks"][0]["questions"][0]


@pytest.mark.parametrize(("look", "place"), [("slider", (0, 0)), (None, (0, 0)), ("rating", (0, 1))])
def test_only_single_choices_accept_the_rating_look(look: object, place: tuple[int, int]) -> None:
    kind = shipped_definition()["blocks"][place[0]]["questions"][place[1]]["kind"]
    assert (kind == "single") == (place == (0, 0))
    reading = definition_read(rated(look, place))
    assert [problem.path for problem in reading.problems] == [f"blocks[0].questions[{place[1]}].look"]


def with_look(look: object = "slider", block: int = 3) -> dict[str, Any]:
    """Return the survey with every kind of question; the first question of `block` has this look."""
    document = everyday_definition()
    document["blocks"][block]["questions"][0]["look"] = look
    return document


def test_a_slider_has_the_same_design_as_a_number_field() -> None:
    plain, look = definition_parse(everyday_definition()), definition_parse(with_look())
    assert look.design.design_id == plain.design.design_id
    assert look.wording["blocks"][3]["questions"][0]["look"] == "slider"
    assert "look" not in plain.wording["blocks"][3]["questions"][0]
    assert look.wording_id != plain.wording_id


@pytest.mark.parametrize(("look", "block"), [("rating", 3), ("matrix", 3), (None, 3), ("slider", 5)])
def test_only_numbers_accept_a_slider_and_no_other_look(look: object, block: int) -> None:
    reading = definition_read(with_look(look, block))
    assert [problem.path for problem in reading.problems] == [f"blocks[{block}].questions[0].look"]


@pytest.mark.parametrize(
    "path",
    [
        *("title/en", "about/purpose/en", "blocks/1/title/en"),
        *("blocks/1/questions/0/text/en", "blocks/0/questions/0/options/0/text/en"),
    ],
)
def test_invisible_characters_are_refused_in_every_text(path: str) -> None:
    """They could make a title appear in another order than stored, or hide a word in a question."""
    with pytest.raises(DefinitionError) as refused:
        definition_parse(changed(path, "Did you \u202eevas\u202c money?"))
    (problem,) = refused.value.problems
    assert problem.path.endswith(".en")
    assert problem.message == "the text contains invisible characters: U+202E, U+202C"


def test_a_part_states_how_many_questions_each_person_is_asked() -> None:
    design = definition_parse(rotating_document()).design
    ten = design.blocks[0]
    assert (ten.questions_per_person, ten.n_booklets, ten.most_asked) == (4, 30, 4)
    assert design.rotations == (Rotation(blocks=("home", "work", "sport"), parts_per_person=2),)
    assert design.mechanism == ROTATION_MECHANISM
    assert Design.from_json(design.to_json()) == design


def test_without_a_booklet_list_all_combinations_are_asked() -> None:
    (ten,) = definition_parse(document_of(ten_of(together=None))).design.blocks
    assert (ten.booklets, ten.n_booklets) == (None, 210)
    assert (
        "booklets" not in definition_parse(document_of(ten_of(together=None))).design.to_json()["blocks"][0]
    )


LIGHT = {"policy": "assigned", "direct_share": 2000, "light": True}
HOURS = {
    "key": "hours",
    "kind": "number",
    "text": {"en": "How many hours?"},
    "number": {"mechanism": "square_wave", "epsilon": 1, "low": 0, "high": 9, "bin": 1},
}


def number_block(**more: Any) -> dict[str, Any]:
    return {"key": "time", "protected": True, "title": {"en": "Time"}, "questions": [HOURS], **more}


def problems_of(*blocks: dict[str, Any], group: dict[str, Any]) -> list[str]:
    return [problem.path for problem in definition_read(document_of(*blocks, group=group)).problems]


def lights(*blocks: dict[str, Any], group: dict[str, Any] = LIGHT) -> list[Any]:
    return [block.light for block in definition_parse(document_of(*blocks, group=group)).design.blocks]


def test_unstated_light_strengths_get_a_default() -> None:
    """For one fair part, odds of 3 become 9, so p = .8. Open parts have none."""
    assert lights(unprotected("you", {"key": "old", "kind": "yes_no", "text": {"en": "Old?"}}),
                  protected("b", yes_no("lie"))) == [None, 8000]  # fmt: skip


def test_a_number_stored_as_answered_has_no_light_strength() -> None:
    number = {"low": 0, "high": 9, "bin": 1}
    stored = number_block(protected=False, questions=[HOURS | {"number": number}])
    assert lights(stored, protected("b", yes_no("lie"))) == [None, 8000]
    assert problems_of(stored | {"light": {"epsilon": 2}}, group=LIGHT)


def test_a_part_can_set_its_own_light_strength() -> None:
    assert lights(protected("b", yes_no("lie"), light=7000)) == [7000]


def test_a_light_number_keeps_its_mechanism_with_another_epsilon() -> None:
    (proposed,) = lights(number_block())
    (stated,) = lights(number_block(light={"epsilon": 1.5}))
    assert isinstance(proposed, WindowChannel)
    assert isinstance(stated, WindowChannel)
    assert proposed.mechanism == stated.mechanism == "square_wave"
    (design,) = [definition_parse(document_of(number_block(), group=LIGHT)).design]
    strong = design.blocks[0].disguise
    assert strong.amplification is not None
    assert stated.amplification is not None
    assert proposed.amplification is not None
    assert strong.amplification < stated.amplification < proposed.amplification


def test_omitting_light_keeps_the_design_unchanged() -> None:
    """Without strengths, a definition keeps its design and therefore its digest."""
    group = {"policy": "assigned", "direct_share": 2000}
    before = definition_parse(document_of(protected("b", yes_no("lie")), group=group)).design
    said = definition_parse(
        document_of(protected("b", yes_no("lie")), group={**group, "light": False})
    ).design
    assert before == said
    assert "light" not in before.to_json()["blocks"][0]
    assert (before.mechanism, before.sends_undisguised) == (1, True)


@pytest.mark.parametrize(
    ("blocks", "group", "path"),
    [
        ([protected("b", yes_no("lie"))], {"policy": "protected", "light": True}, "group.light"),
        ([protected("b", yes_no("lie"))], {**LIGHT, "light": 1}, "group.light"),
        ([unprotected("b", {"key": "old", "kind": "yes_no", "text": {"en": "Old?"}})], LIGHT, "group.light"),
        # With five fair blocks, hardly any light strength is possible.
        ([protected(f"b{n}", yes_no(f"q{n}")) for n in range(5)], LIGHT, "group.light"),
        ([protected("b", yes_no("lie"), light=5000)], LIGHT, "blocks[0].light"),
        ([protected("b", yes_no("lie"), light=10_000)], LIGHT, "blocks[0].light"),
        ([protected("b", yes_no("lie"), light="more")], LIGHT, "blocks[0].light"),
        ([number_block(light=8000)], LIGHT, "blocks[0].light"),
        ([number_block(light={"epsilon": 0.5})], LIGHT, "blocks[0].light"),
        ([protected("b", yes_no("lie"), light=8000)], {"policy": "choice"}, "blocks[0].light"),
    ],
)
def test_impossible_light_settings_are_refused_at_their_path(
    blocks: list[dict[str, Any]], group: dict[str, Any], path: str
) -> None:
    assert problems_of(*blocks, group=group) == [path]


def test_five_parts_can_set_light_strengths_without_defaults() -> None:
    blocks = [protected(f"b{n}", yes_no(f"q{n}"), light=6000) for n in range(5)]
    assert lights(*blocks) == [6000] * 5


@pytest.mark.parametrize(
    ("light", "level"),
    [
        # Epsilon of three fair parts is 3 ln(1 + 2 p / (1 - p)).
        (7600, None),  # 5.99
        (7700, Level.WARN),  # 6.12
        (8700, Level.WARN),  # 8.00
        (8710, Level.REFUSE),  # 8.02
    ],
)
def test_the_light_strength_has_its_own_ceiling(light: int, level: Level | None) -> None:
    blocks = [protected(f"b{n}", yes_no(f"q{n}"), light=light) for n in range(3)]
    found = [one.level for one in findings_of(*blocks, group=LIGHT) if one.code == "light_epsilon"]
    assert found == ([] if level is None else [level])


@pytest.mark.parametrize(
    ("group", "most", "level"),
    [
        # One fair part with p = .8 has gamma 9 and epsilon 2.197.
        (LIGHT, 3.8, None),  # 6.00
        (LIGHT, 3.81, Level.WARN),
        (LIGHT, 5.81, Level.REFUSE),  # 8.01
        # Light disguise only in the earlier wave: epsilon is ln 3 plus the earlier wave's.
        ({}, 7.0, Level.REFUSE),
    ],
)
def test_light_epsilons_of_a_series_add_up(group: dict[str, Any], most: float, level: Level | None) -> None:
    block = protected("b", yes_no("lie"), light=8000) if group else protected("b", yes_no("lie"))
    before = WaveLine(slug="first", title="First", epsilon=1.0, most=most)
    changes = {"group": group} if group else {}
    found = findings_of(block, series="panel", waves=(before,), **changes)
    assert [one.level for one in found if one.code == "light_series_epsilon"] == ([level] if level else [])


def test_a_series_without_light_rows_is_checked_by_strong_rows_alone() -> None:
    before = WaveLine(slug="first", title="First", epsilon=9.0, most=9.0)
    found = findings_of(protected("b", yes_no("lie")), series="panel", waves=(before,))
    assert [one.code for one in found] == ["series_epsilon"]


def test_other_checks_use_the_strong_strength() -> None:
    one = [protected("b", yes_no("lie"), light=9500)]
    assert [found.code for found in findings_of(*one, group=LIGHT)] == []
    assert [found.code for found in findings_of(*one, group={**LIGHT, "direct_share": 9000})] == []


def test_the_design_depends_only_on_the_definition() -> None:
    design = definition_parse(document_of(protected("b", yes_no("lie")), group=LIGHT)).design
    assert (design.mechanism, design.has_two_strengths, design.sends_undisguised) == (3, True, False)
    assert Design.from_json(design.to_json()) == design


@pytest.mark.parametrize(
    ("changes", "path"),
    [
        ({"series": "Not a name"}, "series"),
        ({"series": 3}, "series"),
        ({"blocks": [protected("b", yes_no("q", known="yes"))]}, "blocks[0].questions[0].known"),
        ({"blocks": [protected("b", yes_no("q"), yes_no("r"), exclusive=[["q"]])]}, "blocks[0].exclusive[0]"),
        (
            {"blocks": [protected("b", yes_no("q"), yes_no("r"), exclusive=[["q", "x"]])]},
            "blocks[0].exclusive[0]",
        ),
        (
            {"blocks": [protected("b", yes_no("q"), yes_no("r"), exclusive=[["q", "q"]])]},
            "blocks[0].exclusive[0]",
        ),
        (
            {"blocks": [protected("b", yes_no("q"), yes_no("r"), exclusive=[["q", ["r"]]])]},
            "blocks[0].exclusive[0]",
        ),
        ({"blocks": [protected("b", yes_no("q"), exclusive="q")]}, "blocks[0].exclusive"),
        (
            {"blocks": [protected("b", *map(yes_no, "abcde"), exclusive=[list("abcde")] * 5)]},
            "blocks[0].exclusive",
        ),
    ],
)
def test_invalid_series_known_and_exclusive_values_are_reported_by_path(
    changes: dict[str, object], path: str
) -> None:
    problems = definition_read({**document_of(protected("b", yes_no("a"))), **changes}).problems
    assert [problem.path for problem in problems] == [path]
