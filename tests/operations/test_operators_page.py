"""docs/operators.md names settings and rights that exist."""

import re

import dj_database_url

from benchmarks.proxies import documented
from surveys import settings as shipped
from surveys.server.doctor import traces
from surveys.server.process_commands import CONNECTIONS
from surveys.server.whole_requests import (
    BODY_SECONDS,
    BYTES_PER_SECOND,
    MOST_FILE_BYTES,
    MOST_HELD,
    MOST_REQUEST_BYTES,
    SMALL_BYTES,
)
from tests.conftest import ROOT
from tests.postgresql import SETTINGS

PAGE = (ROOT / "docs" / "operators.md").read_text(encoding="utf-8")
PATH = PAGE.split("\n## The path\n")[1].split("\n## ")[0]


def block(kind: str, holding: str) -> str:
    found = [text for text in re.findall(rf"```{kind}\n(.*?)```", PAGE, re.DOTALL) if holding in text]
    assert len(found) == 1
    return found[0]


def test_documented_database_settings_match_the_doctor_and_the_tests() -> None:
    stated = dict(re.findall(r"^(\w+) = (\S+)$", block("ini", "track_commit_timestamp"), re.MULTILINE))
    noted = {"log_statement", "log_min_duration_statement", "track_commit_timestamp"}
    assert set(stated) == noted
    assert noted <= set(traces._NOTES)
    assert set(stated.values()) <= traces._OFF
    assert {name: SETTINGS[name] for name in stated if name in SETTINGS}.items() <= stated.items()


def test_every_documented_setting_is_read() -> None:
    read = set(re.findall(r"^([A-Z_]+) ", str(shipped.__doc__), re.MULTILINE))
    assert set(re.findall(r"\b(SOTTOVOCE_[A-Z_]+)\b", PAGE)) <= read
    assert set(re.findall(r"^([A-Z_]+)=", PATH, re.MULTILINE)) - {"PROGRAM"} <= read


def test_the_documented_database_url_uses_the_debian_socket() -> None:
    (url,) = re.findall(r"^DATABASE_URL=(.*)$", PATH, re.MULTILINE)
    found = dj_database_url.parse(url)
    assert (found["HOST"], found["USER"], found["NAME"]) == ("/var/run/postgresql", "sottovoce", "sottovoce")
    assert not found["PASSWORD"]


def test_proxies_keep_no_access_logs_and_hide_respondent_addresses() -> None:
    nginx = documented("nginx")
    servers = nginx.split("\nserver {")[1:]
    assert len(servers) == 3
    assert all("access_log off;" in server and "error_log /dev/null" in server for server in servers)
    # The address is passed on in two places: for log-ins, and for the limit of a network's submissions.
    assert nginx.count("$remote_addr") == 2
    (submissions,) = re.findall(r"location = /api/submissions \{(.*?)\}", nginx, re.DOTALL)
    assert "X-Forwarded-For $remote_addr;" in submissions
    assert "$proxy_add_x_forwarded_for" not in nginx
    assert "exclude http.log.error" in documented("caddy")


def test_proxies_hide_readiness_and_metrics_from_strangers() -> None:
    (nginx,) = re.findall(r"location ~ \^/\(ready\|metrics\)\$ \{(.*?)\}", documented("nginx"), re.DOTALL)
    rules = re.findall(r"^ *((?:allow|deny) .*);$", nginx, re.MULTILINE)
    assert rules == ["allow 127.0.0.1", "allow ::1", "deny all"]
    caddy = documented("caddy")
    assert re.search(r"@strangers \{\s+path /ready /metrics\s+not remote_ip 127.0.0.1 ::1\s+\}", caddy)
    # The first matching handler responds.
    (first, *_others) = re.findall(r"^ +handle (@\w+ )?\{\s+(\w+)", caddy, re.MULTILINE)
    assert first == ("@strangers ", "respond")


def test_the_docs_state_the_limits_on_requests() -> None:
    words = " ".join(PAGE.split())
    seconds = CONNECTIONS[CONNECTIONS.index("--http1-header-read-timeout") + 1]
    assert f"a head within {int(seconds) // 1000} seconds" in words
    assert f"a body of up to {SMALL_BYTES // 1024} kB within {BODY_SECONDS:.0f}" in words
    most, most_of_files = MOST_REQUEST_BYTES // 10**6, MOST_FILE_BYTES // 10**6
    staff = f"up to {most} MB ({most_of_files} with files of answers) within {BODY_SECONDS:.0f}"
    assert f"{staff} and a second for each" in words
    assert f"for each {BYTES_PER_SECOND // 1024} kB" in words
    connections = CONNECTIONS[CONNECTIONS.index("--backpressure") + 1]
    assert f"holds {connections} connections, and large bodies of {MOST_HELD // 10**6} MB together" in words
    # Sottovoce's limits for staff equal the proxies' limits.
    for size in (most, most_of_files):
        assert f"client_max_body_size {size}m;" in documented("nginx")
        assert f"max_size {size}MB" in documented("caddy")
