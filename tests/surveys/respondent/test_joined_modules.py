"""Joined modules."""

import json
import re
import subprocess
from collections.abc import Mapping
from pathlib import Path

import pytest

from surveys.respondent.joined_modules import NotJoinable, join_modules

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


@pytest.mark.soak
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


@pytest.mark.soak
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


@pytest.mark.soak
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


@pytest.mark.soak
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


def test_a_file_that_is_requested_after_another_may_use_its_modules() -> None:
    modules = {
        "page": 'import { part } from "./program.js";\npart("first").then(() => part("second"));\n',
        "program": (
            "export const partsArrived = {};\nexport const part = (name) => import(`./${name}.js`);\n"
        ),
        "first": "export const one = 1;\n",
        "second": 'import { one } from "./first.js";\nexport const two = one + 1;\n',
    }
    joined = join_modules(modules.__getitem__, "page")
    assert 'let{one}=partsArrived["first"];' in joined["second"]
    assert "one=1" in joined["first"]
    apart = modules | {"page": modules["page"].replace('.then(() => part("second"))', ';\npart("second")')}
    with pytest.raises(NotJoinable, match="which load on demand"):
        join_modules(apart.__getitem__, "page")
