"""The respondents' client: its files, their digest, and forbidden constructs."""

import gzip
import hashlib
import json
import os
import re
import subprocess
import sys
from collections import Counter
from collections.abc import Mapping
from dataclasses import replace
from io import StringIO
from pathlib import Path

import pytest
from django.conf import settings
from django.core.management import call_command
from django.core.management.base import CommandError
from django.test import Client, override_settings

from surveys.jobs.provenance import installed_version
from surveys.respondent import client_program
from surveys.respondent import client_program as module
from surveys.respondent.client_program import (
    ENTRANCE,
    MODULES,
    POLICY,
    UNRELEASED,
    WORKER,
    NotJoinable,
    client,
    join_modules,
    published_digests,
    releases_of,
)
from surveys.respondent.text_modules import voices
from surveys.respondent.texts import texts_by_part
from tests.fixtures.everyday import everyday

ROOT = Path(__file__).resolve().parents[3]


def code_of(name: str) -> str:
    """Return a script without its comments."""
    return re.sub(r"/\*.*?\*/|//[^\n]*", "", (MODULES / name).read_text(encoding="utf-8"), flags=re.DOTALL)


def imports(name: str) -> set[str]:
    static = re.findall(r'(?:from|import)\s*\(?\s*"\./([^"]+)"', code_of(name))
    return {*static, *(f"{part}.js" for part in re.findall(r'\bpart\("([a-z-]+)"\)', code_of(name)))}


def reached() -> set[str]:
    """Return all scripts reached by imports, in any notation, from the page's scripts."""
    loaded: set[str] = set()
    to_visit = {f"{ENTRANCE}.js"}
    while to_visit:
        name = to_visit.pop()
        loaded.add(name)
        to_visit |= imports(name) - loaded
    return loaded


def sentences() -> set[str]:
    return {f"{part}-{name}.js" for part in texts_by_part() for name, _language, _wording in voices()}


@pytest.mark.soak
def test_every_module_of_the_page_is_bundled_exactly_once() -> None:
    """Modules are recognised by their exports; a browser would fail on a file with a module twice."""
    files = {file.name: file.content.decode() for file in client().program}
    scripts = [text for name, text in files.items() if name in reached()]
    assert len(scripts) == len(files) - len(sentences()) - len({"sottovoce.css", "later.css"})
    exports: Counter[str] = Counter()
    for name in reached():
        source = (MODULES / name).read_text(encoding="utf-8")
        exports.update(re.findall(r"^export (?:async function|function|class) (\w+)", source, re.MULTILINE))
    assert len(exports) > 80
    for exported, modules in exports.items():
        alone = rf"(?:^|[;{{}}])(?:async )?(?:function|class) {exported}\b"
        made = [text for text in scripts if re.search(alone, text, re.MULTILINE)]
        assert len(made) >= modules, exported


def test_browsers_can_parse_every_script(tmp_path: Path) -> None:
    """A duplicate name would fail here, before any page is opened."""
    scripts = [file for file in client().program if file.name.endswith(".js")]
    for script in scripts:
        (tmp_path / script.name).write_bytes(script.content)
    parse = """
        const {readFileSync} = require("fs"), {SourceTextModule} = require("vm");
        for (const name of process.argv.slice(1)) new SourceTextModule(readFileSync(name, "utf8"));
    """
    command = ["node", "--experimental-vm-modules", "--no-warnings", "--eval", parse]
    subprocess.run([*command, *(script.name for script in scripts)], cwd=tmp_path, check=True)


def test_the_page_links_only_its_own_program_files() -> None:
    index = client().index.content.decode()
    below = f"/program/{client().digest}"
    named = re.findall(r'(?:src|href)="([^"]+)"', index)
    scripts = {f"{below}/start.js", f"{below}/client.js", f"{below}/key-file.js"}
    addresses = {address for address in named if not address.startswith("data:")}
    assert addresses == scripts | {f"{below}/sottovoce.css", "#main"}
    assert not re.search(
        r"<script(?![^>]*src=)[^>]*>|\son\w+=|\sstyle=|<(?:form|input|button|iframe)\b", index
    )
    assert f'content="{POLICY}"' in index
    # The page names the scripts' immediate imports, so that they are fetched in parallel.
    file = client().file(f"{ENTRANCE}.js")
    assert file is not None
    static = re.findall(r'^import.*from"\./([^"]+)";', file.content.decode(), re.MULTILINE)
    assert {f"{below}/{name}" for name in static} == scripts - {f"{below}/{ENTRANCE}.js"}


def test_the_script_lists_the_languages_of_pages_and_of_texts_for_respondents() -> None:
    start = client().file("start.js")
    assert start is not None
    # Constants have short names in the program.
    ((name, pages),) = re.findall(r'\blet (_[A-Z]+)=(\["en".*?\]);', start.content.decode())
    assert json.loads(pages) == [language for language, _name in settings.LANGUAGES]
    (listed,) = re.findall(rf"\blet _[A-Z]+=\[\.\.\.{name},?(.*?)\];", start.content.decode())
    further = json.loads(f"[{listed}]")
    assert {*json.loads(pages), *further} == {name for name, _language, _wording in voices()}
    assert {"ar", "de", "de-informal", "zh-hans-formal"} <= {*further}


def test_only_known_scripts_use_browser_storage() -> None:
    """A device stores only one sealed body, in `waiting.js`, and its key, in `key-file.js`.

    In addition, a tab keeps an invitation code until the answers are sealed.
    """
    storages = r"\b(?:sessionStorage|localStorage|cookie|cookieStore|caches|storage|indexedDB)\b"
    named = {name: set(re.findall(storages, code_of(name))) for name in reached()}
    assert {name: found for name, found in named.items() if found} == {
        "invitation.js": {"sessionStorage", "storage"},
        "key-file.js": {"storage"},
        "post.js": {"indexedDB"},
        "seal.js": {"indexedDB"},
    }


def test_no_script_shows_an_errors_own_words() -> None:
    """A browser's words, such as "Failed to fetch dynamically imported module", help no respondent.

    `trouble.js` decides what they read about an error. The worker of `key-file.js` has to copy its errors.
    """
    words = r"\b\w*\.message\b|\bString\((?:error|reason)\b|\$\{(?:error|reason)\b|\bmessage \}\) =>"
    named = {name for name in reached() | {"embed.js", "frame-memory.js"} if re.search(words, code_of(name))}
    assert named == {"key-file.js"}
    texts = json.dumps([file.content.decode() for file in client().program if "-en.js" in file.name])
    assert "{error}" not in texts


def test_every_part_is_loaded_by_the_function_that_requests_it_again() -> None:
    """`start.js` begins with two parts that `client.js` and the page itself request again."""
    direct = {name for name in reached() | {"embed.js"} if re.search(r"\bimport\(", code_of(name))}
    assert direct == {"program.js", "start.js"}


def test_the_digest_covers_the_served_files_and_the_page() -> None:
    shown = client()
    contents = []
    for file in shown.program:
        response = Client().get(file.url)
        assert response.status_code == 200
        assert response.headers["Content-Type"] == file.content_type
        assert response.headers["Cache-Control"] == "public, max-age=31536000, immutable"
        assert hashlib.sha256(response.content).hexdigest() == file.digest
        contents.append(response.content)
        # The page's policy applies to everything it loads. A worker has its own policy, and loads nothing.
        policy = "default-src 'none'" if file.name == WORKER else None
        assert response.headers.get("Content-Security-Policy") == policy
    page = Client().get("/en/s/anything/").content
    whole = b"".join(contents) + page.replace(shown.digest.encode(), b"DIGEST")
    assert hashlib.sha256(whole).hexdigest() == shown.digest
    assert [file.name for file in shown.program] == sorted(file.name for file in shown.program)


def test_the_manifest_lists_the_digest_of_each_served_file() -> None:
    response = Client().get("/manifest.json")
    assert response.headers["Content-Type"] == "application/json; charset=utf-8"
    manifest = json.loads(response.content)
    assert (manifest["name"], manifest["digest"]) == ("sottovoce-client", client().digest)
    at = {"index.html": "/zh-hans/s/anything/"}
    assert {f"program/{client().digest}/{name}" for name in ("client.js", "sottovoce.css")} < set(
        manifest["files"]
    )
    for path, digest in manifest["files"].items():
        content = Client().get(at.get(path, f"/{path}")).content
        assert hashlib.sha256(content).hexdigest() == digest, path


@pytest.mark.soak
def test_another_process_builds_identical_files() -> None:
    code = (
        "import django; django.setup()\n"
        "from surveys.respondent.client_program import client\n"
        "print(client().manifest.digest)"
    )
    other = {"PYTHONHASHSEED": "7", "LANG": "C", "TZ": "Asia/Tokyo", "PYTHONPATH": str(ROOT)}
    env = {**os.environ, **other}
    said = subprocess.check_output([sys.executable, "-c", code], cwd="/", env=env, text=True)
    assert said.strip() == client().manifest.digest


def test_program_files_are_compressed_once_and_sent_without_page_headers() -> None:
    for file in client().program:
        answers = [Client().get(file.url, headers={"Accept-Encoding": "gzip"}) for _ in range(2)]
        assert answers[0].content == answers[1].content
        assert gzip.decompress(answers[0].content) == file.content
        assert "Accept-Encoding" in answers[0].headers["Vary"]
        assert answers[0].headers["X-Content-Type-Options"] == "nosniff"
        for head in ("X-Frame-Options", "Referrer-Policy", "Cross-Origin-Opener-Policy", "Content-Language"):
            assert head not in answers[0].headers, (file.name, head)


def test_unknown_hosts_do_not_get_the_program() -> None:
    assert Client().get(client().program[0].url, headers={"Host": "elsewhere.example"}).status_code == 400
    assert Client().post(client().program[0].url).status_code == 405


def test_files_of_other_client_versions_return_404() -> None:
    """A browser with another release's page must not run this release's scripts."""
    file = client().program[0]
    for part, changed in ((client().digest, "0" * 64), (file.name, "settings.js")):
        assert part in file.url
        assert Client().get(file.url.replace(part, changed)).status_code == 404


@pytest.fixture
def copied(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for path in MODULES.glob("*.js"):
        (tmp_path / path.name).write_bytes(path.read_bytes())
    monkeypatch.setattr(client_program, "MODULES", tmp_path)
    return tmp_path


def test_debug_mode_serves_script_changes_immediately(copied: Path) -> None:
    coins = copied / "coins.js"
    with override_settings(DEBUG=True):
        before = client()
        coins.write_bytes(coins.read_bytes().replace(b"SCALE = 10000", b"SCALE = 10001"))
        after = client()
    assert after.digest != before.digest
    assert [
        old.name for old, new in zip(before.program, after.program, strict=True) if old.digest != new.digest
    ] == ["client.js"]


def test_a_running_server_keeps_its_loaded_program(copied: Path) -> None:
    before = client()
    (copied / "coins.js").write_text("export const none = 1;\n")
    assert client() is before


def test_the_proxy_config_sends_the_full_content_security_policy() -> None:
    text = (ROOT / "deploy" / "proxy" / "client.conf").read_text(encoding="utf-8")
    (header,) = re.findall(r'add_header Content-Security-Policy "([^"]+)" always;', text)
    said = dict(part.split(" ", 1) for part in header.split("; "))
    page = dict(part.split(" ", 1) for part in POLICY.split("; "))
    own = {"connect-src": "'self' https://survey.example.org", "frame-ancestors": "'none'"}
    assert said == page | own


def test_the_client_command_writes_the_served_files_to_empty_folders(tmp_path: Path) -> None:
    folder = tmp_path / "client"
    call_command("client", "--out", str(folder), "--server", "http://localhost:8000", verbosity=0)
    written = {
        path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()
    }
    assert json.loads(written.pop("config.json")) == {"server": "http://localhost:8000"}
    assert written == {file.path: file.content for file in client().files}
    with pytest.raises(CommandError, match="already exists and is not empty"):
        call_command("client", "--out", str(folder))
    with pytest.raises(CommandError, match="is not the origin"):
        call_command("client", "--out", str(tmp_path / "other"), "--server", "https://survey.example.org/en/")
    assert not (tmp_path / "other").exists()


def test_an_unwritable_folder_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(CommandError, match="cannot be written"):
        call_command("client", "--out", str(tmp_path / "file" / "below"))


# Modules that print when they run, with functions, classes, export lists, aliases and a dynamic import.
PROGRAM = {
    "page": (
        'import * as words from "./words.js";\n'
        'import { Box, order } from "./boxes.js";\n'
        'order.push("page");\n'
        'const late = import("./late.js").then(({ shout }) => shout(2));\n'
        "export const result = { order, hello: words.hello(new Box(3)), late };\n"
    ),
    "words": (
        'import { Box, order, twice } from "./boxes.js";\n'
        "/** Says it.\n * More on it. */\n"
        'order.push("words");\n'
        "// A line of its own.\n\n"
        "export function hello(box) {\n  return `hello ${twice(box.size)}`; // beside code\n}\n"
        "export { Box };\n"
    ),
    "boxes": (
        'export const order = ["boxes"];\n'
        "const hidden = 2;\n"
        "export const twice = (number) => hidden * number;\n"
        "export class Box {\n  constructor(size) {\n    this.size = size;\n  }\n}\n"
    ),
    "late": (
        'import { order, twice } from "./boxes.js";\n'
        'import { own } from "./alone.js";\n'
        'order.push("late");\n'
        "const hidden = 5;\n"
        "export async function shout(number) {\n  return [twice(number), hidden, own];\n}\n"
    ),
    "alone": 'export const own = import.meta.url.split("/").pop();\n',
}


def run(folder: Path, modules: Mapping[str, str]) -> object:
    folder.mkdir()
    (folder / "package.json").write_text('{"type": "module"}')
    for name, text in modules.items():
        (folder / f"{name}.js").write_text(text)
    code = (
        'const { late, ...rest } = (await import("./page.js")).result;\n'
        "const shouted = await late;\nconsole.log(JSON.stringify({ ...rest, late: shouted }));\n"
    )
    (folder / "main.js").write_text(code)
    done = subprocess.run(["node", folder / "main.js"], capture_output=True, check=True, text=True)
    return json.loads(done.stdout)


def test_bundled_scripts_behave_like_separate_modules(tmp_path: Path) -> None:
    joined = join_modules(PROGRAM.__getitem__, "page")
    assert list(joined) == ["alone", "late", "page"]
    apart = run(tmp_path / "apart", PROGRAM)
    assert apart == {
        "order": ["boxes", "words", "page", "late"],
        "hello": "hello 6",
        "late": [4, 5, "alone.js"],
    }
    assert run(tmp_path / "joined", joined) == apart


def test_joining_modules_strips_only_comment_lines_and_spaces() -> None:
    joined = join_modules(PROGRAM.__getitem__, "page")
    # The code after a line with a trailing comment does not become part of the comment.
    assert "return `hello ${twice(box.size)}`; // beside code\n" in joined["page"]
    assert "Says it" not in joined["page"]
    assert "A line of its own" not in joined["page"]
    assert "// beside code" in joined["page"]


def test_private_names_of_different_modules_stay_separate(tmp_path: Path) -> None:
    """This also holds for the page's own names, and for several names in one declaration."""
    modules = {
        "page": (
            'import { one } from "./one.js";\nimport { two } from "./two.js";\n'
            "const [hidden, more] = [0, one() + two()];\nexport const result = { hidden, more, late: 0 };\n"
        ),
        "one": 'const hidden = 5;\nconst more = "1";\nexport const one = () => `${hidden}${more}`;\n',
        "two": "const hidden = 7;\nlet alone = 1;\nexport const two = () => hidden + (alone += 1);\n",
    }
    joined = join_modules(modules.__getitem__, "page")
    assert run(tmp_path / "apart", modules) == {"hidden": 0, "more": "519", "late": 0}
    assert run(tmp_path / "joined", joined) == {"hidden": 0, "more": "519", "late": 0}


def test_joining_shortens_private_fields_and_methods_of_classes(tmp_path: Path) -> None:
    """Texts and selectors stay, and so do names that no class declares."""
    modules = {
        "page": (
            'import { Other } from "./other.js";\n'
            "class Box {\n  #size = 1;\n  get #twice() {\n    return 2 * this.#size;\n  }\n"
            "  async #later({ size }) {\n    return `${this.#twice} ${size} #size`;\n  }\n"
            '  read() {\n    return this.#later({ size: "#twice" });\n  }\n}\n'
            "export const result = { other: new Other().read(), late: new Box().read() };\n"
        ),
        "other": (
            "export class Other {\n  #count = 5;\n  static #size = 3;\n"
            "  read() {\n    return this.#count + Other.#size;\n  }\n}\n"
        ),
    }
    joined = join_modules(modules.__getitem__, "page")
    assert "#count" not in joined["page"]
    assert "#later" not in joined["page"]
    assert run(tmp_path / "apart", modules) == {"other": 8, "late": "2 #twice #size"}
    assert run(tmp_path / "joined", joined) == {"other": 8, "late": "2 #twice #size"}


def test_joining_shortens_the_constants_that_only_their_module_uses(tmp_path: Path) -> None:
    """Names of properties stay, and so does what stands in a text or in the words of a template."""
    modules = {
        "page": (
            'import { LIMIT, used } from "./other.js";\n'
            "const PAUSE = 2;\nconst SHOWN = 3;\nconst GAP = 5;\nconst LIST = [8];\n"
            'const WORD = 4;\nconst TEXT = "SHOWN";\nconst MARK = 6;\n'
            "const sum = (PAUSES) => PAUSES.GAP + LIMIT + GAP;\n"
            'export const result = {\n  sum: sum({ ["GA" + "P"]: 1 }),\n'
            "  named: { a: 1, SHOWN, b: 2 }.SHOWN,\n  list: [...LIST],\n"
            '  said: `WORD ${WORD} ${PAUSE} "${MARK}"`,\n  TEXT,\n  used,\n};\n'
        ),
        "other": "const GAP = 7;\nexport const LIMIT = 10;\nexport const used = GAP + GAP;\n",
    }
    joined = join_modules(modules.__getitem__, "page")
    assert set(re.findall(r"\b_[A-Z]\b", joined["page"])) == {"_A", "_B", "_C", "_D"}
    assert not re.search(r"let (?:GAP|PAUSE|LIST)\b", joined["page"])
    assert {*re.findall(r"let ([A-Z]{3,})\b", joined["page"])} == {"LIMIT", "SHOWN", "WORD", "TEXT", "MARK"}
    result = {"sum": 16, "named": 3, "list": [8], "said": 'WORD 4 2 "6"', "TEXT": "SHOWN", "used": 14}
    assert run(tmp_path / "apart", modules) == result
    assert run(tmp_path / "joined", joined) == result


def test_a_lazily_loaded_file_shares_modules_with_the_page() -> None:
    modules = {
        "page": (
            'const late = () => import("./late.js");\n'
            "export const result = late().then(({ first, end }) => [first, end]);\n"
        ),
        "late": (
            'import { one } from "./one.js";\nexport const first = one();\n'
            'export const end = import("./end.js").then(({ last }) => last);\n'
        ),
        "end": 'import { one } from "./one.js";\nexport const last = one();\n',
        "one": "let count = 0;\nexport const one = () => (count += 1);\n",
    }
    joined = join_modules(modules.__getitem__, "page")
    assert joined["end"].startswith('import{one}from"./late.js";')
    assert sum("let count=0" in text for text in joined.values()) == 1


def test_whitespace_in_texts_and_between_operators_is_kept() -> None:
    page = (
        'const a = [1, "b , c", `d , e`];\nconst k = `l ${[1].map((m) => `n , ${m}`)}`;\n'
        "const f = a + +1 - -1;\n"
        'const g = / , /.test("h");\nlet i = 1;\ni++;\n'
    )
    joined = join_modules({"page": page}.__getitem__, "page")["page"]
    assert joined == (
        'let a=[1,"b , c",`d , e`];let k = `l ${[1].map((m) => `n , ${m}`)}`;'
        'let f=a + +1 - -1;let g = / , /.test("h");let i=1;i++;\n'
    )


@pytest.mark.parametrize(
    ("modules", "said"),
    [
        ({"page": 'import "./dom.js";\n'}, "page.js has an import of another form"),
        ({"page": 'import dom from "./dom.js";\n'}, "an import of another form"),
        ({"page": 'import { a as b } from "./dom.js";\n'}, "an import of another form"),
        ({"page": 'import { a } from "https://example.org/dom.js";\n'}, "an import of another form"),
        ({"page": 'const later = import(name + ".js");\n'}, "an import of another form"),
        ({"page": "export default 1;\n"}, "an export of another form"),
        ({"page": "export let a = 1;\n"}, "an export of another form"),
        ({"page": 'export * from "./dom.js";\n'}, "an export of another form"),
        ({"page": "let a = 1;\nexport { a };\n"}, "page.js exports a, which is reassigned"),
        ({"page": "const a = `\n// no comment\n`;\n"}, "a text of several lines"),
        ({"page": 'const a = "one \\\n two";\n'}, "a text that goes on in the next line"),
        ({"page": 'import { a } from "./dom.js";\n', "dom": "const a = 1;\n"}, "dom.js does not export a"),
        (
            {"page": 'import { b } from "./dom.js";\n', "dom": "export const a = 1, b = 2;\n"},
            "dom.js does not export b",
        ),
        ({"page": 'const a = 1;\nawait import("./dom.js");\n'}, "page.js has a top-level await"),
        (
            {
                "page": 'import { a } from "./dom.js";\n',
                "dom": 'import { b } from "./el.js";\nexport const a = 1;\n',
                "el": 'import { a } from "./dom.js";\nexport const b = 1;\n',
            },
            "dom.js, el.js import each other in a cycle",
        ),
        (
            {"page": 'import { a } from "./dom.js";\nimport("./dom.js");\n', "dom": "export const a = 1;\n"},
            "dom.js is both loaded by itself and imported",
        ),
        (
            {
                "page": 'import("./one.js");\nimport("./two.js");\n',
                "one": 'import { a } from "./dom.js";\n',
                "two": 'import { a } from "./dom.js";\n',
                "dom": "export const a = 1;\n",
            },
            "dom.js is needed by one.js, two.js, which load on demand",
        ),
        (
            {
                "page": 'import { a } from "./dom.js";\nexport const url = import.meta.url;\n',
                "dom": "export const a = 1;\n",
            },
            "page.js uses its own address and has imports",
        ),
        (
            {
                "page": 'import { a } from "./one.js";\nimport { b } from "./two.js";\n',
                "one": "export const a = 1;\n",
                "two": "export const b = 1;\nexport const a = 2;\n",
            },
            "page.js has a twice",
        ),
        (
            {
                "page": 'import * as a from "./dom.js";\nimport { b } from "./one.js";\n',
                "one": 'import { b } from "./dom.js";\nexport const c = b;\nexport { b };\n',
                "dom": "export const b = 1;\n",
            },
            "dom.js is imported as a namespace",
        ),
        (
            {"page": 'import * as a from "./dom.js";\n', "dom": "export const b = import.meta.url;\n"},
            "dom.js is imported as a namespace and also in another way",
        ),
    ],
)
def test_constructs_that_bundling_would_change_are_refused(modules: dict[str, str], said: str) -> None:
    with pytest.raises(NotJoinable, match=said):
        join_modules(modules.__getitem__, "page")


def test_the_digest_of_the_current_scripts_is_listed() -> None:
    """A change of the respondents' texts, styles or scripts changes the digest."""
    names = releases_of(client().digest)
    assert names, f"the last line of {module.LIST.relative_to(ROOT)} must be: {UNRELEASED}  {client().digest}"
    assert set(names) <= {UNRELEASED, installed_version()}


def test_the_unreleased_digest_comes_last() -> None:
    assert UNRELEASED not in list(published_digests())[:-1]


def test_the_command_lists_all_digests_and_marks_the_served_one() -> None:
    out = StringIO()
    call_command("client", "--published", stdout=out)
    assert (
        f"{client().digest}  {releases_of(client().digest)[0]} (served here)" in out.getvalue().splitlines()
    )
    assert len(out.getvalue().splitlines()) == len(published_digests())


def test_an_unreleased_program_makes_the_command_fail(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    (tmp_path / "list").write_text(f"1.0  {'a' * 64}\n# between\n1.1  {'b' * 64}  # of May\n")
    monkeypatch.setattr(module, "LIST", tmp_path / "list")
    assert replace(client(), digest="b" * 64).digest in published_digests().values()
    out = StringIO()
    with pytest.raises(SystemExit) as ended:
        call_command("client", "--published", stdout=out)
    assert ended.value.code == 1
    assert out.getvalue().splitlines() == [
        f"{'a' * 64}  1.0",
        f"{'b' * 64}  1.1",
        f"{client().digest}  served here, but no release has it",
    ]


@pytest.mark.parametrize("text", ["1.0", f"1.0 {'a' * 63}", f"1.0 {'A' * 64}", f"1 {'a' * 64}\n1 {'b' * 64}"])
def test_a_malformed_line_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="is no line of a version"):
        published_digests(text)


# Average bytes of response headers: 300 for files of the program, 560 for page and state.
HEAD = 350


# What question 1 of a survey of all kinds waits for, and all that loads before its second question.
FIRST = (
    "sottovoce.css",
    "start.js",
    "client.js",
    "key-file.js",
    "first-{}.js",
    "scales.js",
    "drawing.js",
    "later.js",
)


LATER = ("scale.js", "before.js", "end.js", "scale-{}.js", "before-{}.js", "end-{}.js", "later.css")


@pytest.mark.django_db
@pytest.mark.parametrize(("voice", "language"), [(name, language) for name, language, _form in voices()])
def test_all_question_kinds_need_40_kb_until_question_1_and_70_in_all(voice: str, language: str) -> None:
    """The survey with everything, in each language and form of address."""
    everyday()
    answer = Client().get(
        f"/client/surveys/everyday?language={language}", headers={"Accept-Encoding": "gzip, br"}
    )
    assert answer.headers["Content-Encoding"] == "gzip"
    state = gzip.decompress(answer.content)
    assert len(answer.content) < len(state) / 2
    named = {file.name: file.content for file in client().program}
    first = [state, client().index.content, *(named[name.format(voice)] for name in FIRST)]
    later = [named[name.format(voice)] for name in LATER]
    assert sum(HEAD + len(gzip.compress(part)) for part in first) <= 40_000
    assert sum(HEAD + len(gzip.compress(part)) for part in (*first, *later)) <= 70_000
