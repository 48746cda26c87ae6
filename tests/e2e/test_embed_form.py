"""Adapters send the frame's line with a form, or store it in a tool's field."""

from urllib.parse import parse_qs, urlsplit

import pytest
from playwright.sync_api import expect

from surveys.embed.adapter_scripts import adapter_text
from surveys.embed.answer_string import answer_string_read
from surveys.embed.reading import file_read
from tests.e2e.framed import HOST, Framed
from tests.fixtures.embed_frames import three
from tests.fixtures.host_files import csv_of, host_file


@pytest.mark.soak
def test_a_plain_form_sends_the_string_and_its_file_is_readable(device):
    here = Framed(context=device(), document=three())
    page = """<form method="post" action="/sent"><label>Faculty <input name="faculty"></label>
        <div data-sottovoce="%s" data-name="protected" data-required></div><button>Send</button></form>"""
    sent = hosted(here, page % here.below, "form.js")
    here.page.get_by_label("Faculty").fill("Law")
    # Nothing is sent before the frame is answered.
    here.page.get_by_role("button", name="Send").press("Enter")
    assert sent == []
    here.answer("Yes", "No", "Yes").press("Disguise")
    expect(here.frame.get_by_role("heading", name="Done. You can no longer change it.")).to_be_visible()
    press_when_filled(here, "Send")
    expect(here.page.get_by_text("Thank you")).to_be_visible()
    # If the tool refuses another field and shows the form again, the frame fills in the same line.
    here.page.goto(f"{HOST}/")
    press_when_filled(here, "Send")
    expect(here.page.get_by_text("Thank you")).to_be_visible()
    # The survey's last page ends that.
    last = (
        f'<div data-sottovoce="{here.below}" data-complete hidden></div><script src="/adapter.js"></script>'
    )
    here.context.route(f"{HOST}/last", lambda route: route.fulfill(body=last, content_type="text/html"))
    here.page.goto(f"{HOST}/last")
    here.page.frames[1].wait_for_function("() => Object.values(localStorage).join() === ''")
    # After that, someone who starts the survey again can send it without a line.
    here.page.goto(f"{HOST}/")
    here.page.locator("[data-sottovoce]:not([data-required])").wait_for()
    here.page.get_by_role("button", name="Send").press("Enter")
    expect(here.page.get_by_text("Thank you")).to_be_visible()
    form, again, empty = sent
    assert form["faculty"] == ["Law"]
    assert form["protected"] == again["protected"]
    assert "protected" not in empty
    raw = csv_of(["faculty", "protected"], [[form["faculty"][0], form["protected"][0]]])
    assert file_read(host_file("form.csv", raw), {here.digest: here.definition}).n == 1


@pytest.mark.soak
def test_a_frame_that_was_hidden_at_first_gets_a_height_and_later_the_measured_one(device):
    """A frame without a layout has no height. Its host would make it invisible for good."""
    here = Framed(context=device(), document=three())
    page = """<div id="later" style="display: none">
        <form><div data-sottovoce="%s" data-name="protected"></div></form></div>"""
    hosted(here, page % here.below, "form.js", waits=False)
    high = "() => document.querySelector('iframe').style.blockSize"
    here.page.wait_for_function(f"({high})() !== '60rem'")
    assert here.page.evaluate(high) == "900px"
    here.page.evaluate("() => { document.getElementById('later').style.display = 'block'; }")
    here.page.wait_for_function(f"({high})() !== '900px'")
    measured = here.frame.locator("main").evaluate("node => node.offsetHeight")
    assert measured <= float(here.page.evaluate(high).removesuffix("px")) < 2 * measured
    here.answer("Yes", "No", "Yes").press("Disguise")
    here.page.wait_for_function("() => document.querySelector('[name=protected]').value")


# Text fields in the markup of LimeSurvey and REDCap; for REDCap, the frame is at the end of the page.
FIELDS = {
    "limesurvey": """<div id="question5" class="question-container"><div class="question-text">
        <div data-sottovoce="%s" data-fills="#answer12X3X5"></div></div>
        <input class="form-control" type="text" id="answer12X3X5" name="12X3X5" value=""></div>""",
    "redcap": """<table><tr sq_id="protected"><td><input type="text" name="protected"></td></tr></table>
        <div data-sottovoce="%s" data-fills="[name=&quot;protected&quot;]"></div>""",
}


@pytest.mark.soak
def test_an_existing_field_or_the_address_gets_the_string(device):
    context = device()
    for tool, markup in FIELDS.items():
        here = Framed(context=context, document=three(slug=tool))
        page = f"<form method='post' action='/sent'>{markup % here.below}<button>Send</button></form>"
        sent = hosted(here, page, "form.js")
        field = here.page.locator("input[type=text]")
        expect(field).to_be_hidden()
        here.page.evaluate(
            "() => addEventListener('change', ({target}) => { window.changed = target.name; })"
        )
        here.answer("Yes", "No", "Yes").press("Disguise")
        here.page.wait_for_function("() => document.querySelector('input[type=text]').value")
        assert here.page.evaluate("() => changed") == field.get_attribute("name")
        here.page.get_by_role("button", name="Send").press("Enter")
        expect(here.page.get_by_text("Thank you")).to_be_visible()
        (form,) = sent
        (value,) = form.values()
        answer_string_read(value[0])
    # A form that continues passes the line in the address.
    here = Framed(context=context, document=three())
    page = """<form method="get" action="/survey">
        <div data-sottovoce="%s" data-name="protected" data-required></div><button>Continue</button></form>"""
    hosted(here, page % here.below, "form.js")
    here.answer("No", "No", "Yes").press("Disguise")
    press_when_filled(here, "Continue")
    here.page.wait_for_url("**/survey?*")
    answer_string_read(parse_qs(urlsplit(here.page.url).query)["protected"][0])


# A fake of Qualtrics' question API, limited to what is documented.
QUALTRICS = """<div id="QID1"></div><button id="NextButton">Next</button><script>
window.embedded = {};
window.Qualtrics = {SurveyEngine: {
  setJSEmbeddedData: (name, value) => { embedded[`__js_${name}`] = value; },
  addOnload: (work) => work.call({
    getQuestionContainer: () => document.getElementById("QID1"),
    hideNextButton: () => { document.getElementById("NextButton").hidden = true; },
    showNextButton: () => { document.getElementById("NextButton").hidden = false; },
  }),
}};
</script>"""


@pytest.mark.soak
def test_qualtrics_stores_the_string_as_embedded_data(device):
    here = Framed(context=device(), document=three())
    hosted(here, QUALTRICS, "qualtrics.js", ("https://sottovoce.uni.example/DIGEST/", here.below))
    expect(here.page.get_by_role("button", name="Next")).to_be_hidden()
    here.answer("Yes", "Yes", "Yes").press("Disguise")
    expect(here.page.get_by_role("button", name="Next")).to_be_visible()
    answer_string_read(here.page.evaluate("() => embedded.__js_protected"))


def press_when_filled(here, name):
    here.page.wait_for_function("() => document.querySelector('[name=protected]').value")
    here.page.get_by_role("button", name=name).press("Enter")


def hosted(here, page, adapter, *changes, waits=True):
    """Open a host's page with an adapter, and by default wait for the frame; return the page's requests."""
    sent = []
    script = adapter_text(adapter)
    for before, after in changes:
        assert before in script
        script = script.replace(before, after)

    def serve(route):
        if route.request.url.endswith("/adapter.js"):
            route.fulfill(body=script, content_type="text/javascript")
        elif route.request.method == "POST":
            sent.append(parse_qs(route.request.post_data))
            route.fulfill(body="<p>Thank you</p>", content_type="text/html")
        else:
            body = (
                f'<!doctype html><html lang="en"><title>Host</title>{page}<script src="/adapter.js"></script>'
            )
            route.fulfill(body=body, content_type="text/html")

    here.context.route(f"{HOST}/**", serve)
    here.open()
    if waits:
        here.frame.get_by_role("button", name="Start").wait_for()
    return sent
