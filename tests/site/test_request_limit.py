"""A form with a file says that it is too large before it sends it; the refusal is a page of the site."""

from pathlib import Path

from surveys.server.whole_requests import MOST_REQUEST_BYTES

TEMPLATES = Path(__file__).resolve().parents[2] / "templates"


def test_each_form_with_a_file_has_the_limit_of_a_request_or_a_progress_bar() -> None:
    parts = ("partials/request_limit.html", "partials/upload.html")
    forms = [
        (path.relative_to(TEMPLATES).as_posix(), piece.partition("</form>")[0])
        for path in TEMPLATES.rglob("*.html")
        for piece in path.read_text().split('enctype="multipart/form-data"')[1:]
    ]
    assert len(forms) >= 6
    assert [name for name, form in forms if not any(part in form for part in parts)] == []


def test_the_limit_on_the_page_is_that_of_the_server() -> None:
    page = (TEMPLATES / "partials/request_limit.html").read_text()
    assert f'data-request-limit="{MOST_REQUEST_BYTES}"' in page
