"""Readers accept any input or refuse it with a reason: a minute of fuzzing each, always with a new seed."""

import copy
import json
import random
import re
import secrets
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from typing import Any

import pytest
from django.test.html import Element, parse_html
from django.urls import reverse

from privacy.errors import PrivacyError
from surveys.embed.answer_string import answer_string_read, answer_string_write
from surveys.imports.pasted_text import read_paste
from surveys.intake import payload
from surveys.questionnaire.definition import definition_parse
from surveys.questionnaire.document import DefinitionError
from tests.attack.test_hostile_submissions import MUTATIONS
from tests.conftest import ROOT
from tests.fixtures.devices import shipped_definition
from tests.fixtures.workbooks import CHOICES, SETTINGS, SURVEY, form, xlsform_read
from tests.site.test_roles import ADDRESSES, World, everywhere

SECONDS = 60

ODD: list = [None, True, 0, -1, 10**30, 1e308, "", "\x00", "\ud800", "x" * 3_000, [], {}, [[]], {"": None}]
# What a browser can send: unlike JSON, never half a surrogate pair.
ODD_FIELDS = [
    "",
    "0",
    "-1",
    "1e400",
    "nan",
    "0.5",
    "\x00",
    "x" * 3_000,
    "½",
    "../..",
    "2026-02-30",
    "9999-12-31",
]

PASTED = """Habits at work
# You
How old are you?
- Below 40
- 40 or older
# Work (sensitive)
Are you often late? (yes/no)
Have you ever cheated? [sensitive]
你常常迟到吗？
"""
BILINGUAL = (
    "Habits | 习惯\n1. Are you late? | 您迟到吗？\n2. How often? (1 = never, 5 = daily) | 多久一次：从不/常常"
)

ANSWER_STRING = answer_string_write("0" * 64, bytes(range(9)), bytes(6)).encode()

SUBMISSION = json.dumps(
    {"survey": "work", "key": "0" * 32, "design_id": "0" * 64, "body": "00ff", "nonce": "0" * 64}
).encode()


def mutated(raw: bytes, rng: random.Random) -> bytes:
    """Change bytes as a broken or hostile sender would."""
    changed = bytearray(raw)
    for _ in range(rng.choice((1, 1, 2, 3, 8))):
        if changed:
            rng.choice(MUTATIONS)(changed, rng)
    return bytes(changed)


def text_of(raw: bytes, rng: random.Random) -> str:
    """Return mutated bytes as text, as a form passes them on."""
    return mutated(raw, rng).decode("utf-8", "replace")


def changed_document(rng: random.Random) -> Any:
    """Replace, remove or repeat parts of a shipped definition."""
    document: Any = copy.deepcopy(shipped_definition())
    for _ in range(rng.choice((1, 1, 2, 4))):
        place = document
        while isinstance(place, dict | list) and place:
            key = rng.choice(list(place)) if isinstance(place, dict) else rng.randrange(len(place))
            if rng.random() < 0.25 or not isinstance(place[key], dict | list):
                if rng.random() < 0.2:
                    del place[key]
                else:
                    place[key] = copy.deepcopy(rng.choice([*ODD, document.get("blocks", 1)]))
                break
            place = place[key]
    return document


def changed_form(rng: random.Random) -> bytes:
    """Change cells of an XLSForm, or bytes of the file."""
    sheets = copy.deepcopy({"survey": SURVEY, "choices": CHOICES, "settings": SETTINGS})
    for _ in range(rng.choice((1, 1, 2, 4))):
        row = rng.choice(rng.choice(list(sheets.values())))
        others = [value for lines in sheets.values() for line in lines for value in line]
        place = rng.randrange(len(row))
        row[place] = rng.choice([text_of(str(row[place]).encode(), rng), rng.choice(others), None, -1, 1e308])
        # A workbook cannot hold control characters.
        if isinstance(row[place], str):
            row[place] = "".join(each for each in row[place] if each.isprintable() or each == "\n")
    raw = form(**sheets)
    return mutated(raw, rng) if rng.random() < 0.2 else raw


READERS: dict[str, Callable[[random.Random], object]] = {
    "sealed body": lambda rng: payload.parse(mutated(SUBMISSION, rng)),
    "sotto1. line": lambda rng: answer_string_read(text_of(ANSWER_STRING, rng)),
    "pasted text": lambda rng: read_paste(text_of(rng.choice((PASTED, BILINGUAL)).encode(), rng)),
    "definition": lambda rng: definition_parse(changed_document(rng)),
    "XLSForm": lambda rng: xlsform_read(changed_form(rng)),
}


@pytest.mark.soak
@pytest.mark.parametrize("name", READERS)
def test_readers_never_crash_on_random_input(name: str) -> None:
    seed, read = secrets.randbits(32), 0
    until = time.monotonic() + SECONDS
    while time.monotonic() < until:
        seed += 1
        try:
            with suppress(PrivacyError, DefinitionError):
                READERS[name](random.Random(seed))
        except Exception as error:
            raise AssertionError(f"{name}, seed {seed}") from error
        read += 1
    sys.stdout.write(f"\n{name}: {read:,} inputs\n")
    assert read > 0


@pytest.mark.soak
def test_no_address_fragment_crashes_the_parser_or_keeps_its_code() -> None:
    script = ROOT / "tests" / "js" / "fuzz_fragment.mjs"
    seed = str(secrets.randbits(31) + 1)
    done = subprocess.run(["node", script, str(SECONDS), seed], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    sys.stdout.write(f"\nfragment: {int(done.stdout):,} inputs\n")
    assert int(done.stdout) > 0


def elements(of: Any) -> Iterator[Element]:
    for child in of.children:
        if isinstance(child, Element):
            yield child
            yield from elements(child)


def forms_of(page: str, address: str) -> Iterator[tuple[str, str, list[tuple[str, list[str]]]]]:
    """Yield the forms of a page: method, address, and the values that the page has for each field.

    Without the token, which differs in every page, so that equal forms of several pages are found once.
    """
    for found in elements(parse_html(re.sub("(?s)^.*?<body[^>]*>|</body>.*", "", page))):
        given, fields = dict(found.attributes), {}
        for field in elements(found) if found.name == "form" else ():
            values = [dict(each.attributes).get("value", "") for each in (field, *elements(field))]
            fields.setdefault(dict(field.attributes).get("name"), []).extend(values)
        named = [item for item in fields.items() if item[0] not in (None, "csrfmiddlewaretoken")]
        if named:
            yield given.get("method") or "get", given.get("action") or address, named


@pytest.mark.soak
@pytest.mark.django_db
def test_no_values_of_a_form_cause_a_server_error() -> None:
    world, forms, sent = World(), {}, 0
    for name, pattern in everywhere().items():
        if name in ADDRESSES:
            address = reverse(
                name, kwargs={part: world.arguments[part] for part in pattern.pattern.converters}
            )
            for one in forms_of(world.look("administrator", address), address):
                forms[str(one)] = one
    seed = secrets.randbits(32)
    rng, until = random.Random(seed), time.monotonic() + SECONDS
    while time.monotonic() < until:
        method, address, fields = rng.choice(list(forms.values()))
        values = {name: rng.choice([*values, rng.choice(ODD_FIELDS)]) for name, values in fields}
        outcome = world.ask("administrator", method, address, values)
        assert not outcome.startswith("5"), f"{outcome} for {method} {address} {values}, seed {seed}"
        sent += 1
    sys.stdout.write(f"\n{len(forms)} forms: {sent:,} requests\n")
    assert len(forms) > 30
