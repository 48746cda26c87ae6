"""Jobs that write results: mining, audits, counting, storing, and notification at the end."""
