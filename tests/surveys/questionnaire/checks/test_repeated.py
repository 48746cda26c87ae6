from typing import Any

from surveys.questionnaire.findings import Level
from tests.fixtures.checked_surveys import findings_of, protected, several, unprotected, yes_no


def codes(*blocks: dict[str, Any], **changes: Any) -> list[tuple[str, str]]:
    return [(one.code, one.path) for one in findings_of(*blocks, **changes)]


def test_duplicate_questions_are_found_despite_spelling_differences() -> None:
    asked, again = yes_no("steal"), yes_no("again", text={"en": "Did  you ever STEAL?"})
    assert codes(protected("b", asked, again)) == [("asked_twice", "blocks[0].questions[1]")]
    elsewhere = protected("c", again)
    assert codes(protected("b", asked), elsewhere) == [("asked_twice", "blocks[1].questions[0]")]
    open_one = {"key": "said", "kind": "yes_no", "text": {"en": "Did you ever steal?"}}
    found = codes(unprotected("you", open_one), protected("b", asked))
    assert found == [("asked_twice", "blocks[1].questions[0]")]
    (elsewhere_found,) = findings_of(protected("b", asked), elsewhere)
    assert elsewhere_found.level is Level.WARN
    # Questions with the same text but other options are different questions.
    pills = several("a", "Pills", "Drops", unrelated=[5000] * 2, prevalence=[3000] * 2)
    drinks = several("c", "Wine", "Beer", unrelated=[5000] * 2, prevalence=[3000] * 2)
    assert codes(protected("b", pills, drinks, p=4000)) == []
    assert codes(unprotected("you", open_one, {**open_one, "key": "more"})) == []


def test_a_question_cannot_be_asked_directly_and_disguised_of_one_person() -> None:
    asked = {"key": "said", "kind": "yes_no", "text": {"en": "Did you ever steal?"}}
    arms = [{"key": key, "share": 5000} for key in ("direct", "disguised")]
    told = unprotected("told", {"key": "told", "kind": "arm", "options": arms})

    def levels(
        first: list[str] | None, second: list[str] | None, question: dict[str, Any] = asked
    ) -> list[Level]:
        def of(options: list[str] | None) -> dict[str, Any]:
            return {} if options is None else {"asked_if": {"question": "told", "options": options}}

        found = findings_of(
            told, unprotected("you", question) | of(first), protected("b", yes_no("steal")) | of(second)
        )
        return [one.level for one in found if one.code == "asked_twice"]

    assert levels(None, None) == [Level.REFUSE]
    assert levels(["direct"], None) == [Level.REFUSE]
    assert levels(["direct"], ["direct", "disguised"]) == [Level.REFUSE]
    # Different groups of people count as different people.
    assert levels(["direct"], ["disguised"]) == []
    # The question is also the same if it is worded so only in one arm.
    worded = {
        "question": "told",
        "texts": {
            key: {"en": text}
            for key, text in (("direct", "Did you ever steal?"), ("disguised", "Have you stolen?"))
        },
    }
    assert levels(None, None, {**asked, "text": {"en": "Stealing"}, "wordings": worded}) == [Level.REFUSE]


def test_answers_that_read_alike_are_found_in_each_language() -> None:
    twice = several("a", "Pills", "Drops", " pills", unrelated=[5000] * 3, prevalence=[3000] * 3)
    (found,) = [one for one in findings_of(protected("b", twice, p=4000)) if one.code == "alike_answers"]
    assert (found.level, found.path) == (Level.WARN, "blocks[0].questions[0].options[2]")
    assert "offers “Pills” twice" in found.message
    unlike = several("a", "Pills", "Drops", unrelated=[5000] * 2, prevalence=[3000] * 2)
    assert "alike_answers" not in [code for code, _path in codes(protected("b", unlike, p=4000))]
