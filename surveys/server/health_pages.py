"""Checks of the pages as a browser receives them."""

from __future__ import annotations

import hashlib
import json
import secrets
from collections.abc import Iterator, Mapping
from pathlib import Path
from types import MappingProxyType
from urllib.parse import urlsplit

from django.conf import settings
from django.urls import reverse

from surveys.models import Survey, Version
from surveys.respondent.client_documents import digest_in_link, documents_of
from surveys.respondent.client_program import client, releases_of
from surveys.server.health import CheckContext, Diagnosis, failure, ok, warning
from surveys.server.launch import allowed_host
from surveys.watch.comparison import compare
from surveys.watch.download import BROWSERS, Answer, Watched, fetch

SECONDS_TO_ANSWER = 10.0
MOST_SURVEYS = 20
NO_HEADERS: Mapping[str, str] = MappingProxyType({})
# An origin that cannot exist.
NOBODY = "https://nobody.invalid"
GIVE_ADDRESS = "Give the address of the web server: sottovoce doctor --address https://..."


def get(
    context: CheckContext, path: str, *, method: str = "GET", headers: Mapping[str, str] = NO_HEADERS
) -> Answer:
    """Fetch a page.

    Raises
    ------
    OSError
        The server does not answer.
    """
    # For the type checker: the checks test this first.
    assert context.address is not None  # nosec B101
    url = context.address.rstrip("/") + path
    said = dict(headers)
    if urlsplit(context.address).hostname in {"localhost", "127.0.0.1", "::1"}:
        said["Host"] = allowed_host()
        if settings.HTTPS:
            # Marks the request as forwarded by a proxy over HTTPS.
            said["X-Forwarded-Proto"] = "https"
    return fetch(url, said, method=method, seconds=SECONDS_TO_ANSWER)


def respondents_are_protected_by_their_page(context: CheckContext) -> Iterator[Diagnosis]:
    """Check the respondents' page: content security policy, no cookie, no cached copy, no referrer."""
    promise = "a respondent's page sends nothing but the sealed answer, and leaves nothing behind"
    if context.address is None:
        yield warning(promise, "no page was fetched", GIVE_ADDRESS)
        return
    # The page is the same at the address of any survey.
    path = reverse("respond:page", args=["any"])
    answer = get(context, path)
    policy = answer.headers.get("Content-Security-Policy", "")
    directives = {part.split()[0]: part.split()[1:] for part in policy.split(";") if part.split()}
    odd = [
        f"{name} {' '.join(directives.get(name, ['is missing']))}"
        for name, wanted in (
            ("default-src", ["'none'"]),
            ("form-action", ["'none'"]),
            ("frame-ancestors", ["'none'"]),
            ("script-src", ["'self'"]),
            ("connect-src", ["'self'"]),
        )
        if directives.get(name) != wanted
    ]
    if answer.headers.get("Set-Cookie"):
        odd.append("a cookie is set")
    if "no-store" not in answer.headers.get("Cache-Control", ""):
        odd.append("caches may keep it")
    if answer.headers.get("Referrer-Policy") != "no-referrer":
        odd.append("the next page learns where one came from")
    if answer.status != 200:
        odd.append(f"status {answer.status}")
    if odd:
        remedy = "Let the proxy pass headers on as they are, and add none; else restore surveys/settings.py."
        yield failure(promise, f"{path}: {'; '.join(odd)}", remedy)
    else:
        yield ok(promise, f"{path}: strict policy, no cookie, no copy")


def the_published_program_is_served(context: CheckContext) -> Iterator[Diagnosis]:
    """Check the digest of the client as a browser fetches it."""
    promise = "browsers get the program whose digest is published"
    ours = client()
    if context.client_digest is not None and context.client_digest != ours.digest:
        seen = f"this installation has {ours.digest}"
        yield failure(promise, seen, "Install the release again, or publish the digest of this one.")
        return
    if context.address is None:
        yield warning(promise, f"{ours.digest}; nothing was fetched", GIVE_ADDRESS)
        return
    whole, odd, closed_to_previews = hashlib.sha256(), [], False
    for file in ours.program:
        answer = get(context, file.url)
        whole.update(answer.body)
        if hashlib.sha256(answer.body).hexdigest() != file.digest:
            odd.append(f"{file.url} ({answer.status})")
        closed_to_previews |= answer.headers.get("Access-Control-Allow-Origin") != "*"
    page = get(context, reverse("respond:page", args=["any"])).body
    whole.update(page.replace(ours.digest.encode(), b"DIGEST"))
    if page != ours.index.content:
        odd.append(ours.index.path)
    if odd or whole.hexdigest() != ours.digest:
        remedy = "Start the web server again, and look at what the proxy serves."
        yield failure(promise, f"other bytes come from {', '.join(odd[:3])}", remedy)
        return
    yield _of_a_release(promise, ours.digest, is_stated=context.client_digest is not None)
    promise = "the preview of a draft, which runs apart from everything else, can load the program"
    if closed_to_previews:
        remedy = "Let the proxy pass Access-Control-Allow-Origin on with /program/ (docs/operators.md)."
        yield warning(promise, "Access-Control-Allow-Origin is missing", remedy)
    else:
        yield ok(promise, "its scripts are open to all origins")


def _of_a_release(promise: str, digest: str, *, is_stated: bool) -> Diagnosis:
    """Look up a digest among those of all releases; a digest given with the command needs no release."""
    releases = releases_of(digest)
    if releases:
        return ok(promise, f"{digest}, {' and '.join(releases)} in the published list")
    if is_stated:
        return ok(promise, f"{digest}, as given; the published list has it for no release")
    seen = f"{digest} is of no release in the published list (manage.py client --published)"
    return warning(
        promise,
        seen,
        "Install a release again; or publish this digest yourself, and give it as --client-digest.",
    )


def browsers_get_the_published_survey(context: CheckContext) -> Iterator[Diagnosis]:
    """Check the open surveys from outside: the page, its files, definition and words."""
    promise = "every kind of browser gets the survey that letters name"
    if context.address is None:
        yield warning(promise, "no page was fetched", GIVE_ADDRESS)
        return
    origin = context.address.rstrip("/")
    manifest = json.loads(client().manifest.content)
    newest = Version.objects.select_related("survey").filter(survey__state=Survey.State.OPEN)
    watched = {version.survey.slug: version for version in newest.order_by("number")}
    for slug, version in list(watched.items())[:MOST_SURVEYS]:
        seen = compare(
            Watched(
                origin=origin,
                survey=slug,
                language=settings.LANGUAGE_CODE,
                is_path=True,
                digest=digest_in_link(documents_of(version).root),
            ),
            manifest,
            browsers=BROWSERS[::2],  # each of them, and each language
            fetch=lambda url, headers: get(context, url.removeprefix(origin), headers=headers),
        )
        if seen.differences:
            remedy = "Look at what the proxy serves and keeps; sottovoce watch says the same from outside."
            yield failure(promise, f"{slug}: {'; '.join(seen.differences[:3])}", remedy)
            return
    yield ok(promise, f"{min(len(watched), MOST_SURVEYS)} of {len(watched)} open surveys, each as built")


def nobody_notes_visits(context: CheckContext) -> Iterator[Diagnosis]:
    """Check that none of our logs records page requests."""
    promise = "no access log is kept"
    if context.address is None:
        yield warning(promise, "no page was fetched", GIVE_ADDRESS)
        return
    mark = secrets.token_hex(16)
    get(context, f"/en/{mark}")
    logs = [path for path in Path(settings.SOTTOVOCE_HOME).rglob("*.log*") if path.is_file()]
    noted = [str(path) for path in logs if mark.encode() in path.read_bytes()]
    if noted:
        seen = f"a visit is noted in {', '.join(noted)}"
        yield failure(promise, seen, "Start the web server without an access log, and delete the log.")
    else:
        yield ok(
            promise, f"not in the {len(logs)} logs of Sottovoce; the proxy's are its operator's to look at"
        )


def pages_of_other_owners_can_send(context: CheckContext) -> Iterator[Diagnosis]:
    """Check that the origins of SOTTOVOCE_CLIENT_ORIGINS, and no others, may read a survey and send an
    answer."""
    promise = "pages that other owners serve can send answers here, where they are named, and no others can"
    origins = list(settings.SOTTOVOCE_CLIENT_ORIGINS)
    if context.address is None:
        yield warning(promise, "nothing was asked", GIVE_ADDRESS)
        return
    odd = [
        f"{path} tells {origin} {'yes' if allowed else 'no'}"
        for origin in (*origins, NOBODY)
        for path, method in ((reverse("submit"), "POST"), (reverse("client:state", args=["-"]), "GET"))
        if (allowed := _is_allowed(context, path, method, origin)) is not (origin in origins)
    ]
    if odd:
        remedy = (
            "Let the proxy pass OPTIONS, Origin and what begins with Access-Control- on as they are, and add "
            "none (docs/operators.md)."
        )
        yield failure(promise, "; ".join(odd), remedy)
    else:
        yield ok(promise, ", ".join(origins) or "SOTTOVOCE_CLIENT_ORIGINS names none")


def _is_allowed(context: CheckContext, path: str, method: str, origin: str) -> bool:
    """Return whether a browser would let a page of an origin send a request, and read the answer."""
    headers = {"Origin": origin, "Access-Control-Request-Method": method}
    answers = [get(context, path, method="OPTIONS", headers=headers), get(context, path, headers=headers)]
    allowed = {answer.headers.get("Access-Control-Allow-Origin") for answer in answers}
    return bool(allowed & {origin, "*"}) if origin == NOBODY else allowed == {origin}


CHECKS = (
    respondents_are_protected_by_their_page,
    the_published_program_is_served,
    browsers_get_the_published_survey,
    nobody_notes_visits,
    pages_of_other_owners_can_send,
)
