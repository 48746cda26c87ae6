"""The mark of the secret key identifies it."""

from pytest_django import Settings

from surveys.jobs.key_mark import key_mark


def test_key_marks_are_short_and_differ_between_keys(settings: Settings) -> None:
    settings.SECRET_KEY = "a" * 50
    mark = key_mark()
    assert mark == key_mark()
    assert len(mark) == 16
    settings.SECRET_KEY = "b" * 50
    assert key_mark() != mark
