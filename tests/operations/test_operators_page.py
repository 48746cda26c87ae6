"""docs/operators.md names commands, settings and rights that exist."""

from __future__ import annotations

import re

from django.core.management import get_commands

from surveys import settings as shipped
from surveys.celery import worker_command
from surveys.doctor import traces
from surveys.launch import CONNECTIONS, web_command
from surveys.whole_requests import BODY_SECONDS, BYTES_PER_SECOND, MOST_BYTES, MOST_HELD, SMALL_BYTES
from tests.conftest import ROOT
from tests.postgresql import SETTINGS

PAGE = (ROOT / "docs" / "operators.md").read_text(encoding="utf-8")


def block(kind: str, holding: str) -> str:
    found = [text for text in re.findall(rf"```{kind}\n(.*?)```", PAGE, re.DOTALL) if holding in text]
    assert len(found) == 1
    return found[0]


def test_every_command_is_there() -> None:
    named = set(re.findall(r"manage\.py ([a-z_-]+)", PAGE))
    assert {"doctor", "sweep", "migrate", "delete_survey"} <= named <= set(get_commands())


def test_every_setting_is_read() -> None:
    environment = re.search(r"\n\n((?:    [A-Z_]+=.*\n)+)", PAGE)
    assert environment is not None
    named = set(re.findall(r"^ {4}([A-Z_]+)=", environment.group(1), re.MULTILINE))
    assert len(named) == 6
    assert named <= set(re.findall(r"^([A-Z_]+) ", str(shipped.__doc__), re.MULTILINE))


def test_the_units_start_what_run_starts() -> None:
    web = web_command("127.0.0.1", 8000)[1:]
    assert set(web) <= set(block("ini", "Description=Sotto: web").split())
    worker = worker_command(concurrency=2)[1:]
    assert " ".join(worker) in block("ini", "celery")


def test_the_servers_settings_are_those_that_the_doctor_looks_at_and_tests_run_with() -> None:
    stated = dict(re.findall(r"^(\w+) = (\S+)$", block("ini", "wal_recycle"), re.MULTILINE))
    noted = {"log_statement", "log_min_duration_statement", "track_commit_timestamp"}
    assert set(stated) == noted | {"archive_mode", "wal_recycle", "wal_keep_size"}
    assert noted <= set(traces._NOTES)
    assert set(stated.values()) <= traces._OFF
    assert SETTINGS["wal_recycle"] == stated["wal_recycle"]


def test_no_proxy_notes_visits_or_tells_addresses_of_respondents() -> None:
    nginx = block("nginx", "proxy_pass")
    servers = nginx.split("\nserver {")[1:]
    assert len(servers) == 3
    assert all("access_log off;" in server and "error_log /dev/null" in server for server in servers)
    # Two ways to give an address away, and one place where it is asked for.
    assert nginx.count("$remote_addr") == 1
    assert "$proxy_add_x_forwarded_for" not in nginx
    assert "exclude http.log.error" in block("caddy", "reverse_proxy")


def test_the_page_says_the_bounds_that_requests_have() -> None:
    words = " ".join(PAGE.split())
    seconds = CONNECTIONS[CONNECTIONS.index("--http1-header-read-timeout") + 1]
    assert f"a head within {int(seconds) // 1000} seconds" in words
    assert f"a body of up to {SMALL_BYTES // 1024} kB within {BODY_SECONDS:.0f}" in words
    assert f"up to {MOST_BYTES // 10**6} MB within {BODY_SECONDS:.0f} and a second for each" in words
    assert f"for each {BYTES_PER_SECOND // 1024} kB" in words
    connections = CONNECTIONS[CONNECTIONS.index("--backpressure") + 1]
    assert f"holds {connections} connections, and large bodies of {MOST_HELD // 10**6} MB together" in words
    # What a proxy lets through of the staff is what Sotto reads.
    assert f"client_max_body_size {MOST_BYTES // 10**6}m;" in block("nginx", "proxy_pass")
    assert f"max_size {MOST_BYTES // 10**6}MB" in block("caddy", "reverse_proxy")
