"""A realistic plan says the same, to the digit, on each page and document that quotes it."""

import copy
import html
import itertools
import math
import re
from collections.abc import Iterator
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from privacy.planning.power import REACH
from privacy.survey.booklets import Drawn
from privacy.survey.design import Design
from privacy.survey.layout import Layout, Record
from surveys.accounts.roles import Role
from surveys.authoring.drafts import draft_create
from surveys.authoring.publish import survey_import, survey_publish
from surveys.intake.keys import mixer_ready
from surveys.models import ItemsetRow, Survey
from surveys.questionnaire.aim import Aim
from surveys.questionnaire.checks.use import check_use
from surveys.questionnaire.definition import definition_parse
from surveys.questionnaire.use_words import gap_sentences, item_names, points, use_sentences
from surveys.report.risk_page.compared_figures import compared_figures
from tests.fixtures.checked_surveys import document_of, protected, unprotected, yes_no
from tests.fixtures.devices import closed, stored
from tests.fixtures.planned_drafts import CHOICE, EIGHT, number_part, options, planned
from tests.fixtures.runs import SINGLES, audited_run, mined_run
from tests.fixtures.staff import member
from tests.surveys.report.risk_page.test_risk_view import of

STAFF = "/en/staff/surveys/play"


@pytest.mark.django_db
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


def _draws(design: Design) -> Iterator[Drawn]:
    """Yield what devices can draw: for each block, the positions of the questions that are asked."""
    keys = tuple(block.key for block in design.blocks)
    sizes = [(tuple(each.blocks), each.parts_per_person) for each in design.rotations] or [(keys, len(keys))]
    for asked in itertools.product(*(itertools.combinations(*size) for size in sizes)):
        yield from itertools.product(
            *(
                (block.booklets or (tuple(range(len(block.questions))),)) if block.key in chosen else ((),)
                for chosen in [{key for some in asked for key in some}]
                for block in design.blocks
            )
        )


def _expected_reports(design: Design, people: int) -> list[bytes]:
    """Return the rows of so many people of whom each share is as planned without guesses.

    Random answers are equally likely, and so are true ones: each set of questions is sent by equally many
    people, with each possible row equally often.
    """
    layout, sent = Layout(design), list[list[bytes]]()
    for drawn in _draws(design):
        places = [(number, at) for number, positions in enumerate(drawn) for at in positions]
        options = [range(max(design.blocks[number].questions[at].n_items, 2)) for number, at in places]
        sent.append([])
        for values in itertools.product(*options):
            given = dict(zip(places, values, strict=True))
            answers = tuple(
                tuple(given.get((number, at)) for at in range(len(block.questions)))
                for number, block in enumerate(design.blocks)
            )
            refused = (False,) * len(design.blocks)
            kept = drawn if design.rotates else None
            sent[-1].append(layout.pack(Record(direct=False, answers=answers, refused=refused, drawn=kept)))
    each = math.lcm(*map(len, sent))
    rows = [row for some in sent for row in some * (each // len(some))]
    assert people % len(rows) == 0, (people, len(rows))
    return rows * (people // len(rows))


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("questions", "people"),
    [(EIGHT[:2], 400), (EIGHT[:6], 480), ([*EIGHT[:2], options(CHOICE, 4)], 480)],
    ids=["everyone is asked all", "rotating", "with a choice"],
)
def test_results_for_the_planned_people_and_shares_have_the_planned_margins(
    client: Client, questions: list[dict[str, Any]], people: int
) -> None:
    """Plan, board and results state one width for each answer, for 95 of 100 such surveys."""
    draft = definition_parse(document_of(protected("b", *copy.deepcopy(questions))))
    made = planned(draft, Aim(people=people, wanted=("q0",)))
    assert mixer_ready()
    survey = survey_import(made.document, by="alice")
    survey.aim = made.aim.to_json()
    survey.save(update_fields=["aim"])
    version = survey_publish(survey, by="alice", now=timezone.now(), reason="A test.", is_readable_seen=True)
    assert version.to_design() == made.definition.design, "the published layout is the one that was shown"
    rows = _expected_reports(version.to_design(), people)
    stored(version, rows)
    run = audited_run(mined_run(closed(version), SINGLES))
    items = [item.key for item in run.version.to_design().items]
    found = {items[int(row.items.strip(","))]: row for row in ItemsetRow.objects.filter(run=run, size=1)}
    assert set(found) == set(made.use.half_widths)
    client.force_login(member("alice", Role.REVIEWER))
    page = html.unescape(client.get(f"/en/staff/runs/{run.pk}/results/", follow=True).content.decode())
    text = " ".join(re.sub(r"<[^>]+>", " ", page).split())
    for key, width in made.use.half_widths.items():
        share = {"often": 0.25}.get(key.partition("=")[0], 0.5)
        row = found[key]
        assert row.support == pytest.approx(share, abs=1e-9)
        assert REACH * row.support_se == pytest.approx(width, rel=1e-9)
        assert points(REACH * row.support_se) == points(width)
        # Printed intervals are not symmetric for rare answers; they are as long as planned.
        assert row.support_low is not None
        assert row.support_high is not None
        assert (row.support_high - row.support_low) / 2 == pytest.approx(width, abs=0.0005)
        low, high = (round(100 * end) for end in (row.support_low, row.support_high))
        assert f"{100 * share:.0f} of 100 ({low} to {high})" in text
    board = {line.name: line for line in compared_figures(of(run.survey))}
    margin = board["Margin of error of the starred share"]
    assert margin.planned == margin.observed == f"±{points(made.use.half_widths['q0'])} points"
    assert board["Respondents"].planned == f"about {board['Respondents'].observed}" == f"about {people}"
