"""The watcher remembers what it saw, and reports each change once."""

from datetime import date
from pathlib import Path

import pytest

from surveys.errors.error import SurveyError
from surveys.watch.file_comparison import AddressView
from surveys.watch.memory import changes_since, lost_survey, memory_read, memory_write

ADDRESS = "https://a.example/en/s/work/"
MONDAY, TUESDAY = date(2026, 11, 23), date(2026, 11, 24)


def seen(root: str | None, client: str = "c" * 64) -> AddressView:
    return AddressView(address=ADDRESS, client=client, root=root)


def test_the_first_visit_reports_no_news(tmp_path: Path) -> None:
    assert memory_read(tmp_path / "none.json") == {}
    assert changes_since(seen("a"), {}) == []


def test_a_changed_survey_or_client_is_reported_once(tmp_path: Path) -> None:
    path = tmp_path / "seen.json"
    memory_write(path, {}, [seen("a", "c")], today=MONDAY)
    assert changes_since(seen("b", "d"), memory_read(path)) == [
        "the client is another one since 2026-11-23: c before, d now",
        "the survey is another one since 2026-11-23: a before, b now",
    ]
    memory_write(path, memory_read(path), [seen("b", "d")], today=TUESDAY)
    assert changes_since(seen("b", "d"), memory_read(path)) == []
    assert memory_read(path)[ADDRESS]["since"] == "2026-11-24"


def test_an_unreachable_survey_keeps_its_remembered_state(tmp_path: Path) -> None:
    path = tmp_path / "seen.json"
    memory_write(path, {"https://b.example/en/s/x/": {"root": "x"}}, [seen("a")], today=MONDAY)
    memory_write(path, memory_read(path), [seen(None)], today=TUESDAY)
    stored = memory_read(path)
    assert (stored[ADDRESS]["root"], stored[ADDRESS]["since"]) == ("a", "2026-11-23")
    assert stored["https://b.example/en/s/x/"] == {"root": "x"}


def test_a_survey_that_another_server_replaced_is_a_difference() -> None:
    other = AddressView(address=ADDRESS, client="c" * 64, is_sottovoce=False)
    assert lost_survey(other, {}) == []
    assert lost_survey(seen(None), {ADDRESS: {"root": "a"}}) == []
    (said,) = lost_survey(other, {ADDRESS: {"root": "a", "since": "2026-11-23"}})
    assert said == "an earlier check found a survey here (since 2026-11-23): now another server answers"


def test_an_unwritable_memory_folder_is_reported(tmp_path: Path) -> None:
    with pytest.raises(SurveyError, match="cannot be read"):
        memory_write(tmp_path / "none" / "seen.json", {}, [seen("a")], today=MONDAY)
