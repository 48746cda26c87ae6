"""A run's audit, its file and the command report rows that reveal a number or a place."""

import re
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from django.test import Client

from mining import Progress
from mining.columns.sent_counts import SentCounts
from mining.open_floor import SHOW_ALL, OpenFloor
from privacy.estimation.withheld import Evidence, Withheld
from privacy.risk.audit_texts import percent
from privacy.risk.design_audit import audit_design
from privacy.risk.report import Audit
from privacy.scales.number_range import NumberRange
from privacy.scales.numeric_mechanisms import BY_EPSILON
from privacy.scales.window import WindowChannel
from surveys.authoring.drafts import survey_import
from surveys.models import Job, Run, Version
from surveys.runs import audit
from surveys.runs.audit import audit_before, audit_of_run, audit_record, number_shares, with_scale_rows
from surveys.runs.numbers import number_figures
from tests.fixtures.devices import closed, published
from tests.fixtures.runs import (
    SINGLES,
    alice,
    answered_version,
    audited_run,
    definition,
    mined_run,
    requested_run,
)
from tests.fixtures.scale_runs import scale_answer, scale_answered, scale_definition, with_light
from tests.vectors.designs import choice, live, opened, shielded, yes_no
from tests.vectors.scale_designs import KEEP, scale_block

STRONG, LIGHT = (BY_EPSILON["keep"](NumberRange(low=0, high=3), epsilon) for epsilon in (1.0, 2.0))
REPORTS, NO_REPORTS = np.array([30, 20, 10, 40]), np.zeros(4, dtype=np.int64)


@pytest.mark.parametrize(
    ("direct", "light", "rows"),
    [
        (NO_REPORTS, None, {False: 100}),
        (NO_REPORTS, LIGHT, {False: 100}),
        # Without a light strength, these rows are true answers.
        (np.array([1, 2, 3, 4]), None, {False: 100}),
        (np.array([1, 2, 3, 4]), LIGHT, {False: 100, True: 10}),
    ],
)
def test_lightly_disguised_rows_are_measured_if_there_are_any(
    direct: np.ndarray, light: WindowChannel | None, rows: dict[bool, int]
) -> None:
    reports = SentCounts(direct=direct, protected=REPORTS, light=light)
    found = audit._measure_rows("pay", STRONG, reports, np.full(4, 0.25))
    assert {is_light: each.n for (_key, is_light), each in found.items()} == rows
    assert {key for key, _is_light in found} == {"pay"}
    # An attacker learns more from a row of the light strength.
    assert sorted(each.highest for each in found.values()) == [found[key].highest for key in sorted(found)]


@pytest.mark.django_db
@pytest.mark.soak
def test_page_file_and_command_count_rows_that_reveal_their_answer(client: Client) -> None:
    # Fewer than 50 direct respondents were asked for their hours, so the page does not separate them.
    version = scale_answered(1_500, n_direct=60, hours_of_the_old=True)
    run = mined_run(version)
    audited_run(run)
    run.refresh_from_db()
    audit = audit_of_run(run)
    assert audit is not None
    assert [part.question for part in audit.lone] == ["hours", "wage", "care"]
    wage, care = (part.rows for part in audit.lone[1:])
    assert wage is not None
    assert care is not None
    # Places outside are sent exactly; with epsilon 3, no wage bin is certain.
    assert (care.n, care.highest) == (1_500, 1)
    assert 0.3 < care.sent[2] < 0.7
    assert wage.sent[2] == 0
    client.force_login(alice())
    text = client.get(f"/en/staff/runs/{run.pk}/audit/").content.decode()
    assert "Numbers and places" in text
    assert all(f'<td class="num">{share}</td>' in text for share in (percent(care.before), "100%"))
    assert '<td class="num">1,500</td>' in text
    file = client.get(f"/en/staff/runs/{run.pk}/audit.json").json()["audit"]["lone"]
    rows = {part["question"]: part["rows"] for part in file}
    assert rows["care"]["sent"] == list(care.sent)
    assert (rows["wage"]["n"], rows["care"]["n"]) == (1500, 1500)


@pytest.mark.django_db
@pytest.mark.soak
def test_lightly_disguised_rows_are_counted_separately(client: Client) -> None:
    version = published(with_light(scale_definition(everywhere=True, policy="assigned", light=True)))
    scale_answer(version, 1_500, n_direct=500)
    run = mined_run(closed(version))
    audited_run(run)
    run.refresh_from_db()
    audit = audit_of_run(run)
    assert audit is not None
    assert audit.light is not None
    assert [part.question for part in audit.lone] == ["hours", "wage", "care"]
    for strong, light in zip(audit.lone, audit.light.lone, strict=True):
        assert strong.rows is not None
        assert light.rows is not None
        assert (strong.question, strong.rows.n, light.rows.n) == (light.question, 1_000, 500)
        # Both groups give the same answers, but the attacker is surer about the less disguised one.
        assert strong.rows.highest < light.rows.highest
    client.force_login(alice())
    text = client.get(f"/en/staff/runs/{run.pk}/audit/").content.decode()
    assert (
        text.split('id="scale-rows-title"')[1].split("</section>")[0].count("lightly disguised</span></th>")
        == 3
    )
    file = client.get(f"/en/staff/runs/{run.pk}/audit.json").json()["audit"]
    assert [part["rows"]["n"] for part in file["lone"] + file["light"]["lone"]] == [1000] * 3 + [500] * 3
    stored = run.summary["audit"]["light"]["lone"]
    assert [part["rows"]["n"] for part in stored] == [500] * 3


@pytest.mark.django_db
@pytest.mark.soak
def test_audits_omit_questions_with_too_few_answers(client: Client) -> None:
    run = audited_run(mined_run(scale_answered(180, hours_of_the_old=True)))
    client.force_login(alice())
    text = client.get(f"/en/staff/runs/{run.pk}/audit/").content.decode()
    assert re.search(r'<th scope="row">hours</th>\s*<td colspan="3">too few people to say</td>', text)
    file = client.get(f"/en/staff/runs/{run.pk}/audit.json").json()["audit"]["lone"]
    assert file[0]["rows"] is None
    assert file[1]["rows"]["n"] == 180


def test_stated_prevalences_are_those_of_the_wording_or_even_shares() -> None:
    """Open questions and numbers, which have no coin, have none."""
    design = live(
        opened("o", yes_no("old")),
        shielded(
            "b", 5000, yes_no("late", 5000), choice("mood", 2000, 3000, 5000), choice("d", 1, 2, multi=True)
        ),
        scale_block("pay", KEEP),
    )
    keys = [question.key for question in design.questions]
    questions = [{"key": key, "prevalence": [900] if key == "late" else None} for key in keys]
    prevalences, defaults = audit.stated_prevalences(design, {"blocks": [{"questions": questions}]})
    assert prevalences == {"late": [900], "mood": [3334, 3333, 3333], "d": [5000, 5000]}
    assert defaults == ("mood", "d")


def test_hidden_blocks_have_the_audit_of_the_design() -> None:
    blocks = (shielded(key, 5000, yes_no(f"x{key}", 5000)) for key in "ab")
    design = live(*blocks, scale_block("n", KEEP))
    planned, measured = (
        audit_design(design, {"xa": [share], "xb": [share]}, n=200) for share in (1000, 3000)
    )
    assert planned.blocks[0] != measured.blocks[0]
    measured = replace(measured, lone=tuple(replace(part, lost=0.5) for part in measured.lone))
    mixed = audit._replaced(measured, planned, {"a", "b-n"})
    assert mixed.blocks == (planned.blocks[0], measured.blocks[1])
    assert mixed.items == (planned.items[0], measured.items[1])
    assert mixed.lone == planned.lone
    assert audit._replaced(measured, planned, {"a", "b"}).lone == measured.lone != planned.lone
    assert audit._replaced(measured, planned, set()) == measured


@pytest.mark.django_db
def test_a_survey_without_a_run_has_the_audit_of_its_newest_version_or_its_draft() -> None:
    version = published(definition("rules"))
    found = audit.audited_survey(version.survey)
    assert found is not None
    assert (found.version, found.run, found.is_draft) == (version, None, False)
    assert found.plan_audit == found.audit == audit.audit_before(version, n=found.audit.n)
    assert found.wording == version.wording
    draft = survey_import(definition("drafted"), by="alice")
    found = audit.audited_survey(draft)
    assert found is not None
    assert (found.is_draft, found.run, found.version.design_id) == (True, None, found.design.design_id)
    assert [block.key for block in found.audit.blocks] == [
        block.key for block in found.design.blocks if block.has_coin
    ]
    draft.definition = draft.definition | {"blocks": []}
    assert audit.audited_survey(draft) is None


def test_shares_of_a_number_are_those_of_its_report() -> None:
    reports = SentCounts(direct=NO_REPORTS, protected=REPORTS)
    figures = number_figures(STRONG, reports)
    assert figures.bins is not None
    assert number_shares(STRONG, reports) == pytest.approx(figures.bins.shape.fit.shares)


def rows_of_parts(found: Audit) -> dict[str, list[tuple[str, int | None]]]:
    """Return the number of measured rows of each number or place, by strength."""
    parts = {"strong": found.lone, "light": found.light.lone if found.light else ()}
    return {
        name: [(part.question, part.rows.n if part.rows else None) for part in lone]
        for name, lone in parts.items()
    }


@pytest.mark.django_db
def test_numbers_and_places_have_rows_unless_few_answered_or_rows_contradict_the_design() -> None:
    document = with_light(
        scale_definition(everywhere=True, policy="assigned", light=True, hours_of_the_old=True)
    )
    version = published(document)
    scale_answer(version, 180, n_direct=60)
    batches, before = version.batches.all(), audit_before(version)
    nothing = {
        name: [(question, None) for question in ("hours", "wage", "care")] for name in ("strong", "light")
    }
    assert rows_of_parts(before) == nothing
    # About half of the people are old.
    assert rows_of_parts(with_scale_rows(before, version, batches)) == {
        "strong": [("hours", None), ("wage", 120), ("care", 120)],
        "light": [("hours", None), ("wage", 60), ("care", 60)],
    }
    keys = tuple(question.key for question in version.to_design().questions)
    withheld = Withheld(questions={keys.index("wage"): Evidence(rows=4, n=180)}, keys=keys)
    assert rows_of_parts(with_scale_rows(before, version, batches, withheld)) == {
        "strong": [("hours", None), ("wage", None), ("care", 120)],
        "light": [("hours", None), ("wage", None), ("care", 60)],
    }


def other_audit(version: Version, n: int) -> Audit:
    """Return an audit with other prevalences than those stated."""
    return audit_design(version.to_design(), {"late": [1000], "cheat": [1000], "drink": [1000]}, n=n)


@pytest.mark.django_db
@pytest.mark.parametrize("light", [False, True])
def test_only_blocks_that_a_figure_may_name_keep_their_measured_audit(light: bool) -> None:
    version = published(definition("light" if light else "plain", light=light, policy="assigned"))
    measured, planned, asked = other_audit(version, 200), audit_before(version, n=200), []

    def may_name(questions: range) -> bool:
        asked.append(questions)
        return 3 not in questions

    found = audit._as_designed(version, measured, may_name)
    # Question 0, the age, is in no protected block.
    assert asked == [range(1, 3), range(3, 4)]
    assert measured.blocks[1] != planned.blocks[1]
    assert found.blocks == (measured.blocks[0], planned.blocks[1])
    assert (found.light is not None) is light
    if found.light is not None:
        assert measured.light is not None
        assert planned.light is not None
        assert found.light.blocks == (measured.light.blocks[0], planned.light.blocks[1])
    assert audit._as_designed(version, measured, lambda _questions: True) == measured


@pytest.mark.django_db
def test_a_stored_audit_counts_unique_people_only_if_open_answers_may_be_combined(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    run = requested_run(answered_version())
    assert audit_of_run(run) is None
    measured = other_audit(run.version, 3)
    measured = replace(measured, open=replace(measured.open, unique=2, unique_direct=1))

    def shown(floor: OpenFloor, found: Audit = measured) -> Audit:
        run.summary = {"audit": found.to_json()}
        monkeypatch.setattr(audit, "floor_of", lambda _run: floor)
        shown = audit_of_run(run)
        assert shown is not None
        return shown

    assert shown(SHOW_ALL) == measured
    hidden = shown(OpenFloor(crosses=False)).open
    # Of three people with two ages, each is alone with a probability of 1/4.
    assert (hidden.unique, hidden.unique_direct, hidden.expected_unique) == (None, None, 0.75)
    # An audit of no rows counts no one.
    planned = replace(measured, n=None)
    assert shown(OpenFloor(crosses=False), planned) == planned
    # The questions of a part without a condition name no open answer.
    assert shown(OpenFloor(questions=frozenset())).blocks == measured.blocks


SCALES_NEXT = Progress(stage="patterns", done=0, total=0)
"""Reported before numbers and places are measured."""


@pytest.mark.django_db
def test_answers_sent_undisguised_are_audited_as_sent() -> None:
    run = mined_run(answered_version())
    stages: list[Any] = []
    found = audit_record(run, stages.append)
    group = found["group"]
    assert (group["n_direct"], group["n_protected"], group["direct_share"]) == (160, 640, 0.2)
    assert (found["light"], found["n"]) == (None, 800)
    assert SCALES_NEXT not in stages


@pytest.mark.django_db
def test_the_audit_of_a_run_includes_its_numbers_and_places() -> None:
    run = mined_run(scale_answered(300), SINGLES)
    stages: list[Any] = []
    found = audit_record(run, stages.append)
    assert [(part["question"], part["rows"]["n"]) for part in found["lone"]] == [
        ("hours", 300), ("wage", 300), ("care", 300),
    ]  # fmt: skip
    assert SCALES_NEXT in stages
    assert found["group"]["n_direct"] == 0


@pytest.mark.django_db
def test_a_survey_has_the_audit_of_its_newest_run_if_researchers_may_read_it(settings: Any) -> None:
    version = answered_version()
    runs = [requested_run(version) for _ in range(3)]
    measured = replace(other_audit(version, 800), when="after")
    # The last run has not finished.
    for run, state in zip(runs, (Job.State.FINISHED, Job.State.FINISHED, Job.State.RUNNING), strict=True):
        Job.objects.filter(pk=run.job_id).update(state=state)
        Run.objects.filter(pk=run.pk).update(summary={"audit": measured.to_json()})
    settings.SOTTOVOCE_RESEARCHERS_READ_REPORTS = True
    found = audit.audited_survey(version.survey)
    assert found is not None
    assert (found.run, found.audit.when, found.plan_audit.when) == (runs[1], "after", "before")
    settings.SOTTOVOCE_RESEARCHERS_READ_REPORTS = False
    found = audit.audited_survey(version.survey)
    assert found is not None
    assert (found.run, found.audit.when, found.plan_audit) == (None, "before", found.audit)
