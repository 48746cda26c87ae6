"""Requests that our pages never send are refused before their body is read."""

import io

import pytest

from surveys.errors.error import SurveyError
from surveys.intake import request_checks


@pytest.mark.parametrize("site", ["cross-site", "same-site", "none", "", "Same-Origin", "x" * 1000])
def test_cross_site_requests_are_rejected_with_403(site: str) -> None:
    with pytest.raises(SurveyError) as caught:
        request_checks.check_origin(site)
    assert (caught.value.status, caught.value.code) == (403, "cross_site")


@pytest.mark.parametrize("site", ["same-origin", None])
def test_same_site_pages_and_programs_without_the_header_are_accepted(site: str | None) -> None:
    request_checks.check_origin(site)


@pytest.mark.parametrize(
    "content_type",
    [
        "",
        "application/json",
        "text/plain",
        "application/x-www-form-urlencoded",
        "multipart/form-data; boundary=x",
        request_checks.CONTENT_TYPE + "; charset=latin-1",
        request_checks.CONTENT_TYPE + "x",
    ],
)
def test_other_content_types_are_rejected_with_415(content_type: str) -> None:
    with pytest.raises(SurveyError) as caught:
        request_checks.check_content_type(content_type)
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
    assert request_checks.read_at_most(stream, "3000") == b"x" * 3000
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
        request_checks.read_at_most(stream, length)
    assert (caught.value.status, caught.value.code) == refusal
    assert stream.asked == 0


def test_truncated_bodies_are_rejected() -> None:
    with pytest.raises(SurveyError) as caught:
        request_checks.read_at_most(Counting(b"x" * 10), "11")
    assert (caught.value.status, caught.value.code) == (400, "cut_off")


def test_a_length_has_at_most_nine_digits_and_allows_64_kilobytes() -> None:
    assert len(request_checks.read_at_most(Counting(b"x" * 65_537), "000065536")) == 65_536
    with pytest.raises(SurveyError) as refused:
        request_checks.read_at_most(Counting(b"x" * 5), "0000000005")
    assert refused.value.case == "too_large.body"


def test_no_read_asks_for_more_than_is_left() -> None:
    asked = []

    class Slow:
        def read(self, size: int) -> bytes:
            asked.append(size)
            return b"x" * min(size, 1000)

    assert request_checks.read_at_most(Slow(), "2500") == b"x" * 2500
    assert asked == [2500, 1500, 500]
