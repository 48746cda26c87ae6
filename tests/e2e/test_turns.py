"""In a series whose parts take turns, a browser with the same code or number sends each part in one wave."""

from collections.abc import Callable
from typing import Any

import pytest
from django.utils import timezone
from playwright.sync_api import BrowserContext, Page, expect

from privacy.survey.layout import Layout
from privacy.survey.turns import turn_of, turns_of
from surveys.authoring.drafts import draft_create
from surveys.questionnaire.promise_words import stated_in_words, stated_promises
from surveys.respondent.invitations import invitations_repeat
from tests.conftest import wait_until
from tests.e2e.conftest import Published
from tests.e2e.judged import violations
from tests.e2e.visit import Visit
from tests.fixtures.devices import published, shipped_definition
from tests.fixtures.invitations import codes_of, invited

pytestmark = pytest.mark.django_db(transaction=True)

ANSWERS: dict[str, Any] = {"debt": {"owed": 1}, "drugs": {"used": 0}, "work": {"quit": 1}}
TITLES = {"debt": "Part debt", "drugs": "Part drugs", "work": "Part work"}


def part(key: str, question: str) -> dict[str, Any]:
    return {
        "key": key,
        "protected": True,
        "truth_probability": 5000,
        "no_skip": "Made for a test.",
        "title": {"en": TITLES[key], "zh-hans": f"部分 {key}"},
        "questions": [
            {
                "key": question,
                "kind": "yes_no",
                "unrelated": [5000],
                "prevalence": [2000],
                "text": {"en": f"Have you ever {question}?", "zh-hans": f"你是否曾经（{question}）？"},
            }
        ],
    }


def wave_of(wave: int, *parts: dict[str, Any], waves: int = 2, **changes: Any) -> dict[str, Any]:
    blocks = list(parts or (part("debt", "owed"), part("drugs", "used")))
    turns = {"series": "diary", "waves": waves, "each_wave": "rotate", "wave": wave}
    return shipped_definition(slug=f"wave-{wave}", blocks=blocks, practice=False, **turns, **changes)


def published_waves(
    publish_definition: Callable[..., Published], *parts: dict[str, Any], waves: int = 2
) -> list[Published]:
    """Publish all waves, by invitation."""
    found = []
    for wave in range(1, waves + 1):
        document = wave_of(wave, *parts, waves=waves)
        found.append(publish_definition(document, invited(document)))
    return found


def sent(here: Published, *, count: int = 1) -> set[str]:
    """Return the parts in the only row."""
    wait_until(lambda: len(here.bodies) == count)
    design = here.version.to_design()
    drawn = Layout(design).unpack(here.bodies[0]).drawn
    assert drawn is not None
    return {block.key for block, asked in zip(design.blocks, drawn, strict=True) if asked}


def asked_by_code(here: Published, code: str, wave: int) -> set[str]:
    (rotation,) = here.version.to_design().rotations
    turn = turn_of(rotation, person=code, series="diary", wave=wave)
    return {rotation.blocks[position] for position in turn if position < len(rotation.blocks)}


def answer(here: Published, context: BrowserContext, fragment: str) -> Visit:
    visit = Visit(context.new_page(), f"{here.address}#{fragment}", here.definition).open()
    return visit.walk(ANSWERS)


def test_a_device_sends_each_part_in_one_wave(
    publish_definition: Callable[..., Published], device: Callable[..., BrowserContext]
) -> None:
    waves = published_waves(publish_definition)
    (code,) = codes_of(waves[0].version)
    invitations_repeat(waves[1].version.survey, texts=[code], by="alice")
    found = []
    for number, here in enumerate(waves, 1):
        visit = Visit(device().new_page(), f"{here.address}#{code}", here.definition).open()
        (key,) = asked_by_code(here, code, number)
        (other,) = {"debt", "drugs"} - {key}
        # Before the first answer, the page says which parts this wave asks this person.
        said = f"By your code or number, this survey asks you: “{TITLES[key]}”."
        expect(visit.root).to_contain_text(said)
        (promised,) = stated_in_words(stated_promises(here.version))
        assert "each part in one survey only" in promised
        # The person always has the same turn, however often the page loads.
        visit.page.reload()
        visit.started()
        expect(visit.root).to_contain_text(said)
        visit.walk(ANSWERS)
        expect(visit.root).not_to_contain_text(TITLES[other])
        visit.seal().delivered()
        assert sent(here) == {key}
        found.append(key)
    assert sorted(found) == ["debt", "drugs"]


def test_a_device_whose_turn_ignores_the_wave_is_found(
    publish_definition: Callable[..., Published], device: Callable[..., BrowserContext]
) -> None:
    """Planted: a program that asks in every wave what the first one asks. The second row is not its turn."""
    waves = published_waves(publish_definition)
    (code,) = codes_of(waves[0].version)
    invitations_repeat(waves[1].version.survey, texts=[code], by="alice")
    context = device()
    spoiled: list[int] = []

    def spoil(route: Any) -> None:
        response = route.fetch()
        text = response.text()
        spoiled.append(text.count("(wave-1)*each,wave*each"))
        route.fulfill(response=response, body=text.replace("(wave-1)*each,wave*each", "0,each"))

    context.route("**/program/*/turns.js", spoil)
    answer(waves[1], context, code).seal().delivered()
    assert spoiled == [1]
    assert sent(waves[1]) != asked_by_code(waves[1], code, 2)
    assert sent(waves[1]) == asked_by_code(waves[0], code, 1)


@pytest.mark.soak
def test_a_person_who_is_asked_nothing_can_take_part_all_the_same(
    publish_definition: Callable[..., Published], device: Callable[..., BrowserContext]
) -> None:
    waves = published_waves(publish_definition, part("debt", "owed"))
    (rotation,) = waves[0].version.to_design().rotations
    code = next(
        code
        for code in codes_of(waves[0].version, 30)
        if not turns_of(rotation, person=code, series="diary")[0]
    )
    visit = Visit(device().new_page(), f"{waves[0].address}#{code}", waves[0].definition).open()
    expect(visit.root).to_contain_text("this survey asks you none of them")
    assert violations(visit.page) == "[]"
    visit.walk(ANSWERS).seal().delivered()
    assert sent(waves[0]) == set()


@pytest.mark.soak
def test_someone_who_joins_at_the_second_wave_is_asked_by_their_own_order(
    publish_definition: Callable[..., Published], device: Callable[..., BrowserContext]
) -> None:
    parts = part("debt", "owed"), part("drugs", "used"), part("work", "quit")
    waves = published_waves(publish_definition, *parts, waves=3)
    codes_of(waves[0].version, 5)
    (code,) = codes_of(waves[1].version)
    invitations_repeat(waves[2].version.survey, texts=[code], by="alice")
    answer(waves[1], device(), code).seal().delivered()
    answer(waves[2], device(), code).seal().delivered()
    missed = asked_by_code(waves[0], code, 1)
    second, third = sent(waves[1]), sent(waves[2])
    assert (second, third) == (asked_by_code(waves[1], code, 2), asked_by_code(waves[2], code, 3))
    # No part twice, and never the part whose turn has passed.
    assert [len(each) for each in (missed, second, third)] == [1, 1, 1]
    assert missed | second | third == {*ANSWERS}
    # The first wave, before their code existed, keeps nothing of them.
    answer(waves[0], device(), code).seal()
    assert waves[0].bodies == []


@pytest.mark.soak
def test_a_preview_shows_the_wave_of_one_made_up_person(
    researcher: Callable[..., Page], live_server: Any
) -> None:
    draft_create(wave_of(1), slug="wave", source="scratch", by="ana", now=timezone.now())
    page = researcher("surveys/wave/build/preview/", bypass_csp=False)
    seen = set()
    # Both parts are seen unless one is drawn 30 times, with probability 2 ** -29.
    for _ in range(30):
        said = page.get_by_text("By your code or number, this survey asks you:")
        expect(said).to_contain_text("Part d")
        expect(page.get_by_text("In this preview, a random code stands for yours.")).to_be_visible()
        asked = {title for title in TITLES.values() if title in said.inner_text()}
        assert len(asked) == 1
        seen |= asked
        if len(seen) == 2:
            break
        page.reload()
    assert seen == {"Part debt", "Part drugs"}
    assert violations(page) == "[]"


@pytest.mark.soak
def test_a_panel_number_decides_and_a_link_without_one_asks_nothing(
    publish_definition: Callable[..., Published], device: Callable[..., BrowserContext]
) -> None:
    document = wave_of(1, panel="https://panel.example/done?who={id}")
    here = publish_definition(document, published(document))
    page = device().new_page()
    page.goto(here.address)
    expect(page.locator("#root")).to_contain_text("This link is incomplete")
    expect(page.get_by_role("button", name="Start")).to_have_count(0)
    visit = answer(here, device(), "id=p%204711")
    visit.seal().delivered()
    assert sent(here) == asked_by_code(here, "p 4711", 1)
