"""Pages of the audit: before launch, from the answers, on the page of a run."""
