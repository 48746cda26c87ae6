"""Pages about frames in other survey tools."""

from django.urls import path

from surveys.accounts.permissions import staff_page
from surveys.embed.pages import AnswersPage, script, use

urlpatterns = [
    path("surveys/new/answers", staff_page(AnswersPage.as_view()), name="answers"),
    path("your-tool/", use, name="use"),
    path("your-tool/<str:adapter>", script, name="script"),
]
