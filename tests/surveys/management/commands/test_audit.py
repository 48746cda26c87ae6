"""`manage.py audit`: figures, refusals, and what it may reveal about answers."""

import json
from io import StringIO
from typing import Any

import pytest
from django.core.management import call_command
from django.utils import timezone

from surveys.authoring.drafts import survey_import
from surveys.authoring.lifecycle import survey_close
from surveys.authoring.publish import survey_publish
from surveys.questionnaire.definition import definition_parse
from surveys.runs.audit import audit_of_run, stated_prevalences
from tests.fixtures.runs import answer, answered_version, definition, mined_run, open_version, published
from tests.fixtures.runs import audited_run as audit_made
from tests.vectors.designs import choice, live, shielded, yes_no

pytestmark = pytest.mark.django_db


def audited(*words: str) -> dict[str, Any]:
    out = StringIO()
    call_command("audit", *words, stdout=out)
    found: dict[str, Any] = json.loads(out.getvalue())
    return found


def test_a_survey_is_audited_before_and_after() -> None:
    answered_version(800, n_direct=160)
    found = audited("habits")
    assert found["prevalence_not_stated"] == []
    assert found["before"]["when"] == "before"
    after = found["after"]
    assert (after["when"], after["n"], after["group"]["n_direct"]) == ("after", 800, 160)
    assert [block["prior"] for block in after["blocks"]] == ["joint", "joint"]
    assert after["open"]["unique"] == 0
    # 1 + .6 / (.4 * .4 * .5), and .6 / (.6 + .4 * .4 * .5).
    (work,) = (block for block in found["before"]["blocks"] if block["key"] == "work")
    assert work["amplification"] == pytest.approx(8.5)
    assert work["known"] == pytest.approx(0.882, abs=0.0005)
    assert audited("habits", "--waves", "2")["before"]["waves"] == 2


def test_an_open_survey_with_direct_answers_is_not_audited_yet() -> None:
    open_version(613, n_direct=7)
    found = audited("open")
    assert found["after"] is None
    assert "wait for its last batch" in found["no_answers"]


@pytest.mark.soak
def test_impossible_combinations_are_audited_after_publishing() -> None:
    plain, document = definition(), definition()
    document["blocks"][1]["exclusive"] = [["late", "cheat"]]
    survey = survey_import(document, by="alice")
    version = survey_publish(
        survey, by="alice", now=timezone.now(), reason="A trial of decoys that show.", is_readable_seen=True
    )
    assert version.design_id == definition_parse(plain).design.design_id
    answer(version, 400)
    survey_close(survey, now=timezone.now(), at_once=True, by="alice")
    found = audited("habits")
    for moment in ("before", "after"):
        (told,) = found[moment]["impossible"]
        assert told["block"] == "work"
        # Decoys show both with probability .5 * .4.
        assert told["share"] == pytest.approx(0.2)
    run = mined_run(version)
    audit_made(run)
    run.refresh_from_db()
    stored = audit_of_run(run)
    assert stored is not None
    assert [decoys.block for decoys in stored.impossible] == ["work"]


def test_a_survey_without_answers_gets_an_audit_of_its_design_only() -> None:
    published(light=True)
    found = audited("habits")
    assert found["after"] is None
    assert "There are no answers to analyse yet." in found["no_answers"]


def test_unstated_prevalences_are_listed_and_assumed_even() -> None:
    mood = choice("mood", 2000, 3000, 5000)
    design = live(shielded("b", 5000, yes_no("late", 5000), mood, choice("drugs", 1, 2, multi=True)))
    wording = {"blocks": [{"questions": [{"key": "late", "prevalence": []}, {"key": "mood"}]}]}
    stated, assumed = stated_prevalences(design, wording)
    assert assumed == ("late", "mood", "drugs")
    assert stated == {"late": [5000], "mood": [3334, 3333, 3333], "drugs": [5000, 5000]}
