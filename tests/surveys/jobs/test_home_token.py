"""The token of a home directory belongs to the directory, not to a path."""

from pathlib import Path

from surveys.jobs.home_token import home_token


def test_a_home_directory_has_the_same_token_through_any_path(tmp_path: Path) -> None:
    home, other = tmp_path / "home", tmp_path / "other"
    for directory in (home, other):
        directory.mkdir()
    (tmp_path / "link").symlink_to(home)
    assert home_token(home) == home_token(tmp_path / "link") != home_token(other)
    assert (home / "home_token").stat().st_mode & 0o077 == 0
