"""A tool's file is read strictly: answer strings, and columns that can be open questions, nothing else."""

import csv
import io
import json
import random
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from privacy.coins import Coins
from privacy.survey.design import Design
from privacy.survey.disguise import disguise
from privacy.survey.drawn_questions import draw_questions
from privacy.survey.layout import Layout
from surveys.embed.answer_string import answer_string_read, answer_string_write, version_mark
from surveys.embed.frame_promise import frame_digest
from surveys.embed.reading import FileRead, document_of, file_read, packed_rows
from surveys.errors.error import SurveyError
from surveys.questionnaire.definition import definition_parse
from tests.fixtures.devices import true_answers
from tests.fixtures.embed_frames import FRAMED, framed, rotating, three, turning, yes_no
from tests.fixtures.host_files import answers_of, bodies, by_digest, csv_of, exported, host_file, strings
from tests.vectors.make_vectors import HERE


def read(raw: bytes, *documents: dict[str, Any]) -> FileRead:
    return file_read(host_file("answers.csv", raw), by_digest(*documents))


def changed(raw: bytes, line: int, column: int, text: str) -> bytes:
    """Return a file with another text in one cell; the header is line 0."""
    lines = list(csv.reader(io.StringIO(raw.decode())))
    lines[line][column] = text
    return csv_of(lines[0], lines[1:])


@pytest.mark.soak
def test_answer_strings_are_found_and_columns_classified() -> None:
    found = read(exported(three()), three())
    assert (found.n, found.not_answered) == (200, 0)
    assert [part.column for part in found.parts] == ["protected"]
    assert [(column.name, column.options, column.is_proposed) for column in found.columns] == [
        ("works nights", ("no", "yes"), True)
    ]
    assert found.never_read == ("ResponseId", "StartDate", "comment")
    sent = bodies(definition_parse(three()), answers_of(200))
    assert [row.tobytes() for row in found.parts[0].rows] == sent


@pytest.mark.soak
def test_packed_rows_match_the_layout() -> None:
    found = read(exported(three()), three())
    document = document_of(found, found.columns, slug="elsewhere")
    layout = Layout(definition_parse(document).design)
    sent = [Layout(definition_parse(three()).design).unpack(row.tobytes()) for row in found.parts[0].rows]
    for row, before, value in zip(
        packed_rows(found, found.columns), sent, found.columns[0].values, strict=True
    ):
        assert layout.unpack(row.tobytes()).answers == (*before.answers, (int(value),))


def test_empty_cells_are_missing_and_empty_strings_skip_the_row() -> None:
    raw = changed(changed(exported(three()), 1, 3, ""), 2, 2, "NA")
    found = read(raw, three())
    assert (found.n, found.not_answered) == (199, 1)
    assert found.columns[0].values[0] == -1
    layout = Layout(definition_parse(document_of(found, found.columns, slug="e")).design)
    assert layout.unpack(packed_rows(found, found.columns)[0].tobytes()).answers[1] == (None,)


def test_two_blocks_are_joined_by_person() -> None:
    other = framed(*map(yes_no, "de"), key="other")
    first, second = definition_parse(three()), definition_parse(other)
    one = strings(first, bodies(first, answers_of(50)))
    two = strings(second, bodies(second, [{"d": number % 2, "e": 0} for number in range(50)]), seed=9)
    found = read(csv_of(["one", "two"], list(zip(one, two, strict=True))), other, three())
    assert [part.definition.design.blocks[0].key for part in found.parts] == ["part", "other"]
    layout = Layout(definition_parse(document_of(found, (), slug="e")).design)
    for row in packed_rows(found, ()):
        assert all(value is not None for block in layout.unpack(row.tobytes()).answers for value in block)


def test_names_and_times_are_never_proposed_as_open_columns() -> None:
    definition = definition_parse(three())
    made = strings(definition, bodies(definition, answers_of(20)))
    names = ["Start time", "user name", "E-Mail", "day", "姓名", "age group"]
    lines = [[string, *[number % 2 for _ in names]] for number, string in enumerate(made)]
    found = read(csv_of(["s", *names], lines), three())
    assert [column.name for column in found.columns if column.is_proposed] == ["age group"]


def other_version() -> str:
    return frame_digest(definition_parse(rotating()))


GOOD = frame_digest(definition_parse(three()))


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("no comment", "string"),
        (answer_string_write(GOOD, b"\x54", bytes(9)) + "!", "string"),
        (answer_string_write(GOOD, b"\x54\x00", bytes(9)), "impossible"),
        (answer_string_write(GOOD, b"\x55", bytes(9)), "impossible"),  # padding
        (answer_string_write(GOOD, b"\xd4", bytes(9)), "impossible"),  # the direct group
        (answer_string_write("ab" * 32, b"\x54", bytes(9)), "version"),
        (answer_string_write(other_version(), b"\x50\x00", bytes(9)), "version"),
    ],
    ids=["text", "a sign more", "too long", "padding", "group", "unknown", "other version"],
)
def test_invalid_lines_are_listed_by_number_and_valid_ones_kept(text: str, reason: str) -> None:
    found = read(changed(exported(three(), 20), 4, 2, text), three(), rotating())
    assert [(each.number, each.column, each.reason) for each in found.wrong] == [(5, "protected", reason)]
    assert (found.n, found.not_answered) == (19, 0)
    sent = bodies(definition_parse(three()), answers_of(20))
    assert [row.tobytes() for row in found.parts[0].rows] == sent[:3] + sent[4:]
    # Other columns are limited to the same people.
    assert len(found.columns[0].values) == 19


def test_duplicate_strings_keep_only_their_first_line() -> None:
    raw = exported(three(), 20)
    lines = list(csv.reader(io.StringIO(raw.decode())))
    found = read(changed(raw, 9, 2, lines[3][2]), three())
    assert [(each.number, each.reason) for each in found.wrong] == [(10, "twice")]
    assert found.n == 19


def with_comment(text: str, *, others: str = "text") -> bytes:
    """Return a file of 300 people, one of whom pasted this text as a comment."""
    lines = list(csv.reader(io.StringIO(exported(three(), 300).decode())))
    for number, cells in enumerate(lines[1:], start=1):
        cells[4] = text if number == 7 else f"{others} {number}" * bool(others)
    return csv_of(lines[0], lines[1:])


@pytest.mark.parametrize("others", ["text", ""], ids=["others wrote, too", "nobody else wrote"])
@pytest.mark.parametrize(
    "text",
    [
        "sotto1.",
        "sotto1.anything",
        answer_string_write(GOOD, b"\x54", bytes(9)),
        answer_string_write("ab" * 32, b"\x54", bytes(9)),
        answer_string_write(other_version(), b"\x50\x00", bytes(9)),
    ],
    ids=["prefix", "no line", "same version", "unknown version", "another known version"],
)
def test_answer_strings_in_one_comment_do_not_affect_reading(text: str, others: str) -> None:
    found = read(with_comment(text, others=others), three(), rotating())
    assert (found.n, found.not_answered, found.wrong) == (300, 0, ())
    assert [(column.name, column.is_read) for column in found.strings] == [
        ("protected", True),
        ("comment", False),
    ]
    assert "comment" in found.never_read


def test_the_user_can_name_the_answer_columns() -> None:
    raw = with_comment(answer_string_write(GOOD, b"\x54", bytes(9)), others="")
    versions = by_digest(three())
    assert file_read(host_file("a.csv", raw), versions, names=["comment"]).n == 1
    for named in ("works nights", "nothing"):
        with pytest.raises(SurveyError, match="contains no lines from a frame"):
            file_read(host_file("a.csv", raw), versions, names=[named])


def test_strings_of_unknown_versions_are_rejected_with_their_mark() -> None:
    with pytest.raises(SurveyError, match=GOOD[:18]):
        read(exported(three(), 20), rotating())


def test_columns_with_mostly_other_content_are_not_used() -> None:
    raw = csv_of(["a"], [["sotto1."], ["text"], ["text"]])
    with pytest.raises(SurveyError, match="only 1 of 3 cells in column a"):
        read(raw, three())


def test_equal_answers_of_two_people_count_twice() -> None:
    found = read(exported(three(), 200), three())
    assert len(np.unique(found.parts[0].rows)) < found.n == 200


@pytest.mark.parametrize(("raw", "case"), [(b"a,b\n1,2\n", "host_file.none"), (b"a,b\n", "table_file.empty")])
def test_files_without_answer_strings_are_rejected(raw: bytes, case: str) -> None:
    with pytest.raises(SurveyError) as caught:
        read(raw, three())
    assert caught.value.case == case


@pytest.mark.soak
@pytest.mark.parametrize("kind", FRAMED)
def test_answers_of_every_kind_are_read_back_unchanged(kind: str) -> None:
    definition = definition_parse(FRAMED[kind]())
    sent = [device(definition.design, random.Random(seed)) for seed in range(30)]
    found = read(csv_of(["s"], [[string] for string in strings(definition, sent)]), FRAMED[kind]())
    assert [row.tobytes() for row in packed_rows(found, ())] == sent


def test_two_parts_whose_turns_depend_on_each_other_are_not_read_together() -> None:
    first = turning()
    other = {**first, "blocks": framed(*map(yes_no, "de"), key="other")["blocks"]}
    alone = {**other, "series": "another"}

    def together(document: dict[str, Any]) -> FileRead:
        columns = []
        for each in (first, document):
            definition = definition_parse(each)
            sent = [device(definition.design, random.Random(seed)) for seed in range(20)]
            columns.append(strings(definition, sent, seed=len(columns)))
        return read(csv_of(["one", "two"], list(zip(*columns, strict=True))), first, document)

    with pytest.raises(SurveyError) as caught:
        together(other)
    assert caught.value.case == "host_file.turns"
    assert "one and two take turns in the same series, diary" in str(caught.value)
    design = definition_parse(document_of(together(alone), (), slug="e")).design
    assert [(each.blocks, each.blanks) for each in design.rotations] == [(("part",), 1), (("other",), 1)]


def device(design: Design, rng: random.Random) -> bytes:
    """Return the row of a device with random answers to the questions it draws."""
    coins = Coins(iter(lambda: rng.getrandbits(32), None))
    (block,) = design.blocks
    drawn = draw_questions(design, coins) if design.rotates else None
    asked = range(len(block.questions)) if drawn is None else drawn[0]
    whole = true_answers(design, rng)[block.key]
    given = (
        whole
        if whole == "skipped"
        else {block.questions[at].key: whole[block.questions[at].key] for at in asked}
    )
    record = disguise(design, {block.key: given} if asked else {}, direct=False, coins=coins, drawn=drawn)
    return Layout(design).pack(record)


GOOD_STRING = "sotto1.AAAAAAAAAAAA.AAECAwQFBgcI.YA"


def test_answer_strings_of_the_vectors_are_read() -> None:
    for case in json.loads((HERE / "frame.json").read_text())["strings"]:
        read = answer_string_read(case["string"])
        assert read.version == case["digest"][:18]
        assert (read.random.hex(), read.body.hex()) == (case["random"], case["body"])


@pytest.mark.soak
@given(
    st.binary(min_size=32, max_size=32), st.binary(min_size=1, max_size=60), st.binary(min_size=9, max_size=9)
)
def test_written_answer_strings_are_read_back(digest: bytes, body: bytes, random: bytes) -> None:
    read = answer_string_read(answer_string_write(digest.hex(), body, random))
    assert (read.version, read.body, read.random) == (version_mark(digest.hex()), body, random)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "sotto1.",
        GOOD_STRING.replace("sotto1", "sotto2"),
        GOOD_STRING.upper(),
        f" {GOOD_STRING}",
        f"{GOOD_STRING}\n",
        f"{GOOD_STRING}=",
        f"{GOOD_STRING}AAA",  # a length that no number of bytes has
        GOOD_STRING[:-1] + "B",  # bits beyond the last byte
        GOOD_STRING.replace("AAEC", "AAE+"),
        GOOD_STRING.replace("AAEC", "AAE"),
        GOOD_STRING + ".YA",
        GOOD_STRING.replace("YA", ""),
        "sotto1.АAAAAAAAAAAA.AAECAwQFBgcI.YA",  # a Cyrillic letter
    ],
)
def test_malformed_answer_strings_are_rejected(text: str) -> None:
    with pytest.raises(SurveyError) as caught:
        answer_string_read(text)
    assert caught.value.code == "answer_string"
