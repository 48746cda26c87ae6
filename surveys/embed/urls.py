"""URLs of the pages about other survey tools, below ``staff/``."""

from __future__ import annotations

from django.urls import path

from surveys.accounts.permissions import staff_page
from surveys.embed.file_page import AnswersPage
from surveys.embed.tool_page import script, use

urlpatterns = [
    path("surveys/new/answers", staff_page(AnswersPage.as_view()), name="answers"),
    path("your-tool/", use, name="use"),
    path("your-tool/<str:adapter>", script, name="script"),
]
