import random
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.utils import timezone

from mining.family import rule_family
from mining.thresholds import Sides
from privacy.coins import Coins
from privacy.risk.design_audit import audit_design
from privacy.risk.report import audit_from_json
from privacy.survey.design import Design
from privacy.survey.disguise import disguise
from privacy.survey.layout import Layout
from surveys.authoring.drafts import survey_import
from surveys.authoring.publish import survey_publish
from surveys.models import Run
from surveys.questionnaire.definition import definition_parse
from surveys.questionnaire.packed_items import unpack_items
from surveys.questionnaire.ready_parts import ready_parts
from surveys.report.results.answer_shares import share_of
from surveys.runs import attentive_supports, non_response
from surveys.runs.opening_figures import stored_unlisted
from surveys.runs.releasable_rows import rows_of_version
from tests.fixtures.anchored_surveys import anchored, in_turns
from tests.fixtures.checked_surveys import document_of, protected, yes_no
from tests.fixtures.devices import closed, stored
from tests.fixtures.runs import alice, answered_version, mined_run
from tests.fixtures.staff import seen_by
from tests.fixtures.survey_quality_page import visited
from tests.surveys.report.results.test_arm_effects import in_english

pytestmark = pytest.mark.django_db


def test_anchors_are_recognised_by_their_prevalence_and_correct_their_item(client: Client) -> None:
    version = anchored()
    rows = rows_of_version(version)
    (corrected,) = attentive_supports.attentive_supports(rows)
    assert [rows.design.items[item].key for item in (corrected.item, corrected.never, corrected.always)] == [
        "stole", "moon", "breathes",
    ]  # fmt: skip
    # Standard errors are about .02 and .025; six are allowed.
    assert corrected.estimate.attentive.value == pytest.approx(0.8, abs=0.12)
    assert corrected.estimate.uncorrected.value == pytest.approx(0.26, abs=0.08)
    assert corrected.estimate.corrected.value == pytest.approx(0.2, abs=0.15)
    assert "stole" in visited(client, mined_run(version)).split("Attention")[1]


def test_anchors_never_asked_together_correct_nothing(client: Client) -> None:
    version = in_turns(600, asked=0, practice=False)
    rows = rows_of_version(version)
    assert attentive_supports.attentive_supports(rows) == ()
    found = non_response.responses(rows)
    assert sum(one.n_asked for one in found) == 600
    # A third of the respondents drew each part, and so would a third of the people who did not respond.
    for effect, part in zip(non_response.effects(rows, found, n_invited=1200), found, strict=True):
        reached = part.n_asked / 400
        among_asked = effect.high - effect.low
        assert effect.invited_high is not None
        assert effect.invited_low is not None
        width = effect.invited_high - effect.invited_low
        assert width == pytest.approx(among_asked * reached + 1 - reached)
    assert "stole" in visited(client, mined_run(version))


FALSE_YES = 0.1


def definition_of_anchors(**changes: Any) -> dict[str, Any]:
    secret = protected("b", yes_no("copied"), yes_no("late"), p=6000)
    anchors = [anchor | {"truth_probability": 6000} for anchor in in_english(ready_parts()["anchors"])]
    return document_of(secret, *anchors, **changes)


def run_of(n: int = 1500) -> Run:
    survey = survey_import(definition_of_anchors(slug="known"), by="alice")
    version = survey_publish(
        survey, by="alice", now=timezone.now(), reason="Made for a test.", is_readable_seen=True
    )
    design, rng = version.to_design(), random.Random(8)
    layout, coins = Layout(design), Coins(iter(lambda: rng.getrandbits(32), None))
    rows = []
    for _ in range(n):
        answers = {
            "b": {"copied": int(rng.random() < 0.4), "late": rng.getrandbits(1)},
            "anchor-nobody": {"anchor-nobody": int(rng.random() < FALSE_YES)},
            "anchor-everybody": {"anchor-everybody": 1},
        }
        rows.append(layout.pack(disguise(design, answers, direct=False, coins=coins)))
    for start in range(0, n, 500):
        stored(version, rows[start : start + 500])
    return mined_run(closed(version))


def test_the_report_shows_how_many_affirm_a_false_statement(client: Client) -> None:
    run = run_of()
    known = {item.index: run.design.questions[item.question].anchor for item in run.design.items}
    rows = ((known[unpack_items(row.items)[0]], share_of(row)) for row in stored_unlisted(run))
    shares = {true_of: share for true_of, share in rows if true_of}
    for true_of, planted in (("nobody", FALSE_YES), ("everybody", 1.0)):
        share = shares[true_of]
        # Fails by chance once in a million runs; five standard errors are 11 points here.
        assert abs(share.value - planted) < 5 * share.standard_error
        assert share.low < share.value < share.high
    # The test detects that a tenth say yes.
    assert shares["nobody"].low > 0

    client.force_login(alice())
    for page in ("results", "report"):
        html = " ".join(client.get(f"/en/staff/runs/{run.pk}/{page}/", follow=True).content.decode().split())
        assert "False yes to “I was born on 30 February”, which is true of no one: " in html
        assert "It does not correct their other answers." in html
        # There is no card, bar or rule for it; the printed report repeats the questionnaire.
        assert html.count("30 February") == 1 + (page == "report")

    items = {item.index for item in run.design.items if run.design.questions[item.question].anchor}
    assert len(items) == 2
    assert not any(items & set(unpack_items(row.items)) for row in run.itemsets.all())


def test_surveys_without_anchors_show_no_anchor_line(client: Client) -> None:
    run = mined_run(answered_version())
    client.force_login(alice())
    assert (
        "how carefully people answered"
        not in client.get(f"/en/staff/runs/{run.pk}/results/", follow=True).content.decode()
    )


def test_the_audit_explains_which_parts_it_omits(client: Client) -> None:
    survey = survey_import(definition_of_anchors(slug="known"), by="alice")
    client.force_login(seen_by(User.objects.create_superuser("ana", password="a long password")))
    said = "because everyone knows the true answer"
    for page in ("audit", "risk"):
        answer = client.get(f"/en/staff/surveys/{survey.slug}/{page}/", follow=True)
        assert answer.status_code == 200
        assert said in " ".join(answer.content.decode().split())
    found = audit_design(
        definition_parse(definition_of_anchors()).design, {key: [5000] for key in ("copied", "late")}
    )
    assert found.anchors == ("anchor-nobody", "anchor-everybody")
    assert audit_from_json(found.to_json()).anchors == found.anchors


def test_anchors_are_excluded_from_hypotheses_and_judged_items() -> None:
    document = definition_of_anchors()
    design = definition_parse(document).design
    alone = definition_parse(document | {"blocks": document["blocks"][:1]}).design
    assert anchored_anchors(design) == anchored_anchors(alone)


def anchored_anchors(design: Design) -> tuple[object, ...]:
    stated = {question.key: [5000] for question in design.questions}
    found = audit_design(design, stated, n=1000)
    return (
        rule_family(design, Sides(), 3, ordered=False),
        found.epsilon,
        found.rho2,
        [item.key for item in found.items],
        [block.key for block in found.blocks],
    )
