"""Each field of each staff form, filled in wrongly: a page that refuses it says why.

Hidden fields count too, and those of pages that no link offers any more.
"""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from html.parser import HTMLParser
from typing import Any, Final
from urllib.parse import urljoin

import pytest
from django.db import transaction
from django.test import Client
from django.urls import reverse

from surveys.accounts.roles import Role
from tests.fixtures.staff import browser_of
from tests.site.test_offered_pages import SURVEYS, pages_of
from tests.site.test_roles import ADDRESSES, World, everywhere

pytestmark = [pytest.mark.django_db, pytest.mark.soak]

WRONG: Final = {"too long": "x" * 120_000, "with a null": "a\0b", "unknown": "nonsense", "empty": ""}
EXPLAINED: Final = re.compile(
    r'class="[^"]*\b(?:error|note--bad|note--warn|remark|warning|empty)\b|role="alert"'
)


@dataclass
class Form:
    """A form that is posted: its address, and what a browser would send."""

    action: str
    remarks: int = 0
    """Explanations on the page before anything is sent."""
    names: set[str] = field(default_factory=set)
    entries: dict[str, list[str]] = field(default_factory=dict)
    buttons: list[tuple[str, str]] = field(default_factory=list)


class FormReader(HTMLParser):
    """Collect the forms of a page that are posted."""

    def __init__(self, address: str) -> None:
        super().__init__()
        self.address = address
        self.forms: list[Form] = []
        self.form: Form | None = None
        self.select = self.area = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        told = {name: value or "" for name, value in attrs}
        if tag == "form":
            address = urljoin(self.address, told.get("action", ""))
            self.form = Form(address) if told.get("method") == "post" else None
            self.forms += [self.form] if self.form else []
        if self.form is None:
            return
        name, value, kind = told.get("name", ""), told.get("value", ""), told.get("type", "")
        if tag == "button" and name:
            self.form.buttons.append((name, value))
        elif tag == "input" and name and kind not in ("submit", "file"):
            self.form.names.add(name)
            if kind not in ("checkbox", "radio") or "checked" in told:
                self.form.entries.setdefault(name, []).append(value or ("on" if kind == "checkbox" else ""))
        elif tag == "select" and name:
            self.form.names.add(name)
            self.select = name
        elif tag == "option" and self.select and ("selected" in told or self.select not in self.form.entries):
            self.form.entries[self.select] = [value]
        elif tag == "textarea" and name:
            self.form.names.add(name)
            self.form.entries[name] = [""]
            self.area = name

    def handle_data(self, data: str) -> None:
        if self.area and self.form:
            self.form.entries[self.area][0] += data

    def handle_endtag(self, tag: str) -> None:
        if tag == "select":
            self.select = ""
        elif tag == "textarea":
            self.area = ""
        elif tag == "form":
            self.form = None


def forms_of(client: Client, address: str) -> list[Form]:
    response = client.get(address)
    if response.streaming or "html" not in response.headers.get("Content-Type", ""):
        return []
    reader, page = FormReader(address), response.content.decode()
    reader.feed(page)
    for form in reader.forms:
        form.remarks = len(EXPLAINED.findall(page))
    return reader.forms


def attempts(form: Form) -> Iterator[tuple[str, str, dict[str, list[str]]]]:
    """Yield each field, what is wrong with it, and what is sent."""
    for button, value in dict(form.buttons or [("", "")]).items():
        pressed = {button: [value]} if button else {}
        for name in sorted(form.names - {"csrfmiddlewaretoken"}):
            yield name, "missing", {key: held for key, held in form.entries.items() if key != name} | pressed
            for what, wrong in WRONG.items():
                yield name, what, form.entries | {name: [wrong]} | pressed


def unexplained(client: Client, addresses: list[str]) -> list[str]:
    """Return the fields that a page refuses without a message."""
    found, seen = [], set()
    for address in addresses:
        for form in forms_of(client, address):
            path = re.sub(r"\d+", "1", form.action.partition("?")[0])
            shape = (path, frozenset(form.names), tuple(name for name, _value in form.buttons))
            if shape in seen:
                continue
            seen.add(shape)
            for name, what, sent in attempts(form):
                with transaction.atomic():
                    response = client.post(form.action, sent)
                    transaction.set_rollback(True)
                is_refused = response.status_code >= 400
                if is_refused and len(EXPLAINED.findall(response.content.decode())) <= form.remarks:
                    found.append(f"{form.action}: {name} {what}: {response.status_code}")
    assert seen
    return found


def world_pages() -> tuple[Client, list[str]]:
    world = World()
    addresses = [
        reverse(name, kwargs={part: world.arguments[part] for part in pattern.pattern.converters})
        for name, pattern in everywhere().items()
        if name in ADDRESSES and not ADDRESSES[name][0].startswith(("405", "open"))
    ]
    return world.browser("administrator"), addresses


def pages_of_kind(kind: str) -> Callable[[], tuple[Client, list[str]]]:
    return lambda: (browser_of("adam", *Role), pages_of(SURVEYS[kind]()))


PAGES: Final[dict[str, Callable[[], tuple[Client, list[str]]]]] = {
    "a closed survey and all other pages": world_pages,
    **{kind: pages_of_kind(kind) for kind in ("a draft", "by invitation", "practice", "planned")},
}


@pytest.mark.parametrize("pages", PAGES)
def test_no_field_is_refused_without_a_message(pages: str) -> None:
    client, addresses = PAGES[pages]()
    found = unexplained(client, addresses)
    assert not found, "\n".join(found)


def test_a_field_refused_without_a_message_is_found() -> None:
    class Silent:
        """A page with one field, which it refuses without a message."""

        streaming, headers = False, {"Content-Type": "text/html"}
        content, status_code = b'<form method="post"><input name="slug"></form>', 200

        def get(self, _address: str) -> "Silent":
            return self

        def post(self, _address: str, sent: dict[str, list[str]]) -> "Silent":
            self.status_code = 422 if sent.get("slug") == ["nonsense"] else 302
            return self

    client: Any = Silent()
    assert unexplained(client, ["/en/staff/"]) == ["/en/staff/: slug unknown: 422"]
