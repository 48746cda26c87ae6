"""Every module has its test: of its own name, one that imports it, or one that reaches it from outside."""

from __future__ import annotations

import re

from tests.reach import ROOMS, imported, is_test, texts, twin

FOUND_BY_DJANGO = {"urls.py", "apps.py", "asgi.py", "wsgi.py"}

WHOLE = {"privacy/catalogue", "surveys/errors/catalogue", "releases/refusals", "trials/refusals.py"}
"""Sentences alone, all of them tested by one file each."""

REACHED = {
    "tests/surveys/authoring/test_aim_page.py": {"surveys/authoring/ways_on_page.py"},
    "tests/trials/management/test_optimise.py": {"trials/studies/design_search.py"},
    "tests/privacy/sdc/test_box_search.py": {"privacy/sdc/classes_numba.py"},
    "tests/surveys/api/test_openapi.py": {
        "releases/api.py",
        "surveys/api/figures.py",
        "surveys/api/openapi.py",
        "surveys/api/paging.py",
        "surveys/api/records.py",
        "surveys/api/schemas.py",
        "surveys/api/views.py",
    },
    "tests/surveys/api/test_files.py": {"surveys/export/sending.py"},
