"""The temporary PostgreSQL server is removed afterwards; without PostgreSQL, a message says what to do."""

import json
import sys
from pathlib import Path
from urllib.parse import unquote

import pytest

from tests import postgresql
from tests.postgresql import main


def directory_of(url: str) -> Path:
    return Path(unquote(url.split("@")[1].rpartition("/")[0]))


PROBE = """
import json, os, sys
from pathlib import Path
import psycopg
from tests.operations.test_own_postgresql import directory_of
directory = directory_of(os.environ["DATABASE_URL"])
with psycopg.connect(host=str(directory), user="sottovoce", dbname="postgres") as link:
    settings = [link.execute(f"SHOW {name}").fetchone()[0] for name in ("listen_addresses", "fsync")]
Path(sys.argv[1]).write_text(json.dumps([str(directory), directory.stat().st_mode & 0o077, *settings]))
sys.exit(7)
"""


@pytest.mark.slow
@pytest.mark.soak
def test_commands_get_a_cluster_that_listens_only_in_its_directory_and_is_removed(tmp_path: Path) -> None:
    said = tmp_path / "said"
    assert main([sys.executable, "-c", PROBE, str(said)]) == 7
    directory, open_to_others, addresses, fsync = json.loads(said.read_text())
    assert (open_to_others, addresses, fsync) == (0, "", "off")
    assert not Path(directory).exists()


def test_missing_postgresql_is_reported_with_how_to_install_or_skip_it(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(postgresql.shutil, "which", lambda _name: None)
    monkeypatch.setattr(postgresql.Path, "glob", lambda _path, _pattern: iter(()))
    assert main(["true"]) == 2
    said = capsys.readouterr().err
    assert "apt-get install postgresql" in said
    assert "SKIP=postgresql ./test" in said
