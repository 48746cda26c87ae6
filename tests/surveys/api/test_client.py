"""The client of one file that the documentation hands out, run as it is against a real web server."""

from __future__ import annotations

import ast
import importlib.util
import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import pytest

from surveys.access.roles import Role
from surveys.models import Run
from tests.cast.programs import token_for
from tests.cast.runs import audited, mined
from tests.cast.scale_runs import scale_answered
from tests.cast.staff import member
from tests.cast.web_server import WebServer
from tests.conftest import ROOT

FILE = ROOT / "docs" / "clients" / "sotto_client.py"


@pytest.fixture
def client() -> ModuleType:
    made = importlib.util.spec_from_file_location("sotto_client", FILE)
    assert made is not None
    assert made.loader is not None
    module = importlib.util.module_from_spec(made)
    made.loader.exec_module(module)
    return module


def test_it_takes_the_standard_library_alone() -> None:
    tree = ast.parse(FILE.read_text(encoding="utf-8"))
    roots = {
        (node.module if isinstance(node, ast.ImportFrom) else name.name).split(".")[0]  # type: ignore[union-attr]
        for node in ast.walk(tree)
        if isinstance(node, ast.Import | ast.ImportFrom)
        for name in node.names
    }
    assert roots <= set(sys.stdlib_module_names)


@pytest.fixture
def served(tmp_path: Path, transactional_db: None) -> Iterator[tuple[str, Run]]:
    run = audited(mined(scale_answered(skips=0.1)))
    with WebServer(tmp_path / "web.log", SOTTO_API_BURST="10", SOTTO_API_RATE="2") as server:
        yield f"http://127.0.0.1:{server.port}", run


@pytest.mark.soak
def test_it_reads_all_there_is_from_a_live_server(client: ModuleType, served: tuple[str, Run]) -> None:
    address, run = served
    token = token_for(member("ana", Role.REVIEWER, Role.ROWS))
    sotto = client.Sotto(address, token=token, waits=50)
    assert sotto.me() == {"name": "ana", "roles": ["reviewer", "rows"]}
    assert len(list(sotto.rows(run.pk))) == run.n
    assert [one["slug"] for one in sotto.surveys(practice=False)] == ["town"]
    assert sotto.survey("town")["designs"][0]["n"] == 3_000
    (version,) = sotto.versions("town")
    assert sotto.version("town", version["number"])["label"]["parts"]
    assert [one["id"] for one in sotto.runs("town", state="finished")] == [run.pk]
    assert sotto.run(run.pk)["has_results"]
    ages = next(one for one in sotto.prevalences(run.pk) if one["key"] == "age")["answers"]
    assert sum(one["support"] for one in ages) == pytest.approx(1)
    assert len(list(sotto.itemsets(run.pk))) == run.itemsets.count()
    # Small pages: more requests than the server takes at once, so the client has to wait, and does.
    rules = list(sotto.rules(run.pk, page_size=8))
    assert len(rules) == run.rules.count() > 100
    assert len({(tuple(one["antecedent"]), tuple(one["consequent"])) for one in rules}) == len(rules)
    assert all(one["lift"] >= 1.2 for one in sotto.rules(run.pk, lift_from=1.2))
    assert sotto.number(run.pk, "hours")["quantiles"]
    assert sotto.place(run.pk, "care", smoothing=True)["type"] == "FeatureCollection"
    assert sotto.audit(run.pk)["n"] == 3_000
    assert sotto.label(run.pk)["epsilon"] > 0
    with pytest.raises(client.Problem, match="no such number question") as refused:
        sotto.number(run.pk, "care")
    assert (refused.value.status, refused.value.code, refused.value.value) == (404, "nothing", "care")
    with pytest.raises(client.Problem) as unknown:
        client.Sotto(address, token="sotto_x").me()
    assert (unknown.value.status, unknown.value.code) == (401, "token")
    printed = subprocess.run(
        [sys.executable, str(FILE), f"runs/{run.pk}"],
        env={**os.environ, "SOTTO_ADDRESS": address, "SOTTO_TOKEN": token},
        capture_output=True,
        check=True,
    )
    assert json.loads(printed.stdout)["id"] == run.pk


@pytest.mark.parametrize("address", ["http://survey.example.org", "survey.example.org", "ftp://localhost"])
def test_it_sends_no_token_in_the_clear(client: ModuleType, address: str) -> None:
    with pytest.raises(ValueError, match="https://"):
        client.Sotto(address, token="sotto_x")
