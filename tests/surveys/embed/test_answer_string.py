"""A frame's string: device and server write and read it identically and strictly."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from surveys.embed.frame import answer_string_read, answer_string_write, version_mark
from surveys.errors.error import SurveyError
from tests.vectors.make_vectors import HERE

GOOD = "sotto1.AAAAAAAAAAAA.AAECAwQFBgcI.YA"


def test_python_reads_what_the_vectors_hold() -> None:
    for case in json.loads((HERE / "frame.json").read_text())["strings"]:
        read = answer_string_read(case["string"])
        assert read.version == case["digest"][:18]
        assert (read.random.hex(), read.body.hex()) == (case["random"], case["body"])


@given(
    st.binary(min_size=32, max_size=32), st.binary(min_size=1, max_size=60), st.binary(min_size=9, max_size=9)
)
def test_what_was_written_is_read(digest: bytes, body: bytes, random: bytes) -> None:
    read = answer_string_read(answer_string_write(digest.hex(), body, random))
    assert (read.version, read.body, read.random) == (version_mark(digest.hex()), body, random)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "sotto1.",
        GOOD.replace("sotto1", "sotto2"),
        GOOD.upper(),
        f" {GOOD}",
        f"{GOOD}\n",
        f"{GOOD}=",
        f"{GOOD}AAA",  # a length that no number of bytes has
        GOOD[:-1] + "B",  # bits beyond the last byte
        GOOD.replace("AAEC", "AAE+"),
        GOOD.replace("AAEC", "AAE"),
        GOOD + ".YA",
        GOOD.replace("YA", ""),
        "sotto1.АAAAAAAAAAAA.AAECAwQFBgcI.YA",  # a Cyrillic letter
    ],
)
def test_every_other_text_is_refused(text: str) -> None:
    with pytest.raises(SurveyError) as caught:
        answer_string_read(text)
    assert caught.value.code == "answer_string"
