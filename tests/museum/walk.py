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
from django.db import connection
from django.http import StreamingHttpResponse
from django.test import Client
from django.urls import Resolver404, resolve, reverse

from surveys.models import Run
from surveys.models.stored_json import MEMBER
from surveys.runs.opening_figures import STATES_METHODS

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
ASKS = ("An earlier version of Sottovoce made these figures", "Made by an earlier version: analyse again")


def unlabelled(name: str = "museum") -> dict[str, Any]:
    """Open the newest runs of each format whose stored figures lack their method and n.

    Returns
    -------
    dict
        ``asked``: by format, the number of pages that ask for a new analysis; ``silent``: the format, run and
        name of each page that does not, with its status.
    """
    client = Client(raise_request_exception=False, SERVER_NAME="localhost")
    client.force_login(User.objects.get(username=name))
    with connection.cursor() as cursor:
        cursor.execute("SELECT id, summary FROM surveys_run ORDER BY id DESC")
        stored = [(pk, json.loads(text)) for pk, text in cursor.fetchall()]
    opened, asked, silent = Counter[int](), Counter[int](), list[tuple[int, int, str, int]]()
    for pk, summary in stored:
        number, results = summary.get(MEMBER, 1), summary.get("results")
        if opened[number] >= MOST_RUNS or not results or results.get(STATES_METHODS):
            continue
        opened[number] += 1
        for page in RESULTS:
            response = client.get(reverse(f"report:{page}", kwargs={"run_id": pk}))
            if response.status_code == 200 and any(said in response.content.decode() for said in ASKS):
                asked[number] += 1
            else:
                silent.append((number, pk, page, response.status_code))
    return {"asked": {str(number): pages for number, pages in asked.items()}, "silent": silent}
