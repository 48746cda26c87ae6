"""The document of the interface says what the interface answers, member by member."""

from __future__ import annotations

import re
from typing import Any
from urllib.parse import urlencode

import pytest
from django.test import Client
from django.urls import get_resolver

from surveys.access.roles import Role
from surveys.models import Run
from tests.cast.deposits import opened_deposit
from tests.cast.json_schema import wrong_in
from tests.cast.programs import asked, program_of
from tests.cast.runs import answered, audited, mined, published, still_open
from tests.cast.scale_runs import scale_answered
from tests.cast.staff import member

pytestmark = pytest.mark.django_db


def document() -> dict[str, Any]:
    answer = Client().get("/api/v1/openapi.json")
    assert answer.status_code == 200
    found: dict[str, Any] = answer.json()
    return found


def schema_of(address: str) -> dict[str, Any]:
    answers = document()["paths"][f"/{address}"]["get"]["responses"]
    found: dict[str, Any] = answers["200"]["content"]["application/json"]["schema"]
    return found


def test_it_has_every_address_with_its_parameters() -> None:
    patterns = next(one for one in get_resolver().url_patterns if str(one.pattern) == "api/v1/").url_patterns
    spelled = {
        re.sub(r"<\w+:(\w+)>", r"{\1}", str(one.pattern))
        for one in patterns
        if one.name not in ("openapi", "nothing")
    }
    paths = document()["paths"]
    assert {f"/{one}" for one in spelled} == set(paths)
    for path, ways in paths.items():
        (described,) = ways.values()
        in_path = {one["name"] for one in described["parameters"] if one["in"] == "path"}
        assert in_path == set(re.findall(r"{(\w+)}", path))
        assert described["responses"]["default"]


@pytest.mark.soak
def test_every_parameter_of_the_document_is_understood_and_every_other_is_not(settings: Any) -> None:
    # More addresses are asked for than a program may at once; how often it may is tested with the door.
    settings.API_BURST = 10_000
    run = audited(mined(answered()))
    program = program_of(member("ana", Role.REVIEWER, Role.RESEARCHER))
    values = {"slug": run.survey.slug, "number": "1", "run_id": str(run.pk), "question": "age"}
    values["made_id"] = str(opened_deposit(member("owner", Role.RESEARCHER)).pk)
    for path, ways in document()["paths"].items():
        address = "/api/v1" + re.sub(r"{(\w+)}", lambda found: values[found[1]], path)
        plain = program.get(address).status_code
        for one in ways["get"]["parameters"]:
            if one["in"] != "query":
                continue
            schema = one["schema"]
            sample = schema.get("enum", [{"integer": 2, "number": 0.5, "string": "age=old"}[schema["type"]]])
            for value in sample:
                got = program.get(address, {one["name"]: str(value)})
                assert got.status_code == plain, (address, one["name"], value, got.content)
        assert program.get(address, {"colour": "red"}).status_code == 400


def wrong_answers(run: Run, *, scales: bool) -> list[str]:
    """Ask for everything of a run and its survey; return what does not meet the document."""
    program, slug, here = program_of(member("ana", Role.REVIEWER)), run.survey.slug, f"runs/{run.pk}"
    everything = {
        "me": "me",
        "surveys": "surveys?page_size=1",
        "surveys/{slug}": f"surveys/{slug}",
        "surveys/{slug}/versions": f"surveys/{slug}/versions",
        "surveys/{slug}/versions/{number}": f"surveys/{slug}/versions/1",
        "surveys/{slug}/runs": f"surveys/{slug}/runs?state=finished",
        "runs/{run_id}": here,
        "runs/{run_id}/prevalences": f"{here}/prevalences?language=zh-hans",
        "runs/{run_id}/itemsets": f"{here}/itemsets?page_size=200",
        "runs/{run_id}/rules": f"{here}/rules?page_size=200",
        "runs/{run_id}/audit": f"{here}/audit",
        "runs/{run_id}/label": f"{here}/label",
    }
    if scales:
        everything |= {
            "runs/{run_id}/numbers/{question}": f"{here}/numbers/hours",
            "runs/{run_id}/places/{question}": f"{here}/places/care",
        }
    said = document()
    assert set(everything) <= {path[1:] for path in said["paths"]}
    return [
        f"{address}: {wrong}"
        for path, address in everything.items()
        for wrong in wrong_in(asked(program, address), schema_of(path), said)
    ]


@pytest.mark.soak
@pytest.mark.parametrize("kind", ["closed", "practice", "light", "open", "one strength"])
def test_what_is_answered_meets_the_document(kind: str) -> None:
    changes: dict[str, Any] = {
        "closed": {},
        "practice": {"practice": True},
        "light": {"light": True},
        "one strength": {"policy": "protected", "n_direct": 0},
    }.get(kind, {})
    version = still_open(policy="protected") if kind == "open" else answered(**changes)
    published("another", practice=True)
    assert wrong_answers(audited(mined(version)), scales=False) == []


def test_deposits_and_answers_meet_the_document() -> None:
    deposit = opened_deposit(member("owner", Role.RESEARCHER))
    program, here, said = program_of(member("ana", Role.RESEARCHER)), f"deposits/{deposit.pk}", document()
    everything = [("deposits", "deposits"), ("deposits/{made_id}", here)]
    for question in (
        "count where age < 30 group by debt",
        "mean age where debt = yes",
        "mean age where age < 1",
    ):
        everything.append(("deposits/{made_id}/answer", f"{here}/answer?{urlencode({'question': question})}"))
    wrong = [
        f"{address}: {fault}"
        for path, address in everything
        for fault in wrong_in(asked(program, address), schema_of(path), said)
    ]
    assert wrong == []
    assert asked(program, here)["questions_left"] == deposit.questions_each - 3


@pytest.mark.soak
def test_numbers_and_places_meet_the_document() -> None:
    assert wrong_answers(audited(mined(scale_answered(skips=0.1))), scales=True) == []


def test_a_member_too_many_or_too_few_or_of_another_kind_would_be_noticed() -> None:
    said = document()
    program = program_of(member("ana"))
    me = asked(program, "me")
    schema = schema_of("me")
    assert list(wrong_in(me, schema, said)) == []
    for broken in (me | {"at": "12:00"}, {"name": "ana"}, me | {"roles": "none"}, me | {"roles": [1]}, []):
        assert list(wrong_in(broken, schema, said))
    moment = {"type": "string", "format": "date-time"}
    assert list(wrong_in("2026-11-20T12:00:00", moment, said))
    assert not list(wrong_in("2026-11-20T12:00:00+00:00", moment, said))


def test_pages_of_a_list_hold_each_entry_once_and_in_order() -> None:
    run = audited(mined(answered()))
    program = program_of(member("ana", Role.REVIEWER))
    for name, key in (("itemsets", "items"), ("rules", "antecedent_label")):
        whole = asked(program, f"runs/{run.pk}/{name}?page_size=200")
        found, address = [], f"/api/v1/runs/{run.pk}/{name}?page_size=7"
        while address:
            page = program.get(address).json()
            found += page["data"]
            address = page["next"]
        assert [one[key] for one in found] == [one[key] for one in whole["data"]]
        assert len(found) == whole["total"] > 7
        beyond = asked(program, f"runs/{run.pk}/{name}?page=1000")
        assert (beyond["data"], beyond["next"], beyond["total"]) == ([], None, whole["total"])
