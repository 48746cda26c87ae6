"""The addresses of webhooks, below ``staff/``."""

from django.urls import path

from surveys.webhooks import views

urlpatterns = [
    path("surveys/<slug:slug>/webhooks/", views.of_survey, name="of_survey"),
    path("webhooks/", views.of_all, name="of_all"),
    path("webhooks/<int:hook_id>/", views.hook, name="hook"),
    path("webhooks/<int:hook_id>/rotate", views.rotate, name="rotate"),
    path("webhooks/<int:hook_id>/test", views.test, name="test"),
    path("webhooks/<int:hook_id>/end", views.end, name="end"),
    path("webhooks/deliveries/<int:delivery_id>/redeliver", views.redeliver, name="redeliver"),
]
