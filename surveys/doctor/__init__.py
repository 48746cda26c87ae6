"""Is what this installation promises true of it, here and now? ``manage.py doctor`` asks."""
