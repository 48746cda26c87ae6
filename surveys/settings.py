"""Settings, read from the environment only. Values have types, and an unusable value raises an error.

Every variable and its default:

==================================  ========================================================================
SOTTOVOCE_HOME                      folder of all state (default: var/ next to manage.py; of an installed
                                    wheel, XDG_DATA_HOME/sottovoce)
XDG_DATA_HOME                       where programs of this account keep their data (default: ~/.local/share)
SOTTOVOCE_APPS                      applications to switch on besides surveys, separated by commas; empty for
                                    none (default: all that are installed)
SOTTOVOCE_MIXER_KEYS                folder of the keys that open waiting rows; keep it out of every backup
                                    and snapshot (default: SOTTOVOCE_HOME/mixer_keys)
SOTTOVOCE_MIXERS                    names of two hosts, separated by a comma, whose sweepers have copies of
                                    each other's keys; needs PostgreSQL (default: one mixer, no copies)
SOTTOVOCE_STANDBYS                  PostgreSQL standbys that must have replayed before a key is destroyed,
                                    besides those that hold a replication slot (default: 0)
SECRET_KEY                          Django's secret key (default: made once and kept in
                                    SOTTOVOCE_HOME/secret_key, mode 0600)
DATABASE_URL                        address of the database, sqlite:/// or postgres:// (default:
                                    SOTTOVOCE_HOME/sottovoce.sqlite3)
REDIS_URL                           address of the broker (default: that of the installation that runs with
                                    this SOTTOVOCE_HOME, else a local server)
ALLOWED_HOSTS                       host names, separated by commas (default: this machine only)
CSRF_TRUSTED_ORIGINS                origins such as https://survey.example.org, separated by commas
                                    (default: none)
SOTTOVOCE_WEB_THREADS               threads of a web process for respondents, and as many for staff
                                    (default: 4)
SOTTOVOCE_SUBMISSION_RATE           submissions of one survey that a web process accepts per second, and at
                                    once (default: 100,1000)
SOTTOVOCE_SUBMISSION_CAP            largest number of submissions of one survey (default: 1000000)
SOTTOVOCE_SPREAD                    rows from which several workers share a run, and rows of each part
                                    (default: 10000000,2000000)
SOTTOVOCE_RUN_SECONDS               longest working time of a run (default: 3600)
SOTTOVOCE_RUN_MEGABYTES             largest memory of a run in its worker (default: 4096)
SOTTOVOCE_RESEARCHERS_READ_REPORTS  1 lets researchers read the reports of their own surveys; 0 leaves
                                    reports to reviewers and administrators (default: 1)
SOTTOVOCE_EPSILON                   two limits of epsilon, for a protected part, a survey and all waves of a
                                    series. Above the first, publishing warns; above the second, it needs a
                                    written reason (default: 3,6)
SOTTOVOCE_ODDS                      the same for the odds of one question of a part (default: 9,99)
SOTTOVOCE_BACKUP_DAYS               days after which every backup is destroyed; respondents read how long
                                    backups hold deleted answers (default: not stated)
SOTTOVOCE_CLIENT_ORIGINS            origins that may serve the respondents' page of surveys here, such as
                                    https://page.example.org, separated by commas; letters and invitations
                                    name the first (default: none)
SOTTOVOCE_FRAME_HOSTS               origins of survey tools whose pages may show frames, such as
                                    https://survey.uni.example, separated by commas (default: none)
SOTTOVOCE_FRAME_ORIGIN              a second origin of this server that serves frames and nothing else, such
                                    as https://frames.uni.example (default: none, and no frames)
SOTTOVOCE_FRAME_SITE                the domain that these hosts and this origin share, such as uni.example,
                                    if one owner holds it (default: none)
SOTTOVOCE_FRAME_SHARED_DEVICE       1 if several people answer in frames on one device: frames then remember
                                    nothing and say so (default: 0)
SOTTOVOCE_IDLE_MINUTES              minutes without a click after which a staff login ends (default: 60)
SOTTOVOCE_MAIL                      server for mail to administrators: smtp://user:password@host:25,
                                    smtp+starttls:// or smtps:// (default: no mail)
SOTTOVOCE_MAIL_FROM                 sender of these mails (default: sottovoce@ the first of ALLOWED_HOSTS)
SOTTOVOCE_SECOND_FACTOR             who needs a second factor: administrators, exports (everyone who
                                    downloads disguised answers), or both with a comma (default: no one)
SOTTOVOCE_OPENID                    issuer of an OpenID Connect provider for staff logins, such as
                                    https://login.example.org/realms/staff (default: none)
SOTTOVOCE_OPENID_CLIENT             this server's client name at the provider
SOTTOVOCE_OPENID_SECRET             the client's secret (default: none, for a public client)
SOTTOVOCE_LOG_IN_HEADER             header in which the proxy names the user it has logged in, such as
                                    X-Remote-User; only over a Unix socket (default: none)
SOTTOVOCE_HTTPS                     1 behind a proxy that speaks HTTPS: secure cookies, strict transport
                                    (default: 0)
DEBUG                               1 for development only (default: 0)
==================================  ========================================================================
"""

import os
import secrets
import sys
from datetime import timedelta
from pathlib import Path

from csp.constants import NONE, SELF
from django.core.exceptions import ImproperlyConfigured
from django.utils.translation import gettext_lazy as _

from surveys import policy
from surveys.declarations import declarations
from surveys.environment import (
    applications,
    env_bool,
    env_counts,
    env_frame_origin,
    env_hosts,
    env_list,
    env_mixers,
    env_number,
    env_origins,
    env_pair,
    env_path,
    refuse_earlier_names,
)
from surveys.environment_services import (
    broker_url,
    database,
    log_in_header,
    mail_server,
    openid_provider,
    second_factor_for,
)
from surveys.jobs.once_file import made_once
from surveys.typed_program import BASE as BASE_DIR
from surveys.typed_program import IS_CHECKOUT, typed_program, typed_start

refuse_earlier_names()

# Workers and web processes share the cores. Linear algebra in several threads of each would slow all of them.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

# In a checkout, templates and translations are next to the program; in an installed wheel, inside it.
RESOURCES = BASE_DIR if IS_CHECKOUT else BASE_DIR / "surveys"
# What operators type before the name of a command, and to start everything on one machine.
PROGRAM = typed_program()
START = typed_start()

# The doctor only checks an installation. If it created a key, that would hide that the right one is missing.
READS_ONLY = sys.argv[1:2] == ["doctor"]
_REMEDY = "Run this command as the user and with the environment of the services, or restore the backup."


def _default_home() -> Path:
    data = Path(os.environ.get("XDG_DATA_HOME") or "~/.local/share")
    return BASE_DIR / "var" if IS_CHECKOUT else data / "sottovoce"


def home_directory() -> Path:
    """Return SOTTOVOCE_HOME as an absolute path; if it is missing, create it for its owner only."""
    home = env_path("SOTTOVOCE_HOME", _default_home())
    if READS_ONLY and not home.is_dir():
        raise ImproperlyConfigured(f"SOTTOVOCE_HOME is {str(home)!r}, which does not exist. {_REMEDY}")
    try:
        home.mkdir(mode=0o700, parents=True, exist_ok=True)
    except OSError as error:
        raise ImproperlyConfigured(
            f"SOTTOVOCE_HOME is {str(home)!r}, which cannot be made ({error});"
            " name a directory you may write to."
        ) from error
    return home


def secret_key(home: Path) -> str:
    """Return SECRET_KEY, or the key kept in `home`, which is created on first use."""
    value = os.environ.get("SECRET_KEY")
    if value is not None:
        if len(value) < 32:
            raise ImproperlyConfigured(
                f"SECRET_KEY has {len(value)} characters; give at least 32 random ones, or unset it."
            )
        return value
    path = home / "secret_key"
    if READS_ONLY and not path.exists():
        raise ImproperlyConfigured(f"There is no secret key: {path} does not exist. {_REMEDY}")
    key = made_once(path, secrets.token_urlsafe(48))
    if len(key) < 32:
        raise ImproperlyConfigured(
            f"{path} holds {len(key)} characters; delete the file and a key will be made."
        )
    return key


SOTTOVOCE_HOME = home_directory()
SECRET_KEY = secret_key(SOTTOVOCE_HOME)
SOTTOVOCE_MIXER_KEYS = env_path("SOTTOVOCE_MIXER_KEYS", SOTTOVOCE_HOME / "mixer_keys")
SOTTOVOCE_MIXERS = env_mixers()
# How long answers are accepted after a mixer's last sign of life. It bounds the new answers that are lost
# with the mixer's machine.
SOTTOVOCE_VOUCH = timedelta(seconds=10)
SOTTOVOCE_STANDBYS = env_number("SOTTOVOCE_STANDBYS", 0, least=0)
DEBUG = env_bool("DEBUG", False)
HTTPS = env_bool("SOTTOVOCE_HTTPS", False)
SOTTOVOCE_RESEARCHERS_READ_REPORTS = env_bool("SOTTOVOCE_RESEARCHERS_READ_REPORTS", True)
ALLOWED_HOSTS = env_hosts("ALLOWED_HOSTS", ["localhost", "127.0.0.1", "[::1]"])
CSRF_TRUSTED_ORIGINS = env_list("CSRF_TRUSTED_ORIGINS", [])

SOTTOVOCE_BACKUP_DAYS = env_number("SOTTOVOCE_BACKUP_DAYS", 0, least=0)
SOTTOVOCE_CLIENT_ORIGINS = env_origins("SOTTOVOCE_CLIENT_ORIGINS")
SOTTOVOCE_FRAME_HOSTS = env_origins("SOTTOVOCE_FRAME_HOSTS", plain=True)
SOTTOVOCE_FRAME_ORIGIN = env_frame_origin(SOTTOVOCE_FRAME_HOSTS, SOTTOVOCE_CLIENT_ORIGINS)
SOTTOVOCE_FRAME_SITE = os.environ.get("SOTTOVOCE_FRAME_SITE", "").strip()
SOTTOVOCE_FRAME_SHARED_DEVICE = env_bool("SOTTOVOCE_FRAME_SHARED_DEVICE", False)
_MAIL = mail_server()
EMAIL_HOST, EMAIL_PORT = _MAIL["host"], _MAIL["port"]
EMAIL_HOST_USER, EMAIL_HOST_PASSWORD = _MAIL["user"], _MAIL["password"]
EMAIL_USE_TLS, EMAIL_USE_SSL = _MAIL["starttls"], _MAIL["tls"]
EMAIL_TIMEOUT = 10  # seconds, because the sweeper waits for it
DEFAULT_FROM_EMAIL = os.environ.get("SOTTOVOCE_MAIL_FROM") or f"sottovoce@{ALLOWED_HOSTS[0].lstrip('.')}"

DATABASES = {"default": database(SOTTOVOCE_HOME)}
# Limits of epsilon for a protected block, a survey, and the waves of a series. Above the first, publishing
# warns; above the second, it requires a written reason.
EPSILON_CEILING = env_pair("SOTTOVOCE_EPSILON", (policy.EPSILON_WARN, policy.EPSILON_REFUSE))
# Limits of the odds, in the same order: how many times likelier an answer is from someone for whom it is
# true.
ODDS_CEILING = env_pair("SOTTOVOCE_ODDS", (policy.ODDS_WARN, policy.ODDS_REFUSE))

WEB_THREADS = env_number("SOTTOVOCE_WEB_THREADS", 4)
SUBMISSIONS_PER_SECOND, SUBMISSION_BURST = env_counts("SOTTOVOCE_SUBMISSION_RATE", (100, 1000))
# Requests with one token that a web process accepts: per second, and as a burst.
API_PER_SECOND, API_BURST = 5, 100
SUBMISSION_CAP = env_number("SOTTOVOCE_SUBMISSION_CAP", 1_000_000)
SPREAD_FROM, SPREAD_PART = env_counts("SOTTOVOCE_SPREAD", (10_000_000, 2_000_000))
RUN_CANDIDATES = 1_000_000  # most itemsets of one length that a run counts
RUN_SECONDS = env_number("SOTTOVOCE_RUN_SECONDS", 3_600)
RUN_MEGABYTES = env_number("SOTTOVOCE_RUN_MEGABYTES", 4_096)
CELERY_BROKER_URL = broker_url(SOTTOVOCE_HOME)
# Only the parts of a shared run have results. These are empty, and the broker only counts them.
CELERY_RESULT_BACKEND = CELERY_BROKER_URL

SOTTOVOCE_APPS = applications(installed=[each.name for each in declarations(BASE_DIR)])
INSTALLED_APPS = [
    "surveys.apps.SurveysConfig",
    "django.contrib.admin.apps.SimpleAdminConfig",
    *SOTTOVOCE_APPS,
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "django_otp",
    "django_otp.plugins.otp_totp",
    "django_otp.plugins.otp_static",
    "whitenoise.runserver_nostatic",
    "django.contrib.staticfiles",
    "django.forms",
    "csp",
]
FORM_RENDERER = "surveys.form_renderer.FormRenderer"

FILE_UPLOAD_MAX_MEMORY_SIZE = 50_000_000  # No upload is written to disk; bodies are no larger.
# A form for a wide table has several fields for each of 500 columns.
DATA_UPLOAD_MAX_NUMBER_FIELDS = 6_000
FILE_UPLOAD_HANDLERS = ["django.core.files.uploadhandler.MemoryFileUploadHandler"]
MIDDLEWARE = [
    "surveys.embed.frame_pages.FramesOnly",
    "surveys.respondent.views.ProgramFirst",
    "django.middleware.security.SecurityMiddleware",
    "csp.middleware.CSPMiddleware",
    "surveys.intake.views.SubmissionsFirst",
    "surveys.server.middleware.StaffFormsMiddleware",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    # Adds random bytes to each response, so that its length reveals nothing about its contents.
    "django.middleware.gzip.GZipMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.locale.LocaleMiddleware",
    "django.middleware.common.CommonMiddleware",
    # Must come after CommonMiddleware, which sets the length of a page.
    "surveys.server.chinese_sentences.ChineseSentences",
    "django.middleware.csrf.CsrfViewMiddleware",
    # Must come after the check of the form's token, which must be the first to read a form.
    "surveys.server.middleware.LineBreaks",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "surveys.accounts.sessions.StaffSessionMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "surveys.formats.page_pictures.PageFigures",
    "surveys.server.middleware.UnreadableDocuments",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
]

ROOT_URLCONF = "surveys.urls"
WSGI_APPLICATION = "surveys.wsgi.application"

TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [RESOURCES / "templates"],
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
                "surveys.accounts.staff_menu.staff",
                "surveys.formats.other_languages.other_languages",
            ]
        },
    }
]

AUTH_PASSWORD_VALIDATORS = [
    {"NAME": "django.contrib.auth.password_validation.UserAttributeSimilarityValidator"},
    {"NAME": "django.contrib.auth.password_validation.MinimumLengthValidator", "OPTIONS": {"min_length": 12}},
    {"NAME": "django.contrib.auth.password_validation.CommonPasswordValidator"},
]
# How long a link for setting a password is valid.
PASSWORD_RESET_TIMEOUT = 3 * 24 * 3600
# The issuer is the name that authenticator apps show. Django's own throttling is off, because the lock-out
# counts wrong codes in both steps, from all devices. A code is valid for half a minute before and after its
# time.
OTP_TOTP_ISSUER = f"Sottovoce {ALLOWED_HOSTS[0].lstrip('.')}"
OTP_TOTP_SYNC = False
OTP_TOTP_THROTTLE_FACTOR = OTP_STATIC_THROTTLE_FACTOR = 0
SESSION_COOKIE_AGE = 12 * 3600
SECOND_FACTOR_FOR = second_factor_for()
OPENID = openid_provider()
LOG_IN_HEADER = log_in_header()
SESSION_IDLE_MINUTES = env_number("SOTTOVOCE_IDLE_MINUTES", 60)
LOGIN_URL = "login"
LOGIN_REDIRECT_URL = "report:surveys"

LANGUAGE_CODE = "en"
LANGUAGES = [("en", _("English")), ("zh-hans", _("Simplified Chinese"))]
LOCALE_PATHS = [RESOURCES / "locale"]
USE_I18N = True
# Templates group the digits of whole numbers. Identifiers and values of forms need `|unlocalize`.
USE_THOUSAND_SEPARATOR = True
FORMAT_MODULE_PATH = ["surveys.formats.separators"]
USE_TZ = True
TIME_ZONE = "UTC"

STATIC_URL = "/static/"
STATIC_ROOT = SOTTOVOCE_HOME / "static"
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {"BACKEND": "surveys.server.static_files.ManifestStorage"},
}

# Serve the sources directly until static files have been collected.
WHITENOISE_USE_FINDERS = DEBUG or not (STATIC_ROOT / "staticfiles.json").exists()

# The strictest policy is the default everywhere; StaffFormsMiddleware lets named staff pages send forms.
CONTENT_SECURITY_POLICY = {
    "DIRECTIVES": {
        "default-src": [NONE],
        "script-src": [SELF],
        "style-src": [SELF],
        "img-src": [SELF],
        "connect-src": [SELF],
        "base-uri": [NONE],
        "frame-ancestors": [NONE],
        "form-action": [NONE],
    }
}
SECURE_REFERRER_POLICY = "no-referrer"
X_FRAME_OPTIONS = "DENY"
SESSION_COOKIE_SECURE = CSRF_COOKIE_SECURE = HTTPS
SESSION_COOKIE_HTTPONLY = CSRF_COOKIE_HTTPONLY = True
SESSION_COOKIE_SAMESITE = CSRF_COOKIE_SAMESITE = "Lax"
SECURE_HSTS_SECONDS = 31_536_000 if HTTPS else 0
SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https") if HTTPS else None

# There is no access log, so neither accepted nor refused requests leave a trace. Only bugs are logged.
LOGGING = {
    "version": 1,
    "disable_existing_loggers": False,
    "formatters": {"plain": {"format": "%(levelname)s %(name)s: %(message)s"}},
    "filters": {"faults": {"()": "surveys.server.outages.FaultsOnly"}},
    "handlers": {"console": {"class": "logging.StreamHandler", "formatter": "plain"}},
    "root": {"handlers": ["console"], "level": "WARNING"},
    "loggers": {
        "django": {"handlers": [], "level": "WARNING", "propagate": True},
        # Do not log a deliberate 503, because the line would reveal when someone visited.
        "django.request": {"level": "ERROR", "filters": ["faults"]},
        "django.server": {"handlers": [], "level": "CRITICAL", "propagate": False},
        # Do not log invalid requests (a wrong Host, a form without its token, too many fields). The lines
        # would reveal when someone visited, and a stranger could fill the disk with them.
        "django.security": {"handlers": [], "level": "CRITICAL", "propagate": False},
    },
}
