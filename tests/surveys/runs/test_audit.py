"""A run's audit, its file and the command report rows that reveal a number or a place."""

import re

import numpy as np
import pytest
from django.test import Client

from mining.columns.sent_counts import SentCounts
from privacy.risk.audit_texts import percent
from privacy.risk.design_audit import audit_design
from privacy.scales.number_range import NumberRange
from privacy.scales.numeric_mechanisms import BY_EPSILON
from privacy.scales.window import WindowChannel
from surveys.authoring.publish import survey_import
from surveys.runs import audit
from surveys.runs.audit import audit_of_run
from tests.fixtures.devices import closed, published
from tests.fixtures.runs import alice, audited_run, definition, mined_run
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
    mixed = audit._replaced(measured, planned, {"a", "b-n"})
    assert mixed.blocks == (planned.blocks[0], measured.blocks[1])
    assert mixed.items == (planned.items[0], measured.items[1])
    assert mixed.lone == planned.lone
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
