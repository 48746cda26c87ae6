"""The digests of the respondents' program are published, that of the source as it is now among them."""

from __future__ import annotations

from dataclasses import replace
from io import StringIO
from pathlib import Path

import pytest
from django.core.management import call_command

from surveys.jobs.provenance import installed_version
from surveys.respondent import client_program as module
from surveys.respondent.client_program import UNRELEASED, client, published_digests, releases_of


def test_the_scripts_as_they_are_have_their_line() -> None:
    """If you change a script, write this digest after "unreleased" in published_digests.txt."""
    names = releases_of(client().digest)
    assert names, f"write into {module.LIST.name}: {UNRELEASED}  {client().digest}"
    assert set(names) <= {UNRELEASED, installed_version()}


def test_the_newest_line_comes_last() -> None:
    assert UNRELEASED not in list(published_digests())[:-1]


def test_the_command_lists_all_and_says_which_is_served() -> None:
    out = StringIO()
    call_command("client", "--published", stdout=out)
    assert (
        f"{client().digest}  {releases_of(client().digest)[0]} (served here)" in out.getvalue().splitlines()
    )
    assert len(out.getvalue().splitlines()) == len(published_digests())


def test_a_program_of_no_release_ends_with_one(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (tmp_path / "list").write_text(f"1.0  {'a' * 64}\n# between\n1.1  {'b' * 64}  # of May\n")
    monkeypatch.setattr(module, "LIST", tmp_path / "list")
    assert replace(client(), digest="b" * 64).digest in published_digests().values()
    out = StringIO()
    with pytest.raises(SystemExit) as ended:
        call_command("client", "--published", stdout=out)
    assert ended.value.code == 1
    assert out.getvalue().splitlines() == [
        f"{'a' * 64}  1.0",
        f"{'b' * 64}  1.1",
        f"{client().digest}  served here: it is of no release",
    ]


@pytest.mark.parametrize("text", ["1.0", f"1.0 {'a' * 63}", f"1.0 {'A' * 64}", f"1 {'a' * 64}\n1 {'b' * 64}"])
def test_a_line_of_another_form_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="is no line of a version"):
        published_digests(text)
