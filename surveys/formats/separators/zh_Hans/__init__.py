"""Number formats of Simplified Chinese."""
