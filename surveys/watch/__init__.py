"""Check from outside that the respondents' page is the published one (``sottovoce watch``)."""
