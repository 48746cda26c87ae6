"""Regenerate all files of golden vectors: `python -m tests.vectors`."""

import os

import django

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "tests.settings")
django.setup()

from tests.vectors.make_vectors import HERE, written  # noqa: E402
from tests.vectors.test_vectors import FILES  # noqa: E402

for file, make in FILES.items():
    (HERE / file).write_text(written(make()), encoding="ascii")
