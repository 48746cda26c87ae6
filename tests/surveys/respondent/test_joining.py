"""Joined modules do what the modules do, and what cannot be joined is refused."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Mapping
from pathlib import Path

import pytest

from surveys.respondent.joining import NotJoinable, join_modules

# What each module says when it runs, and what comes of a function, a class, a list of exports, another name
# for all of a module, and of what is asked for later.
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


def test_what_is_joined_does_what_the_modules_do(tmp_path: Path) -> None:
    joined = join_modules(PROGRAM.__getitem__, "page")
    assert list(joined) == ["alone", "late", "page"]
    apart = run(tmp_path / "apart", PROGRAM)
    assert apart == {
        "order": ["boxes", "words", "page", "late"],
        "hello": "hello 6",
        "late": [4, 5, "alone.js"],
    }
    assert run(tmp_path / "joined", joined) == apart


def test_comments_that_fill_their_lines_and_blanks_without_a_meaning_are_left_out_and_nothing_else() -> None:
    joined = join_modules(PROGRAM.__getitem__, "page")
    # What follows a comment beside code does not come to belong to it.
    assert "return `hello ${twice(box.size)}`; // beside code\n" in joined["page"]
    assert "Says it" not in joined["page"]
    assert "A line of its own" not in joined["page"]
    assert "// beside code" in joined["page"]


def test_a_name_that_two_modules_have_for_themselves_stays_the_own_one_of_each(tmp_path: Path) -> None:
    """Of the page too, also where several are named at once."""
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


def test_texts_expressions_and_signs_that_are_two_keep_their_blanks() -> None:
    page = (
        'const a = [1, "b , c", `d , e`];\nconst k = `l ${[1].map((m) => `n , ${m}`)}`;\n'
        "const f = a + +1 - -1;\n"
        'const g = / , /.test("h");\nlet i = 1;\ni++;\n'
    )
    joined = join_modules({"page": page}.__getitem__, "page")["page"]
    assert joined == (
        'const a=[1,"b , c",`d , e`];const k = `l ${[1].map((m) => `n , ${m}`)}`;'
        'const f=a + +1 - -1;const g = / , /.test("h");let i=1;i++;\n'
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
        ({"page": "let a = 1;\nexport { a };\n"}, "page.js exports a, which can change"),
        ({"page": "const a = `\n// no comment\n`;\n"}, "a text of several lines"),
        ({"page": 'const a = "one \\\n two";\n'}, "a text that goes on in the next line"),
        ({"page": 'import { a } from "./dom.js";\n', "dom": "const a = 1;\n"}, "dom.js does not export a"),
        (
            {"page": 'import { b } from "./dom.js";\n', "dom": "export const a = 1, b = 2;\n"},
            "dom.js does not export b",
        ),
        ({"page": 'const a = 1;\nawait import("./dom.js");\n'}, "page.js waits at its top"),
        (
            {
                "page": 'import { a } from "./dom.js";\n',
                "dom": 'import { b } from "./el.js";\nexport const a = 1;\n',
                "el": 'import { a } from "./dom.js";\nexport const b = 1;\n',
            },
            "dom.js, el.js import each other in a circle",
        ),
        (
            {"page": 'import { a } from "./dom.js";\nimport("./dom.js");\n', "dom": "export const a = 1;\n"},
            "dom.js is loaded by itself, and imported too",
        ),
        (
            {
                "page": 'import("./one.js");\nimport("./two.js");\n',
                "one": 'import { a } from "./dom.js";\n',
                "two": 'import { a } from "./dom.js";\n',
                "dom": "export const a = 1;\n",
            },
            "dom.js is needed by one.js, two.js, which come on demand",
        ),
        (
            {
                "page": 'import { a } from "./dom.js";\nexport const url = import.meta.url;\n',
                "dom": "export const a = 1;\n",
            },
            "page.js names its own address, and imports",
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
            "dom.js is imported as a whole, and otherwise",
        ),
        (
            {"page": 'import * as a from "./dom.js";\n', "dom": "export const b = import.meta.url;\n"},
            "dom.js is imported as a whole, and otherwise or from a file of its own",
        ),
    ],
)
def test_what_would_not_be_the_same_is_refused(modules: dict[str, str], said: str) -> None:
    with pytest.raises(NotJoinable, match=said):
        join_modules(modules.__getitem__, "page")
