"""During a database outage, pages say when to retry, and no process floods the journal."""

import http.client
import os
import time
from pathlib import Path

import pytest

from surveys.server.process_commands import manage, worker_command
from tests.conftest import kill_group, start_group, wait_until
from tests.fixtures.web_server import WebServer
from tests.operations.machine import Machine
from tests.postgresql import fresh_server
from tests.settings import BROKER_SOCKET

SECONDS_AWAY = 75


def page(port: int, path: str) -> tuple[int, dict[str, str]]:
    link = http.client.HTTPConnection("127.0.0.1", port, timeout=300)
    try:
        link.request("GET", path)
        response = link.getresponse()
        response.read()
        return response.status, {name.lower(): value for name, value in response.getheaders()}
    finally:
        link.close()


@pytest.mark.soak
@pytest.mark.usefixtures("broker")
def test_a_75_second_database_outage_logs_two_lines_per_process(tmp_path: Path) -> None:
    with fresh_server() as postgresql:
        machine = Machine(tmp_path, postgresql.url)
        broker = {"REDIS_URL": f"redis+socket://{BROKER_SOCKET}"}
        environment = {**os.environ, **machine.environment, **broker}
        assert machine.types("migrate")[0] == 0
        logs = {name: tmp_path / f"{name}.log" for name in ("sweeper", "worker", "web")}
        processes = []
        try:
            for name, command in (("sweeper", manage("sweep")), ("worker", worker_command(concurrency=1))):
                with logs[name].open("ab") as log:
                    processes.append(start_group(command, env=environment, stdout=log, stderr=log))
            with WebServer(logs["web"], **machine.environment, **broker) as server:
                wait_until(lambda: page(server.port, "/ready")[0] == 200, what="all parts")
                before = {name: len(log.read_text().splitlines()) for name, log in logs.items()}
                postgresql.kill()
                end = time.monotonic() + SECONDS_AWAY
                while time.monotonic() < end:
                    status, headers = page(server.port, "/client/surveys/everyday")
                    assert (status, int(headers["retry-after"]) > 0) == (503, True)
                    time.sleep(1)
                lines = {name: log.read_text().splitlines()[before[name] :] for name, log in logs.items()}
                postgresql.start()
                wait_until(lambda: page(server.port, "/ready")[0] == 200, what="all parts again")
                assert page(server.port, "/client/surveys/everyday")[0] == 404
        finally:
            for process in processes:
                kill_group(process)
    assert {name for name, said in lines.items() if len(said) > 2} == set(), lines
    assert all("does not answer" in line or "not cleared" in line for said in lines.values() for line in said)
