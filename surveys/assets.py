"""Static files under names that carry their digest."""

from whitenoise.storage import CompressedManifestStaticFilesStorage


class ManifestStorage(CompressedManifestStaticFilesStorage):
    """Hashed names, also for the modules that a JavaScript module imports.

    Without the second half a cached page could load a new module beside an old one, and the two would
    disagree about the layout of a body.
    """

    support_js_module_import_aggregation = True
