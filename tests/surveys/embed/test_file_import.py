"""Importing a file of answers that an embedded frame disguised."""

import json
import random
from typing import Any

import pytest
from django.forms.models import model_to_dict
from django.utils import timezone

from mining.thresholds import Thresholds
from privacy.coins import Coins
from privacy.survey.disguise import disguise
from privacy.survey.layout import Layout
from privacy.survey.turns import turn_of
from surveys.embed.file_import import columns_by_name, file_take_in
from surveys.embed.reading import file_read
from surveys.errors.error import SurveyError
from surveys.models import AuditEvent, Batch, Survey, Version
from surveys.models.audit_event import ANSWERS_READ
from surveys.questionnaire.definition import definition_parse
from surveys.runs.file_event import file_event
from tests.fixtures.devices import closed, published, stored
from tests.fixtures.embed_frames import three, turning
from tests.fixtures.host_files import answers_of, bodies, by_digest, csv_of, exported, host_file, strings
from tests.fixtures.refusals import refused
from tests.fixtures.runs import mined_run

pytestmark = pytest.mark.django_db


QUICK = Thresholds(support=0.3, max_size=2)


def test_a_wave_of_turns_is_read_back_with_the_people_whose_turn_it_was() -> None:
    """Of 4,000 people a half was asked; the share is estimated from them, and the new survey is no wave."""
    definition, n = definition_parse(turning()), 4_000
    (rotation,) = definition.design.rotations
    rng = random.Random(8)
    coins, rows = Coins(iter(lambda: rng.getrandbits(32), None)), []
    for number, answers in enumerate(answers_of(n)):
        is_asked = 0 in turn_of(rotation, person=str(number), series="diary", wave=1)
        drawn, sent = (((0, 1, 2),), {"part": answers}) if is_asked else (((),), {})
        record = disguise(definition.design, sent, direct=False, coins=coins, drawn=drawn)
        rows.append(Layout(definition.design).pack(record))
    raw = csv_of(["protected"], [[string] for string in strings(definition, rows)])
    read = file_read(host_file("a.csv", raw), by_digest(turning()))
    assert (read.n, read.wrong) == (n, ())
    done = file_take_in(read, (), slug="there", by="alice", now=timezone.now(), reason="For a test.")
    assert "series" not in done.version.definition
    assert done.version.to_design().rotations == definition.design.rotations
    run = mined_run(Version.objects.select_related("survey").get(pk=done.version.pk), QUICK, anew=True)
    (row,) = (row for row in run.itemsets.filter(size=1) if row.items == ",1,")
    asked = sum(Layout(definition.design).unpack(each).drawn != ((),) for each in rows)
    assert 1_900 < asked < 2_100
    assert row.n == asked
    # It is true of 30 in 100. The seeds are fixed.
    assert abs(row.support - 0.3) < 2 * row.support_se < 0.05


PEOPLE = 2_000


def figures(version: Version) -> list[dict[str, Any]]:
    """Return every figure of a run on a survey: itemsets and rules, without database keys."""
    run = mined_run(version, anew=True)
    return [
        {name: value for name, value in model_to_dict(row).items() if name not in ("id", "run")}
        for rows in (run.itemsets, run.rules)
        for row in rows.order_by("pk")
    ]


@pytest.mark.soak
def test_estimates_match_those_of_answers_collected_by_sottovoce() -> None:
    here = published({**three(), "slug": "here"})
    stored(here, bodies(definition_parse(three()), answers_of(PEOPLE)))
    own = figures(closed(here))
    read = file_read(host_file("a.csv", exported(three(), PEOPLE)), by_digest(three()))
    done = file_take_in(read, (), slug="there", by="alice", now=timezone.now(), reason="For a test.")
    assert done.n == PEOPLE
    assert len(own) > 5
    assert figures(Version.objects.select_related("survey").get(pk=done.version.pk)) == own
    # Neither the file's order nor its other contents are stored.
    packed = b"".join(bytes(batch.packed) for batch in Batch.objects.filter(version=done.version))
    sent = b"".join(bodies(definition_parse(three()), answers_of(PEOPLE)))
    assert sorted(packed) == sorted(sent)
    assert packed != sent


@pytest.mark.soak
def test_imported_surveys_are_closed_logged_and_marked_as_external() -> None:
    read = file_read(host_file("a.csv", exported(three())), by_digest(three()))
    done = file_take_in(
        read, read.columns, slug="there", by="alice", now=timezone.now(), reason="For a test."
    )
    survey, event = Survey.objects.get(slug="there"), AuditEvent.objects.get(action=ANSWERS_READ)
    assert (survey.state, file_event(survey)) == ("closed", event)
    assert not file_event(published({**three(), "slug": "here"}).survey)
    assert (event.actor, event.detail) == ("alice", {"rows": 200, "batches": 1})
    assert [item.key for item in done.version.to_design().items][-2:] == [
        "column-1=value-1", "column-1=value-2",
    ]  # fmt: skip
    assert done.version.wording["blocks"][-1]["title"] == {
        "en": "Next to the protected part",
        "zh-hans": "受保护部分之外",
    }
    stored_texts = json.dumps([done.version.wording, done.version.design])
    for telling in ("R_1", "2026-01-01", "text 1", "ResponseId", "comment"):
        assert telling not in stored_texts


@pytest.mark.soak
def test_a_failed_file_import_stores_nothing() -> None:
    read = file_read(host_file("a.csv", exported(three())), by_digest(three()))
    published({**three(), "slug": "there"})
    with pytest.raises(SurveyError, match="there is already a survey"):
        file_take_in(read, (), slug="there", by="alice", now=timezone.now(), reason="For a test.")
    assert not Batch.objects.exists()


def test_columns_unsuitable_as_open_questions_are_rejected() -> None:
    read = file_read(host_file("a.csv", exported(three())), by_digest(three()))
    assert columns_by_name(read, ["works nights", "works nights"]) == read.columns
    for name in ("comment", "nothing", "protected"):
        with pytest.raises(SurveyError, match="cannot be used as an unprotected question"):
            columns_by_name(read, [name])


def test_answers_not_disguised_by_the_frame_are_rejected() -> None:
    definition = definition_parse(three())
    body = bodies(definition, answers_of(1))
    lines = [["R", string] for string in strings(definition, body * 400)]
    read = file_read(host_file("a.csv", csv_of(["id", "protected"], lines)), by_digest(three()))
    with refused("misfit"):
        file_take_in(read, (), slug="there", by="alice", now=timezone.now(), reason="For a test.")
    assert not Survey.objects.filter(slug="there").exists()


@pytest.mark.soak
def test_columns_with_sensitive_names_are_imported_because_the_user_chose_them() -> None:
    raw = exported(three()).replace(b"works nights", b"takes drugs")
    read = file_read(host_file("a.csv", raw), by_digest(three()))
    columns = columns_by_name(read, ["takes drugs"])
    done = file_take_in(read, columns, slug="there", by="alice", now=timezone.now(), reason="For a test.")
    assert done.version.wording["blocks"][-1]["questions"][0]["text"]["en"] == "takes drugs"
