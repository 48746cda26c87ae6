"""Every address, requested by every kind of user: access, redirect to the log-in page, or refusal.

A new address fails here until it has a line in `ADDRESSES` with its name and, for GET and POST, its
permission check and the status for users who pass. Only "405" means that the view rejects such requests from
all users. Add new URL arguments to `World.arguments`, and the fields of a valid POST to `SENT`. Applications
add theirs in `tests.extensions`.
"""

import copy
import re
from collections.abc import Iterator
from typing import Any, Final

import pytest
from django.conf import settings
from django.contrib.auth.models import AnonymousUser, User
from django.db import transaction
from django.http import HttpRequest, HttpResponseBase, StreamingHttpResponse
from django.test import Client
from django.urls import URLPattern, URLResolver, get_resolver, resolve, reverse
from django.utils import timezone

from surveys.accounts import sessions
from surveys.accounts.page_sharing import page_share
from surveys.accounts.roles import Role, stored_roles
from surveys.models import RuleRow, Run, SharedPage, Survey
from tests.extensions import plugins
from tests.fixtures.runs import answered_version, audited_run, mined_run, published
from tests.fixtures.staff import member

pytestmark = pytest.mark.django_db

# Respondents are "nobody", because they have no account, and their pages set no cookie.
PEOPLE: Final = ("nobody", "outsider", "staff", "owner", "researcher", "reviewer", "administrator")

# Outsiders have an account but are not staff; "staff" have no role; the owner is the researcher who owns the
# survey.
CHECKS: Final = {
    #                nobody   outsider  staff   owner   researcher  reviewer  administrator
    "open":          ("in",    "in",    "in",   "in",   "in",       "in",     "in"),
    "staff":         ("login", "403",   "in",   "in",   "in",       "in",     "in"),
    "builds":        ("login", "403",   "403",  "in",   "in",       "403",    "in"),
    "builder":       ("login", "403",   "403",  "in",   "404",      "403",    "in"),
    "page":          ("login", "403",   "403",  "in",   "404",      "in",     "in"),
    "report":        ("login", "403",   "403",  "in",   "404",      "in",     "in"),
    "reviewer":      ("login", "403",   "403",  "403",  "403",      "in",     "in"),
    "administrator": ("login", "403",   "403",  "403",  "403",      "403",    "in"),
    "analyst":       ("login", "403",   "403",  "in",   "in",       "in",     "in"),
}  # fmt: skip

ADDRESSES: Final[dict[str, tuple[str, str]]] = {
    # for all visitors; the survey is closed, and no worker is running
    "live":                     ("open 200",          "open 405"),
    "ready":                    ("open 503",          "open 405"),
    "metrics":                  ("open 200",          "open 405"),
    "submit":                   ("open 405",          "open 415"),
    "manifest":                 ("open 200",          "open 405"),
    "client:state":             ("open 200",          "open 405"),
    "client:definition":        ("open 404",          "open 405"),
    "client:words":             ("open 404",          "open 405"),
    # no survey tool is configured for frames
    "frame":                    ("open 404",          "open 404"),
    "frame_file":               ("open 404",          "open 404"),
    # for languages that pages do not have; the row's is English
    "guessed":                  ("open 200",          "open 405"),
    "home":                     ("open 200",          "open 405"),
    "login":                    ("open 200",          "open 200"),
    "second_step":              ("open 302",          "open 302"),
    # no provider is configured, and no proxy names a user
    "openid_begin":             ("open 302",          "open 405"),
    "openid_back":              ("open 302",          "open 405"),
    "log_in_by_proxy":          ("open 405",          "open 302"),
    "logout":                   ("open 405",          "open 200"),
    "respond:page":             ("open 200",          "open 405"),
    "respond:page_in":          ("open 200",          "open 405"),
    "respond:pasted":           ("open 302",          "open 405"),
    # for visitors with a shared address; the survey has no number
    "shared:results":           ("open 200",          "open 405"),
    "shared:printed":           ("open 200",          "open 405"),
    "shared:preview":           ("open 404",          "open 405"),
    "shared:risk":              ("open 404",          "open 405"),
    "shared:picture":           ("open 404",          "open 405"),
    # people
    "accounts:account":         ("staff 200",         "staff 422"),
    "accounts:expert_view":     ("405",               "staff 302"),
    "accounts:way":             ("staff 200",         "405"),
    "accounts:dismiss_way":        ("405",               "staff 302"),
    "accounts:tokens":          ("staff 200",         "staff 422"),
    "accounts:token_end":       ("405",               "staff 404"),
    "accounts:second_factor":   ("staff 200",         "405"),
    "accounts:second_factor_begin":   ("405",         "staff 302"),
    "accounts:second_factor_confirm": ("405",         "staff 422"),
    "accounts:recovery_codes":  ("405",               "staff 422"),
    "accounts:second_factor_off":     ("405",         "staff 422"),
    "accounts:take_second_factor_off":("405",         "administrator 409"),
    "accounts:end_session":     ("405",               "staff 404"),
    "accounts:end_elsewhere":   ("405",               "staff 302"),
    "accounts:set_password":    ("open 410",          "open 410"),
    "accounts:people":          ("administrator 200", "405"),
    "accounts:invite":          ("administrator 200", "administrator 422"),
    "accounts:unlock_all":("405",               "administrator 302"),
    "accounts:person":          ("administrator 200", "administrator 422"),
    "accounts:link":            ("405",               "administrator 200"),
    "accounts:stop":            ("405",               "administrator 302"),
    "accounts:resume":          ("405",               "administrator 302"),
    "accounts:let_in":          ("405",               "administrator 302"),
    "accounts:provider_connect":("405",               "staff 404"),
    "accounts:provider_allow":  ("405",               "administrator 409"),
    "accounts:provider_forget": ("405",               "administrator 302"),
    "accounts:owner":           ("administrator 200", "administrator 302"),
    "accounts:log":             ("administrator 200", "405"),
    "accounts:log_csv":         ("administrator 200", "405"),
    "authoring:made_up":        ("builder 200",       "405"),
    "embed:answers":            ("builds 200",        "builds 422"),
    "embed:use":                ("builds 200",        "405"),
    "embed:script":             ("builds 200",        "405"),
    # building
    "authoring:new":                ("builds 200",        "builds 422"),
    "authoring:import_report":      ("builds 302",        "builds 422"),
    "authoring:another_draft":      ("405",               "builds 422"),
    "authoring:builder":            ("builder 200",       "405"),
    "authoring:draft":              ("builder 200",       "405"),
    "authoring:save":               ("405",               "builder 415"),
    "authoring:check":              ("405",               "builder 415"),
    "authoring:rename":             ("405",               "builder 415"),
    "authoring:one_answer":         ("405",               "builder 415"),
    "authoring:preview":            ("builder 200",       "405"),
    "authoring:delete":             ("builder 200",       "builder 409"),
    "authoring:export":             ("builder 200",       "405"),
    "authoring:export_json":        ("builder 200",       "405"),
    "authoring:export_design":      ("builder 200",       "405"),
    "authoring:sentence_file":      ("builder 404",       "405"),
    "authoring:sentences":          ("builder 404",       "builder 404"),
    "authoring:texts":              ("builder 200",       "builder 422"),
    "authoring:back_to_text":       ("builder 200",       "builder 409"),
    "authoring:history":            ("builder 200",       "builder 409"),
    "authoring:plan":               ("builder 200",       "builder 409"),
    "authoring:readable":           ("builder 200",       "builder 409"),
    "authoring:publish":            ("builder 200",       "builder 409"),
    "authoring:neutral_address":    ("405",               "builder 302"),
    "authoring:make_live":          ("405",               "builder 302"),
    "authoring:close":              ("builder 200",       "builder 409"),
    "authoring:delete_survey":      ("administrator 200", "administrator 422"),
    # invitations
    "invite:hand_out":          ("builder 200",       "405"),
    "invite:invitations":       ("builder 200",       "405"),
    "invite:poster":            ("builder 200",       "405"),
    "invite:make":              ("405",               "builder 422"),
    "invite:revoke":            ("405",               "builder 422"),
    # reports
    "report:surveys":           ("staff 200",         "405"),
    "report:survey":            ("page 200",          "405"),
    "report:mine":              ("405",               "report 422"),
    "report:results":           ("report 200",        "405"),
    "report:run":               ("report 200",        "405"),
    "report:itemsets":          ("report 200",        "405"),
    "report:rule_tests":        ("report 200",        "405"),
    "report:printed":           ("report 200",        "405"),
    "report:share":             ("builder 200",       "builder 422"),
    "report:share_end":         ("405",               "builder 302"),
    "report:rule":              ("report 200",        "405"),
    "report:review":            ("reviewer 200",      "405"),
    "report:rule_verdicts":     ("report 200",        "reviewer 422"),
    "report:compare":           ("report 200",        "405"),
    "report:paper":             ("report 200",        "405"),
    "report:regression":        ("report 200",        "405"),
    "report:practice":          ("report 200",        "report 302"),
    "report:weights_csv":       ("report 422",        "405"),
    "report:about":             ("report 200",        "405"),
    "report:progress":          ("report 200",        "405"),
    "report:cancel":            ("405",               "report 302"),
    "report:answer":            ("405",               "report 302"),
    "report:rules_file":        ("report 200",        "405"),
    "report:api_description":   ("staff 200",         "405"),
    "report:surveys_json":      ("staff 200",         "405"),
    "report:runs_json":         ("report 200",        "405"),
    "report:itemsets_csv":      ("report 200",        "405"),
    # the survey has no number or place
    "report:number":            ("report 404",        "405"),
    "report:number_file":       ("report 422",        "405"),
    # the request has no comparison
    "report:compare_file":      ("report 422",        "405"),
    "report:place":             ("report 404",        "405"),
    "report:place_file":        ("report 422",        "405"),
    "audit:risk":               ("builder 200",       "builder 422"),
    "audit:draft":              ("builder 200",       "405"),
    "audit:run":                ("report 200",        "405"),
    "audit:run_json":           ("report 200",        "405"),
    "export:data":              ("report 200",        "report 422"),
    "export:rows":              ("report 200",        "405"),
    "export:documents":         ("builder 200",       "builder 422"),
}  # fmt: skip
for _plugin in plugins():
    ADDRESSES |= _plugin.ADDRESSES

SENT: Final[dict[str, dict[str, Any]]] = {
    "authoring:new": {"make": "1"},
}


class World:
    """A survey with a finished run, and a user for each column of `CHECKS`."""

    def __init__(self, run: Run | None = None, *, reviewer: tuple[Role, ...] = (Role.REVIEWER,)) -> None:
        self.run: Run = run or audited_run(mined_run(answered_version()))
        people = {
            "outsider": User.objects.create_user("outsider"),
            "staff": member("staff"),
            "owner": member("owner", Role.RESEARCHER),
            "researcher": member("researcher", Role.RESEARCHER),
            "reviewer": member("reviewer", *reviewer),
            "administrator": member("administrator", Role.ADMINISTRATOR),
        }
        Survey.objects.filter(pk=self.run.survey_id).update(owner=people["owner"])
        rule = RuleRow.objects.filter(run=self.run).order_by("pk").first()
        assert rule is not None, "a run without rules has no page of a rule"
        shared, secret = page_share(
            self.run.survey, SharedPage.Kind.RESULTS, run=self.run, days=7, by="owner", now=timezone.now()
        )
        self.arguments = {
            "slug": self.run.survey.slug,
            # Its draft has no language besides English, so there is no page of sentences.
            "tag": "zh-hans",
            "language": "en",
            "run_id": self.run.pk,
            "rule_id": rule.pk,
            "question": "age",
            "user_id": people["researcher"].pk,
            "uidb64": "MQ",
            "token": "none",
            "secret": secret,
            "shared_id": shared.pk,
            "session_id": 0,
            "token_id": 0,
            "number": 1,
            "digest": "0" * 64,
            "name": "respond.js",
            "adapter": "form.js",
            "ending": "csv",
            "kind": "xml",
            "file": "histogram.csv",
            "table": "leak",
            "text": "workplace).",
        }
        for plugin in plugins():
            self.arguments |= plugin.arguments(people["owner"])
        self.sessions = {"nobody": ""}
        self.people = {}
        for name, user in people.items():
            client = Client()
            client.force_login(user)
            self.sessions[name] = client.cookies["sessionid"].value
            # Load the roles, as permission checks do.
            stored_roles(user)
            self.people[self.sessions[name]] = user
        self.server = Client().handler

    def browser(self, who: str) -> Client:
        """Return a new browser with a user's session; a log-out in another browser does not affect it."""
        client = Client(raise_request_exception=False)
        # Share one handler, whose middleware is loaded once.
        client.handler = self.server
        if self.sessions[who]:
            client.cookies["sessionid"] = self.sessions[who]
        return client

    def look(self, who: str, address: str) -> str:
        """Return the text that a user sees at an address."""
        response = self.browser(who).get(address, follow=True)
        return (
            "" if isinstance(response, StreamingHttpResponse) else response.content.decode("utf-8", "replace")
        )

    def ask(self, who: str, method: str, address: str, sent: dict[str, Any] | None = None) -> str:
        """Send a request, roll back its effects, and return the outcome."""
        with transaction.atomic():
            response = getattr(self.browser(who), method)(address, sent or {})
            outcome = told(response)
            transaction.set_rollback(True)
        return outcome

    def whose(self, request: HttpRequest, _user: object) -> User | AnonymousUser:
        """Return a session's user as `session_user` does, from cached data."""
        user = self.people.get(request.session.session_key or "")
        return copy.copy(user) if user else AnonymousUser()


def told(response: HttpResponseBase) -> str:
    if isinstance(response, StreamingHttpResponse):
        assert b"".join(response)
    if response.status_code == 302 and response.headers["Location"].startswith("/en/staff/log-in/?next="):
        return "login"
    return str(response.status_code)


def named_patterns(patterns: Any, namespaces: tuple[str, ...] = ()) -> Iterator[tuple[str, URLPattern]]:
    for pattern in patterns:
        if isinstance(pattern, URLResolver):
            inside = (*namespaces, pattern.namespace) if pattern.namespace else namespaces
            yield from named_patterns(pattern.url_patterns, inside)
        else:
            yield ":".join((*namespaces, pattern.name or "without a name")), pattern


def everywhere() -> dict[str, URLPattern]:
    return dict(named_patterns(get_resolver().url_patterns))


def expected(line: str) -> dict[str, str]:
    """Return each user's outcome for a line such as "report 200", the status for users who pass the check."""
    name, _blank, status = line.rpartition(" ")
    if not name:
        return {"nobody": "login", "outsider": "403"} | dict.fromkeys(PEOPLE[2:], status)
    outcomes = zip(PEOPLE, CHECKS[name], strict=True)
    return {who: status if outcome == "in" else outcome for who, outcome in outcomes}


def test_the_role_table_lists_exactly_the_existing_urls() -> None:
    assert {name for name in everywhere() if not name.startswith("admin:")} == set(ADDRESSES)


def test_every_user_gets_what_their_roles_allow_at_every_address(monkeypatch: pytest.MonkeyPatch) -> None:
    """Users of sessions are cached, which saves a third of the time; accounts/test_sessions.py tests them."""
    world, wrong = World(), []
    monkeypatch.setattr(sessions, "session_user", world.whose)
    for name, pattern in everywhere().items():
        if name not in ADDRESSES:
            continue
        arguments = {part: world.arguments[part] for part in pattern.pattern.converters}
        address = reverse(name, kwargs=arguments)
        for method, line in zip(("get", "post"), ADDRESSES[name], strict=True):
            sent = SENT.get(name) if method == "post" else None
            for who, outcome in expected(line).items():
                got = world.ask(who, method, address, sent)
                if got != outcome:
                    wrong.append(f"{method} {name}: {who} gets {got}, not {outcome}")
    assert not wrong, "\n".join(wrong)


@pytest.mark.soak
def test_no_link_or_form_leads_its_user_to_a_refusal() -> None:
    """Every user follows all links, recursively, from their first page."""
    world, wrong = World(), []
    for who in PEOPLE[2:]:
        ahead, seen = ["/en/staff/"], {("get", "/en/staff/")}
        while ahead:
            here = ahead.pop()
            page = world.look(who, here)
            for method, address in offered(page):
                shape = (method, re.sub(r"\d+", "1", address))
                name = resolve(address).view_name
                if shape in seen or name not in ADDRESSES:
                    continue
                seen.add(shape)
                outcome = expected(ADDRESSES[name][method == "post"])[who]
                if outcome in ("login", "403", "404", "405"):
                    wrong.append(f"{who}: {here} offers {method} {address}")
                elif method == "get":
                    ahead.append(address)
        assert len(seen) > 2, f"{who} walked nowhere"
    assert not wrong, "\n".join(wrong)


def offered(page: str) -> Iterator[tuple[str, str]]:
    """Yield a page's links and forms, as methods and addresses without queries."""
    for link in re.findall(r'<a [^>]*href="(/[^"?#]*)', page):
        # Static files are for everyone, and no view serves them.
        if link.startswith(settings.STATIC_URL):
            continue
        # Visit each page in one language only.
        yield "get", re.sub("^/zh-hans/", "/en/", link)
    for form in re.findall(r"<form [^>]*>", page):
        found = re.search(r'action="(/[^"?#]*)', form)
        if found and 'method="post"' in form:
            yield "post", found[1]


def test_respondent_pages_are_identical_for_all_users_and_ignore_cookies() -> None:
    address = reverse("respond:page", args=[published("open").survey.slug])
    pages = set()
    for user in (None, User.objects.create_user("outsider"), *(member(role.value, role) for role in Role)):
        client = Client()
        if user is not None:
            client.force_login(user)
        response = client.get(address)
        assert "Set-Cookie" not in response.headers
        assert "cookie" not in response.headers.get("Vary", "").lower()
        pages.add((response.status_code, response.content))
    assert len(pages) == 1


@pytest.mark.soak
def test_only_administrators_can_open_the_records() -> None:
    world, wrong = World(), {}
    values = {
        "content_type_id": "1",
        "object_id": str(world.run.survey_id),
        "app_label": "surveys",
        "url": "x",
    }
    for name, pattern in everywhere().items():
        if not name.startswith("admin:"):
            continue
        if name.endswith("without a name"):
            # A record's page in the admin, and an address that does not exist.
            addresses = ["/en/admin/surveys/survey/1/", "/en/admin/nothing"]
        else:
            needed = [
                part
                for part in values
                if f"<{part}>" in str(pattern.pattern) or f":{part}>" in str(pattern.pattern)
            ]
            addresses = [reverse(name, kwargs={part: values[part] for part in needed})]
        for address in addresses:
            for method in ("get", "post"):
                got = {who: world.ask(who, method, address) for who in PEOPLE}
                let_in = got.pop("administrator")
                refused = {"nobody": "login"} | dict.fromkeys(PEOPLE[1:-1], "403")
                if got != refused or let_in in ("login", "500"):
                    wrong[f"{method} {address}"] = got | {"administrator": let_in}
    assert wrong == {}


def test_only_submissions_are_exempt_from_csrf_protection() -> None:
    exempt = [name for name, view in everywhere().items() if getattr(view.callback, "csrf_exempt", False)]
    assert exempt == ["submit"]
