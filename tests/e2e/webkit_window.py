#!/usr/bin/python3
"""A WebKitGTK window whose pages have a file system, as in Safari, for WebKitWebDriver.

WebKitGTK disables it by default, and its MiniBrowser cannot enable it. Debian's own Python runs this script.
The argument is the profile's directory, or "private".
"""

import sys

import gi

gi.require_version("Gtk", "3.0")
gi.require_version("WebKit2", "4.1")

from gi.repository import Gtk, WebKit2  # noqa: E402 - their versions have to be chosen first

AS_SAFARI = ("StorageAPI", "FileSystem", "AccessHandle")

place = sys.argv[1]
kept = (
    WebKit2.WebsiteDataManager.new_ephemeral()
    if place == "private"
    else WebKit2.WebsiteDataManager(
        base_data_directory=f"{place}/data", base_cache_directory=f"{place}/cache"
    )
)
context = WebKit2.WebContext(website_data_manager=kept)
context.set_automation_allowed(True)
settings = WebKit2.Settings()
features = WebKit2.Settings.get_all_features()
for number in range(features.get_length()):
    if features.get(number).get_identifier() in AS_SAFARI:
        settings.set_feature_enabled(features.get(number), True)


def window(_session):
    """Open a window."""
    view = WebKit2.WebView(web_context=context, is_controlled_by_automation=True, settings=settings)
    frame = Gtk.Window()
    frame.add(view)
    view.connect("close", lambda _view: Gtk.main_quit())
    frame.set_default_size(1280, 900)
    frame.show_all()
    return view


def started(_context, session):
    """Name the browser for the driver, and open windows on request."""
    name = WebKit2.ApplicationInfo()
    name.set_name("Sottovoce")
    session.set_application_info(name)
    session.connect("create-web-view", window)


context.connect("automation-started", started)
Gtk.main()
