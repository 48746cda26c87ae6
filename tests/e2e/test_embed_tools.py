"""Adapters in the real tools SurveyJS, jsPsych and oTree, installed from their registries.

Each tool runs in a separate environment. Some people answer in a browser, and many more lines go directly
into the tool's storage. After import, the tool's export gives the same figures as the same answers on
Sottovoce's own page.
"""

import csv
import io
import mimetypes
import os
import re
import subprocess
import sys
import urllib.request
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from django.utils import timezone
from playwright.sync_api import Page, Route, expect

from benchmarks.proxies import free_port
from surveys.embed.adapter_scripts import adapter_text
from surveys.embed.answer_string import answer_string_read
from surveys.embed.file_import import file_take_in
from surveys.embed.frame import frame_files
from surveys.embed.frame_hosts import Around, frame_headers
from surveys.embed.frame_promise import frame_digest, frame_promises
from surveys.embed.reading import FileRead, file_read
from surveys.models import Version
from surveys.questionnaire.definition import Definition, definition_parse
from tests.conftest import kill_group, start_group, wait_until
from tests.e2e.framed import HOST, Framed
from tests.fixtures.devices import closed, published, stored
from tests.fixtures.embed_frames import three
from tests.fixtures.host_files import answers_of, bodies, csv_of, host_file, strings
from tests.surveys.embed.test_file_import import figures

pytestmark = [pytest.mark.soak, pytest.mark.django_db(transaction=True)]

PEOPLE = 500
PACKAGES = ["survey-core", "survey-js-ui", "jspsych"]

SURVEYJS = """<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Form</title>
<link rel="stylesheet" href="/npm/survey-core/survey-core.min.css"></head><body><div id="form"></div>
<script src="/npm/survey-core/survey.core.min.js"></script>
<script src="/npm/survey-js-ui/survey-js-ui.min.js"></script>
<script src="/adapter.js"></script><script>
const json = {pages: [
  {elements: [{type: "radiogroup", name: "nights", title: "Works nights", choices: ["yes", "no"]}]},
  {elements: [
    {type: "text", name: "protected", title: "Protected question", isRequired: true, sottovoce: "%s"}]}]};
window.changes = 0;
window.model = new Survey.Model(json);
sottovoceFrames(model);
model.onValueChanged.add((_model, {name}) => { changes += name === "protected"; });
model.render(document.getElementById("form"));
window.answered = (nights, line) => {
  const own = new Survey.Model(json);
  own.data = {nights, protected: line};
  own.doComplete();
  return [own.state, own.data.nights, own.data.protected];
};
</script></body></html>"""

JSPSYCH = """<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Experiment</title></head><body>
<script src="/npm/jspsych/dist/index.browser.min.js"></script><script src="/adapter.js"></script><script>
window.jsPsych = initJsPsych({on_finish: () => { window.csv = jsPsych.data.get().csv(); }});
jsPsych.run([{type: jsPsychSottovoce, address: "%s"}]);
window.written = (lines) => {
  const data = initJsPsych().data.get();
  lines.forEach((value, at) => data.push({trial_type: "sottovoce", trial_index: at, time_elapsed: 9, value}));
  return data.csv();
};
</script></body></html>"""


@pytest.fixture(scope="module")
def npm(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Install the packages and return their folder."""
    where = tmp_path_factory.mktemp("npm")
    # Prefer npm's cache, and retry if the registry does not answer.
    how = ["--prefer-offline", "--fetch-retries=8", "--loglevel=error", "--no-audit", "--no-fund"]
    subprocess.run(["npm", "install", *how, "--prefix", str(where), *PACKAGES], check=True, cwd=where)
    return where / "node_modules"


def served(here: Framed, page: str, adapter: str, npm: Path) -> Page:
    """Open a host's page with a tool's packages and its adapter."""

    def serve(route: Route) -> None:
        path = route.request.url.removeprefix(HOST)
        if path.startswith("/npm/"):
            file = npm / path.removeprefix("/npm/")
            route.fulfill(body=file.read_bytes(), content_type=mimetypes.guess_type(file.name)[0])
        elif path == "/adapter.js":
            route.fulfill(body=adapter_text(adapter), content_type="text/javascript")
        else:
            route.fulfill(body=page % here.below, content_type="text/html")

    here.context.route(f"{HOST}/**", serve)
    return here.open()


def answered_in_frame(here: Framed) -> None:
    here.answer("Yes", "No", "Yes").press("Disguise")
    expect(here.frame.get_by_role("heading", name="Done. You can no longer change it.")).to_be_visible()


def read_definition() -> Definition:
    return definition_parse(three())


def made(people: int = PEOPLE) -> list[str]:
    definition = read_definition()
    return strings(definition, bodies(definition, answers_of(people)))


def figures_agree(raw: bytes, *, people: int = PEOPLE) -> None:
    """Import a tool's file of simulated people; compare every figure with those of our own page."""
    here = published({**three(), "slug": "here"})
    stored(here, bodies(read_definition(), answers_of(people)))
    own = figures(closed(here))
    done = file_take_in(from_csv(raw), (), slug="there", by="ada", now=timezone.now(), reason="A test.")
    assert (done.n, len(own) > 5) == (people, True)
    assert figures(Version.objects.select_related("survey").get(pk=done.version.pk)) == own


def from_csv(raw: bytes) -> FileRead:
    return file_read(host_file("answers.csv", raw), {frame_digest(read_definition()): read_definition()})


def test_surveyjs_fires_one_change_and_returns_the_string(device: Any, npm: Path) -> None:
    here = Framed(context=device(), document=three())
    page = served(here, SURVEYJS, "surveyjs.js", npm)
    page.get_by_text("yes", exact=True).click()
    page.get_by_role("button", name="Next").press("Enter")
    answered_in_frame(here)
    page.wait_for_function("() => model.getValue('protected')")
    line = page.evaluate("() => model.getValue('protected')")
    # Going back and forth does not draw again.
    page.get_by_role("button", name="Previous").press("Enter")
    page.get_by_role("button", name="Next").press("Enter")
    expect(here.frame.get_by_role("heading", name="Done. You can no longer change it.")).to_be_visible()
    assert page.evaluate("() => [changes, model.getValue('protected')]") == [1, line]
    page.get_by_role("button", name="Complete").press("Enter")
    page.wait_for_function("() => model.state === 'completed'")
    assert page.evaluate("() => model.data") == {"nights": "yes", "protected": line}
    answer_string_read(line)
    kept = here.context.new_page()
    kept.goto(f"{here.below}index.html")
    assert line not in kept.evaluate("() => JSON.stringify({...localStorage})")
    assert kept.evaluate("() => localStorage.length") > 0
    rows = page.evaluate("(lines) => lines.map((line, at) => answered(at % 2 ? 'yes' : 'no', line))", made())
    assert {state for state, *_ in rows} == {"completed"}
    figures_agree(csv_of(["nights", "protected"], [row for _, *row in rows]))
    # Someone who starts the form again can complete it without a line.
    page.reload()
    page.get_by_role("button", name="Next").press("Enter")
    expect(here.frame.get_by_role("heading", name="Done. You can no longer change it.")).to_be_visible()
    page.wait_for_function("() => !model.getQuestionByName('protected').isRequired")
    page.get_by_role("button", name="Complete").press("Enter")
    page.wait_for_function("() => model.state === 'completed'")


def test_jspsych_stores_the_string_and_its_csv_is_readable(device: Any, npm: Path) -> None:
    here = Framed(context=device(), document=three())
    page = served(here, JSPSYCH, "jspsych.js", npm)
    answered_in_frame(here)
    page.get_by_role("button", name="Continue").press("Enter")
    page.wait_for_function("() => window.csv")
    raw = page.evaluate("() => window.csv").encode()
    assert from_csv(raw).n == 1
    line = re.search(r'"(sotto1\.[^"]*)"', raw.decode())
    assert line is not None
    kept = here.context.new_page()
    kept.goto(f"{here.below}index.html")
    assert line[1] not in kept.evaluate("() => JSON.stringify({...localStorage})")
    # Someone who starts the experiment again can go on, without a line.
    page.reload()
    page.get_by_role("button", name="Continue").press("Enter")
    page.wait_for_function("() => window.csv && !window.csv.includes('sotto1')")
    figures_agree(page.evaluate("(lines) => written(lines)", made()).encode())


OTREE = {
    "settings.py": """
SESSION_CONFIGS = [dict(name='asked', app_sequence=['asked'], num_demo_participants=%d)]
SESSION_CONFIG_DEFAULTS = dict(real_world_currency_per_point=1.00, participation_fee=0.00, doc="")
PARTICIPANT_FIELDS = SESSION_FIELDS = []
LANGUAGE_CODE, REAL_WORLD_CURRENCY_CODE, USE_POINTS = 'en', 'USD', True
ADMIN_USERNAME, ADMIN_PASSWORD, DEMO_PAGE_INTRO_HTML, SECRET_KEY = 'admin', 'admin', '', 'a test'
""",
    "asked/__init__.py": """
from otree.api import *

class C(BaseConstants):
    NAME_IN_URL, PLAYERS_PER_GROUP, NUM_ROUNDS = 'asked', None, 1

class Subsession(BaseSubsession): pass
class Group(BaseGroup): pass

class Player(BasePlayer):
    protected = models.LongStringField()

class Ask(Page):
    form_model, form_fields = 'player', ['protected']

class End(Page): pass

page_sequence = [Ask, End]
""",
    "asked/Ask.html": """{{ block title }}Asked{{ endblock }}{{ block content }}
<div data-sottovoce="%s" data-name="protected" data-required></div>
<script src="{{ static 'form.js' }}" defer></script>
{{ next_button }}{{ endblock }}""",
    "asked/End.html": "{{ block title }}Thank you{{ endblock }}{{ block content }}{{ endblock }}",
}
"""An oTree experiment with one protected part."""
IN_OTREE = 200


@pytest.fixture
def otree(tmp_path: Path) -> Iterator[Callable[[str], str]]:
    """Return a function that starts oTree's server with an experiment that shows a frame."""
    subprocess.run([sys.executable, "-m", "venv", str(tmp_path / "otree")], check=True)
    programs = tmp_path / "otree" / "bin"
    subprocess.run([str(programs / "pip"), "install", "--quiet", "otree"], check=True)
    port = free_port()
    running: list[subprocess.Popen[bytes]] = []

    def start(frame: str) -> str:
        project = tmp_path / "project"
        for name, text in OTREE.items():
            path = project / name
            path.parent.mkdir(parents=True, exist_ok=True)
            filled = {"settings.py": (IN_OTREE + 1,), "asked/Ask.html": (frame,)}.get(name)
            path.write_text(text % filled if filled else text)
        (project / "_static").mkdir()
        (project / "_static" / "form.js").write_text(adapter_text("form.js"))
        log = (tmp_path / "otree.log").open("wb")
        command = [str(programs / "otree"), "prodserver1of2", str(port)]
        environment = {name: text for name, text in os.environ.items() if name != "DATABASE_URL"}
        # oTree starts its other programs by name.
        environment["PATH"] = f"{programs}{os.pathsep}{environment['PATH']}"
        subprocess.run(
            [str(programs / "otree"), "resetdb", "--noinput"], cwd=project, env=environment, check=True
        )
        # It starts another program, which would outlive it.
        running.append(start_group(command, cwd=project, env=environment, stdout=log, stderr=log))
        address = f"http://127.0.0.1:{port}"
        wait_until(lambda: answers(address), what="oTree's server")
        return address

    yield start
    for process in running:
        kill_group(process)


def answers(address: str) -> bool:
    try:
        return bool(urllib.request.urlopen(f"{address}/demo", timeout=5).status == 200)
    except OSError:
        return False


def test_otree_stores_the_string_per_player_and_its_csv_is_readable(
    device: Any, otree: Callable[[str], str]
) -> None:
    here = Framed(context=device(), document=three())
    address = otree(here.below)
    around = Around(hosts=(address,), site="", shared_device=False)
    here.headers = frame_headers(around)
    here.files = frame_files(
        here.definition.design,
        here.definition.wording,
        around,
        digest=here.digest,
        promises=frame_promises(here.definition),
    )
    here.page = here.context.new_page()
    here.page.goto(f"{address}/demo/asked")
    here.page.wait_for_url("**/SessionStartLinks/*")
    session = here.page.url.rsplit("/", 1)[1]
    links = sorted(set(re.findall(r"/InitializeParticipant/\w+", here.page.content())))
    assert len(links) == IN_OTREE + 1
    here.page.goto(f"{address}{links[0]}")
    answered_in_frame(here)
    here.page.wait_for_function("() => document.querySelector('[name=protected]').value")
    here.page.get_by_role("button", name="Next").press("Enter")
    expect(here.page.get_by_role("heading", name="Thank you")).to_be_visible()
    lines = made(IN_OTREE)
    for link, line in zip(links[1:], lines, strict=True):
        page = here.context.request.get(f"{address}{link}")
        sent = here.context.request.post(page.url, form={"protected": line})
        assert sent.ok
    raw = here.context.request.get(f"{address}/ExportWide?session_code={session}").body()
    table = list(csv.DictReader(io.StringIO(raw.decode("utf-8-sig"))))
    (column,) = [name for name in table[0] if name.endswith("protected")]
    answered = [row[column] for row in table]
    assert sorted(set(answered) & set(lines)) == sorted(lines)
    # All of oTree's columns, without the row of the person in the browser.
    (own,) = set(answered) - set(lines)
    rest = [row for row in table if row[column] != own]
    figures_agree(csv_of(list(table[0]), [list(row.values()) for row in rest]), people=IN_OTREE)
    assert from_csv(raw).n == IN_OTREE + 1
