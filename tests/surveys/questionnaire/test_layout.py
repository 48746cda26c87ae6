"""Layouts of drafts: both ceilings kept whatever is asked, nothing lost, and each row passes every check."""

from __future__ import annotations

import copy
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from privacy.risk.promise import promise
from surveys.questionnaire.aim import PROTECTIONS, Aim
from surveys.questionnaire.definition import Definition, definition_parse, definition_without_texts
from surveys.questionnaire.layout import proposals, proposed_document
from surveys.questionnaire.sensitive import choosable_questions, even_chances, with_sensitive
from surveys.questionnaire.series import WaveLine
from tests.cast.checked_surveys import document_of, findings_of, protected, several, unprotected, yes_no

EIGHT = [yes_no(f"q{number}") for number in range(8)]
CHOICE = {
    "key": "often",
    "kind": "single",
    "text": {"en": "How often?"},
    "options": [{"key": f"o{n}", "text": {"en": text}} for n, text in enumerate(("never", "once", "often"))],
    "unrelated": [3334, 3333, 3333],
    "prevalence": [3334, 3333, 3333],
}
JOB = {"key": "job", "kind": "yes_no", "text": {"en": "Have you a job?"}}
TICKS = several("ticks", "a", "b", unrelated=[5000, 5000], prevalence=[5000, 5000])
OPEN_CHOICE = {name: value for name, value in CHOICE.items() if name not in ("unrelated", "prevalence")}
NUMBER = {
    "key": "hours",
    "kind": "number",
    "text": {"en": "How many hours?"},
    "number": {"mechanism": "square_wave", "epsilon": 2.5, "low": 0, "high": 40, "bin": 1},
}


def number_part() -> dict[str, Any]:
    return {"key": "time", "protected": True, "title": {"en": "Time"}, "questions": [NUMBER], "refusal": True}


def drafted(*blocks: dict[str, Any], **changes: Any) -> Definition:
    return definition_parse(document_of(*copy.deepcopy(blocks), **changes))


DRAFTS = {
    "eight": drafted(protected("b", *EIGHT)),
    "with a skip": drafted(protected("b", *EIGHT, refusal=39)),
    "with a choice": drafted(protected("b", *EIGHT[:4], CHOICE, refusal=500)),
    "several ticks": drafted(
        protected("b", *EIGHT[:3]),
        protected("c", TICKS),
    ),
    "a number": drafted(protected("b", *EIGHT[:4]), number_part()),
    "some people only": drafted(
        unprotected("open", JOB),
        protected("b", *EIGHT[:3]),
        protected("c", *EIGHT[3:5], asked_if={"question": "job", "options": ["yes"]}),
    ),
    "exclusive answers": drafted(protected("b", *EIGHT[:5], exclusive=[["q0", "q1"]])),
    "in turn": drafted(
        *(protected(f"b{number}", question) for number, question in enumerate(EIGHT)),
        rotations=[{"blocks": [f"b{number}" for number in range(8)], "parts_per_person": 2}],
    ),
    "two strengths": drafted(
        protected("b", *EIGHT[:4], light=9000), group={"policy": "choice", "light": True}
    ),
    "one question": drafted(protected("b", EIGHT[0])),
    "a number alone": drafted(number_part()),
}


@pytest.mark.parametrize("strength", PROTECTIONS)
@pytest.mark.parametrize("name", DRAFTS)
def test_every_proposal_keeps_both_ceilings_and_every_question(name: str, strength: str) -> None:
    draft = DRAFTS[name]
    keys = [question.key for question in draft.design.questions]
    items = [item.key for item in draft.design.items if item.key.startswith("q")]
    found = proposals(draft, Aim(people=400, wanted=tuple(items[:2]), strength=strength))
    assert found
    for proposal in found:
        strong = proposal.definition.design.in_group(direct=False) or proposal.definition.design
        made = promise(strong)
        assert made is not None
        assert made.everything <= PROTECTIONS[strength].everything
        assert made.answer <= PROTECTIONS[strength].answer
        assert sorted(question.key for question in strong.questions) == sorted(keys)
        assert proposal.definition.document["about"] == draft.document["about"]


@pytest.mark.parametrize("strength", PROTECTIONS)
@pytest.mark.parametrize("wanted", [(), ("q0",), ("q0", "q5")])
def test_what_is_proposed_passes_every_check_of_protection(strength: str, wanted: tuple[str, ...]) -> None:
    document = proposed_document(DRAFTS["with a skip"], Aim(people=400, wanted=wanted, strength=strength))
    changes = {name: value for name, value in document.items() if name not in ("blocks", "sotto")}
    aim = Aim(people=1_000_000, wanted=wanted)
    codes = {finding.code for finding in findings_of(*document["blocks"], aim=aim, **changes)}
    # Where nobody said what is wanted, three of eight a person leave some three that nobody is asked.
    assert codes <= ({"never_together", "few_together"} if not wanted else set())


def test_the_wanted_two_are_asked_of_everybody_in_one_part() -> None:
    best = proposals(DRAFTS["with a skip"], Aim(people=400, wanted=("q2", "q6")))[0]
    design = best.definition.design
    assert design.drawn_together([design.question_number("q2"), design.question_number("q6")]) == 1
    assert best.use.power is not None
    assert best.use.power > 0.8


def test_the_order_of_questions_and_the_texts_stay() -> None:
    draft = DRAFTS["with a choice"]
    document = proposed_document(draft, Aim(people=400))
    asked = [question for block in document["blocks"] for question in block["questions"]]
    before = [question for block in draft.document["blocks"] for question in block["questions"]]
    assert [question["text"] for question in asked] == [question["text"] for question in before]


def test_waves_of_a_series_leave_less() -> None:
    draft, aim = DRAFTS["eight"], Aim(people=400)
    wave = WaveLine(slug="first", title="First", epsilon=1.0, most=1.0)
    first, second = (proposals(draft, aim, waves=waves)[0].promise for waves in ((), (wave,)))
    assert first is not None
    assert second is not None
    assert float(second.everything) * 2.7182 <= float(first.everything) * 1.001
    assert proposals(draft, aim, waves=[WaveLine(slug="all", title="All", epsilon=3.0, most=3.0)]) == ()


def test_a_draft_without_texts_is_laid_out() -> None:
    document = document_of(protected("b", *copy.deepcopy(EIGHT)))
    document["about"] = {name: {"en": ""} for name in document["about"]}
    document["slug"] = ""
    draft = definition_without_texts(document)
    assert draft is not None
    assert proposals(draft, Aim(people=400))


def test_where_nothing_is_disguised_nothing_is_laid_out() -> None:
    draft = drafted(unprotected("open", JOB))
    (kept,) = proposals(draft, Aim(people=400))
    assert (kept.kind, kept.definition.document) == ("kept", draft.document)


def test_an_item_that_is_gone_is_not_wanted() -> None:
    assert proposals(DRAFTS["eight"], Aim(people=400, wanted=("gone", "q1")))[0].use.aim.wanted == ("q1",)


def test_a_question_is_disguised_or_sent_as_it_is_and_back() -> None:
    document = document_of(
        protected("b", *copy.deepcopy(EIGHT[:3]), refusal=1112), unprotected("o", OPEN_CHOICE)
    )
    made = with_sensitive(document, {"q0", "q2", "often"})
    assert [(block["protected"], [one["key"] for one in block["questions"]]) for block in made["blocks"]] == [
        (True, ["q0"]),
        (False, ["q1"]),
        (True, ["q2"]),
        (True, ["often"]),
    ]
    assert len({block["key"] for block in made["blocks"]}) == 4
    whole = definition_parse(made)
    assert promise(whole.design) is not None
    assert "unrelated" not in made["blocks"][1]["questions"][0]
    assert with_sensitive(document, {"q0", "q1", "q2"}) == document


def test_a_number_is_disguised_or_stored_as_answered_and_back() -> None:
    number = {"mechanism": "hybrid", "epsilon": 1.1, "low": 0, "high": 24, "bin": 5}
    asked = {"key": "sleep", "kind": "number", "text": {"en": "How long?"}, "number": number}
    short = {"key": "short", "text": {"en": "Short"}, "from": 0, "to": 4}
    part = {"key": "n", "protected": True, "refusal": True, "title": {"en": "Sleep"}, "questions": [asked]}
    document = document_of(part, protected("b", *copy.deepcopy(EIGHT[:2]), refusal=2000))
    assert "sleep" in [question["key"] for question in choosable_questions(document)]
    assert with_sensitive(document, {"sleep", "q0", "q1"}) == document
    stored = with_sensitive(document, {"q0", "q1"})
    assert stored["blocks"][0] == {
        "key": "n",
        "protected": False,
        "title": {"en": "Sleep"},
        "questions": [asked | {"number": {"low": 0, "high": 24, "bin": 1}}],
    }
    draft = definition_without_texts(stored)
    assert draft is not None
    for proposal in proposals(draft, Aim(people=400)):
        assert [block.protected for block in proposal.definition.design.blocks].count(False) == 1
    stored["blocks"][0]["questions"][0]["options"] = [short]
    again = with_sensitive(stored, {"sleep", "q0", "q1"})["blocks"][0]
    assert (again["protected"], again["refusal"]) == (True, True)
    assert again["questions"][0]["number"] == {
        "mechanism": "keep",
        "epsilon": 1.38,
        "low": 0,
        "high": 24,
        "bin": 5,
    }
    assert definition_without_texts({**stored, "blocks": [again]}) is not None


def test_a_question_that_a_condition_names_stays_open() -> None:
    document = DRAFTS["some people only"].document
    assert "job" not in [question["key"] for question in choosable_questions(document)]
    made = with_sensitive(document, {"job"})
    assert not made["blocks"][0]["protected"]


def test_a_question_that_is_stored_as_answered_takes_no_skip_from_the_others() -> None:
    document = document_of(protected("b", *copy.deepcopy(EIGHT[:4]), refusal=589))
    for kept in ({"q0", "q2", "q3"}, {"q1"}):
        draft = definition_without_texts(with_sensitive(document, kept))
        assert draft is not None
        assert all(block.refusal for block in draft.design.blocks if block.protected)
        for proposal in proposals(draft, Aim(people=400)):
            assert all(block.refusal for block in proposal.definition.design.blocks if block.protected)


def test_a_question_that_is_disguised_again_can_be_skipped_again() -> None:
    document = document_of(protected("b", *copy.deepcopy(EIGHT[:2]), refusal=2000))
    again = with_sensitive(with_sensitive(document, set()), {"q0", "q1"})
    assert [bool(block.get("refusal")) for block in again["blocks"] if block["protected"]] == [True]


def test_a_skip_that_was_removed_stays_away() -> None:
    document = document_of(protected("b", *copy.deepcopy(EIGHT[:2])), unprotected("o", OPEN_CHOICE))
    made = with_sensitive(document, {"q0", "often"})
    assert not any(block.get("refusal") for block in made["blocks"])


def _options(question: dict[str, Any], count: int) -> dict[str, Any]:
    even = even_chances(question["kind"], count)
    options = [{"key": f"o{n}", "text": {"en": f"Number {n}"}} for n in range(count)]
    return {**question, "options": options, "unrelated": even, "prevalence": even}


@given(
    counts=st.lists(st.integers(2, 20), min_size=1, max_size=4),
    plain=st.integers(0, 3),
    kept=st.sets(st.integers(0, 6)),
    skips=st.booleans(),
    strength=st.sampled_from(sorted(PROTECTIONS)),
)
def test_every_draft_has_a_layout_whichever_questions_are_stored_as_answered(
    counts: list[int], plain: int, kept: set[int], skips: bool, strength: str
) -> None:
    questions = copy.deepcopy(EIGHT[:plain]) + [
        {**_options(CHOICE, count), "key": f"c{number}"} for number, count in enumerate(counts)
    ]
    document = document_of(protected("b", *questions, **({"refusal": 100} if skips else {})))
    chosen = {question["key"] for number, question in enumerate(questions) if number in kept}
    draft = definition_without_texts(with_sensitive(document, chosen))
    assert draft is not None
    found = proposals(draft, Aim(people=400, strength=strength))
    assert found
    for proposal in found:
        made = promise(proposal.definition.design)
        assert (made is None) == (not chosen)
        if made is not None:
            assert made.everything <= PROTECTIONS[strength].everything
            assert made.answer <= PROTECTIONS[strength].answer
        for block in proposal.definition.design.blocks:
            assert not block.protected or (block.refusal is not None) == skips
