"""Answers of a survey become the records of a table."""

import csv
import hashlib
import json
import random
from pathlib import Path

import numpy as np
import pytest
from django.core.management import CommandError, call_command
from django.utils import timezone

from anonymisation.management.commands.release import open_answers
from anonymisation.microdata.config import plan_load
from anonymisation.microdata.survey_table import SKIPPED_CELL, UNANSWERED, table_of
from privacy.coins import Coins
from privacy.errors import PrivacyError
from privacy.survey.design import Design
from privacy.survey.disguise import disguise
from privacy.survey.layout import Layout
from surveys.authoring.lifecycle import survey_close
from surveys.management.commands.demo import respondents
from surveys.models import Batch, Survey
from tests.fixtures.devices import published, sealed_body, shipped_definition
from tests.fixtures.scale_runs import scale_definition, scale_rows
from tests.site.test_open_number import answered, hours_in, records_in

pytestmark = pytest.mark.django_db

CONFIG = Path(__file__).parents[3] / "docs" / "release-demo" / "marriage.json"


def batch_of(version, bodies):
    packed = b"".join(bodies)
    return Batch.objects.create(
        version=version, n=len(bodies), packed=packed, digest=hashlib.sha256(packed).hexdigest()
    )


@pytest.fixture
def demo():
    """Return the demonstration survey with 1,200 of Fair's respondents, closed, with all its batches."""
    version = published(shipped_definition("marriage"))
    design = version.to_design()
    rng = random.Random(4)
    people = [one for number, one in enumerate(respondents(rng=np.random.default_rng(3))) if number % 5 == 0][
        :1200
    ]
    bodies = [
        Layout(design).pack(
            disguise(
                design, one.answers, direct=one.direct, coins=Coins(iter(lambda: rng.getrandbits(32), None))
            )
        )
        for one in people
    ]
    batch_of(version, bodies[:700])
    batch_of(version, bodies[700:])
    survey_close(version.survey, by="alice", now=timezone.now(), at_once=True)
    return design, people


def release(*arguments):
    call_command("release", *map(str, arguments))


@pytest.mark.soak
def test_the_demo_is_released_verified_queried_and_released_again_safely(demo, tmp_path, capsys):
    _, people = demo
    wish = [
        "--survey",
        "marriage",
        "--plan",
        CONFIG,
        "--out",
        tmp_path / "one",
        "--ledger",
        tmp_path / "one.json",
    ]
    release(*wish)
    data = tmp_path / "one" / "deposit" / "data.csv"
    quasi = ["--quasi-identifiers", "age,married,children,education"]
    call_command("verify", str(data), *quasi, "--k", "10")
    capsys.readouterr()
    call_command(
        "query", str(tmp_path / "one"), "count where age in (to-24, 25-29) group by affair", "--json"
    )
    answers = {one["group"][0]: one for one in json.loads(capsys.readouterr().out)["answers"]}
    protected = [one for one in people if not one.direct]
    young = sum(one.answers["background"]["age"] <= 1 for one in protected)
    assert (
        sum(one["lower"] for one in answers.values())
        <= young
        <= sum(one["upper"] for one in answers.values())
    )
    other = tmp_path / "other.json"
    text = CONFIG.read_text(encoding="utf-8").replace('"k": 10', '"k": 12')
    for name in ("age.csv", "children.csv"):
        text = text.replace(f'"{name}"', json.dumps(str(CONFIG.parent / name)))
    other.write_text(text, encoding="utf-8")
    with pytest.raises(
        CommandError, match="Together with an earlier release, this one would break protection"
    ):
        release(
            "--survey",
            "marriage",
            "--plan",
            other,
            "--out",
            tmp_path / "two",
            "--earlier",
            tmp_path / "one.json",
        )
    assert not (tmp_path / "two").exists()


@pytest.mark.soak
def test_direct_rows_are_omitted_and_the_rest_match_device_rows(demo, tmp_path):
    design, people = demo
    header, rows, places = open_answers("marriage", plan_load(CONFIG)[0])
    assert header == ["age", "married", "children", "education", "affair", "unhappy", "not-religious"]
    protected = [one for one in people if not one.direct]
    assert len(rows) == len(protected) == len(set(places))
    options = design.questions[0].options
    assert [row[0] for row in rows] == [options[one.answers["background"]["age"]] for one in protected]


@pytest.mark.parametrize(
    ("column", "role", "message"),
    [
        ("affair", "sensitive", "'affair' was disguised, but has the role 'sensitive'"),
        ("married", "disguised", "'married' contains unprotected answers"),
    ],
)
def test_only_protected_columns_have_the_disguised_role(demo, tmp_path, column, role, message):
    plan = json.loads(CONFIG.read_text(encoding="utf-8"))
    plan["columns"][column] = {"role": role}
    (tmp_path / "c.json").write_text(json.dumps(plan), encoding="utf-8")
    with pytest.raises(PrivacyError, match=message):
        open_answers("marriage", plan_load(tmp_path / "c.json")[0])


def test_open_practice_and_unknown_surveys_cannot_be_released():
    published(shipped_definition("marriage"))
    config = plan_load(CONFIG)[0]
    with pytest.raises(PrivacyError, match="can still receive answers"):
        open_answers("marriage", config)
    published(shipped_definition("marriage", slug="try", practice=True))
    with pytest.raises(PrivacyError, match="practice answers cannot be released"):
        open_answers("try", config)
    with pytest.raises(PrivacyError, match="no survey 'none'"):
        open_answers("none", config)


def test_a_damaged_batch_is_refused():
    version = published(shipped_definition("marriage"))
    Batch.objects.create(version=version, n=1, packed=b"\0\0", digest="0" * 64)
    survey_close(Survey.objects.get(slug="marriage"), by="alice", now=timezone.now(), at_once=True)
    with pytest.raises(PrivacyError, match="is damaged"):
        open_answers("marriage", plan_load(CONFIG)[0])


def test_every_question_kind_becomes_text_columns():
    version = published(shipped_definition("workplace"))
    design: Design = version.to_design()
    rng = random.Random(1)
    records = [Layout(design).unpack(sealed_body(design, rng)) for _ in range(60)]
    header, rows = table_of(design, records)
    assert len(set(header)) == len(header)
    allowed = {
        "yes",
        "no",
        SKIPPED_CELL,
        UNANSWERED,
        *(option for one in design.questions for option in one.options),
    }
    assert all(len(row) == len(header) and set(row) <= allowed for row in rows)
    assert any("=" in name for name in header) == any(one.kind == "multi" for one in design.questions)


def test_the_command_needs_either_a_file_or_a_survey(tmp_path):
    with pytest.raises(CommandError, match=r"either FILE\.csv or --survey"):
        release("--plan", CONFIG, "--out", tmp_path / "one")


@pytest.mark.soak
def test_a_survey_release_has_one_column_per_item(demo, tmp_path):
    release("--survey", "marriage", "--plan", CONFIG, "--out", tmp_path / "one")
    with (tmp_path / "one" / "deposit" / "data.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    assert {row["affair"] for row in rows} == {"yes", "no"}


def test_numbers_and_places_are_written_as_the_device_sent_them():
    design = published(scale_definition()).to_design()
    records = [Layout(design).unpack(body) for body in scale_rows(design, 80)]
    header, rows = table_of(design, records)
    for block, name in ((3, "hours"), (4, "wage"), (5, "care")):
        drawn = [record.answers[block][0] for record in records]
        assert [row[header.index(name)] for row in rows] == [
            UNANSWERED if value is None else str(value) for value in drawn
        ]
        outputs = next(one for one in design.questions if one.key == name).disguise.outputs
        assert {value for value in drawn if value is not None} <= set(range(outputs))
        assert len(set(drawn)) > 2


@pytest.mark.django_db
def test_the_column_of_a_stored_number_contains_the_answers() -> None:
    version = answered()
    header, rows = table_of(version.to_design(), records_in(version))
    column = [row[header.index("hours")] for row in rows]
    assert sorted(column) == sorted(
        "(not answered)" if hours < 0 else str(hours) for hours in hours_in(version)
    )
