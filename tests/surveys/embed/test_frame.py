"""The files of a frame: their size, their texts, and definitions without a frame."""

import gzip
import html
import json
import re
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.utils import timezone
from django.utils.translation import override

from privacy.risk.amplification import promise
from surveys.authoring.drafts import survey_import
from surveys.authoring.publish import survey_publish
from surveys.embed.frame import frame_files
from surveys.embed.frame_hosts import Around, frame_headers
from surveys.embed.frame_promise import frame_digest, frame_digests, frame_promises
from surveys.errors.error import SurveyError
from surveys.models import Version
from surveys.questionnaire.definition import definition_parse
from surveys.questionnaire.promise_words import promise_sentence, promises_json, stated_promises
from surveys.respondent.client_documents import documents_of
from tests.fixtures.composite_drafts import composite_document
from tests.fixtures.devices import published
from tests.fixtures.embed_frames import FRAMED, three, turning
from tests.fixtures.invitations import invited

HERE = Around(hosts=("https://survey.uni.example",))


def files(document: dict[str, Any], around: Around = HERE) -> dict[str, bytes]:
    parsed = definition_parse(document)
    digest, promises = frame_digest(parsed), frame_promises(parsed)
    return frame_files(parsed.design, parsed.wording, around, digest=digest, promises=promises)


def page_data(page: bytes) -> dict[str, Any]:
    found = re.search(rb'<script id="page-data" type="application/json">(.*?)</script>', page, re.DOTALL)
    assert found
    data: dict[str, Any] = json.loads(found[1])
    return data


@pytest.mark.parametrize(
    ("kind", "most"), [(kind, 15_000 if kind in ("three", "choices") else 20_000) for kind in FRAMED]
)
def test_frames_stay_within_their_size_limits(kind: str, most: int) -> None:
    made = files(FRAMED[kind]())
    program = sum(len(gzip.compress(content)) for name, content in made.items() if "html" not in name)
    for page in ("index.html", "zh-hans/index.html"):
        assert program + len(gzip.compress(made[page])) <= most


def test_each_language_page_contains_the_privacy_promise() -> None:
    made = files(three())
    assert [name for name in made if name.endswith(".html")] == ["index.html", "zh-hans/index.html"]
    sure = promise(definition_parse(three()).design)
    assert sure is not None
    assert promise_sentence(sure) in made["index.html"].decode()
    assert (sure.of_100, sure.one_of_100) == (93, 80)
    assert "is not Sottovoce's" in made["index.html"].decode()
    assert "（中文）" in made["zh-hans/index.html"].decode()


@pytest.mark.soak
@pytest.mark.django_db
def test_the_frame_of_a_series_states_its_total_like_a_published_wave() -> None:
    document = {**three(slug="panel-1"), "series": "panel", "waves": 3}
    version = survey_publish(
        survey_import(document, by="ana"), by="ana", now=timezone.now(), reason="A test."
    )
    parsed = definition_parse(document)
    assert frame_promises(parsed) == stated_promises(version)
    assert frame_digest(parsed) == documents_of(version).root
    for name, language in (("index.html", "en"), ("zh-hans/index.html", "zh-hans")):
        with override(language):
            said = promise_sentence(stated_promises(version)["whole"])
            assert "3" in said.replace(promise_sentence(promises_json(parsed.design)["whole"]), "")
        assert said in html.unescape(files(document)[name].decode()), language
    # Lines of frames that were made before remain readable.
    alone = documents_of(replace_promises(version, promises_json(parsed.design))).root
    assert {frame_digest(parsed), alone} <= frame_digests(parsed)
    assert frame_digests(definition_parse(three())) >= {frame_digest(definition_parse(three()))}


def replace_promises(version: Version, promises: dict[str, Any]) -> Version:
    values = {each.attname: getattr(version, each.attname) for each in Version._meta.concrete_fields}
    return Version(**{**values, "id": None, "promises": promises})


def test_a_frame_of_a_series_without_a_number_of_waves_is_refused() -> None:
    with pytest.raises(SurveyError) as caught:
        files({**three(), "series": "panel"})
    assert caught.value.case == "frame.waves"
    assert files({**three(), "series": "panel", "practice": True})


@pytest.mark.soak
def test_a_frame_whose_part_takes_turns_contains_its_series_and_wave() -> None:
    made = files(turning(wave=2))
    data = page_data(made["index.html"])
    assert (data["turn"], data["code"]) == ({"series": "diary", "wave": 2}, False)
    assert {"turn_waiting", "turn_wrong", "turn_two", "turn_yes", "turn_no", "turn_on"} <= set(data["texts"])
    assert any(name.endswith("/frame-turn.js") for name in made)
    # The frame measures its height while it waits, so no other text above a button may be longer.
    for page in ("index.html", "zh-hans/index.html"):
        texts = page_data(made[page])["texts"]
        assert len(texts["turn_waiting"]) >= max(len(texts["turn_yes"]), len(texts["turn_no"])), page
    promised = html.unescape(made["index.html"].decode())
    assert "each part in one survey only" in promised
    # Frames of practice surveys, and all others, ask everyone.
    for document in ({**turning(), "practice": True}, three()):
        page = files(document)["index.html"]
        assert "turn" not in page_data(page)
        assert b"turn_" not in page


@pytest.mark.soak
@pytest.mark.django_db
@pytest.mark.parametrize("by_code", [False, True], ids=["panel", "codes"])
def test_a_served_frame_computes_turns_from_what_its_survey_knows_people_by(by_code: bool) -> None:
    document = turning(panel="https://panel.example/done?who={id}")
    version = invited(document) if by_code else published(document)
    made = frame_files(
        version.to_design(), version.wording, HERE, digest=documents_of(version).root,
        promises=stated_promises(version), by_invitation=by_code,
    )  # fmt: skip
    data = page_data(made["index.html"])
    assert (data["turn"], data["code"]) == ({"series": "diary", "wave": 1}, by_code)


def test_a_frame_that_leaves_out_its_part_by_chance_is_refused_with_what_to_do_instead() -> None:
    by_chance = {**three(), "rotations": [{"blocks": ["part"], "parts_per_person": 1, "blanks": 1}]}
    with pytest.raises(SurveyError) as caught:
        files(by_chance)
    assert caught.value.case == "frame.turns"
    assert "use each_wave: rotate, or no rotations" in str(caught.value)


def test_frame_pages_contain_only_texts_their_scripts_use() -> None:
    made = files(three())
    program = next(content for name, content in made.items() if name.endswith("embed.js")).decode()
    texts = page_data(made["index.html"])["texts"]
    assert {"yes", "no", "disguise", "done", "not_kept"} <= set(texts)
    forms = re.findall(r'plural\(texts,"(\w+)"', program)
    used = {name for name in texts if re.search(rf"texts\.{name}\b", program) or name in forms}
    assert {name for name in texts if name.rpartition("_")[0] not in forms} <= used


def test_frame_scripts_contain_no_place_code() -> None:
    for content in files(FRAMED["number"]()).values():
        assert b"latitude" not in content


def test_frame_headers_list_exactly_the_allowed_hosts() -> None:
    headers = frame_headers(Around(hosts=("https://a.example", "http://localhost:8010")))
    assert headers["Content-Security-Policy"].endswith(
        "frame-ancestors https://a.example http://localhost:8010"
    )
    assert headers["Origin-Agent-Cluster"] == "?1"
    assert b"frame-ancestors" not in files(three())["index.html"]  # a meta element is ignored there


@pytest.fixture
def definition(tmp_path: Path) -> Path:
    path = tmp_path / "three.json"
    path.write_text(json.dumps(three()))
    return path


@pytest.mark.soak
def test_the_command_writes_the_files_of_a_frame(
    definition: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "out"
    host = ["https://survey.uni.example"]
    call_command("embed", str(definition), out=out, host=host, reason="A test.", json=True)
    said = json.loads(capsys.readouterr().out)
    assert {finding["level"] for finding in said.pop("findings")} == {"refuse", "warn"}
    parsed = definition_parse(three())
    digest = frame_digest(parsed)
    assert said == {"digest": digest, "folder": str(out / digest)}
    around = Around(hosts=("https://survey.uni.example",))
    wanted = files(three(), around)
    below = Path(said["folder"])
    assert {path.relative_to(below).as_posix(): path.read_bytes() for path in below.rglob("*.*")} == wanted


@pytest.mark.soak
def test_the_command_writes_the_frame_of_a_wave_whose_part_takes_turns(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A tool knows people by its own numbers, so the definition names neither codes nor a panel."""
    path, out = tmp_path / "wave.json", tmp_path / "out"
    path.write_text(json.dumps(turning()))
    host = ["https://survey.uni.example"]
    call_command("embed", str(path), out=out, host=host, reason="A test.", json=True)
    below = Path(json.loads(capsys.readouterr().out)["folder"])
    assert below.name == frame_digest(definition_parse(turning()))
    assert [file.name for file in below.rglob("frame-turn.js")] == ["frame-turn.js"]


def test_a_definition_that_a_check_refuses_needs_a_reason(definition: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    with pytest.raises(CommandError, match=r"(?s)Prefer not to say.*written reason"):
        call_command("embed", str(definition), out=out, host=["https://survey.uni.example"])
    assert not out.exists()


def test_non_empty_output_folders_are_not_changed(definition: Path, tmp_path: Path) -> None:
    with pytest.raises(CommandError, match="is not empty"):
        call_command(
            "embed", str(definition), out=tmp_path, host=["https://survey.uni.example"], reason="A test."
        )
    assert [path.name for path in tmp_path.iterdir()] == ["three.json"]


def test_a_frame_says_what_pairs_that_cannot_be_true_mean() -> None:
    """Declared pairs, and those that a shared filter causes; other frames say nothing of this."""
    note = "Some pairs of answers here cannot both be true."
    filtered = composite_document("two follow-ups of one filter")
    filtered["blocks"] = [block for block in filtered["blocks"] if block["protected"]]
    for document in (three(exclusive=[["a", "b"]]), filtered):
        made = files(document)
        assert note in made["index.html"].decode()
        assert "这里的选项中，有些不可能同时为真" in made["zh-hans/index.html"].decode()
    assert note not in files(three())["index.html"].decode()
