import json
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command

from surveys.respondent.client_program import client
from tests.fixtures.devices import shipped_definition

pytestmark = pytest.mark.django_db


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "work.json"
    path.write_text(json.dumps(shipped_definition(slug="work")), encoding="utf-8")
    return path


def said(*command: Any) -> str:
    out = StringIO()
    call_command(*command, stdout=out)
    return out.getvalue()


def test_the_client_command_prints_the_digest_and_its_files() -> None:
    lines = said("client").splitlines()
    files = (*client().program, client().index)
    assert len(lines) == len(files) + 1
    document = json.loads(said("client", "--json"))
    assert [file["path"] for file in document["files"]] == [file.path for file in files]
    assert lines[-1].split()[0] == document["digest"]
