"""The address of estimates from data collected elsewhere, below ``staff/``."""

from django.urls import path

from surveys.elsewhere import views

urlpatterns = [path("elsewhere/", views.elsewhere, name="elsewhere")]
