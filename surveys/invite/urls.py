"""The addresses of invitations, below ``staff/``."""

from django.urls import path

from surveys.invite import views

urlpatterns = [
    path("surveys/<slug:slug>/access", views.access, name="access"),
    path("surveys/<slug:slug>/hand-out/", views.hand_out, name="hand_out"),
    path("surveys/<slug:slug>/invitations/", views.invitations, name="invitations"),
    path("surveys/<slug:slug>/invitations/make", views.make, name="make"),
    path("surveys/<slug:slug>/invitations/revoke", views.revoke, name="revoke"),
]
