"""Open every page that staff can reach from their first page, and note those that fail."""

import json
import re
from collections import Counter
from collections.abc import Iterator
from html import unescape
from math import inf
from typing import Any
from urllib.parse import urlsplit

from django.conf import settings
from django.contrib.auth.models import User
from django.core.signals import got_request_exception
from django.http import StreamingHttpResponse
from django.test import Client
from django.urls import Resolver404, resolve

from surveys.models import Run
from surveys.models.stored_json import MEMBER

FIRST = "/en/staff/"
NOT_OPENED = re.compile(r"/(log-out|static)/|/zh-hans/")


def walk(most: int, *, name: str = "museum", failures: float = inf) -> dict[str, Any]:
    """Follow every link for one account.

    Parameters
    ----------
    most : int
        Pages opened per view and names in the query. Each is about another survey, question or file.
    name : str
        The account.
    failures : float
        Stop after so many pages that failed.

    Returns
    -------
    dict
        ``opened``: the number of pages; ``views``: the names of their views; ``failed``: address and
        status or error of each page that did not answer with 200 or a redirect.
    """
    errors: list[str] = []

    def note(sender: object, request: Any, **_more: object) -> None:
        import traceback

        errors.append(traceback.format_exc().strip().splitlines()[-1])

    got_request_exception.connect(note)
    client = Client(raise_request_exception=False, SERVER_NAME="localhost")
    client.force_login(User.objects.get(username=name))
    surveys = dict(Run.objects.values_list("pk", "survey_id"))
    ahead, seen, views = [FIRST], {_shape(FIRST, surveys)}, set()
    opened, failed, kinds = 0, {}, Counter[tuple[object, ...]]()
    while ahead and len(failed) < failures:
        address = ahead.pop()
        response = client.get(address)
        opened += 1
        views.add(resolve(urlsplit(address).path).view_name)
        is_file = isinstance(response, StreamingHttpResponse)
        content = b"".join(response.streaming_content) if is_file else response.content
        if response.status_code not in (200, 302):
            failed[address] = f"{response.status_code} {errors[-1] if errors else ''}".strip()
            errors.clear()
        if response.status_code == 302:
            found = [response.headers["Location"]]
        elif response.headers["Content-Type"].startswith("text/html"):
            found = list(_links(content.decode("utf-8"), address))
        else:
            found = []
        for link in found:
            shape = _shape(link, surveys)
            if shape is None or shape in seen:
                continue
            seen.add(shape)
            kinds[shape[0], shape[-1]] += 1
            if kinds[shape[0], shape[-1]] <= most:
                ahead.append(link)
    return {"opened": opened, "views": sorted(views), "failed": failed}


def _links(page: str, here: str) -> Iterator[str]:
    for link in re.findall(r'<(?:a|iframe|img|link|source) [^>]*(?:href|src)="([^"#]*)', page):
        link = unescape(link)
        if link.startswith("?"):
            link = urlsplit(here).path + link
        if link.startswith("/") and not link.startswith(settings.STATIC_URL) and not NOT_OPENED.search(link):
            yield link


def _shape(link: str, surveys: dict[int, int]) -> tuple[object, ...] | None:
    """Return what a page is about: view, survey and the names in its query; None if no view has it."""
    parts = urlsplit(link)
    try:
        found = resolve(parts.path)
    except Resolver404:
        return None
    numbers = ("rule_id", "run_id", "object_id")
    about = {name: value for name, value in found.kwargs.items() if name not in numbers}
    if "run_id" in found.kwargs:
        about["survey"] = surveys.get(found.kwargs["run_id"])
    if found.view_name.startswith("admin:"):
        return (found.view_name, ())
    names = tuple(sorted(pair.partition("=")[0] for pair in parts.query.split("&")))
    return (found.view_name, *map(str, found.args), *sorted(map(str, about.items())), names)


RESULTS = ("results", "run", "itemsets", "about")
"""Pages about a run that state its figures."""
MOST_RUNS = 3
"""Runs opened of each format."""


def unlabelled(name: str = "museum") -> dict[str, Any]:
    """Open the results of the newest runs of each stored format, and find figures without n, level or interval.

    Returns
    -------
    dict
        ``formats``: the number of opened runs of each format; ``faults``: by format and page, what
        `tests.fixtures.bare_figures.faults_of_page` finds on pages that do not ask for a new analysis.
    """
    from django.db import connection
    from django.urls import reverse

    from tests.fixtures.bare_figures import faults_of_page

    asks = ("An earlier version of Sottovoce made these figures", "Made by an earlier version: analyse again")
    client = Client(raise_request_exception=False, SERVER_NAME="localhost")
    client.force_login(User.objects.get(username=name))
    with connection.cursor() as cursor:
        cursor.execute("SELECT id, summary FROM surveys_run ORDER BY id DESC")
        stored = [(pk, json.loads(text)) for pk, text in cursor.fetchall()]
    opened, faults = Counter[int](), dict[str, list[str]]()
    for pk, summary in stored:
        number = summary.get(MEMBER, 1)
        if opened[number] >= MOST_RUNS or not summary.get("results"):
            continue
        opened[number] += 1
        for page in RESULTS:
            response = client.get(reverse(f"report:{page}", kwargs={"run_id": pk}))
            text = response.content.decode()
            if response.status_code != 200:
                faults[f"format {number}, run {pk}: {page}"] = [str(response.status_code)]
            elif not any(said in text for said in asks) and (own := faults_of_page(f"report:{page}", text)):
                faults[f"format {number}, run {pk}: {page}"] = own
    return {"formats": {str(number): n for number, n in opened.items()}, "faults": faults}
