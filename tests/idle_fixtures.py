"""Fixtures that pytest sets up for every test, and that do nothing for most of them.

pytest takes about 50 microseconds for each, so ten of them double the cost of a small test.
"""

from collections.abc import Iterable
from typing import Final

import pytest

_ACTS_IF_MARKED: Final = {
    "_django_db_marker": "django_db",
    "_django_isolate_apps": "django_isolate_apps",
    "_django_set_urlconf": "urls",
    "_template_string_if_invalid_marker": "ignore_template_errors",
}
# No test is a unittest, Django's sites are not among our apps, and ./test has no --fail-on-template-vars.
_NEVER_ACTS: Final = {
    "_django_setup_unittest",
    "_django_clear_site_cache",
    "_fail_for_invalid_template_variable",
}


def leave_out_idle(item: pytest.Item, *, uses_database: bool, others: Iterable[str] = ()) -> None:
    """Remove the automatic fixtures that would do nothing for a test.

    A fixture that another fixture requests need not be in the list of a test: pytest sets it up anyway.

    Parameters
    ----------
    item : pytest.Item
        A test; one without fixtures stays as it is.
    uses_database : bool
        Whether it uses the database; only such a test sends mails.
    others : iterable of str
        More fixtures that do nothing.
    """
    if not isinstance(item, pytest.Function | pytest.DoctestItem):
        return
    names, requested = item.fixturenames, item._fixtureinfo.initialnames
    idle = {*_NEVER_ACTS, *others}
    idle.update(name for name, mark in _ACTS_IF_MARKED.items() if item.get_closest_marker(mark) is None)
    if "live_server" not in names:
        idle.add("_live_server_helper")
    if not uses_database:
        idle.add("_dj_autoclear_mailbox")
        idle.update(set(names) - set(requested))
    item.fixturenames = [name for name in names if name not in idle]
