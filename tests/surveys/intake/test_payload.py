"""The parser accepts every message that a device can send; tests of each refusal."""

import hashlib
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


def test_a_hundred_brackets_may_be_opened() -> None:
    assert payload._members(b'{"a": "' + b"[" * 99 + b'"}') == {"a": "[" * 99}
    with pytest.raises(SurveyError) as refused:
        payload._members(b'{"a": "' + b"[" * 100 + b'"}')
    assert refused.value.case == "nested"
