"""Drafts with composite questions: practice texts, changes between versions, rewordings, files of texts."""

import copy

from surveys.authoring.changes import version_changes
from surveys.authoring.translations import texts_of
from surveys.questionnaire.asked_texts import asked_words
from surveys.questionnaire.definition import definition_parse
from surveys.questionnaire.filled_texts import with_texts
from tests.fixtures.composite_drafts import composite_document

IN = "blocks[0].questions[0].computed.components"


def test_missing_texts_of_components_are_filled_for_practice() -> None:
    document = composite_document("AUDIT", practice=True)
    component = document["blocks"][0]["questions"][0]["computed"]["components"][0]
    del component["text"]
    component["options"][1]["text"] = {"en": "Monthly"}
    filled = with_texts(document)
    definition = definition_parse(filled)
    first = filled["blocks"][0]["questions"][0]["computed"]["components"][0]
    assert first["options"][1]["text"] == {"en": "Monthly", "zh-hans": "Monthly"}
    assert definition.design == definition_parse(composite_document("AUDIT")).design


def test_the_file_of_texts_holds_those_of_components() -> None:
    places = {place for place, _texts in texts_of(composite_document("AUDIT"))}
    assert {f"{IN}[1].text", f"{IN}[1].options[2].text"} <= places


def test_a_new_wording_of_a_component_is_a_rewording() -> None:
    document = composite_document("AUDIT")
    before = asked_words(definition_parse(document).wording)
    changed = copy.deepcopy(document)
    changed["blocks"][0]["questions"][0]["computed"]["components"][2]["text"]["en"] = "How often now?"
    after = asked_words(definition_parse(changed).wording)
    assert {place for place in before if before[place] != after[place]} == {("risk", "component item3", "en")}


def test_publishing_lists_changed_points_levels_gaps_and_texts() -> None:
    before = composite_document("AUDIT")
    after = copy.deepcopy(before)
    rule = after["blocks"][0]["questions"][0]["computed"]
    rule["levels"][1]["from"] = 10
    rule["missing"]["at_most"] = 1
    rule["components"][3]["options"][1]["points"] = 2
    rule["components"][4]["text"]["en"] = "Really?"
    first, second = definition_parse(before), definition_parse(after)
    assert first.design.design_id != second.design.design_id
    found = version_changes(first.design.to_json(), first.wording, second)
    changes = {change.path for change in found}
    here = "risk-part/risk"
    assert {f"{here}/levels", f"{here}/rule for gaps", f"{here}/component item4"} <= changes
    assert f"{here}/component item5 (en)" in changes
