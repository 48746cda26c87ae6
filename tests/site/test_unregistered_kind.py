"""If one kind of question is removed, surveys without it work completely, and the kind is refused."""

import io
import random
import zipfile
from collections.abc import Set
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from mining.thresholds import Thresholds
from privacy.errors import PrivacyError
from privacy.survey import question as core
from privacy.survey.design import Design
from privacy.survey.question import Question
from surveys.authoring.drafts import draft_create, draft_save
from surveys.authoring.publish import survey_publish
from surveys.imports.drafts.imported_drafts import draft_of
from surveys.imports.pasted_text import read_paste
from surveys.intake.keys import mixer_ready
from surveys.questionnaire import stated_kinds
from surveys.questionnaire.definition import definition_read
from tests.fixtures.checked_surveys import protected, several
from tests.fixtures.devices import closed, sealed_body, stored
from tests.fixtures.refusals import refused
from tests.fixtures.registries import unregister
from tests.fixtures.runs import mined_run
from tests.fixtures.scale_runs import scale_definition
from tests.fixtures.staff import seen_by

pytestmark = pytest.mark.django_db

N = 100
NOW = timezone.now()
LISTED = frozenset(core.KINDS)
"""All kinds; `tests/test_deletable.py` runs these tests in a copy without one."""
TAKEN = several("taken", "pens", "paper", unrelated=[5000, 5000], prevalence=[3000, 2000])


def everything() -> dict[str, Any]:
    """Return a survey with a question of each kind, in separate blocks."""
    document = scale_definition("kinds")
    document["blocks"].append(protected("tools", TAKEN, p=7000))
    return document | {"blocks": blocks_of(document, LISTED)}


def blocks_of(document: dict[str, Any], kinds: Set[str]) -> list[dict[str, Any]]:
    """Return the blocks whose questions are all of these kinds."""
    return [block for block in document["blocks"] if {each["kind"] for each in block["questions"]} <= kinds]


@pytest.fixture(params=sorted(core.KINDS))
def kind(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    """Unregister one kind."""
    name: str = request.param
    unregister(monkeypatch, core.KINDS, name)
    unregister(monkeypatch, stated_kinds.STATED_KINDS, name)
    return name


def test_the_survey_uses_every_question_kind() -> None:
    asked = {question["kind"] for block in everything()["blocks"] for question in block["questions"]}
    assert asked == set(core.KINDS) == set(stated_kinds.STATED_KINDS) - {"arm"}


def test_questions_of_an_unregistered_kind_are_refused_at_their_place(kind: str) -> None:
    with refused("kind", kind):
        Question(key="a", kind=kind, options=("b", "c"), unrelated=())  # type: ignore[arg-type]
    document = everything()
    paths = [
        f"blocks[{block}].questions[{number}]"
        for block, part in enumerate(document["blocks"])
        for number, question in enumerate(part["questions"])
        if question["kind"] == kind
    ]
    problems = definition_read(document).problems
    assert paths
    assert all(any(problem.path.startswith(path) for problem in problems) for path in paths)


def test_pasted_texts_become_drafts_without_questions_of_the_kind(kind: str) -> None:
    text = "Kinds\n1. Did you?\n2. When?\n- Now\n- Then\n3. What? [several]\n- A\n- B\n4. How much?\n0-60"
    blocks = draft_of(read_paste(text))["blocks"]
    assert {one["kind"] for block in blocks for one in block["questions"]} == {*core.KINDS} - {
        "place",
        "multi",
    }


@pytest.mark.soak
def test_surveys_without_the_kind_work_from_draft_to_export(kind: str, client: Client) -> None:
    document = everything()
    document["blocks"] = blocks_of(document, core.KINDS.keys())
    if "yes_no" not in core.KINDS:
        # A tick-all question of earlier versions becomes a list of these.
        document["blocks"] = [block for block in document["blocks"] if block["key"] != "tools"]
    owner = seen_by(User.objects.create_superuser("dora"))
    client.force_login(owner)
    survey = draft_create(document, slug="kinds", by=owner.username, now=NOW, source="scratch")
    draft_save(survey, document, revision=survey.revision, by=owner.username, now=NOW)
    assert client.get(reverse("authoring:builder", args=["kinds"])).status_code == 200
    assert mixer_ready()
    version = survey_publish(
        survey, by=owner.username, now=NOW, reason="Made for a test.", is_readable_seen=True
    )
    design, rng = version.to_design(), random.Random(5)
    stored(version, [sealed_body(design, rng) for _person in range(N)])
    run = mined_run(closed(version), Thresholds(support=0.2, max_size=2))
    page = client.get(f"/en/staff/runs/{run.pk}/")
    assert page.status_code == 200
    for block in survey.definition["blocks"]:
        assert block["questions"][0]["text"]["en"] in page.content.decode()
    answer = client.post(reverse("export:data", args=["kinds"]), {"run": run.pk}, follow=True)
    archive = zipfile.ZipFile(io.BytesIO(b"".join(answer.streaming_content)))  # type: ignore[attr-defined]
    (table,) = (name for name in archive.namelist() if "rows" in name and name.endswith(".csv"))
    assert len(archive.read(table).splitlines()) == N + 1


def test_designs_with_an_unregistered_kind_cannot_be_loaded(
    kind: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.undo()
    asked = definition_read(everything()).definition
    assert asked is not None
    written = asked.design.to_json()
    unregister(monkeypatch, core.KINDS, kind)
    with pytest.raises(PrivacyError, match=kind):
        Design.from_json(written)
