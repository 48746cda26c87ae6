"""The addresses of Sotto. Pages carry their language as a prefix; the API and /healthz speak no language."""

from django.conf.urls.i18n import i18n_patterns
from django.contrib import admin
from django.contrib.admin.forms import AdminAuthenticationForm
from django.contrib.auth.views import LoginView, LogoutView
from django.urls import include, path

from surveys.health import healthz
from surveys.home import home
from surveys.respond.api import submit

urlpatterns = [
    path("healthz", healthz, name="healthz"),
    path("api/submissions", submit, name="submit"),
    path("admin/", admin.site.urls),
]

urlpatterns += i18n_patterns(
    path("", home, name="home"),
    path("", include("surveys.respond.urls")),
    path("staff/log-in/", LoginView.as_view(authentication_form=AdminAuthenticationForm), name="login"),
    path("staff/log-out/", LogoutView.as_view(), name="logout"),
    path("staff/", include("surveys.build.urls")),
    path("staff/", include("surveys.invite.urls")),
    path("staff/", include("surveys.report.urls")),
)
