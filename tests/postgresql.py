"""A temporary PostgreSQL server for tests: ``python -m tests.postgresql COMMAND...`` runs a command with it.

The cluster lives in a temporary directory, listens only on a Unix socket there, and is removed when the
command ends for any reason. All protection against data loss is off. Under root the server runs as another
user, because PostgreSQL refuses to run as root.
"""

import argparse
import contextlib
import os
import pwd
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping
from pathlib import Path
from urllib.parse import quote

ROOT = Path(__file__).resolve().parent.parent
USER = "sottovoce"
SETTINGS = {
    "listen_addresses": "",
    "fsync": "off",
    "synchronous_commit": "off",
    "full_page_writes": "off",
    "max_connections": "200",
    "shared_buffers": "64MB",
    # Remove finished log segments instead of recycling them.
    "wal_recycle": "off",
    # Tests look for keys in the statements of sessions, which PostgreSQL cuts after 1,024 bytes by default.
    "track_activity_query_size": "16384",
}
SECONDS_TO_START = 180.0
# The path of a socket is limited to about 100 characters.
LONGEST_DIRECTORY = 80
# A file system in memory on Linux. Tests truncate all tables several hundred times, which creates files.
MEMORY = Path("/dev/shm")
MEMORY_NEEDED = 2**31


class NoPostgreSQL(Exception):
    """PostgreSQL is not installed; the message says what to do."""


def programs() -> Path:
    """Return the directory of the newest installed initdb and postgres.

    Debian keeps each version in its own directory, outside PATH.
    """
    installed = Path("/usr/lib/postgresql").glob("*/bin")
    candidates = sorted(installed, key=lambda path: [int(part) for part in path.parent.name.split(".")])
    for name in ("initdb", "postgres"):
        found = shutil.which(name)
        if found:
            candidates.insert(0, Path(found).resolve().parent)
    for directory in reversed(candidates):
        if all((directory / name).exists() for name in ("initdb", "postgres", "pg_dump")):
            return directory
    raise NoPostgreSQL(
        "no PostgreSQL server is installed (Debian: apt-get install postgresql); install it, "
        "or leave its tests out: SKIP=postgresql ./test"
    )


class Server:
    """A PostgreSQL server with its files in a directory, listening only on a socket there.

    Parameters
    ----------
    directory : Path
        Files are in its subfolder ``data``, output in the file ``log``.
    settings : mapping of str to str
    user : str
        Owner of the cluster.
    """

    def __init__(self, directory: Path, settings: Mapping[str, str], *, user: str = USER) -> None:
        self.directory, self.settings, self.user = directory, settings, user
        self.data, self.log = directory / "data", directory / "log"
        self._process: subprocess.Popen[bytes] | None = None
        self._watchdog: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        """Start the server and wait until it answers."""
        where = programs()
        options = [f"-c{name}={value}" for name, value in self.settings.items()]
        with self.log.open("ab") as output:
            self._process = subprocess.Popen(
                [str(where / "postgres"), "-D", str(self.data), f"-k{self.directory}", *options],
                stdout=output,
                stderr=output,
                cwd=self.directory,
                # Ctrl-C in the terminal must end the command first. The server ends with this process.
                start_new_session=True,
                **_unprivileged(self.directory),
            )
        self._watchdog = _watched(self._process)
        _wait_until_it_answers(self._process, where, self.directory, self.log)

    @property
    def url(self) -> str:
        """The server's DATABASE_URL."""
        return f"postgres://{self.user}@{quote(str(self.directory), safe='')}/postgres"

    def kill(self) -> None:
        """Kill -9 all its processes at once, so that it writes nothing that is only in memory."""
        assert self._process is not None
        assert self._watchdog is not None
        # Stop the parent first, or it would replace the killed children.
        self._process.send_signal(signal.SIGSTOP)
        for number in children_of(self._process.pid):
            with contextlib.suppress(ProcessLookupError):
                os.kill(number, signal.SIGKILL)
        self._process.kill()
        self._process.wait()
        self._watchdog.communicate(b"-%d\n" % self._process.pid)
        self._process = self._watchdog = None

    def stop(self) -> None:
        """Stop the server immediately."""
        if self._process is None or self._watchdog is None:
            return
        self._process.send_signal(signal.SIGQUIT)
        self._process.wait()
        self._watchdog.communicate(b"-%d\n" % self._process.pid)
        self._process = self._watchdog = None


@contextlib.contextmanager
def cluster(settings: Mapping[str, str] = SETTINGS, *, user: str = USER) -> Iterator[str]:
    """Run a new PostgreSQL server with these settings and this owner; yield its DATABASE_URL."""
    with fresh_server(settings, user=user) as server:
        yield server.url


@contextlib.contextmanager
def fresh_server(settings: Mapping[str, str] = SETTINGS, *, user: str = USER) -> Iterator[Server]:
    """Run a new PostgreSQL server with these settings and this owner."""
    with _directory() as directory:
        server = Server(directory, settings, user=user)
        _run(
            "initdb",
            *("--pgdata", str(server.data), "--username", user, "--auth", "trust"),
            *("--encoding", "UTF8", "--locale", "C", "--no-sync", "--wal-segsize", "1"),
            directory=directory,
        )
        try:
            server.start()
            yield server
        finally:
            server.stop()


@contextlib.contextmanager
def standby(primary: Path, *, slot: str) -> Iterator[Server]:
    """Run a standby that streams through a replication slot from the server whose socket is in `primary`.

    The standby keeps its whole log. The caller creates and drops the slot.
    """
    follows = {**SETTINGS, "wal_keep_size": "1GB", "wal_receiver_status_interval": "1"}
    with _directory() as directory:
        server = Server(directory, follows)
        _run(
            "pg_basebackup",
            *("--pgdata", str(server.data), "--host", str(primary), "--username", USER, "--no-sync"),
            *("--checkpoint", "fast", "--write-recovery-conf", "--create-slot", "--slot", slot),
            directory=directory,
        )
        try:
            server.start()
            yield server
        finally:
            server.stop()


@contextlib.contextmanager
def base_copy(server: Server, settings: Mapping[str, str]) -> Iterator[Server]:
    """Copy a running server's files; once started, the copy recovers with its `restore_command`."""
    with _directory() as directory:
        copy = Server(directory, settings)
        _run(
            "pg_basebackup",
            *("--pgdata", str(copy.data), "--host", str(server.directory), "--username", USER, "--no-sync"),
            *("--checkpoint", "fast", "--wal-method", "none"),
            directory=directory,
        )
        (copy.data / "recovery.signal").touch()
        try:
            yield copy
        finally:
            copy.stop()


@contextlib.contextmanager
def _directory() -> Iterator[Path]:
    """Make a temporary directory for a server."""
    in_memory = MEMORY.is_dir() and shutil.disk_usage(MEMORY).free >= MEMORY_NEEDED
    parent = MEMORY if in_memory and "TMPDIR" not in os.environ else None
    directory = Path(tempfile.mkdtemp(prefix="sottovoce-postgresql-", dir=parent))
    try:
        if len(str(directory)) > LONGEST_DIRECTORY:
            raise NoPostgreSQL(f"{directory} is too long for a socket; set TMPDIR to a shorter directory")
        yield directory
    finally:
        shutil.rmtree(directory, ignore_errors=True)


def _run(program: str, *arguments: str, directory: Path) -> None:
    done = subprocess.run(
        [str(programs() / program), *arguments],
        capture_output=True,
        text=True,
        cwd=directory,
        **_unprivileged(directory),
    )
    if done.returncode:
        raise NoPostgreSQL(f"{program} failed: {done.stderr.strip()}")


def _unprivileged(directory: Path) -> dict[str, object]:
    """Return subprocess options that run a program as another user if this one is root."""
    if os.geteuid() != 0:
        return {}
    account = pwd.getpwnam("nobody")
    os.chown(directory, account.pw_uid, account.pw_gid)
    return {"user": account.pw_uid, "group": account.pw_gid, "extra_groups": []}


def children_of(parent: int) -> list[int]:
    """Return the ids of the processes that a process started."""
    listed = subprocess.run(["ps", "-A", "-o", "pid=,ppid="], capture_output=True, text=True, check=True)
    pairs = [line.split() for line in listed.stdout.splitlines()]
    return [int(number) for number, by in pairs if int(by) == parent]


def _watched(server: subprocess.Popen[bytes]) -> subprocess.Popen[bytes]:
    """Start a watchdog that ends the server if this process is killed."""
    command = [sys.executable, "-I", str(ROOT / "surveys" / "server" / "watchdog.py")]
    watchdog = subprocess.Popen(command, stdin=subprocess.PIPE, start_new_session=True, bufsize=0)
    assert watchdog.stdin is not None
    watchdog.stdin.write(b"+%d\n" % server.pid)
    return watchdog


def _wait_until_it_answers(server: subprocess.Popen[bytes], where: Path, directory: Path, log: Path) -> None:
    deadline = time.monotonic() + SECONDS_TO_START
    ready = [str(where / "pg_isready"), "--quiet", "-h", str(directory), "-U", USER]
    while subprocess.run(ready).returncode:
        if server.poll() is not None or time.monotonic() > deadline:
            raise NoPostgreSQL(f"PostgreSQL did not start: {log.read_text(errors='replace').strip()}")
        time.sleep(0.1)


def main(command: list[str]) -> int:
    """Run the command with DATABASE_URL set; return its exit code, or 2 if PostgreSQL is missing."""
    for number in (signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, lambda *_: sys.exit(1))
    try:
        with cluster() as url:
            return subprocess.run(command, env={**os.environ, "DATABASE_URL": url}).returncode
    except NoPostgreSQL as reason:
        sys.stderr.write(f"test: {reason}\n")
        return 2


if __name__ == "__main__":
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("program", help="the command to run")
    parser.add_argument("arguments", nargs=argparse.REMAINDER, help="its arguments")
    chosen = parser.parse_args()
    sys.exit(main([chosen.program, *chosen.arguments]))
