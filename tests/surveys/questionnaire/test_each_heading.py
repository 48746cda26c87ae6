"""A part whose questions had headings sends one answer for each of them."""

import pytest

from privacy.planning.protection import PROTECTIONS
from surveys.errors.error import SurveyError
from surveys.imports.drafts.imported_drafts import draft_of
from surveys.imports.pasted_text import read_paste
from surveys.questionnaire.aim import Aim
from surveys.questionnaire.definition import definition_without_texts
from surveys.questionnaire.draft_plan import plan
from surveys.questionnaire.each_heading import answerable_headings, with_each_heading
from surveys.questionnaire.one_answer import with_each_answer

MEDIUM = PROTECTIONS["medium"]
PASTED = """Violence in partnerships
# Physical violence
1. Has a partner pushed you?
2. Has a partner slapped you?
3. Has a partner hit you?
4. Has a partner choked you?
# Sexual violence
5. Has a partner forced you?
6. Has a partner degraded you?
7. Has a partner threatened you?
# Psychological violence
8. Has a partner insulted you?
9. Has a partner scared you?
10. Has a partner locked you in?
"""


def test_a_pasted_text_with_three_headings_becomes_three_answers_under_one_coin() -> None:
    pasted = draft_of(read_paste(PASTED))
    (joined,) = pasted["blocks"]
    after, first = with_each_heading(pasted, joined["key"], protection=MEDIUM)
    (part,) = after["blocks"]
    names = [
        (question["text"]["en"], len(question["computed"]["components"])) for question in part["questions"]
    ]
    assert names == [("Physical violence", 4), ("Sexual violence", 3), ("Psychological violence", 3)]
    assert part["questions"][0]["key"] == first
    definition = definition_without_texts(after)
    assert definition is not None
    planned = plan(definition, Aim(people=300))
    assert planned is not None
    # The goal for three forms that may be declined, 300 people: at most 10.2 points each.
    assert len(planned.design.blocks) == 1
    assert max(planned.use.widths.values()) <= 0.102
    # Three presses bring the questions back, in their order.
    for question in reversed(part["questions"]):
        after = with_each_answer(after, question["key"], protection=MEDIUM)
    keys = [question["key"] for question in joined["questions"]]
    assert [question["key"] for question in after["blocks"][0]["questions"]] == keys


def test_chosen_questions_only_and_what_is_refused() -> None:
    pasted = draft_of(read_paste(PASTED))
    (joined,) = pasted["blocks"]
    keys = [question["key"] for question in joined["questions"]]
    after, _first = with_each_heading(pasted, joined["key"], protection=MEDIUM, keys=keys[:5])
    counts = [
        len(question.get("computed", {}).get("components", ()))
        for question in after["blocks"][0]["questions"]
    ]
    assert sorted(counts) == [0, 0, 0, 0, 0, 1, 4]
    without = {name: value for name, value in pasted.items() if name != "headings"}
    single = without | {"headings": pasted["headings"][:1]}
    for document, chosen in ((without, keys), (single, keys), (pasted, ["nobody"])):
        with pytest.raises(SurveyError) as refused:
            with_each_heading(document, joined["key"], protection=MEDIUM, keys=chosen)
        assert refused.value.case == "one_answer.gone"
    assert answerable_headings(single, joined) == []


def test_a_name_has_only_the_languages_of_the_draft() -> None:
    pasted = draft_of(read_paste(PASTED))
    (joined,) = pasted["blocks"]
    headings = [each | {"title": each["title"] | {"de": "Gewalt"}} for each in pasted["headings"]]
    after, _first = with_each_heading(pasted | {"headings": headings}, joined["key"], protection=MEDIUM)
    assert {*after["blocks"][0]["questions"][0]["text"]} == {"en"}
