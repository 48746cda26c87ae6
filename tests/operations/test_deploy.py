"""deploy/ starts the same processes as ./run, with the documented rights, networks and volumes."""

import json
import re
import subprocess
import tomllib
from pathlib import Path
from typing import Any

import pytest
import yaml
from django.core.management import get_commands, load_command_class

from benchmarks.proxies import documented
from surveys import settings as shipped
from surveys.environment import env_mixers
from surveys.server.process_commands import web_command, worker_command
from tests.conftest import ROOT
from tests.operations.test_operators_page import PAGE, block

DEPLOY = ROOT / "deploy"
UNITS = sorted((DEPLOY / "systemd").glob("*.service"))
WATCH = DEPLOY / "watch" / "sottovoce-watch.service"
PARTS = ("web", "worker", "sweeper")
SETTINGS = set(re.findall(r"^([A-Z_]+) ", str(shipped.__doc__), re.MULTILINE))
WORKER = ["python", *worker_command(concurrency=2)[1:]]


def unit(path: Path) -> dict[str, dict[str, list[str]]]:
    """Parse a unit file, in which names may occur several times in a section."""
    found: dict[str, dict[str, list[str]]] = {}
    section: dict[str, list[str]] = {}
    for line in path.read_text(encoding="utf-8").splitlines():
        if line.startswith("["):
            section = found.setdefault(line.strip("[]"), {})
        elif line and not line.startswith("#"):
            name, _sign, value = line.partition("=")
            section.setdefault(name, []).append(value)
    return found


def service(name: str) -> dict[str, list[str]]:
    return unit(DEPLOY / "systemd" / f"sottovoce-{name}.service")["Service"]


def started(name: str) -> list[str]:
    (line,) = service(name)["ExecStart"]
    return line.split()


def compose() -> dict[str, Any]:
    found: dict[str, Any] = yaml.safe_load(
        (DEPLOY / "container" / "compose.yaml").read_text(encoding="utf-8")
    )
    return found


def quadlet(name: str) -> dict[str, list[str]]:
    return unit(DEPLOY / "quadlet" / f"sottovoce-{name}.container")["Container"]


def last_instruction(name: str) -> list[Any]:
    text = (DEPLOY / "container" / "Containerfile").read_text(encoding="utf-8")
    found: list[Any] = json.loads(re.findall(rf"^{name} (\[.*\])$", text, re.MULTILINE)[-1])
    return found


def test_every_deployment_starts_the_same_commands_as_run() -> None:
    assert started("web")[1:] == web_command("127.0.0.1", 8000)[1:]
    assert started("worker")[1:] == WORKER[1:]
    assert started("sweeper")[1:] == ["sweep"]
    assert last_instruction("CMD") == ["python", *web_command("0.0.0.0", 8000)[1:]]
    services = compose()["services"]
    assert "command" not in services["web"]
    assert services["worker"]["command"] == WORKER
    assert services["sweeper"]["command"] == ["sottovoce", "sweep"]
    assert "Exec" not in quadlet("web")
    assert quadlet("worker")["Exec"] == [" ".join(WORKER)]
    assert quadlet("sweeper")["Exec"] == ["sottovoce sweep"]


def is_text(path: Path) -> bool:
    """Return whether this is a source file; other tests may have compiled bytecode next to it."""
    return path.is_file() and path.suffix != ".pyc"


def test_all_deployment_commands_and_settings_exist() -> None:
    text = "\n".join(path.read_text(encoding="utf-8") for path in DEPLOY.rglob("*") if is_text(path))
    commands = set(re.findall(r"(?:manage\.py|\bsottovoce) ((?![-.])[a-z_-]+)(?= |\"|$)", text, re.MULTILINE))
    assert {"sweep", "backup", "doctor", "migrate", "collectstatic"} <= commands
    assert commands - {"sottovoce"} <= set(get_commands())
    given = set(compose()["x-sottovoce"]["environment"])
    assert given <= SETTINGS
    containerfile = (DEPLOY / "container" / "Containerfile").read_text(encoding="utf-8")
    assert set(re.findall(r"\b(SOTTOVOCE_\w+)=", containerfile)) <= SETTINGS


def test_the_remote_watch_unit_is_unprivileged_and_its_command_exists() -> None:
    """Several addresses become several arguments; the container runs the same command once."""
    (line,) = unit(WATCH)["Service"]["ExecStart"]
    parser = load_command_class("surveys", "watch").create_parser("sottovoce", "watch")
    urls = ["https://a.example/en/s/work/", "https://a.example/zh-hans/s/work/"]
    words = line.replace("${SOTTOVOCE_WATCH_MAIL}", "board@example.org").replace(
        "$SOTTOVOCE_WATCH", " ".join(urls)
    )
    assert parser.parse_args(words.split()[2:]).urls == urls
    watch = yaml.safe_load((DEPLOY / "watch" / "compose.yaml").read_text(encoding="utf-8"))["services"][
        "watch"
    ]
    assert watch["command"][:2] == ["sottovoce", "watch"]
    assert parser.parse_args(watch["command"][2:]).remember
    assert (watch["read_only"], watch["cap_drop"]) == (True, ["ALL"])
    assert unit(WATCH)["Service"]["DynamicUser"] == ["true"]


@pytest.mark.soak
def test_systemd_units_have_low_exposure_scores() -> None:
    for path in (*UNITS, WATCH):
        done = subprocess.run(
            ["systemd-analyze", "security", "--offline=yes", "--no-pager", str(path)],
            capture_output=True,
            text=True,
        )
        found = re.search(r"Overall exposure level for \S+: ([0-9.]+)", done.stdout)
        if found is None:
            pytest.skip(f"this systemd-analyze cannot look at files: {done.stderr.strip()[:80]}")
        assert float(found[1]) < 2, path


def test_units_write_only_where_needed_and_only_the_sweeper_reaches_keys() -> None:
    writes = {path.stem: set(unit(path)["Service"]["ReadWritePaths"][0].split()) for path in UNITS}
    assert writes == {
        "sottovoce-web": {"/var/lib/sottovoce"},
        "sottovoce-worker": {"/var/lib/sottovoce"},
        "sottovoce-sweeper": {"/var/lib/sottovoce", "/var/lib/sottovoce-keys"},
        "sottovoce-backup": {"/var/lib/sottovoce", "/backup"},
        "sottovoce-doctor": {"/var/lib/sottovoce"},
    }
    for path in UNITS:
        assert unit(path)["Service"]["User"] == ["sottovoce"]
        assert unit(path)["Service"]["EnvironmentFile"] == ["/etc/sottovoce.env"]
    # Only the worker compiles code, so only it may make memory executable.
    assert {path.stem for path in UNITS if "MemoryDenyWriteExecute" not in unit(path)["Service"]} == {
        "sottovoce-worker"
    }


def test_each_timer_has_a_unit_and_is_enabled_in_the_docs() -> None:
    timers = {path.name for path in (DEPLOY / "systemd").glob("*.timer")}
    assert timers == {"sottovoce-backup.timer", "sottovoce-doctor.timer"}
    (enabled,) = re.findall(r"systemctl enable --now (.*)", PAGE)
    assert set(enabled.split()) == timers | {f"sottovoce-{part}" for part in PARTS}
    for timer in timers:
        assert (DEPLOY / "systemd" / timer).with_suffix(".service") in UNITS


def test_a_failed_backup_starts_the_doctor_which_sends_mail() -> None:
    backup = unit(DEPLOY / "systemd" / "sottovoce-backup.service")
    assert backup["Unit"]["OnFailure"] == ["sottovoce-doctor.service"]
    assert "--mail" in started("doctor")


def test_the_web_process_stops_within_fifteen_seconds() -> None:
    assert service("web")["TimeoutStopSec"] == ["15"]


def test_containers_are_unprivileged_and_write_only_to_volumes() -> None:
    services = compose()["services"]
    for name in (*PARTS, "prepare"):
        part = services[name]
        assert part["read_only"] is True
        assert part["cap_drop"] == ["ALL"]
        assert part["security_opt"] == ["no-new-privileges"]
        other = quadlet(name)
        assert (other["ReadOnly"], other["DropCapability"], other["NoNewPrivileges"]) == (
            ["true"],
            ["all"],
            ["true"],
        )
    assert "USER 10001:10001" in (DEPLOY / "container" / "Containerfile").read_text(encoding="utf-8")
    volumes = {
        name: {one.partition(":")[0] for one in part.get("volumes", ())} for name, part in services.items()
    }
    assert {name for name, held in volumes.items() if "keys" in held} == {"sweeper"}
    quadlets = {path.stem.removeprefix("sottovoce-") for path in (DEPLOY / "quadlet").glob("*.container")}
    held = {name: " ".join(quadlet(name).get("Volume", [])) for name in quadlets}
    assert {name for name, said in held.items() if "sottovoce-keys.volume" in said} == {"sweeper"}
    assert set(last_instruction("VOLUME")) == {"/var/lib/sottovoce", "/var/lib/sottovoce-keys", "/backup"}


def test_a_new_sweeper_container_has_the_host_name_of_the_earlier_one() -> None:
    """A spare is recognised by its host name, which containers would otherwise make up."""
    found = compose()
    assert found["services"]["sweeper"]["hostname"] == "${MIXER_HOST:-mixer}"
    assert found["x-sottovoce"]["environment"]["SOTTOVOCE_MIXERS"] == "${SOTTOVOCE_MIXERS:- }"
    assert quadlet("sweeper")["PodmanArgs"] == ["--hostname=%H"]


def test_database_and_broker_are_unreachable_from_outside() -> None:
    found = compose()
    assert found["networks"]["inside"] == {"internal": True}
    services = found["services"]
    assert {name for name, part in services.items() if "ports" in part} == {"proxy"}
    assert services["database"]["networks"] == services["broker"]["networks"] == ["inside"]
    assert unit(DEPLOY / "quadlet" / "sottovoce-inside.network")["Network"] == {"Internal": ["true"]}
    published = {
        path.stem: unit(path)["Container"].get("PublishPort")
        for path in (DEPLOY / "quadlet").glob("*.container")
    }
    assert {name: ports for name, ports in published.items() if ports} == {
        "sottovoce-web": ["127.0.0.1:8000:8000"]
    }


def test_the_database_container_logs_no_statements() -> None:
    stated = dict(re.findall(r"^(\w+) = (\S+)$", block("ini", "track_commit_timestamp"), re.MULTILINE))
    wanted = {f"-c{name}={value}" for name, value in stated.items()}
    assert wanted <= set(compose()["services"]["database"]["command"])
    assert wanted <= set(quadlet("database")["Exec"][0].split())


def test_the_compose_proxy_matches_the_documented_one() -> None:
    page = documented("caddy")
    page = page.replace("survey.example.org", "{$SOTTOVOCE_NAME}").replace("127.0.0.1:8000", "web:8000")
    caddy = (DEPLOY / "container" / "Caddyfile").read_text(encoding="utf-8")
    assert caddy.split("\n", 1)[1] == page


def test_the_image_contains_the_whole_program() -> None:
    text = (DEPLOY / "container" / "Containerfile").read_text(encoding="utf-8")
    copied = {
        name for line in re.findall(r"^COPY (?!--)(.*)$", text, re.MULTILINE) for name in line.split()[:-1]
    }
    assert all((ROOT / name).exists() for name in copied)
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    wheel = project["tool"]["hatch"]["build"]["targets"]["wheel"]
    parts = {*wheel["packages"], *(Path(name).parts[0] for name in wheel["force-include"])}
    assert parts | {"pyproject.toml", "requirements-fast.lock"} <= copied


@pytest.mark.parametrize("path", [*DEPLOY.rglob("*.yaml")], ids=lambda path: path.parent.name)
def test_each_default_is_one_that_podman_compose_knows(path: Path) -> None:
    """Debian 12 has a podman-compose that gives containers the text ``${NAME:-}`` instead of nothing."""
    used = re.findall(r"\$\{\w+([^}]*)\}", path.read_text(encoding="utf-8"))
    assert [default for default in used if default and not re.fullmatch(r":-.+", default)] == []


def test_a_blank_list_of_mixers_is_none(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SOTTOVOCE_MIXERS", " ")
    assert env_mixers() == []
