"""The adapter of a plain form: the line of text is sent with the form, and read back from what was sent."""

from __future__ import annotations

from urllib.parse import parse_qs

from playwright.sync_api import expect

from surveys.embed import adapters
from surveys.embed.host_file import host_file
from surveys.embed.reading import file_read
from tests.cast.frames import three
from tests.cast.host_files import csv_of
from tests.e2e.framed import HOST, Framed

PAGE = """<!doctype html><html lang="en"><head><title>Form</title></head><body>
<form method="post" action="/sent"><label>Faculty <input name="faculty"></label>
<div data-sotto="%s" data-name="protected" data-required></div><button>Send</button></form>
<script src="/form.js"></script></body></html>"""


def test_a_plain_form_sends_the_line_and_the_file_is_read_back(device):
    here = Framed(context=device(), document=three())
    sent = []

    def serve(route):
        if route.request.url.endswith("/form.js"):
            route.fulfill(body=adapters.text_of("form.js"), content_type="text/javascript")
        elif route.request.method == "POST":
            sent.append(parse_qs(route.request.post_data))
            route.fulfill(body="<p>Thank you</p>", content_type="text/html")
        else:
            route.fulfill(body=PAGE % here.below, content_type="text/html")

    here.context.route(f"{HOST}/**", serve)
    here.page = here.context.new_page()
    here.page.goto(f"{HOST}/")
    here.page.get_by_label("Faculty").fill("Law")
    here.frame.get_by_role("button", name="Start").wait_for()
    # Not yet answered: nothing is sent.
    here.page.get_by_role("button", name="Send").press("Enter")
    assert sent == []
    here.answer("Yes", "No", "Yes").press("Disguise")
    expect(here.frame.get_by_role("heading", name="Done. It cannot be changed.")).to_be_visible()
    here.page.wait_for_function("() => document.querySelector('[name=protected]').value")
    here.page.get_by_role("button", name="Send").press("Enter")
    expect(here.page.get_by_text("Thank you")).to_be_visible()
    (form,) = sent
    assert form["faculty"] == ["Law"]
    raw = csv_of(["faculty", "protected"], [[form["faculty"][0], form["protected"][0]]])
    assert file_read(host_file("form.csv", raw), [here.definition]).n == 1
