"""Published releases."""

import pytest

from surveys.respondent.client_releases import UNRELEASED, published_digests


def test_the_unreleased_digest_comes_last() -> None:
    assert UNRELEASED not in list(published_digests())[:-1]


@pytest.mark.parametrize("text", ["1.0", f"1.0 {'a' * 63}", f"1.0 {'A' * 64}", f"1 {'a' * 64}\n1 {'b' * 64}"])
def test_a_malformed_line_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="is no line of a version"):
        published_digests(text)
