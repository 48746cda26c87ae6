import re

import pytest
from django.core.exceptions import ImproperlyConfigured

from surveys.environment import env_frame_origin, env_mixers


@pytest.mark.parametrize(
    "named", ["https://tool.example", "https://page.example", "https://a.example,https://b.example"]
)
def test_a_frame_origin_shared_with_surveys_or_tools_stops_startup(
    named: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SOTTOVOCE_FRAME_ORIGIN", named)
    with pytest.raises(ImproperlyConfigured, match="no survey is answered and no survey tool runs"):
        env_frame_origin(["https://tool.example"], ["https://page.example"])


@pytest.mark.parametrize(
    ("hosts", "said"),
    [
        ("mix1", "is 'mix1'; write the names of two hosts"),
        ("mix1,mix1", "is 'mix1,mix1'; write the names of two hosts"),
        ("mix1,mix2,mix3", "or leave it out for one mixer"),
        ("https://mix1,mix2", "has 'https://mix1'; write the names of two hosts"),
    ],
)
def test_mixers_are_two_different_hosts(hosts: str, said: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DATABASE_URL", "postgres://sottovoce@database/sottovoce")
    monkeypatch.setenv("SOTTOVOCE_MIXERS", hosts)
    with pytest.raises(ImproperlyConfigured, match=re.escape(said)):
        env_mixers()


def test_two_mixers_need_a_database_that_both_reach(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SOTTOVOCE_MIXERS", "mix1, mix2.uni.example")
    monkeypatch.setenv("DATABASE_URL", "postgres://sottovoce@database/sottovoce")
    assert env_mixers() == ["mix1", "mix2.uni.example"]
    for url in ("", "sqlite:////var/lib/sottovoce/sottovoce.sqlite3"):
        monkeypatch.setenv("DATABASE_URL", url)
        with pytest.raises(
            ImproperlyConfigured, match=r"mix1,mix2\.uni\.example', but the database is SQLite"
        ):
            env_mixers()
    monkeypatch.delenv("SOTTOVOCE_MIXERS")
    assert env_mixers() == []
