"""The temporary PostgreSQL server is removed afterwards; without PostgreSQL, a message says what to do."""

import sys
from pathlib import Path
from urllib.parse import unquote

import psycopg
import pytest

from tests import postgresql
from tests.postgresql import cluster, main


def directory_of(url: str) -> Path:
    return Path(unquote(url.split("@")[1].rpartition("/")[0]))


@pytest.mark.slow
def test_the_cluster_listens_only_in_its_directory_and_is_removed() -> None:
    with cluster() as url:
        directory = directory_of(url)
        with psycopg.connect(host=str(directory), user="sottovoce", dbname="postgres") as link:
            assert link.execute("SHOW listen_addresses").fetchone() == ("",)
            assert link.execute("SHOW fsync").fetchone() == ("off",)
        assert directory.stat().st_mode & 0o077 == 0
    assert not directory.exists()


@pytest.mark.slow
def test_commands_receive_the_address_and_return_their_exit_code(tmp_path: Path) -> None:
    said = tmp_path / "said"
    tell = f"import os, sys; open({str(said)!r}, 'w').write(os.environ['DATABASE_URL']); sys.exit(7)"
    assert main([sys.executable, "-c", tell]) == 7
    assert not directory_of(said.read_text()).exists()


def test_missing_postgresql_is_reported_with_how_to_install_or_skip_it(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(postgresql.shutil, "which", lambda _name: None)
    monkeypatch.setattr(postgresql.Path, "glob", lambda _path, _pattern: iter(()))
    assert main(["true"]) == 2
    said = capsys.readouterr().err
    assert "apt-get install postgresql" in said
    assert "SKIP=postgresql ./test" in said
