"""The picture of a map on a shared page."""

from __future__ import annotations

from django.http import Http404, HttpRequest, HttpResponse

from privacy.errors import PrivacyError
from surveys.accounts.shared_pages import SharedContext, shared_page
from surveys.formats.file_responses import picture_file
from surveys.formats.svg import with_note
from surveys.models import SharedPage
from surveys.report.results.places import place_picture
from surveys.report.shared.shared_run import open_run
from surveys.runs.look import look_of
from surveys.runs.look_words import file_mark, look_note
from surveys.runs.scale_question import scale_of


@shared_page(SharedPage.Kind.RESULTS)
def map_picture(_request: HttpRequest, page: SharedContext, question: str) -> HttpResponse:
    """Send the map of a place."""
    run = open_run(page).run
    try:
        drawing = place_picture(scale_of(run, question, "place"))
    except PrivacyError as error:
        raise Http404 from error
    note = look_note(look_of(run))
    return picture_file(
        with_note(drawing, note) if note else drawing,
        f"sottovoce-run-{run.pk}{file_mark(run)}-{question}.svg",
    )
