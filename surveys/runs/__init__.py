"""Jobs that write results: mining, audits, what they count, store and say when they end."""
