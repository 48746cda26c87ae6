"""Questionnaires of LimeSurvey."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from surveys.exchange.foreign.limesurvey import limesurvey_read
from surveys.exchange.xlsform.workbook import ImportedForm
from surveys.questionnaire.document import MOST_BYTES
from surveys.questionnaire.problems import DefinitionError
from tests.cast.foreign_surveys import GROUPS3, SETTINGS3, SURVEY3, lss, release3, release6, row3


def read(raw: bytes) -> ImportedForm:
    return limesurvey_read(raw, name="it")


def test_an_export_of_release_3_becomes_a_draft_that_is_open() -> None:
    form = read(release3())
    document = form.document
    assert document["languages"] == ["en", "de"]
    assert document["title"] == {"en": "Nights", "de": "Nächte"}
    asked = {
        question["key"]: (question["kind"], block["protected"])
        for block in document["blocks"]
        for question in block["questions"]
    }
    assert asked == {
        "smokes": ("single", False),
        "quit": ("yes_no", False),
        "drinks": ("multi", False),
        "habits_late": ("single", False),
        "hours": ("number", True),
        "stress": ("single", False),
        "sure_one": ("single", False),
    }
    assert form.open_questions == 6
    # Five points stand side by side.
    looks = [q.get("look") for block in document["blocks"] for q in block["questions"]]
    assert looks[list(asked).index("stress")] == "rating"
    assert {block["title"]["de"] for block in document["blocks"]} == {"Gewohnheiten"}


def test_texts_lose_their_markup_and_keep_their_languages() -> None:
    (first, *_more) = read(release3()).document["blocks"][0]["questions"]
    assert first["text"] == {"en": "Do you smoke?", "de": "Rauchen Sie?"}
    assert first["options"] == [
        {"key": "A1", "text": {"en": "Daily", "de": "Täglich"}},
        {"key": "A2", "text": {"en": "Never", "de": "Nie"}},
    ]


def test_conditions_are_followed_by_code_and_by_number() -> None:
    form = read(release3())
    waits = {
        block["questions"][0]["key"]: block["asked_if"]
        for block in form.document["blocks"]
        if "asked_if" in block
    }
    assert waits == {
        "quit": {"question": "smokes", "options": ["A1"]},
        "sure_one": {"question": "quit", "options": ["no"]},
    }
    assert any("77X1X2.NAOK" in line and "1 == 1" in line for line in form.not_kept)


def test_what_is_left_out_is_listed_by_name() -> None:
    notes = "\n".join(read(release3()).not_kept)
    for named in (
        "question say", "long text", "mandatory (smokes)", "other (smokes)", "random_order (smokes)",
        "quota (survey)", "question sure: its answers are LimeSurvey’s own words",
        "question hours: a number is always disguised",
    ):  # fmt: skip
        assert named in notes, named


def test_an_export_of_release_6_has_its_texts_elsewhere() -> None:
    form = read(release6())
    (block,) = form.document["blocks"]
    assert block["title"] == {"en": "Habits", "de": "Gewohnheiten"}
    (question,) = block["questions"]
    assert question["text"] == {"en": "Do you smoke?", "de": "Rauchen Sie?"}
    assert question["help"] == {"en": "Be frank."}
    # In the order in which they are shown, not in that of the file.
    assert [option["key"] for option in question["options"]] == ["A2", "A1"]
    assert question["options"][0]["text"] == {"en": "Never", "de": "Nie"}


TYPES = "L!OYG5MPFHABNCEK1:;STUQDRXI*|"


@pytest.mark.parametrize("kind", TYPES)
def test_every_type_is_taken_or_named(kind: str) -> None:
    subs = [
        line
        for number in (1, 2)
        for line in row3(30 + number, "T", f"s{number}", {"en": "x"}, parent_qid="3")
    ]
    raw = lss(
        ["en"],
        answers=[
            {"qid": "3", "code": code, "answer": code, "sortorder": "0", "language": "en"}
            for code in ("a", "b")
        ],
        groups=GROUPS3[:1],
        questions=row3(3, kind, "it", {"en": "What?"}),
        subquestions=subs,
        surveys=SURVEY3,
        surveys_languagesettings=SETTINGS3[:1],
    )
    form = read(raw)
    taken = [question for block in form.document["blocks"] for question in block["questions"]]
    assert bool(taken) == (kind in "L!OYG5MPFHABNCEDR")
    assert taken or any(line.startswith("question it") for line in form.not_kept)
    assert {question["text"]["en"].partition(":")[0] for question in taken} <= {"What?"}
    assert (kind == "R") == any(question["kind"] == "ranking" for question in taken)
    # Lines of an array stay a table, points stand side by side.
    look = "rating" if kind == "5" else "matrix" if kind in "FHABCE" else None
    assert [question.get("look") for question in taken] == [look for _ in taken]


def laughs(depth: int = 9) -> bytes:
    entities = '<!ENTITY a0 "ha">' + "".join(
        f'<!ENTITY a{level} "{f"&a{level - 1};" * 10}">' for level in range(1, depth)
    )
    return (
        f"<?xml version='1.0'?><!DOCTYPE document [{entities}]>"
        f"<document><LimeSurveyDocType>&a{depth - 1};</LimeSurveyDocType></document>"
    ).encode()


OUTSIDE = (
    '<?xml version="1.0"?><!DOCTYPE document [<!ENTITY x SYSTEM "file:///etc/passwd">]>'
    "<document><LimeSurveyDocType>&x;</LimeSurveyDocType></document>"
)


@pytest.mark.parametrize(
    "raw",
    [
        laughs(),
        OUTSIDE.encode(),
        OUTSIDE.encode("utf-16"),
        b'<!DOCTYPE document SYSTEM "http://127.0.0.1:9/x.dtd"><document/>',
        b"<!DOCTYPE document [<!ENTITY % x SYSTEM 'file:///etc/passwd'> %x;]><document/>",
        b"<!DOCTYPE document><document/>",
    ],
)
def test_declarations_are_refused_before_anything_expands(raw: bytes) -> None:
    with pytest.raises(DefinitionError, match="document type"):
        read(raw)


@pytest.mark.parametrize(
    "raw",
    [
        b"", b"<", b"{}", b"<document/>", b"<html></html>", b"\x00" * 100, b"<document>&x;</document>",
        b"<document><LimeSurveyDocType>Token</LimeSurveyDocType></document>",
        b"<document><LimeSurveyDocType>Survey</LimeSurveyDocType></document>",
        b"<document>" + b"<a>" * 100 + b"</a>" * 100 + b"</document>",
        b"<document>" + b"<a/>" * 400_001 + b"</document>",
        b"<?xml version='1.0' encoding='no-such'?><document/>",
        b" " * (MOST_BYTES + 1), lss(["en"], questions=[]),
    ],
)  # fmt: skip
def test_what_is_no_survey_is_refused(raw: bytes) -> None:
    with pytest.raises(DefinitionError) as refusal:
        read(raw)
    assert refusal.value.problems[0].remedy


@settings(max_examples=200)
@given(st.binary(max_size=20), st.integers(0, 4_000), st.integers(0, 30))
def test_a_file_with_bytes_changed_is_read_or_refused(put: bytes, at: int, cut: int) -> None:
    whole = release3()
    try:
        form = read(whole[:at] + put + whole[at + cut :])
    except DefinitionError:
        return
    keys = [question["key"] for block in form.document["blocks"] for question in block["questions"]]
    assert len(keys) == len(set(keys))


MEMBER_NAMES = (
    "qid parent_qid gid sid type title question language relevance code answer sortorder question_order "
    "attribute value scale_id aid group_name"
)


@pytest.mark.soak
@settings(max_examples=200)
@given(st.data())
def test_rows_that_say_anything_are_read(data: st.DataObject) -> None:
    words = st.sampled_from(
        ["", "0", "1", "3", "-1", "x", "L", "M", "Y", "N", "en", "q == '1'", "é", "9" * 30]
    )
    rows = st.lists(
        st.dictionaries(
            st.sampled_from(MEMBER_NAMES.split(" ")),
            words,
        ),
        max_size=4,
    )
    tables = ("groups", "questions", "subquestions", "answers", "question_attributes", "answer_l10ns")
    raw = lss(["en", "x"], **{name: data.draw(rows) for name in tables})
    try:
        form = read(raw)
    except DefinitionError:
        return
    keys = [question["key"] for block in form.document["blocks"] for question in block["questions"]]
    assert len(keys) == len(set(keys))
