"""A realistic plan says the same, to the digit, on each page and document that quotes it."""

import copy
import html
import itertools
import math
import random
import re
from typing import Any

import numpy as np
import pytest
from django.test import Client
from django.utils import timezone

from privacy.planning.power import REACH
from privacy.scales.window import WindowChannel, forward
from privacy.survey.block import Block
from privacy.survey.design import Design
from privacy.survey.layout import Layout, Record
from surveys.accounts.roles import Role
from surveys.authoring.drafts import draft_create, survey_import
from surveys.authoring.publish import survey_publish
from surveys.intake.keys import mixer_ready
from surveys.models import ItemsetRow, Survey
from surveys.questionnaire.aim import Aim
from surveys.questionnaire.checks.use import check_use
from surveys.questionnaire.definition import definition_parse
from surveys.questionnaire.use_words import (
    gap_sentences,
    half_width_text,
    item_names,
    points,
    use_sentences,
)
from surveys.report.risk_page.compared_figures import compared_figures
from surveys.runs.opening_figures import stored_scale
from tests.fixtures.checked_surveys import document_of, protected, unprotected, yes_no
from tests.fixtures.devices import closed, stored
from tests.fixtures.planned_drafts import CHOICE, EIGHT, NUMBER, composite, number_part, options, planned
from tests.fixtures.runs import SINGLES, audited_run, mined_run
from tests.fixtures.staff import member
from tests.surveys.report.risk_page.test_risk_view import of

STAFF = "/en/staff/surveys/play"


@pytest.mark.django_db
@pytest.mark.soak
def test_plan_builder_publishing_and_board_say_the_same(client: Client) -> None:
    """Six yes/no questions, a number, a list of five, age and department; two stars without guesses."""
    ana = member("ana", Role.RESEARCHER)
    stems = [{"key": "acts", "text": {"en": "Which of these have you done?"}}]
    acts = [yes_no(f"act{number}", stem="acts", text={"en": f"Act {number}"}) for number in range(5)]
    known = [
        {
            "key": key,
            "kind": "single",
            "text": {"en": f"Your {key}?"},
            "options": [{"key": f"o{n}", "text": {"en": f"{key} {n}"}} for n in range(4)],
        }
        for key in ("age", "department")
    ]
    blocks = [
        unprotected("open", *known),
        protected("b", *EIGHT[:6], refusal=1000),
        number_part() | {"refusal": True},
        protected("l", *acts, refusal=1000),
    ]
    document = document_of(*copy.deepcopy(blocks), stems=stems)
    draft_create(document, slug="play", source="scratch", owner=ana, by="ana", now=timezone.now())
    client.force_login(ana)
    keys = [*(f"q{number}" for number in range(6)), "hours", *(act["key"] for act in acts)]
    entries = {
        "people": "250",
        "strength": "medium",
        "star_q1": "q1",
        "star_q3": "q3",
        "revision": "1",
        **{f"protect_{key}": "on" for key in keys},
    }
    first = client.post(f"{STAFF}/plan", entries).context["changes"][0]
    pressed = client.post(f"{STAFF}/plan", entries | {"apply": first.value})
    names = ("people", "formed", "before", "held")
    entries |= {name: str(pressed.context["form"][name].value() or "") for name in names}
    entries["digest"] = pressed.context["digest"]
    assert client.post(f"{STAFF}/plan", entries | {"save": ""}).status_code == 302
    survey = Survey.objects.get()
    aim = Aim.from_json(survey.aim)
    assert aim is not None
    assert aim.shares == {}
    saved = definition_parse(survey.definition, is_worded=False)
    use = planned(saved, aim).use
    said = use_sentences(use, item_names(saved))
    assert said[-1] == (
        "This assumes that 20% of people have each of these two answers, because there are no guesses."
    )
    assert said == pressed.context["sentences"][: len(said)]
    for address in ("plan", "build/", "publish", "risk/"):
        page = html.unescape(client.get(f"{STAFF}/{address}").content.decode())
        # A page may mark a figure.
        text = " ".join(re.sub(r"<[^>]+>", "", page).split())
        for sentence in said:
            assert sentence in text, address
    warned = [finding.message for finding in check_use(saved, aim)]
    shown = [*gap_sentences(use, item_names(saved)), *gap_sentences(use, item_names(saved), refused=False)]
    assert [message.lower() for message in warned] == [sentence.rstrip(".").lower() for sentence in shown]
    assert shown


_Sent = tuple[tuple[int, ...], tuple[int, ...] | None]
"""For a block that is asked: the positions of its questions, and the answers sent; None for a skip."""


def _shares_sent(block: Block) -> dict[_Sent, float]:
    """Return what devices that ask a block send, if random and true answers are equally likely.

    No one skips: "skipped" is only sent by chance.
    """
    skipped = 0.0 if block.refusal is None else 1.0 - _p_answered(block)
    drawn = block.booklets or (tuple(range(len(block.questions))),)
    found: dict[_Sent, float] = {}
    for positions in drawn:
        if block.has_coin:
            options = [range(max(block.questions[at].n_items, 2)) for at in positions]
            answers = dict.fromkeys(itertools.product(*options), 1.0)
        else:
            channel = block.disguise
            assert isinstance(channel, WindowChannel)
            even = forward(channel, np.full(channel.inputs, 1 / channel.inputs))
            answers = {(value,): float(share) for value, share in enumerate(even)}
        whole = math.fsum(answers.values()) * len(drawn)
        found |= {(positions, values): (1 - skipped) * share / whole for values, share in answers.items()}
        if skipped:
            found[positions, None] = skipped / len(drawn)
    return found


def _p_answered(block: Block) -> float:
    """Return the probability that a person who does not skip sends an answer."""
    if block.has_coin:
        return 1 - (1 - float(block.truth)) * (block.refusal or 0) / 10_000
    assert block.skipping is not None
    return 1 - float(block.skipping.skip_probability)


def _whole_numbers(shares: dict[_Sent, float], total: int) -> list[_Sent]:
    """Return so many reports in these shares: the largest remainders are rounded up."""
    exact = {sent: total * share for sent, share in shares.items()}
    counts = {sent: math.floor(number + 1e-9) for sent, number in exact.items()}
    # In random order among equal ones, so that no answer is rounded up more often.
    order = random.Random(2).sample([*exact], len(exact))
    rest = sorted(order, key=lambda sent: round(counts[sent] - exact[sent], 9))
    for sent in rest[: total - sum(counts.values())]:
        counts[sent] += 1
    return [sent for sent, count in counts.items() for _time in range(count)]


def _expected_reports(design: Design, people: int) -> list[bytes]:
    """Return the rows of so many people of whom each share is as planned without guesses.

    Margins depend on how often each block sends each report, not on what blocks send together.
    """
    layout, rng = Layout(design), random.Random(1)
    keys = tuple(block.key for block in design.blocks)
    ((rotating, per_person),) = [(each.blocks, each.parts_per_person) for each in design.rotations] or [
        (keys, len(keys))
    ]
    chosen = [{*keys} - {*rotating} | {*some} for some in itertools.combinations(rotating, per_person)]
    assert people % len(chosen) == 0
    asked = [some for some in chosen for _time in range(people // len(chosen))]
    sent: list[list[_Sent]] = []
    for block in design.blocks:
        reports = _whole_numbers(_shares_sent(block), sum(block.key in some for some in asked))
        rng.shuffle(reports)
        sent.append([reports.pop() if block.key in some else ((), ()) for some in asked])
    rows = []
    for reports in zip(*sent, strict=True):
        rows.append(
            layout.pack(
                Record(
                    direct=False,
                    answers=tuple(
                        tuple(
                            dict(zip(at, values or (), strict=False)).get(n)
                            for n in range(len(each.questions))
                        )
                        for each, (at, values) in zip(design.blocks, reports, strict=True)
                    ),
                    refused=tuple(values is None for _at, values in reports),
                    drawn=tuple(at for at, _values in reports) if design.rotates else None,
                )
            )
        )
    return rows


SKIPPED: dict[str, Any] = {"refusal": 1000}
HOURS = number_part() | {"refusal": None, "no_skip": "Made for a test."}
EVEN = {"q0": 5000, "q1": 5000}
FEW_HOURS = [{**NUMBER, "number": {**NUMBER["number"], "high": 9}}]


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("blocks", "people", "wanted", "shares"),
    [
        ([protected("b", *EIGHT[:2])], 400, ("q0",), {}),
        ([protected("b", *EIGHT[:6])], 480, ("q0",), {}),
        ([protected("b", *EIGHT[:2], options(CHOICE, 4))], 480, ("q0",), {}),
        ([protected("b", *EIGHT[:2], **SKIPPED)], 12_000, ("q0",), {}),
        ([protected("b", *EIGHT[:6], **SKIPPED)], 12_000, ("q0",), {}),
        ([protected("b", *EIGHT[:2], options(CHOICE, 4), **SKIPPED)], 12_000, ("q0",), {}),
        ([protected("b", EIGHT[0], composite("k0", 2), composite("k1", 4))], 960, ("k0",), {}),
        ([protected("b", EIGHT[0], composite("k0", 2), composite("k1", 4), **SKIPPED)], 12_000, ("k0",), {}),
        ([protected("b", *EIGHT[:2]), HOURS], 12_000, ("hours",), {}),
        ([protected("b", *EIGHT[:2]), HOURS | {"questions": FEW_HOURS}], 12_000, ("hours",), {}),
        ([protected("b", *EIGHT[:2], **SKIPPED), number_part() | {"refusal": True}], 12_000, ("hours",), {}),
        ([protected("b", *EIGHT[:2])], 400, ("q0", "q1"), EVEN),
        ([protected("b", *EIGHT[:2], **SKIPPED)], 12_000, ("q0", "q1"), EVEN),
    ],
    ids=[
        "everyone is asked all",
        "rotating",
        "with a choice",
        "with skips",
        "rotating with skips",
        "a choice with skips",
        "composites",
        "composites with skips",
        "a mean",
        "a mean of ten values",
        "a mean with skips",
        "a link",
        "a link with skips",
    ],
)
@pytest.mark.few(
    "rotating with skips", "a link with skips", why="a share and a difference with the most terms"
)
def test_results_for_the_planned_people_and_shares_have_the_planned_margins(
    client: Client, blocks: list[dict[str, Any]], people: int, wanted: tuple[str, ...], shares: dict[str, int]
) -> None:
    """Plan, board and results state one width for each answer and mean, for 95 of 100 such surveys."""
    stated = [{name: value for name, value in block.items() if value is not None} for block in blocks]
    draft = definition_parse(document_of(*copy.deepcopy(stated)))
    made = planned(draft, Aim(people=people, wanted=wanted, shares=shares))
    assert mixer_ready()
    survey = survey_import(made.document, by="alice")
    survey.aim = made.aim.to_json()
    survey.save(update_fields=["aim"])
    version = survey_publish(survey, by="alice", now=timezone.now(), reason="A test.", is_readable_seen=True)
    assert version.to_design() == made.definition.design, "the published layout is the one that was shown"
    stored(version, _expected_reports(version.to_design(), people))
    run = audited_run(mined_run(closed(version), SINGLES))
    items = [item.key for item in run.version.to_design().items]
    found = {items[int(row.items.strip(","))]: row for row in ItemsetRow.objects.filter(run=run, size=1)}
    assert set(found) == set(made.use.half_widths)
    client.force_login(member("alice", Role.REVIEWER))
    page = html.unescape(client.get(f"/en/staff/runs/{run.pk}/results/", follow=True).content.decode())
    text = " ".join(re.sub(r"<[^>]+>", " ", page).split())
    for key, width in made.use.half_widths.items():
        question = made.definition.design.questions[made.definition.design.item(key).question]
        share = 1 / question.n_items if question.is_exhaustive else 0.5
        row = found[key]
        # Whole people send each report: up to one more or fewer than expected.
        assert row.support == pytest.approx(share, abs=0.002)
        assert REACH * row.support_se == pytest.approx(width, rel=2e-3)
        assert points(REACH * row.support_se) == points(width)
        # Printed intervals are not symmetric for rare answers; they are as long as planned.
        assert row.support_low is not None
        assert row.support_high is not None
        assert (row.support_high - row.support_low) / 2 == pytest.approx(width, abs=0.001)
        low, high = (round(100 * end) for end in (row.support_low, row.support_high))
        assert f"{100 * row.support:.0f} of 100 ({low} to {high})" in text
    for key, width in made.use.numbers.items():
        summary = stored_scale(run, key)
        assert summary is not None
        assert summary.mean is not None
        observed = (summary.mean.high - summary.mean.low) / 2
        assert observed == pytest.approx(width * made.use.ranges[key], rel=1e-3)
        assert half_width_text(observed) == half_width_text(width * made.use.ranges[key])
    board = {line.name: line for line in compared_figures(of(run.survey))}
    if len(wanted) == 2:
        link = board["Difference detected 8 times in 10"]
        assert link.planned == link.observed
        (said,) = [each for each in use_sentences(made.use, item_names(made.definition)) if "10" in each]
        assert f" {link.planned} " in said
        # The file of the comparison states it, too: reports of unrelated answers with the planned shares.
        by, outcome = wanted
        address = f"/en/staff/runs/{run.pk}/compare/comparison.json"
        having, _others = client.get(address, {"by": by, "outcome": outcome}).json()["outcomes"]
        stated = having["detectable_difference"]
        assert stated == pytest.approx(made.use.difference, abs=0.001)
        assert f"{math.ceil(100 * stated - 0.1)} points" == link.planned
    elif wanted[0] in made.use.half_widths:
        margin = board["Margin of error of the starred share"]
        assert margin.planned == margin.observed == f"±{points(made.use.half_widths[wanted[0]])} points"
    assert board["Respondents"].planned == f"about {board['Respondents'].observed}" == f"about {people:,}"
