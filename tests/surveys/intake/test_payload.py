"""The parser accepts every message that a device can send; tests of each refusal."""

import hashlib
import io
import json
import secrets
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from privacy.survey.design import Design
from privacy.survey.layout import Layout
from surveys.errors.error import SurveyError
from surveys.intake import payload

MEMBERS = {
    "survey": "workplace",
    "key": "0123456789abcdef" * 2,
    "design_id": "ab" * 32,
    "body": "60",
    "nonce": "cd" * 32,
}
DESIGN = Design.from_json(
    {
        "mechanism": 1,
        "use": "live",
        "group": {"policy": "protected", "direct_share": None},
        "blocks": [
            {
                "key": "you",
                "protected": False,
                "truth_probability": 10000,
                "refusal": None,
                "asked_if": None,
                "questions": [
                    {"key": "age", "kind": "single", "options": ["22", "27", "32"], "unrelated": []}
                ],
            }
        ],
    }
)


def spelled(**changes: Any) -> bytes:
    return json.dumps({**MEMBERS, **changes}).encode()


def refusal(raw: bytes) -> SurveyError:
    with pytest.raises(SurveyError) as caught:
        payload.parse(raw)
    assert caught.value.message
    assert caught.value.remedy
    return caught.value


def test_the_parser_reads_device_submissions() -> None:
    raw = spelled()
    submission = payload.parse(raw)
    assert submission.survey == "workplace"
    assert submission.key == bytes.fromhex("0123456789abcdef0123456789abcdef")
    assert submission.design_id == "ab" * 32
    assert submission.body == b"\x60"
    assert submission.digest == hashlib.sha256(raw).digest()


def test_json_spaces_and_escapes_are_accepted_and_change_the_digest() -> None:
    raw = spelled()
    spaced = b" \n" + raw.replace(b":", b" :\t").replace(b'"survey"', b'"s\\u0075rvey"') + b"\r\n"
    assert payload.parse(spaced).survey == "workplace"
    assert payload.parse(spaced).digest != payload.parse(raw).digest


@pytest.mark.parametrize(
    ("raw", "code"),
    [
        (b"", "malformed"),
        (b"{", "malformed"),
        (b"[]", "malformed"),
        (b"null", "malformed"),
        (b'"text"', "malformed"),
        (b"{}", "malformed"),
        (spelled() + b"x", "malformed"),
        (spelled() + spelled(), "malformed"),
        (b'{"survey":"load",}', "malformed"),
        (b'{"survey":"load" "key":"0"}', "malformed"),
        (b'{"survey":"load","key"}', "malformed"),
        (b'{"survey":"lo\\x61d"}', "malformed"),
        (b'{"survey":"lo\\u00g1d"}', "malformed"),
        (b"\xef\xbb\xbf" + spelled(), "malformed"),
        (spelled()[:-1], "malformed"),
        (spelled().replace(b'"60"', b"60"), "malformed"),
        (spelled().replace(b'"60"', b"true"), "malformed"),
        (spelled().replace(b'"60"', b"NaN"), "malformed"),
        (spelled().replace(b'"60"', b"1" * 50_000), "malformed"),
        (spelled().replace(b'"60"', b'"6\n0"'), "malformed"),
        (spelled().replace(b'"60"', b"'60'"), "malformed"),
        (spelled().replace(b'"60"', b'["60"]'), "nested"),
        (spelled().replace(b'"60"', b'{"a":"60"}'), "nested"),
        (b"[" * 60_000, "nested"),
        (b"[" * 90, "malformed"),
        (b'{"a":' * 90, "malformed"),
        (b'{"a":' * 90 + b'"b"' + b"}" * 90, "nested"),
        (spelled().replace(b'"60"', b"-1" + b"0" * 50_000 + b".5e9999"), "malformed"),
        (spelled().replace(b'"60"', b"null"), "malformed"),
        (b'{"a":' * 10_000, "nested"),
        (b'{"a":' + b"[" * 60_000, "nested"),
        (spelled().replace(b"workplace", b"work\xffplace"), "not_utf8"),
        (spelled().replace(b"workplace", b"work\xc0\x80"), "not_utf8"),
        (spelled().replace(b"workplace", b"\xed\xa0\x80"), "not_utf8"),
        (spelled()[:-1] + b',"key":"' + b"0" * 32 + b'"}', "duplicate_key"),
        (spelled()[:-1] + b',"k\\u0065y":"' + b"0" * 32 + b'"}', "duplicate_key"),
        (spelled(extra="x"), "keys"),
        (json.dumps({k: v for k, v in MEMBERS.items() if k != "nonce"}).encode(), "keys"),
        (spelled(survey=""), "survey"),
        (spelled(survey="Work"), "survey"),
        (spelled(survey="-work"), "survey"),
        (spelled(survey="work\n"), "survey"),
        (spelled(survey="w\u00f6rk"), "survey"),
        (spelled(survey="\u0661"), "survey"),
        (spelled(survey="a" * 51), "survey"),
        (spelled().replace(b"workplace", b"\\ud800"), "survey"),
        (spelled().replace(b"workplace", b"work\\u0000"), "survey"),
        (spelled(key="0" * 31), "key"),
        (spelled(key="0" * 33), "key"),
        (spelled(key="A" * 32), "key"),
        (spelled(key="g" * 32), "key"),
        (spelled(key="\u0661" * 32), "key"),
        (spelled(design_id="a" * 63), "design_id"),
        (spelled(design_id="A" * 64), "design_id"),
        (spelled(nonce="a" * 65), "nonce"),
        (spelled(nonce=""), "nonce"),
        (spelled(body=""), "body"),
        (spelled(body="6"), "body"),
        (spelled(body="6F"), "body"),
        (spelled(body="60\n"), "body"),
    ],
)
def test_malformed_submissions_get_400(raw: bytes, code: str) -> None:
    refused = refusal(raw)
    assert (refused.status, refused.code) == (400, code)
    assert refused.retry_after is None


def test_submissions_over_64_kilobytes_are_rejected_unread() -> None:
    refused = refusal(spelled(body="6" * 65_536))
    assert (refused.status, refused.code) == (413, "too_large")


@pytest.mark.parametrize(
    "raw",
    [
        b'{"' * 32_000,
        b'{"a":"' + b'\\"' * 32_000,
        b'"' * 65_536,
        b'{"a":"b",' * 7_000,
        b" " * 65_536,
        b"{" + b'"a":"b",' * 8_000,
        b'{"' + b"\\u0061" * 10_000,
        b'{"a":"b"' + b" " * 65_000 + b"}",
        b'{"a":"' + b"[" * 65_000 + b'"}',
    ],
)
def test_parsing_bytes_made_to_cause_backtracking_terminates(raw: bytes) -> None:
    # A pattern that backtracks from each quotation mark would need hours for these.
    assert refusal(raw).status == 400


@pytest.mark.parametrize(
    ("body", "code"),
    [
        (b"\x60\x00", "impossible_body"),
        (b"\xe0", "impossible_body"),
        (b"\x61", "impossible_body"),
        (b"\x70", "impossible_body"),
        (b"\x20", "impossible_body"),
    ],
    ids=["length", "direct", "padding", "option", "absent"],
)
def test_impossible_bodies_are_rejected_with_422(body: bytes, code: str) -> None:
    submission = payload.parse(spelled(body=body.hex()))
    with pytest.raises(SurveyError) as caught:
        payload.check_body(submission, Layout(DESIGN))
    assert (caught.value.status, caught.value.code) == (422, code)


def test_possible_bodies_are_accepted() -> None:
    payload.check_body(payload.parse(spelled(body="60")), Layout(DESIGN))


@pytest.mark.parametrize("site", ["cross-site", "same-site", "none", "", "Same-Origin", "x" * 1000])
def test_cross_site_requests_are_rejected_with_403(site: str) -> None:
    with pytest.raises(SurveyError) as caught:
        payload.check_origin(site)
    assert (caught.value.status, caught.value.code) == (403, "cross_site")


@pytest.mark.parametrize("site", ["same-origin", None])
def test_same_site_pages_and_programs_without_the_header_are_accepted(site: str | None) -> None:
    payload.check_origin(site)


@pytest.mark.parametrize(
    "content_type",
    [
        "",
        "application/json",
        "text/plain",
        "application/x-www-form-urlencoded",
        "multipart/form-data; boundary=x",
        payload.CONTENT_TYPE + "; charset=latin-1",
        payload.CONTENT_TYPE + "x",
    ],
)
def test_other_content_types_are_rejected_with_415(content_type: str) -> None:
    with pytest.raises(SurveyError) as caught:
        payload.check_content_type(content_type)
    assert (caught.value.status, caught.value.code) == (415, "content_type")


class Counting(io.BytesIO):
    """A stream that records how much was requested."""

    asked = 0

    def read(self, size: int | None = -1, /) -> bytes:
        assert size is not None
        assert size >= 0, "an unlimited read"
        self.asked += size
        return super().read(min(size, 1000))


def test_only_the_announced_bytes_are_read() -> None:
    stream = Counting(b"x" * 5000)
    assert payload.read_at_most(stream, "3000") == b"x" * 3000
    assert stream.tell() == 3000


UNUSABLE_LENGTHS = (None, "", "-1", "+5", "5.0", "0x10", "\u0665", " 5")


@pytest.mark.parametrize(
    ("length", "refusal"),
    [(length, (413, "too_large")) for length in ("65537", "9" * 9, "1" * 5000)]
    + [(length, (400, "length")) for length in UNUSABLE_LENGTHS],
)
def test_bodies_with_an_unusable_length_are_not_read(length: str | None, refusal: tuple[int, str]) -> None:
    stream = Counting(b"x" * 100_000)
    with pytest.raises(SurveyError) as caught:
        payload.read_at_most(stream, length)
    assert (caught.value.status, caught.value.code) == refusal
    assert stream.asked == 0


def test_truncated_bodies_are_rejected() -> None:
    with pytest.raises(SurveyError) as caught:
        payload.read_at_most(Counting(b"x" * 10), "11")
    assert (caught.value.status, caught.value.code) == (400, "cut_off")


@pytest.mark.slow
@settings(deadline=None)
@given(st.binary(max_size=200))
def test_arbitrary_bytes_cause_only_parser_refusals(raw: bytes) -> None:
    refusal(raw)


@pytest.mark.slow
@settings(deadline=None)
@given(st.dictionaries(st.text(max_size=12), st.text(max_size=80), max_size=7))
def test_any_object_of_strings_raises_only_expected_errors(members: dict[str, str]) -> None:
    raw = json.dumps(members).encode()
    assert refusal(raw).code in {"keys", "malformed"}


def test_the_nonce_changes_only_the_digest() -> None:
    one, two = (payload.parse(spelled(nonce=secrets.token_hex(32))) for _ in range(2))
    assert one.digest != two.digest
    assert (one.survey, one.key, one.design_id, one.body) == (two.survey, two.key, two.design_id, two.body)


def test_a_length_has_at_most_nine_digits_and_allows_64_kilobytes() -> None:
    assert len(payload.read_at_most(Counting(b"x" * 65_537), "000065536")) == 65_536
    with pytest.raises(SurveyError) as refused:
        payload.read_at_most(Counting(b"x" * 5), "0000000005")
    assert refused.value.case == "too_large.body"


def test_no_read_asks_for_more_than_is_left() -> None:
    asked = []

    class Slow:
        def read(self, size: int) -> bytes:
            asked.append(size)
            return b"x" * min(size, 1000)

    assert payload.read_at_most(Slow(), "2500") == b"x" * 2500
    assert asked == [2500, 1500, 500]


def test_a_hundred_brackets_may_be_opened() -> None:
    assert payload._members(b'{"a": "' + b"[" * 99 + b'"}') == {"a": "[" * 99}
    with pytest.raises(SurveyError) as refused:
        payload._members(b'{"a": "' + b"[" * 100 + b'"}')
    assert refused.value.case == "nested"
