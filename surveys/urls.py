"""The addresses of Sotto. Pages carry their language as a prefix; the API, /live and /ready have none."""

from django.conf.urls.i18n import i18n_patterns
from django.contrib import admin
from django.contrib.auth.views import LogoutView
from django.urls import URLPattern, URLResolver, include, path

from surveys.accounts.log_in import LogInView
from surveys.accounts.outside import log_in_by_proxy
from surveys.accounts.provider_door import openid_back, openid_begin
from surveys.accounts.second_step import SecondStepView
from surveys.admin import registers as registers  # The records, before the admin says its addresses.
from surveys.doctor.health import live, ready
from surveys.intake.api import PATH, submit
from surveys.report.urls import audit_patterns, shared_patterns
from surveys.respondent.views import clear_device, home, program

# Where a second factor is missing it says so.
handler403 = "surveys.accounts.second_factor_pages.forbidden"

urlpatterns: list[URLPattern | URLResolver] = [
    path("live", live, name="live"),
    path("ready", ready, name="ready"),
    path(PATH, submit, name="submit"),
    path("api/clear", clear_device, name="clear_device"),
    # Providers know one address for all languages.
    path("staff/log-in/provider/back", openid_back, name="openid_back"),
    path("api/v1/", include("surveys.api.urls")),
    path("program/<str:digest>/<str:name>", program, name="program"),
]

urlpatterns += i18n_patterns(
    path("", home, name="home"),
    path("admin/", admin.site.urls),
    path("", include("surveys.respondent.urls")),
    path("shared/", include((shared_patterns, "shared"))),
    path("staff/log-in/", LogInView.as_view(), name="login"),
    path("staff/log-in/code/", SecondStepView.as_view(), name="second_step"),
    path("staff/log-in/provider/", openid_begin, name="openid_begin"),
    path("staff/log-in/proxy/", log_in_by_proxy, name="log_in_by_proxy"),
    path("staff/log-out/", LogoutView.as_view(), name="logout"),
    path("staff/", include("surveys.accounts.urls")),
    path("staff/", include("surveys.authoring.urls")),
    path("staff/", include("surveys.invite.urls")),
    path("staff/", include("surveys.webhooks.urls")),
    path("staff/", include("surveys.report.urls")),
    path("staff/", include((audit_patterns, "audit"))),
    path("staff/", include("surveys.planner.urls")),
    path("staff/", include("surveys.elsewhere.urls")),
    path("staff/", include("surveys.export.urls")),
    path("staff/", include("surveys.deposits.urls")),
)
