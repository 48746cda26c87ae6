"""From a definition file to a published version."""
