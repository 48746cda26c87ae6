"""URLs of accounts, below ``staff/``."""

from django.urls import path

from surveys.accounts import (
    audit_log,
    hand_over,
    own_account,
    provider_pages,
    second_factor_pages,
    token_pages,
    views,
    way_pages,
)

urlpatterns = [
    path("account/", own_account.account, name="account"),
    path("account/view", own_account.expert_view, name="expert_view"),
    path("account/way/", way_pages.way, name="way"),
    path("account/way/seen", way_pages.dismiss_way, name="dismiss_way"),
    path("account/second-factor/", second_factor_pages.second_factor, name="second_factor"),
    path("account/second-factor/begin", second_factor_pages.begin, name="second_factor_begin"),
    path("account/second-factor/confirm", second_factor_pages.confirm, name="second_factor_confirm"),
    path("account/second-factor/codes", second_factor_pages.recovery_codes, name="recovery_codes"),
    path("account/second-factor/off", second_factor_pages.off, name="second_factor_off"),
    path("account/provider", provider_pages.connect, name="provider_connect"),
    path("account/tokens/", token_pages.tokens, name="tokens"),
    path("account/tokens/<int:token_id>/end", token_pages.end, name="token_end"),
    path("account/sessions/<int:session_id>/end", own_account.end_session, name="end_session"),
    path("account/sessions/end-elsewhere", own_account.end_elsewhere, name="end_elsewhere"),
    path("set-password/<uidb64>/<token>/", own_account.SetPasswordView.as_view(), name="set_password"),
    path("people/", views.people, name="people"),
    path("people/invite", views.invite, name="invite"),
    path("people/unlock-all", views.unlock_all, name="unlock_all"),
    path("people/<int:user_id>/", views.person, name="person"),
    path("people/<int:user_id>/link", views.link, name="link"),
    path("people/<int:user_id>/stop", views.stop, name="stop"),
    path("people/<int:user_id>/resume", views.resume, name="resume"),
    path("people/<int:user_id>/let-in", views.let_in, name="let_in"),
    path("people/<int:user_id>/provider", provider_pages.allow, name="provider_allow"),
    path("people/<int:user_id>/provider-forget", provider_pages.forget, name="provider_forget"),
    path("people/<int:user_id>/second-factor-off", views.second_factor_off, name="take_second_factor_off"),
    path("surveys/<slug:slug>/owner", hand_over.owner, name="owner"),
    path("log/", audit_log.log, name="log"),
    path("log.csv", audit_log.log_csv, name="log_csv"),
]
