"""Answers of a list that exclude each other."""

from surveys.questionnaire.findings import Level
from tests.fixtures.checked_surveys import codes, findings_of, protected, several, yes_no
from tests.fixtures.composite_drafts import english_blocks


def test_impossible_combinations_are_refused_with_their_share() -> None:
    asked = tuple(yes_no(key, prevalence=3000) for key in ("never", "week", "month"))
    (found,) = findings_of(protected("b", *asked, exclusive=[["never", "week"]]))
    assert (found.code, found.level, found.path) == ("exclusive", Level.REFUSE, "blocks[0].exclusive[0]")
    assert found.message.startswith("“Did you ever never?”, “Did you ever week?” cannot be true together")
    assert "25 of 100 random rows of part “b”" in found.message
    # Four of the eight rows have more than one yes.
    (found,) = findings_of(protected("b", *asked, exclusive=[["never", "week", "month"]]))
    assert "50 of 100" in found.message


def test_rows_that_a_shared_filter_makes_impossible_are_exempt_and_real_contradictions_are_not() -> None:
    (part,) = english_blocks("two follow-ups of one filter")
    implied = [["hit=never", "kicked=once"], ["kicked=never", "hit=often"]]
    assert codes(part | {"exclusive": implied}) == codes(part)
    real = ["hit=once", "kicked=often"]
    found = codes(part | {"exclusive": [*implied, real]})
    assert [each for each in found if each not in codes(part)] == [("exclusive", "blocks[0].exclusive[2]")]
    assert ("asked_twice", "blocks[0].questions[1]") not in found, "the shared filter is asked once"
    # A question of another part that asks the same is asked twice.
    again = protected("c", yes_no("again") | {"text": {"en": "Component ever?"}})
    assert "asked_twice" in [code for code, _path in codes(part, again)]


def test_shares_of_exclusive_answers_must_not_exceed_100() -> None:
    def warned(*shares: int) -> list[str]:
        asked = [yes_no(key, prevalence=share) for key, share in zip("abc", shares, strict=False)]
        found = findings_of(protected("b", *asked, exclusive=[["a", "b", "c"]]))
        return [one.message for one in found if one.code == "exclusive_shares"]

    assert warned(5000, 3000, 2000) == []
    (message,) = warned(5000, 3000, 2050)
    assert message.startswith(
        "at most one of “Did you ever a?”, “Did you ever b?”, “Did you ever c?” can be true"
    )
    assert message.endswith("add up to 100.5 of 100")


def test_options_of_one_single_choice_never_conflict() -> None:
    mood = {
        **several("mood", "low", "fair", unrelated=[4000, 6000], prevalence=[3000, 7000]),
        "kind": "single",
    }
    keys = [f"mood={option['key']}" for option in mood["options"]]
    assert codes(protected("b", mood, exclusive=[keys])) == []


def test_a_question_that_excludes_others_in_its_part_is_refused() -> None:
    none = yes_no("none", text={"en": "None of these"})
    assert codes(protected("b", yes_no("steal"), none)) == [("exclusive_option", "blocks[0].questions[1]")]
    assert codes(protected("b", none)) == []
    # Pasted questions never had keys that their author knows.
    (found,) = findings_of(protected("b", yes_no("steal"), none))
    assert "“None of these” excludes the other answers" in found.message
