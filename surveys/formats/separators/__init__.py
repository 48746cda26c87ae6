"""Number formats by language for Django, which groups digits by three in each language of the interface."""
