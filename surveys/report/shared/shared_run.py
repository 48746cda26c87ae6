"""The run whose results are shared."""

from __future__ import annotations

from django.http import Http404

from surveys.accounts.shared_pages import SharedContext
from surveys.report.opened_run import OpenedRun, with_results


def open_run(page: SharedContext) -> OpenedRun:
    """Return the run whose results are shared; 404 if they may not be shown."""
    if page.link.run is None:
        raise Http404
    return with_results(page.link.run)
