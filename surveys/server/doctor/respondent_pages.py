"""Check the pages that respondents receive, as their browsers do."""

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

from privacy.counted_nouns import counted
from surveys.models import Survey, Version
from surveys.respondent.client_documents import documents_of
from surveys.respondent.client_program import client
from surveys.respondent.client_releases import releases_of
from surveys.respondent.survey_digests import digest_in_link
from surveys.server.allowed_host import allowed_host
from surveys.server.doctor.diagnosis import CheckContext, Diagnosis, failure, ok, warning
from surveys.server.doctor.parts import SECONDS_TO_ANSWER
from surveys.watch.download import BROWSERS, Answer, fetch
from surveys.watch.file_comparison import compare
from surveys.watch.target import WatchTarget

MOST_SURVEYS = 20
NO_HEADERS: Mapping[str, str] = MappingProxyType({})
# An origin that cannot exist.
NOBODY = "https://nobody.invalid"
GIVE_ADDRESS = "Give the web server's address: sottovoce doctor --address https://..."


def get(
    context: CheckContext, path: str, *, method: str = "GET", headers: Mapping[str, str] = NO_HEADERS
) -> Answer:
    """Fetch a page.

    Raises
    ------
    OSError
        The server does not answer.
    """
    # The checks test this before they call `get`.
    assert context.address is not None  # noqa: S101  # for the type checker
    url = context.address.rstrip("/") + path
    fields = dict(headers)
    if urlsplit(context.address).hostname in {"localhost", "127.0.0.1", "::1"}:
        fields["Host"] = allowed_host()
        if settings.HTTPS:
            # Mark the request as one that a proxy forwarded from HTTPS.
            fields["X-Forwarded-Proto"] = "https"
    return fetch(url, fields, method=method, seconds=SECONDS_TO_ANSWER)


def respondents_are_protected_by_their_page(context: CheckContext) -> Iterator[Diagnosis]:
    """Check the respondents' page: its content security policy, and no cookie, cached copy or referrer."""
    promise = "the respondents' page sends only sealed answers and leaves no traces"
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
        for name, sources in (
            ("default-src", ["'none'"]),
            ("form-action", ["'none'"]),
            ("frame-ancestors", ["'none'"]),
            ("script-src", ["'self'"]),
            ("connect-src", ["'self'"]),
        )
        if directives.get(name) != sources
    ]
    if answer.headers.get("Set-Cookie"):
        odd.append("a cookie is set")
    if "no-store" not in answer.headers.get("Cache-Control", ""):
        odd.append("caches may store it")
    if answer.headers.get("Referrer-Policy") != "no-referrer":
        odd.append("Referrer-Policy is not no-referrer")
    if answer.status != 200:
        odd.append(f"status {answer.status}")
    if odd:
        remedy = "Let the proxy forward headers unchanged and add none, or restore surveys/settings.py."
        yield failure(promise, f"{path}: {'; '.join(odd)}", remedy)
    else:
        yield ok(promise, f"{path}: strict policy, no cookie, not cached")


def the_published_program_is_served(context: CheckContext) -> Iterator[Diagnosis]:
    """Check the digest of the client that a browser fetches."""
    promise = "browsers receive the published program"
    ours = client()
    if context.client_digest is not None and context.client_digest != ours.digest:
        seen = f"the digest here is {ours.digest}"
        yield failure(promise, seen, "Reinstall the release, or publish this digest.")
        return
    if context.address is None:
        yield warning(promise, f"{ours.digest}; no page was fetched", GIVE_ADDRESS)
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
        remedy = "Restart the web server, and check what the proxy serves."
        yield failure(promise, f"changed: {', '.join(odd[:3])}", remedy)
        return
    yield _release_diagnosis(promise, ours.digest, is_stated=context.client_digest is not None)
    promise = "previews of drafts can load the program"
    if closed_to_previews:
        remedy = "Let the proxy forward Access-Control-Allow-Origin of /program/ (docs/operators.md)."
        yield warning(promise, "Access-Control-Allow-Origin is missing", remedy)
    else:
        yield ok(promise, "all origins can load its scripts")


def _release_diagnosis(promise: str, digest: str, *, is_stated: bool) -> Diagnosis:
    """Report whether a digest belongs to a release. A digest given with the command need not."""
    releases = releases_of(digest)
    if releases:
        return ok(promise, f"{digest}, {' and '.join(releases)} in the published list")
    if is_stated:
        return ok(promise, f"{digest}, as given; no release in the published list has it")
    seen = f"no release in the published list has {digest} ({settings.PROGRAM} client --published)"
    return warning(
        promise, seen, "Reinstall a release, or publish this digest yourself and give it as --client-digest."
    )


def browsers_get_the_published_survey(context: CheckContext) -> Iterator[Diagnosis]:
    """Check open surveys from outside: the page, its files, the definition and the texts."""
    promise = "every browser receives the survey as published"
    if context.address is None:
        yield warning(promise, "no page was fetched", GIVE_ADDRESS)
        return
    origin = context.address.rstrip("/")
    manifest = json.loads(client().manifest.content)
    newest = Version.objects.select_related("survey").filter(survey__state=Survey.State.OPEN)
    by_slug = {version.survey.slug: version for version in newest.order_by("number")}
    for slug, version in list(by_slug.items())[:MOST_SURVEYS]:
        seen = compare(
            WatchTarget(
                origin=origin,
                survey=slug,
                language=settings.LANGUAGE_CODE,
                is_path=True,
                digest=digest_in_link(documents_of(version).root),
            ),
            manifest,
            browsers=BROWSERS[::2],  # half of the pairs: every browser, and every language
            fetch=lambda url, headers: get(context, url.removeprefix(origin), headers=headers),
        )
        if found := [*seen.differences, *seen.unchecked]:
            remedy = "Check what the proxy serves and caches; sottovoce watch checks the same from outside."
            yield failure(promise, f"{slug}: {'; '.join(found[:3])}", remedy)
            return
    yield ok(
        promise, f"{min(len(by_slug), MOST_SURVEYS)} of {counted(len(by_slug), 'open survey')}, unchanged"
    )


def no_log_records_visits(context: CheckContext) -> Iterator[Diagnosis]:
    """Check that none of Sottovoce's logs records page requests."""
    promise = "no log records visits"
    if context.address is None:
        yield warning(promise, "no page was fetched", GIVE_ADDRESS)
        return
    mark = secrets.token_hex(16)
    get(context, f"/en/{mark}")
    logs = [path for path in Path(settings.SOTTOVOCE_HOME).rglob("*.log*") if path.is_file()]
    bad_logs = [str(path) for path in logs if mark.encode() in path.read_bytes()]
    if bad_logs:
        seen = f"a visit was logged in {', '.join(bad_logs)}"
        yield failure(promise, seen, "Restart the web server without an access log, and delete the log.")
    else:
        yield ok(promise, f"none of Sottovoce's {len(logs)} log files does; check the proxy's logs yourself")


def only_listed_origins_can_send(context: CheckContext) -> Iterator[Diagnosis]:
    """Check that only the origins in SOTTOVOCE_CLIENT_ORIGINS may read a survey and send an answer."""
    promise = "only pages of SOTTOVOCE_CLIENT_ORIGINS can send answers from other sites"
    origins = list(settings.SOTTOVOCE_CLIENT_ORIGINS)
    if context.address is None:
        yield warning(promise, "no page was fetched", GIVE_ADDRESS)
        return
    odd = [
        f"{path} {'accepts' if allowed else 'refuses'} {origin}"
        for origin in (*origins, NOBODY)
        for path, method in ((reverse("submit"), "POST"), (reverse("client:state", args=["-"]), "GET"))
        if (allowed := _is_allowed(context, path, method, origin)) is not (origin in origins)
    ]
    if odd:
        remedy = (
            "Let the proxy forward OPTIONS, Origin and all Access-Control- headers unchanged, and add "
            "none (docs/operators.md)."
        )
        yield failure(promise, "; ".join(odd), remedy)
    else:
        yield ok(promise, ", ".join(origins) or "SOTTOVOCE_CLIENT_ORIGINS is empty")


def _is_allowed(context: CheckContext, path: str, method: str, origin: str) -> bool:
    """Return whether a browser would let a page of this origin send a request and read the response."""
    headers = {"Origin": origin, "Access-Control-Request-Method": method}
    answers = [get(context, path, method="OPTIONS", headers=headers), get(context, path, headers=headers)]
    allowed = {answer.headers.get("Access-Control-Allow-Origin") for answer in answers}
    return bool(allowed & {origin, "*"}) if origin == NOBODY else allowed == {origin}


PAGES_CHECKS = (
    respondents_are_protected_by_their_page,
    the_published_program_is_served,
    browsers_get_the_published_survey,
    no_log_records_visits,
    only_listed_origins_can_send,
)
