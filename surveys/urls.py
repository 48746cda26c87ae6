"""URLs of Sottovoce. Pages have their language as a prefix; the API, /live, /ready and /metrics do not."""

from django.conf.urls.i18n import i18n_patterns
from django.contrib.auth.views import LogoutView
from django.urls import URLPattern, URLResolver, path
from django.urls.resolvers import RoutePattern

from surveys.accounts.log_in import LogInView, log_in_by_proxy, openid_back, openid_begin
from surveys.accounts.second_step import SecondStepView
from surveys.admin import site as admin_site
from surveys.embed.frame_pages import frame
from surveys.extension import extensions
from surveys.intake.views import PATH, submit
from surveys.respondent.home import home
from surveys.respondent.survey_state import CLIENT_ADDRESSES
from surveys.respondent.views import guessed, manifest
from surveys.server.health import live, ready
from surveys.server.metrics import metrics

# This page says so if a second factor is missing.
handler403 = "surveys.server.error_pages.forbidden"
# Respondents may see these, so they are in more languages than staff pages.
handler400 = "surveys.server.error_pages.not_understood"
handler404 = "surveys.server.error_pages.not_found"
# Answers 503 instead of 500 if the database is unreachable, because that is not a bug.
handler500 = "surveys.server.error_pages.outage_or_fault"


class LazyResolver(URLResolver):
    """URLs of a package, loaded with the first request or link that may need them."""

    def _populate(self) -> None:
        """Do nothing. Otherwise the first link would load all pages, although links name their package."""


def pages(below: str, urls: str | list[URLPattern], *, name: str) -> URLResolver:
    """Return a package's URLs below a prefix, under its namespace."""
    return LazyResolver(RoutePattern(below, is_endpoint=False), urls, app_name=name, namespace=name)


urlpatterns: list[URLPattern | URLResolver] = [
    path("live", live, name="live"),
    path("ready", ready, name="ready"),
    path("metrics", metrics, name="metrics"),
    path(PATH, submit, name="submit"),
    # Without a language, because providers know one address for all languages.
    path("staff/log-in/provider/back", openid_back, name="openid_back"),
    pages("client/", CLIENT_ADDRESSES, name="client"),
    path("manifest.json", manifest, name="manifest"),
    path("embed/<str:digest>/", frame, name="frame"),
    path("embed/<str:digest>/<path:name>", frame, name="frame_file"),
]

urlpatterns += i18n_patterns(
    path("", home, name="home"),
    path("admin/", admin_site.urls),
    pages("", "surveys.respondent.views", name="respond"),
    pages("shared/", "surveys.report.shared.shared_views", name="shared"),
    path("staff/log-in/", LogInView.as_view(), name="login"),
    path("staff/log-in/code/", SecondStepView.as_view(), name="second_step"),
    path("staff/log-in/provider/", openid_begin, name="openid_begin"),
    path("staff/log-in/proxy/", log_in_by_proxy, name="log_in_by_proxy"),
    path("staff/log-out/", LogoutView.as_view(), name="logout"),
    pages("staff/", "surveys.accounts.urls", name="accounts"),
    pages("staff/", "surveys.authoring.urls", name="authoring"),
    pages("staff/", "surveys.embed.urls", name="embed"),
    pages("staff/", "surveys.respondent.invitation_views", name="invite"),
    pages("staff/", "surveys.report.urls", name="report"),
    pages("staff/", "surveys.report.risk_page.urls", name="audit"),
    pages("staff/", "surveys.report.export.urls", name="export"),
    *(pages("staff/", urls, name=name) for app in extensions() for name, urls in app.pages.items()),
)
# After the languages of pages, because this matches any language.
urlpatterns.append(path("<slug:language>/s/<slug:slug>/", guessed, name="guessed"))
