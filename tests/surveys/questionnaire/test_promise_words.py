"""Pages, letters and devices state the privacy promise in the same sentences, and omit no figure of it."""

import html
import io
import json
import re
import zipfile
from collections.abc import Iterator
from dataclasses import Field, dataclass, fields, make_dataclass, replace
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import override

from privacy.risk.promise import Promise, Waves
from surveys.accounts.roles import Role
from surveys.authoring.api import budget_state
from surveys.authoring.preview import preview_of, preview_reading
from surveys.authoring.publish import survey_publish
from surveys.embed.frame import frame_files
from surveys.embed.frame_hosts import Around
from surveys.embed.frame_promise import frame_digest, frame_promises
from surveys.models import Survey, Version
from surveys.questionnaire.aim import Aim
from surveys.questionnaire.definition import definition_parse
from surveys.questionnaire.draft import draft_read
from surveys.questionnaire.promise_words import (
    promise_sentence,
    promise_sentences,
    stated_promises,
    usual_promise,
)
from surveys.questionnaire.series import promises_in_series
from surveys.respondent.client_documents import build_documents, documents_of
from surveys.respondent.invitation_views import letters
from tests.fixtures.composite_drafts import composite_document, text
from tests.fixtures.devices import shipped_definition
from tests.fixtures.staff import member

ROOT = Path(__file__).resolve().parents[3]


def usual() -> str:
    return usual_promise().replace("\xa0", " ")


def test_the_default_promise_is_that_of_medium_protection() -> None:
    assert usual() == (
        "Suppose someone knows your answers that are not disguised, and suspects you, 50:50. One of your "
        "disguised answers alone could make them at most 80% sure. Everything your device sends, taken "
        "together: at most 95%. If your device sends “Prefer not to say”, that alone could make them at most "
        "90% sure that you chose it."
    )


@pytest.mark.parametrize("page", ["README.md", "docs/privacy.md"])
def test_the_documentation_quotes_the_promise_exactly(page: str) -> None:
    text = re.sub(r"\s+", " ", (ROOT / page).read_text(encoding="utf-8"))
    assert usual() in text


@pytest.mark.django_db
def test_the_home_page_shows_the_promise(client: Client) -> None:
    assert usual() in html.unescape(client.get("/en/").content.decode()).replace("\xa0", " ")


LANGUAGES = ("en", "zh-hans")
WAVES = Waves(count=2, everything=Fraction(81), answer=Fraction(16), skip=Fraction(49), shared=Fraction(64))
FULL = Promise(
    everything=Fraction(9),
    answer=Fraction(4),
    skip=Fraction(7),
    shared=Fraction(8),
    not_composed=True,
    anchors=1,
    waves=WAVES,
)
OTHER: dict[str, Any] = {"Fraction": Fraction(3), "bool": False, "int": 0, "count": 3, "takes_turns": True}
"""Another value for a field, by its type or its name."""


def said_fields(owner: type) -> list[Field[Any]]:
    return [each for each in fields(owner) if "unsaid" not in each.metadata]


def other_values(promised: Promise, waves: Waves) -> Iterator[tuple[str, Promise]]:
    """Yield the promise with one field changed, for each field of it and of its waves."""
    for each in said_fields(type(promised)):
        if each.name != "waves":
            yield each.name, replace(promised, **{each.name: _other(each)})
            if "None" in str(each.type):
                yield f"no {each.name}", replace(promised, **{each.name: None})
    yield "no waves", replace(promised, waves=None)
    for each in said_fields(type(waves)):
        yield f"waves.{each.name}", replace(promised, waves=replace(waves, **{each.name: _other(each)}))


def _other(each: Field[Any]) -> Any:
    kind = each.type if isinstance(each.type, str) else each.type.__name__
    return OTHER.get(each.name) or OTHER[kind.split(" ")[0]]


def unsaid(promised: Promise, waves: Waves) -> list[str]:
    before = promise_sentence(promised)
    return [name for name, changed in other_values(promised, waves) if promise_sentence(changed) == before]


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_field_of_the_promise_is_in_a_sentence(language: str) -> None:
    with override(language):
        assert unsaid(FULL, WAVES) == []
        said = promise_sentence(FULL)
        for figures in (FULL, WAVES):
            for name, figure in figures.certainties().items():
                assert figure is None or f"{figure}%" in said, name


def test_a_planted_field_without_a_sentence_is_found() -> None:
    @dataclass(frozen=True, kw_only=True)
    class Leaky(Promise):
        neighbours: int = 2

    leaky = Leaky(**{each.name: getattr(FULL, each.name) for each in fields(FULL)})
    assert unsaid(leaky, WAVES) == ["neighbours"]
    with_more = make_dataclass("Waves3", [("families", int, 2)], bases=(Waves,), frozen=True, kw_only=True)
    more = with_more(**{each.name: getattr(WAVES, each.name) for each in fields(WAVES)})
    assert unsaid(replace(FULL, waves=more), more) == ["waves.families"]


def test_only_counts_may_be_unsaid() -> None:
    assert [each.name for each in fields(Promise) if "unsaid" in each.metadata] == ["parts"]


def flat(text: str) -> str:
    return html.unescape(re.sub(r"\s+", " ", re.sub(r"</?(p|span|strong)\b[^>]*>", " ", text)))


FILTER = [
    block | {"refusal": 1112, "truth_probability": 3000, "help": text("Help is here")}
    for block in composite_document("two follow-ups of one filter")["blocks"]
]
for block in FILTER:
    block.pop("no_skip")


VARIANTS: dict[str, dict[str, Any]] = {
    "one strength": {},
    "a series": {"series": "panel", "waves": 3},
    "a series whose waves keep their limits": {"series": "panel", "waves": 2, "each_wave": "whole"},
    "two strengths": {"group": {"policy": "choice", "light": True}},
    "a shared filter": {"blocks": FILTER},
    "a shared filter in a series": {"blocks": FILTER, "series": "panel", "waves": 2},
    "a shared filter in two strengths": {"blocks": FILTER, "group": {"policy": "choice", "light": True}},
    "two strengths in a series": {
        "group": {"policy": "assigned", "direct_share": 3000, "light": True},
        "series": "panel",
        "waves": 3,
    },
}
"""Surveys whose promise has other fields, by what a definition states besides `document`."""


def document(**changes: Any) -> dict[str, Any]:
    """Return a draft in both languages with one part, which may be skipped."""
    shipped = shipped_definition("workplace", slug="said")
    part = next(block for block in shipped["blocks"] if block["protected"])
    part = {name: value for name, value in part.items() if name not in ("no_skip", "light", "asked_if")}
    return {
        **{name: value for name, value in shipped.items() if name not in ("rotations", "explanations")},
        "group": {"policy": "protected"},
        "blocks": [{**part, "truth_probability": 4000, "refusal": 2000}],
        **changes,
    }


def published(**changes: Any) -> Survey:
    definition = definition_parse(document(**changes))
    survey = Survey.objects.create(
        slug=definition.slug,
        title=definition.title,
        definition=definition.document,
        owner=member("ana", Role.RESEARCHER),
        aim=Aim(people=400).to_json(),
    )
    survey_publish(survey, by="ana", now=timezone.now(), reason="A test.", is_readable_seen=True)
    survey.refresh_from_db()
    return survey


def content(answer: Any) -> str:
    if answer.headers["Content-Type"] != "application/zip":
        return str(answer.content.decode())
    with zipfile.ZipFile(io.BytesIO(answer.content)) as archive:
        return "".join(archive.read(name).decode() for name in archive.namelist())


def pages(client: Client, survey: Survey, language: str) -> Iterator[tuple[str, str]]:
    """Yield the pages that state the promise: of staff, of a board, and of respondents."""
    version = survey.versions.get()
    with override(language):
        for name in ("audit:risk", "audit:draft", "authoring:publish", "report:survey"):
            yield name, content(client.get(reverse(name, args=[survey.slug])))
        documents = reverse("export:documents", args=[survey.slug])
        yield "ethics", content(client.post(documents, {"kind": "ethics"}))
    made = letters(survey, absolute=lambda path: f"https://s.example{path}")
    yield "letter", next(letter.first for letter in made if letter.language.tag == language)
    definition = definition_parse(survey.definition)
    if not definition.design.has_two_strengths:
        around = Around(hosts=("https://uni.example",))
        frame = frame_files(
            definition.design,
            definition.wording,
            around,
            digest=frame_digest(definition),
            promises=frame_promises(definition),
        )
        first = next(iter(definition.languages))
        yield "frame", frame["index.html" if first == language else f"{language}/index.html"].decode()
    reading = preview_reading(survey.definition)
    assert reading.definition is not None
    preview = preview_of(reading.definition, survey=survey, language=language)
    # Devices and the builder write the sentences from these figures: tests/js/promise.test.js.
    documents = {
        "page": json.loads(documents_of(version).definition)["key"],
        "preview": json.loads(preview["definition"])["key"],
        "builder": budget_state(survey, draft_read(survey)),
    }
    for name, held in documents.items():
        with override(language):
            yield name, " ".join(promise_sentence(held[strength]) for strength in stated_promises(version))


@pytest.mark.django_db
@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("variant", VARIANTS)
@pytest.mark.few(
    "one strength-en", "two strengths in a series-zh-hans", why="the fewest and the most sentences"
)
def test_every_page_states_every_sentence(client: Client, language: str, variant: str) -> None:
    # Documents are cached by version and slug, and tests reuse the numbers of versions.
    survey = published(slug=variant.replace(" ", "-"), **VARIANTS[variant])
    client.force_login(survey.owner)  # type: ignore[arg-type]
    bounds = promises_in_series(
        definition_parse(survey.definition).design,
        series=survey.definition.get("series", ""),
        waves=survey.definition.get("waves"),
        but=survey,
    )
    with override(language):
        spoken = [
            sentence for bound in bounds.values() if bound for sentence in promise_sentences(bound.to_json())
        ]
    # For each strength: the limits and a skip, and a shared filter; in a series all waves, and each again.
    own = 2 + ("blocks" in VARIANTS[variant])
    assert len(spoken) == len(bounds) * (2 * own + 1 if "waves" in VARIANTS[variant] else own)
    for name, page in pages(client, survey, language):
        assert [sentence for sentence in spoken if sentence not in flat(page)] == [], name


@pytest.mark.django_db
def test_a_version_published_before_keeps_its_words_and_digest() -> None:
    version = published().versions.get()
    root = documents_of(version).root
    assert "Prefer not to say" in promise_sentence(stated_promises(version)["whole"])
    Version.objects.bulk_create([replace_row(version, pk=2, number=2, promises=None)])
    older = Version.objects.get(pk=2)
    stated = stated_promises(older)["whole"]
    assert stated["skip_of_100"] is not None
    assert "skip_once_in" not in stated
    assert "Prefer not to say" not in promise_sentence(stated)
    assert documents_of(older).root != root
    design, wording = older.to_design(), older.wording
    named = {"survey": "said", "practice": older.survey.practice, "by_invitation": False}
    assert (
        documents_of(older).root == build_documents(design, wording, promises={"whole": stated}, **named).root
    )


def replace_row(version: Version, **changes: Any) -> Version:
    values = {each.attname: getattr(version, each.attname) for each in Version._meta.concrete_fields}
    return Version(**{**values, "id": changes.pop("pk"), **changes})
